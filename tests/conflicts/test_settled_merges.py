"""Conflicts settled by the one merge function, on real repositories (seed 1, Auto-resolving)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

import pytest

from mergequeue.conflicts.merging import TwoRuleMerging
from mergequeue.documents.config import AutoResolveTable, Configuration, UnitTable
from mergequeue.facts.units import UnitFacts
from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.ports import Settled, ThreeWay
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.ids import RepoPath, Unit
from mergequeue.vocabulary.words import Rule
from tests.support.repositories import EXECUTABLE, LINK, SUBMODULE, Content, Playground

Files = Mapping[str, Content] | Mapping[bytes, Content] | Mapping[str | bytes, Content]

LOG = "# Changelog\n\n## Unreleased\n\n- zero\n"
OURS, THEIRS = LOG + "- one\n", LOG + "- two\n"
BOTH = LOG + "- one\n- two\n"
NOTE = 'CHANGELOG.md: prose (matches "**/*.md" (built-in default))'


class Ground:
    """Real repositories, and the one merge function on them."""

    def __init__(self, playground: Playground, workshop: Workshop) -> None:
        self.playground = playground
        self.workshop = workshop

    def fork(self, base: Files, ours: Files, theirs: Files) -> ThreeWay:
        """Return a merge of two commits that each changed these files of one base."""
        there = cast("Files", {path: held for path, held in base.items() if held is not None})
        start = self.playground.commit(there)
        return ThreeWay(
            self.playground.commit(ours, parents=start),
            self.playground.commit(theirs, parents=start),
        )

    def merging(self, *units: str, **tables: Sequence[str]) -> TwoRuleMerging:
        """Return the merge function; each unit owns the folder of its name, `gen` all of `gen/`."""
        table = {Unit(unit): UnitTable(paths=(f"{unit}/**",)) for unit in units}
        if "outputs" in tables:
            table[Unit("gen")] = UnitTable(paths=("gen/**",), outputs=tuple(tables["outputs"]))
        settling = AutoResolveTable(
            prose=tuple(tables["prose"]) if "prose" in tables else None,
            allow=tuple(tables.get("allow", ())),
        )
        facts = UnitFacts(Configuration(unit=table, auto_resolve=settling))
        return TwoRuleMerging(GitMerges(self.workshop), self.workshop.reads, facts)

    def settle(self, merge: ThreeWay, *units: str, **tables: Sequence[str]) -> Settled:
        (settled,) = self.merging(*units, **tables).merge([merge])
        return settled

    def read(self, settled: Settled, path: str) -> bytes | None:
        """Return what a file of the merge holds; None where there is none."""
        assert settled.tree is not None, settled.conflicts
        return self.workshop.reads.read_file(settled.tree, RepoPath(path.encode()))

    def mode(self, settled: Settled, path: str) -> int:
        """Return a file's mode in the merge."""
        assert settled.tree is not None, settled.conflicts
        found = RepoPath(path.encode())
        return self.workshop.reads.modes(settled.tree, [found])[found]


@pytest.fixture
def ground(playground: Playground) -> Iterator[Ground]:
    playground.branch("main", playground.commit({"f": "1"}))
    with open_workshop(playground.clone(shared=True), "origin") as workshop:
        yield Ground(playground, workshop)


def whys(settled: Settled) -> dict[bytes, str]:
    assert settled.tree is None
    return {conflict.path: conflict.why for conflict in settled.conflicts}


def changelog(ground: Ground, **more: Content) -> ThreeWay:
    """Return a merge of two entries; `more` are the change's other files."""
    theirs = cast("Files", {"CHANGELOG.md": THEIRS, **more})
    return ground.fork({"CHANGELOG.md": LOG}, {"CHANGELOG.md": OURS}, theirs)


# --- what settles --------------------------------------------------------------------------------


def test_two_entries_in_a_changelog_settle_and_are_told_as_the_seed_has_it(ground: Ground) -> None:
    settled = ground.settle(changelog(ground, other="theirs\n"))
    assert ground.read(settled, "CHANGELOG.md") == BOTH.encode()
    assert ground.read(settled, "other") == b"theirs\n"
    assert (settled.rule, settled.conflicts, settled.generated) == (Rule.PATHS, (), ())
    (resolved,) = settled.resolved
    assert (resolved.path, resolved.line) == (b"CHANGELOG.md", NOTE)
    assert [(one.label, one.kind) for one in resolved.regions] == [
        ("CHANGELOG.md### Unreleased", 2)
    ]


def test_a_settled_file_keeps_its_mode_and_takes_a_change_of_it(ground: Ground) -> None:
    base: Content = (EXECUTABLE, LOG)
    kept = ground.fork(
        {"CHANGELOG.md": base},
        {"CHANGELOG.md": (EXECUTABLE, OURS)},
        {"CHANGELOG.md": (EXECUTABLE, THEIRS)},
    )
    gained = ground.fork(
        {"CHANGELOG.md": LOG}, {"CHANGELOG.md": OURS}, {"CHANGELOG.md": (EXECUTABLE, THEIRS)}
    )
    for merge in (kept, gained):
        assert ground.mode(ground.settle(merge), "CHANGELOG.md") == EXECUTABLE
    assert ground.mode(ground.settle(changelog(ground)), "CHANGELOG.md") == 0o100644


def test_code_settles_where_the_base_opts_it_in_or_comments_alone_change(ground: Ground) -> None:
    def fork(one: str, other: str) -> ThreeWay:
        code = "import os\n{}x = 1\n"
        base, ours, theirs = (code.format(more) for more in ("", one, other))
        return ground.fork({"a.py": base}, {"a.py": ours}, {"a.py": theirs})

    comments = ground.settle(fork("# ours\n", "# theirs\n"))
    assert ground.read(comments, "a.py") == b"import os\n# ours\n# theirs\nx = 1\n"
    assert comments.resolved[0].line == "a.py: comment-only"
    code = fork("y = 1\n", "z = 1\n")
    assert whys(ground.settle(code)) == {b"a.py": "a.py: code (more than comments change)"}
    allowed = ground.settle(code, allow=["*.py"])
    assert ground.read(allowed, "a.py") == b"import os\ny = 1\nz = 1\nx = 1\n"
    # What only tools read is no comment, though every lexer calls it one.
    assert whys(ground.settle(fork("# noqa\n", "# theirs\n")))


def test_settled_files_in_many_folders_leave_the_rest_of_the_merge_as_it_is(ground: Ground) -> None:
    places = ["a/b/c.md", "a/d.md", "e.md"]
    base = cast("Files", {**dict.fromkeys(places, LOG), "a/b/gone": "g", "a/mine": "m"})
    ours = cast("Files", {**dict.fromkeys(places, OURS), "a/mine": "ours", "f/new": "n"})
    theirs = cast("Files", {**dict.fromkeys(places, THEIRS), "a/b/gone": None, "a/b/more": "m"})
    settled = ground.settle(ground.fork(base, ours, theirs))
    assert settled.tree is not None
    assert {path: ground.read(settled, path.decode()) for path in _paths(ground, settled)} == {
        **{place.encode(): BOTH.encode() for place in places},
        b"a/mine": b"ours",
        b"a/b/more": b"m",
        b"f/new": b"n",
    }


def _paths(ground: Ground, settled: Settled) -> Sequence[RepoPath]:
    assert settled.tree is not None
    return ground.workshop.reads.paths(settled.tree)


def test_a_stacked_change_settles_against_what_it_was_stacked_on(ground: Ground) -> None:
    start = ground.playground.commit({"CHANGELOG.md": LOG})
    below = ground.playground.commit({"CHANGELOG.md": OURS}, parents=start)
    upper = ground.playground.commit({"CHANGELOG.md": OURS + "- up\n"}, parents=below)
    squashed = ground.playground.commit({"CHANGELOG.md": OURS}, parents=start)
    tip = ground.playground.commit({"CHANGELOG.md": OURS + "- more\n"}, parents=squashed)
    settled = ground.settle(ThreeWay(tip, upper, recorded=below))
    assert ground.read(settled, "CHANGELOG.md") == (OURS + "- more\n- up\n").encode()


def test_the_same_versions_settle_alike_alone_in_a_batch_and_in_another_clone(
    ground: Ground, playground: Playground
) -> None:
    merges = [changelog(ground), changelog(ground, other="o"), changelog(ground, last="l")]
    unsettled = ground.fork({"a": "1\n"}, {"a": "2\n"}, {"a": "3\n"})
    head = unsettled.theirs
    batch = [merges[0], unsettled, merges[1], ThreeWay(unsettled.ours, head, head), merges[2]]
    together = ground.merging().merge(batch)
    assert together == tuple(ground.settle(merge) for merge in batch)
    with open_workshop(playground.clone("another", shared=True), "origin") as other:
        assert Ground(playground, other).merging().merge(batch) == together


# --- where a rename is in it ---------------------------------------------------------------------


def moved(ground: Ground, old: str, new: str, **more: Content) -> ThreeWay:
    """Return a merge of an entry into a changelog that was renamed with an entry of its own."""
    long = LOG + "".join(f"- {number}\n" for number in range(30))
    ours = cast("Files", {old: None, new: long + "- one\n", **more})
    return ground.fork({old: long}, ours, {old: long + "- two\n"})


def test_a_conflict_that_only_a_rename_shows_settles_where_the_rename_leads(ground: Ground) -> None:
    settled = ground.settle(moved(ground, "a/OLD.md", "a/NEW.md"))
    assert settled.rule is Rule.RENAMES
    assert (ground.read(settled, "a/NEW.md") or b"").endswith(b"- 29\n- one\n- two\n")
    assert ground.read(settled, "a/OLD.md") is None
    assert [resolved.path for resolved in settled.resolved] == [b"a/NEW.md"]


def test_settling_follows_no_rename_out_of_the_changes_own_units(ground: Ground) -> None:
    merge = moved(ground, "a/OLD.md", "b/NEW.md")
    assert ground.settle(merge, "a").tree is None
    assert whys(ground.settle(merge, "a", "b")) == {
        b"a/OLD.md": "a/OLD.md: one side changed it, and the other took it out"
    }
    assert ground.settle(merge).rule is Rule.RENAMES


def test_a_rename_that_git_calls_conflicting_is_never_settled_around(ground: Ground) -> None:
    # Both sides renamed the same file, and a changelog beside it would settle by itself.
    text = "".join(f"{number}\n" for number in range(30))
    merge = ground.fork(
        {"CHANGELOG.md": LOG, "f": text},
        {"CHANGELOG.md": OURS, "f": None, "g": text},
        {"CHANGELOG.md": THEIRS, "f": None, "h": text},
    )
    by_paths = ground.settle(merge)
    # By paths there is no conflict in it: both names are there, as on GitHub.
    assert (by_paths.rule, ground.read(by_paths, "g")) == (Rule.PATHS, text.encode())
    # A folder that both sides divided among two leaves no path behind in git's answer.
    halves = {f"d/{n}": text + f"{n}\n" for n in range(4)}
    gone = dict.fromkeys(halves)
    left = {f"x/{n}": halves[f"d/{n}"] for n in range(2)}
    right = {f"y/{n}": halves[f"d/{n}"] for n in range(2, 4)}
    split = ground.fork(
        cast("Files", {**halves, "a/L.md": LOG, "m": text}),
        cast("Files", {**gone, **left, **right, "a/L.md": None, "a/M.md": OURS, "m": None}),
        cast("Files", {"d/new": "n", "a/L.md": THEIRS, "m": text + "m\n"}),
    )
    assert ground.settle(split).tree is None


# --- what is generated ---------------------------------------------------------------------------


def test_a_generated_file_takes_the_changes_side_and_goes_where_one_side_deleted_it(
    ground: Ground,
) -> None:
    merge = ground.fork(
        {"gen/a": "1\n", "gen/b": "1\n", "gen/c": "1\n", "CHANGELOG.md": LOG},
        {"gen/a": "2\n", "gen/b": None, "gen/c": "2\n", "gen/d": "2\n", "CHANGELOG.md": OURS},
        {
            "gen/a": (EXECUTABLE, "3\n"),
            "gen/b": "3\n",
            "gen/c": None,
            "gen/d": "3\n",
            "CHANGELOG.md": THEIRS,
        },
    )
    assert ground.settle(merge).tree is None
    settled = ground.settle(merge, outputs=["gen/**"])
    assert settled.generated == (b"gen/a", b"gen/b", b"gen/c", b"gen/d")
    held = {name: ground.read(settled, f"gen/{name}") for name in "abcd"}
    assert held == {"a": b"3\n", "b": None, "c": None, "d": b"3\n"}
    assert ground.mode(settled, "gen/a") == EXECUTABLE
    assert ground.read(settled, "CHANGELOG.md") == BOTH.encode()


def test_a_generated_file_in_the_way_of_a_folder_goes_and_a_submodule_is_nobodys_output(
    ground: Ground,
) -> None:
    merge = ground.fork({"gen/a": "1\n"}, {"gen/a": None, "gen/a/b": "2\n"}, {"gen/a": "3\n"})
    settled = ground.settle(merge, outputs=["gen/**"])
    assert _paths(ground, settled) == (b"gen/a/b",)
    pointers = [(SUBMODULE, str(number) * 40) for number in (1, 3, 2)]
    moved_back = ground.fork(*({"gen/sub": pointer} for pointer in pointers))
    assert whys(ground.settle(moved_back, outputs=["gen/**"])) == {
        b"gen/sub": "gen/sub: both sides moved a submodule, which is never settled"
    }


def test_generated_files_of_a_criss_cross_are_settled_and_sources_are_not(ground: Ground) -> None:
    def crossed(path: str) -> ThreeWay:
        write = ground.playground.commit
        start = write({path: LOG, "x": "x\n"})
        one, other = write({path: OURS}, parents=start), write({path: THEIRS}, parents=start)
        return ThreeWay(
            write({path: LOG + "- p\n"}, parents=[one, other]),
            write({path: LOG + "- q\n"}, parents=[other, one]),
        )

    settled = ground.settle(crossed("gen/a.md"), outputs=["gen/**"])
    assert ground.read(settled, "gen/a.md") == (LOG + "- q\n").encode()
    assert whys(ground.settle(crossed("a.md"))) == {
        b"a.md": "a.md: the two histories have several merge bases"
    }


# --- what stays a conflict -----------------------------------------------------------------------

STAYS: dict[str, tuple[Content, Content, Content, str]] = {
    "deleted by one side": (LOG, None, THEIRS, "one side changed it, and the other took it out"),
    "deleted by the change": (LOG, OURS, None, "one side changed it, and the other took it out"),
    "added by both": (None, OURS, THEIRS, "both sides added it, so it is absent at the merge base"),
    "a link on both sides": (
        (LINK, "a"),
        (LINK, "b"),
        (LINK, "c"),
        "it is no regular file on every side",
    ),
    "a link at the merge base": ((LINK, "a"), OURS, THEIRS, "it is no regular file on every side"),
    "a file and a link": (
        LOG,
        OURS,
        (LINK, "a"),
        "it is a file on one side and something else on the other",
    ),
    "two modes": (
        None,
        (EXECUTABLE, OURS),
        (0o100644, OURS),
        "each side gave it another mode",
    ),
    "binary": (LOG + "\0", OURS + "\0", THEIRS + "\0", "the file is binary"),
    "binary on one side": (LOG, OURS, THEIRS + "\0", "the file is binary"),
}


@pytest.mark.parametrize(("base", "ours", "theirs", "why"), STAYS.values(), ids=STAYS)
def test_what_is_no_text_on_three_sides_stays_a_conflict(
    ground: Ground, base: Content, ours: Content, theirs: Content, why: str
) -> None:
    merge = ground.fork(*({"a.md": each} for each in (base, ours, theirs)))
    assert whys(ground.settle(merge)) == {b"a.md": f"a.md: {why}"}


def test_one_file_that_does_not_settle_leaves_the_merge_and_only_it_is_named(
    ground: Ground,
) -> None:
    merge = ground.fork(
        {"CHANGELOG.md": LOG, "b.md": "# B\n\none\n", "gen/a": "1\n"},
        {"CHANGELOG.md": OURS, "b.md": "# B\n\ntwo\n", "gen/a": "2\n"},
        {"CHANGELOG.md": THEIRS, "b.md": "# B\n\nthree\n", "gen/a": "3\n"},
    )
    settled = ground.settle(merge, outputs=["gen/**"])
    (why,) = whys(settled).items()
    assert why[0] == b"b.md"
    assert why[1].startswith("b.md## B: both sides changed the same lines")
    assert (settled.resolved, settled.generated) == ((), ())


def test_neither_union_nor_another_driver_nor_an_attribute_settles_anything(
    ground: Ground,
) -> None:
    # Where a union would bring a line back that one side took out (CASES A).
    attributes = "L merge=union\nL.md merge=union diff=python -text\n"
    base = {".gitattributes": attributes, "L": "a\nb\nc\n", "L.md": "a\nb\nc\n"}
    ours, theirs = "a\nc\nd\n", "a\nb2\nc\ne\n"
    for name in ("L", "L.md"):
        merge = ground.fork(base, {name: ours}, {name: theirs})
        assert name.encode() in whys(ground.settle(merge))
    # What settles is the same with and without one: their words only name places.
    plain = ground.settle(changelog(ground))
    drawn = ground.settle(changelog(ground, **{".gitattributes": "*.md merge=ours diff=python\n"}))
    assert ground.read(plain, "CHANGELOG.md") == ground.read(drawn, "CHANGELOG.md")


def test_the_base_branchs_attributes_name_the_diff_driver_and_a_checkouts_do_not(
    ground: Ground,
) -> None:
    base = {"notes": LOG, ".gitattributes": "notes diff=markdown\n"}
    merge = ground.fork(base, {"notes": OURS}, {"notes": THEIRS})
    assert ground.settle(merge, allow=["notes"]).resolved[0].regions[0].label == (
        "notes### Unreleased"
    )
    unnamed = ground.fork({"notes": LOG}, {"notes": OURS}, {"notes": THEIRS})
    (ground.playground.folder / "clone" / ".gitattributes").write_text("notes diff=markdown\n")
    assert ground.settle(unnamed, allow=["notes"]).resolved[0].regions[0].label == "notes#line 6"


def test_more_than_the_limits_allow_is_not_tried(ground: Ground) -> None:
    large = "x" * limits.SETTLED_BYTES
    merge = ground.fork({"a.md": large + LOG}, {"a.md": large + OURS}, {"a.md": large + THEIRS})
    assert whys(ground.settle(merge)) == {b"a.md": "a.md: a version of it is too large"}
    names = [f"{number}.md" for number in range(limits.SETTLED_FILES + 1)]
    versions = (LOG, OURS, THEIRS)
    many = ground.fork(*(cast("Files", dict.fromkeys(names, each)) for each in versions))
    assert set(whys(ground.settle(many)).values()) == {
        f"{name}: too many files conflict for any to be settled" for name in names
    }
    fewer = ground.fork(*(cast("Files", dict.fromkeys(names[1:], each)) for each in versions))
    assert len(ground.settle(fewer).resolved) == limits.SETTLED_FILES


def test_a_name_that_is_more_than_text_stays_one_line_of_it(ground: Ground) -> None:
    name = b"a\n\xff`.md"
    merge = ground.fork({name: LOG}, {name: OURS}, {name: "## `x`\u202e\n" + THEIRS})
    (resolved,) = ground.settle(merge).resolved
    assert resolved.line.isprintable()
    assert all(region.label.isprintable() for region in resolved.regions)
