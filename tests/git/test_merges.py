"""The two rules, case by case (CASES A and B)."""

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.ports import Conflict, Merged, ThreeWay
from mergequeue.vocabulary.errors import GIT_FAILED, MergequeueError
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId
from mergequeue.vocabulary.words import ConflictKind
from tests.support.repositories import (
    EXECUTABLE,
    FILE,
    FOLDER,
    LINK,
    SUBMODULE,
    TREE_TYPE,
    Content,
    Playground,
)

Files = Mapping[str | bytes, Content]
LINES = "".join(f"{number}\n" for number in range(20))


@pytest.fixture
def workshop(playground: Playground) -> Iterator[Workshop]:
    playground.branch("main", playground.commit({"f": "1"}))
    with open_workshop(playground.clone(shared=True), "origin") as opened:
        yield opened


@pytest.fixture
def merges(workshop: Workshop) -> GitMerges:
    return GitMerges(workshop)


class Case:
    """One fork: what the base holds, and what each side changes."""

    def __init__(self, playground: Playground, base: Files, ours: Files, theirs: Files) -> None:
        self.playground = playground
        self.base = playground.commit(base)
        self.ours = playground.commit(ours, parents=self.base)
        self.theirs = playground.commit(theirs, parents=self.base)
        self.merge = ThreeWay(self.ours, self.theirs)

    def clean(self, merged: Merged, files: Files) -> bool:
        """Whether the outcome is the base with these files put in."""
        return merged.tree == self.playground.tree(files, start=self.base)


def conflicting(merged: Merged) -> dict[bytes, ConflictKind]:
    assert merged.tree is None
    return {conflict.path: conflict.kind for conflict in merged.conflicts}


def edited(line: int, text: str = "edited") -> str:
    return LINES.replace(f"\n{line}\n", f"\n{text}\n")


# --- what one side changes ------------------------------------------------------------------------


def test_an_edit_a_mode_and_a_new_file_come_together(
    playground: Playground, merges: GitMerges
) -> None:
    ours: Files = {"f": edited(1), "dir/ours": "x"}
    case = Case(playground, {"f": LINES}, ours, {"f": (EXECUTABLE, LINES), "dir/theirs": "y"})
    (merged,) = merges.merge_by_paths([case.merge])
    expected: Files = {"f": (EXECUTABLE, edited(1)), "dir/ours": "x", "dir/theirs": "y"}
    assert case.clean(merged, expected)


def test_two_edits_of_one_file_are_merged_by_git(playground: Playground, merges: GitMerges) -> None:
    case = Case(playground, {"a/f": LINES}, {"a/f": edited(1)}, {"a/f": edited(15)})
    (merged,) = merges.merge_by_paths([case.merge])
    both = edited(1).replace("\n15\n", "\nedited\n")
    assert case.clean(merged, {"a/f": both})


def test_a_folder_that_both_sides_empty_is_gone(playground: Playground, merges: GitMerges) -> None:
    base: Files = {"dir/a": "a", "dir/b": "b", "other": "o"}
    case = Case(playground, base, {"dir/a": None}, {"dir/b": None})
    (merged,) = merges.merge_by_paths([case.merge])
    assert merged.tree == playground.tree({"other": "o"})


@pytest.mark.parametrize("names", [(b"a", b"b"), (b"b", b"a")], ids=["old modes", "and unsorted"])
def test_a_folder_that_no_git_writes_any_more_is_written_as_git_writes_it(
    playground: Playground, merges: GitMerges, names: tuple[bytes, bytes]
) -> None:
    blob = bytes.fromhex(playground.write(3, b"x"))
    who = b"A <a@b> 1700000000 +0000"

    def commit(*held: bytes, parents: tuple[str, ...] = ()) -> CommitId:
        tree = playground.write(TREE_TYPE, b"".join(b"100664 %s\0%s" % (n, blob) for n in held))
        above = b"".join(b"parent %s\n" % parent.encode() for parent in parents)
        header = b"tree %s\n%sauthor %s\ncommitter %s\n\nx" % (tree.encode(), above, who, who)
        return CommitId(playground.write(1, header))

    base = commit(*names)
    ours = commit(*names, b"ours", parents=(base,))
    theirs = commit(*names, b"theirs", parents=(base,))
    alone, both = merges.merge_by_paths([ThreeWay(base, theirs), ThreeWay(ours, theirs)])
    assert alone.tree == playground.tree({"a": "x", "b": "x", "theirs": "x"})
    assert both.tree == playground.tree({"a": "x", "b": "x", "ours": "x", "theirs": "x"})


def test_everything_can_be_deleted(playground: Playground, merges: GitMerges) -> None:
    case = Case(playground, {"dir/a": "a", "dir/b": "b"}, {"dir/a": None}, {"dir/b": None})
    (merged,) = merges.merge_by_paths([case.merge])
    assert merged.tree == playground.tree({})


def test_a_file_that_became_a_folder_on_one_side_alone_is_clean(
    playground: Playground, merges: GitMerges
) -> None:
    case = Case(playground, {"d": "1", "e": "2"}, {"d": None, "d/x": "3"}, {"e": "4"})
    (merged,) = merges.merge_by_paths([case.merge])
    assert case.clean(merged, {"d": None, "d/x": "3", "e": "4"})


# --- what both sides change -----------------------------------------------------------------------

BINARY = b"\0\1\2\3"


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "kind"),
    [
        pytest.param("1\n", "2\n", "3\n", ConflictKind.CONTENT, id="two contents"),
        pytest.param(BINARY, BINARY + b"4", BINARY + b"5", ConflictKind.CONTENT, id="binary"),
        pytest.param("1\n", None, "3\n", ConflictKind.CHANGED_AND_DELETED, id="deleted by us"),
        pytest.param("1\n", "2\n", None, ConflictKind.CHANGED_AND_DELETED, id="deleted by them"),
        pytest.param(
            "1\n", (EXECUTABLE, "1\n"), None, ConflictKind.CHANGED_AND_DELETED, id="mode, deleted"
        ),
        pytest.param(None, "2\n", "3\n", ConflictKind.ADDED_BY_BOTH, id="added by both"),
        pytest.param(
            None, (FILE, "2\n"), (EXECUTABLE, "2\n"), ConflictKind.MODES, id="added in two modes"
        ),
        pytest.param("1\n", (LINK, "x"), "3\n", ConflictKind.KINDS, id="a link against a file"),
        pytest.param(
            "1\n", (SUBMODULE, "1" * 40), "3\n", ConflictKind.KINDS, id="a submodule against a file"
        ),
        pytest.param((LINK, "x"), (LINK, "y"), (LINK, "z"), ConflictKind.CONTENT, id="two links"),
        pytest.param(
            (SUBMODULE, "1" * 40),
            (SUBMODULE, "2" * 40),
            (SUBMODULE, "3" * 40),
            ConflictKind.SUBMODULE,
            id="two submodule commits",
        ),
    ],
)
def test_what_two_sides_do_to_one_path_is_a_conflict_of_its_kind_by_either_rule(
    playground: Playground,
    merges: GitMerges,
    base: Content,
    ours: Content,
    theirs: Content,
    kind: ConflictKind,
) -> None:
    start: Files = {"keep": "k"} if base is None else {"keep": "k", "p": base}
    case = Case(playground, start, {"p": ours}, {"p": theirs})
    for rule in (merges.merge_by_paths, merges.merge_by_renames):
        (merged,) = rule([case.merge])
        assert conflicting(merged) == {b"p": kind}


@pytest.mark.parametrize("swapped", [False, True])
def test_a_file_against_a_folder_is_a_conflict_on_the_file(
    playground: Playground, merges: GitMerges, *, swapped: bool
) -> None:
    sides: list[Files] = [{"d": "file\n"}, {"d/x": "in a folder\n"}]
    ours, theirs = reversed(sides) if swapped else sides
    case = Case(playground, {"keep": "k"}, ours, theirs)
    for rule in (merges.merge_by_paths, merges.merge_by_renames):
        (merged,) = rule([case.merge])
        assert conflicting(merged) == {b"d": ConflictKind.KINDS}


def test_the_same_file_added_by_both_is_clean(playground: Playground, merges: GitMerges) -> None:
    added: Files = {"dir/new": "same\n", "ours": "o"}
    case = Case(playground, {"keep": "k"}, added, {"dir/new": "same\n"})
    (merged,) = merges.merge_by_paths([case.merge])
    assert case.clean(merged, added)


def test_every_conflict_of_a_merge_is_named(playground: Playground, merges: GitMerges) -> None:
    base: Files = {"a": "1\n", "b/c": "1\n", "d": "1\n"}
    ours: Files = {"a": "2\n", "b/c": None, "d": "2\n"}
    case = Case(playground, base, ours, {"a": "3\n", "b/c": "3\n", "d": "2\n"})
    (merged,) = merges.merge_by_paths([case.merge])
    assert merged.conflicts == (
        Conflict(RepoPath(b"a"), ConflictKind.CONTENT),
        Conflict(RepoPath(b"b/c"), ConflictKind.CHANGED_AND_DELETED),
    )


# --- renames --------------------------------------------------------------------------------------


def test_an_edit_to_a_renamed_file_conflicts_by_paths_and_is_clean_by_renames(
    playground: Playground, merges: GitMerges
) -> None:
    case = Case(playground, {"old": LINES}, {"old": None, "new": LINES}, {"old": edited(5)})
    (by_paths,) = merges.merge_by_paths([case.merge])
    (by_renames,) = merges.merge_by_renames([case.merge])
    assert conflicting(by_paths) == {b"old": ConflictKind.CHANGED_AND_DELETED}
    assert case.clean(by_renames, {"old": None, "new": edited(5)})


def test_by_paths_a_new_file_stays_in_a_folder_that_the_other_side_renamed(
    playground: Playground, merges: GitMerges
) -> None:
    moved: dict[str | bytes, Content] = {f"old/{n}": None for n in range(3)}
    moved.update({f"new/{n}": LINES for n in range(3)})
    case = Case(playground, {f"old/{n}": LINES for n in range(3)}, moved, {"old/4": "four\n"})
    (by_paths,) = merges.merge_by_paths([case.merge])
    (by_renames,) = merges.merge_by_renames([case.merge])
    assert case.clean(by_paths, {**moved, "old/4": "four\n"})
    # git's default for merge.directoryRenames, whatever a machine is set to.
    assert conflicting(by_renames) == {b"new/4": ConflictKind.RENAMES}


def test_an_empty_file_is_not_taken_for_a_rename(playground: Playground, merges: GitMerges) -> None:
    case = Case(playground, {"bar": ""}, {"bar": None, "boo": ""}, {"bar": "filled\n"})
    for rule in (merges.merge_by_paths, merges.merge_by_renames):
        (merged,) = rule([case.merge])
        assert conflicting(merged) == {b"bar": ConflictKind.CHANGED_AND_DELETED}


# --- attributes and configuration -----------------------------------------------------------------


@pytest.mark.parametrize(
    "attributes",
    ["L merge=union\n", "* merge=union\n", "* -merge\n", "* text eol=crlf\n", "L binary\n"],
)
def test_no_attribute_in_a_tree_changes_what_comes_out(
    playground: Playground, merges: GitMerges, attributes: str
) -> None:
    base: Files = {"L": LINES, "M": LINES}
    plain = Case(playground, base, {"L": LINES + "a\n"}, {"L": LINES + "b\n", "M": edited(3)})
    with_it: Files = {"L": LINES, "M": edited(15)}
    marked = [
        Case(
            playground,
            {**with_it, ".gitattributes": attributes},
            {"L": LINES + "a\n"},
            {"L": LINES + "b\n", "M": edited(15).replace("\n3\n", "\nedited\n")},
        ),
        Case(playground, base, {"L": LINES + "a\n", ".gitattributes": attributes}, {"L": "b\n"}),
    ]
    for rule in (merges.merge_by_paths, merges.merge_by_renames):
        for merged in rule([plain.merge, *(case.merge for case in marked)]):
            assert conflicting(merged) == {b"L": ConflictKind.CONTENT}


def test_no_attribute_makes_a_clean_merge_conflict_or_converts_it(
    playground: Playground, merges: GitMerges
) -> None:
    base: Files = {"f": LINES, ".gitattributes": "* -merge text eol=crlf\n"}
    case = Case(playground, base, {"f": edited(1)}, {"f": edited(15)})
    for rule in (merges.merge_by_paths, merges.merge_by_renames):
        (merged,) = rule([case.merge])
        assert case.clean(merged, {"f": edited(1).replace("\n15\n", "\nedited\n")})


def test_no_attribute_or_setting_of_a_checkout_reaches_a_merge(playground: Playground) -> None:
    case = Case(playground, {"L": "1\n"}, {"L": "1\n2\n"}, {"L": "1\n3\n"})
    moved = Case(playground, {"old": LINES}, {"old": None, "new": LINES}, {"old": edited(5)})
    playground.branch("main", case.ours)
    clone = playground.clone("hostile", shared=True)
    (clone / ".gitattributes").write_text("* merge=union\n")
    (clone / ".git/info").mkdir(exist_ok=True)
    (clone / ".git/info/attributes").write_text("* merge=union\n")
    for key, value in {
        "merge.renames": "false",
        "merge.default": "union",
        "merge.renormalize": "true",
        "core.autocrlf": "true",
        "merge.directoryRenames": "true",
    }.items():
        playground.run("config", key, value, cwd=clone)
    with open_workshop(clone, "origin") as workshop:
        merges = GitMerges(workshop)
        for rule in (merges.merge_by_paths, merges.merge_by_renames):
            assert conflicting(rule([case.merge])[0]) == {b"L": ConflictKind.CONTENT}
        (renamed,) = merges.merge_by_renames([moved.merge])
        assert moved.clean(renamed, {"old": None, "new": edited(5)})


def test_carriage_returns_and_a_missing_last_newline_are_kept(
    playground: Playground, merges: GitMerges
) -> None:
    text = "".join(f"{number}\r\n" for number in range(20)) + "end"
    ours, theirs = text.replace("\n1\r", "\none\r"), text.replace("\n15\r", "\nfifteen\r")
    case = Case(playground, {"f": text}, {"f": ours}, {"f": theirs})
    (merged,) = merges.merge_by_paths([case.merge])
    assert case.clean(merged, {"f": ours.replace("\n15\r", "\nfifteen\r")})


ODD = [b"tab\t", b"line\nbreak", b'"quoted"', b"--gate=x", b"-n", b" lead", b"\xff\xfe", b"a b"]


def test_names_of_any_bytes_are_merged_and_named_as_they_are(
    playground: Playground, merges: GitMerges
) -> None:
    base: dict[str | bytes, Content] = dict.fromkeys(ODD, LINES)
    ours: dict[str | bytes, Content] = {name: edited(1) for name in ODD}
    theirs: dict[str | bytes, Content] = {name: edited(15) for name in ODD}
    case = Case(playground, base, ours, theirs)
    against: dict[str | bytes, Content] = {name: edited(1, "other") for name in ODD}
    clash = Case(playground, base, ours, against)
    for rule in (merges.merge_by_paths, merges.merge_by_renames):
        merged, conflict = rule([case.merge, clash.merge])
        both = edited(1).replace("\n15\n", "\nedited\n")
        assert case.clean(merged, dict.fromkeys(ODD, both))
        assert set(conflicting(conflict)) == set(ODD)


# --- histories ------------------------------------------------------------------------------------


def test_unrelated_histories_are_no_conflict(playground: Playground, merges: GitMerges) -> None:
    case = Case(playground, {"a": "1"}, {"a": "2"}, {"b": "3"})
    orphan = playground.commit({"a": "of another world"})
    for rule in (merges.merge_by_paths, merges.merge_by_renames):
        alone, merged = rule([ThreeWay(case.ours, orphan), case.merge])
        assert alone == Merged(None, unrelated=True)
        assert case.clean(merged, {"a": "2", "b": "3"})


def test_a_chosen_base_needs_no_history_at_all(playground: Playground, merges: GitMerges) -> None:
    base, ours = playground.commit({"a": LINES}), playground.commit({"a": edited(1)})
    theirs = playground.commit({"a": edited(15)})
    both = TreeId(playground.tree({"a": edited(1).replace("\n15\n", "\nedited\n")}))
    for rule in (merges.merge_by_paths, merges.merge_by_renames):
        assert rule([ThreeWay(ours, theirs, base)]) == (Merged(both, bases=(base,)),)


def test_a_recorded_stack_base_is_the_merge_base_of_what_stands_on_it(
    playground: Playground, merges: GitMerges
) -> None:
    base = playground.commit({"f": "1\n"})
    lower = playground.commit({"f": "1\nlower\n"}, parents=base)
    upper = playground.commit({"f": "1\n"}, parents=lower)
    squashed = playground.commit({"f": "1\nlower\n"}, parents=base)
    merge = ThreeWay(squashed, upper, recorded=lower)
    for rule in (merges.merge_by_paths, merges.merge_by_renames):
        (merged,) = rule([merge])
        assert merged == Merged(TreeId(playground.tree({"f": "1\n"})), bases=(lower,))


def test_a_change_that_took_in_the_base_after_its_stack_base_landed_merges_from_both(
    playground: Playground, merges: GitMerges
) -> None:
    base = playground.commit({"f": "1\n", "g": LINES})
    lower = playground.commit({"f": "2\n"}, parents=base)
    squashed = playground.commit({"f": "2\n"}, parents=base)
    moved = playground.commit({"g": edited(3, "first")}, parents=squashed)
    upper = playground.commit({"g": edited(3, "first"), "h": "h"}, parents=[lower, moved])
    tip = playground.commit({"g": edited(3, "second")}, parents=moved)
    for rule in (merges.merge_by_paths, merges.merge_by_renames):
        (merged,) = rule([ThreeWay(tip, upper, recorded=lower)])
        assert set(merged.bases) == {lower, moved}
        assert merged.tree == playground.tree({"h": "h"}, start=tip)
        # From the stack base alone, the author would be told of a conflict nobody made.
        assert rule([ThreeWay(tip, upper, base=lower)])[0].tree is None


def test_a_recorded_commit_that_we_carry_changes_nothing(
    playground: Playground, merges: GitMerges
) -> None:
    case = Case(playground, {"f": LINES}, {"f": edited(1)}, {"f": edited(15)})
    recorded = ThreeWay(case.ours, case.theirs, recorded=case.base)
    for rule in (merges.merge_by_paths, merges.merge_by_renames):
        assert rule([recorded]) == rule([case.merge])


def test_what_we_carry_already_changes_nothing(playground: Playground, merges: GitMerges) -> None:
    case = Case(playground, {"f": LINES}, {"f": edited(1)}, {"f": edited(15)})
    for rule in (merges.merge_by_paths, merges.merge_by_renames):
        merged, ahead = rule([ThreeWay(case.ours, case.base), ThreeWay(case.base, case.ours)])
        assert case.clean(merged, {"f": edited(1)})
        assert case.clean(ahead, {"f": edited(1)})


# --- many at once ---------------------------------------------------------------------------------


def test_a_large_batch_merges_each_as_it_merges_alone(
    playground: Playground, merges: GitMerges, workshop: Workshop
) -> None:
    base = playground.commit({f"dir{n % 7}/{n}": f"{n}\n{LINES}" for n in range(60)})
    ours = playground.commit(
        {f"dir{n % 7}/{n}": f"{n}\n{edited(1)}" for n in range(60)}, parents=base
    )
    heads = [
        playground.commit({f"dir{n % 7}/{n}": f"{n}\n{edited(1 + n % 18)}"}, parents=base)
        for n in range(60)
    ]
    ways = [ThreeWay(ours, head) for head in heads] * 2
    together = merges.merge_by_paths(ways)
    alone = [GitMerges(workshop).merge_by_paths([way])[0] for way in ways[::13]]
    assert list(together[::13]) == alone
    assert together == merges.merge_by_renames(ways)
    trees = {merged.tree for merged in together if merged.tree is not None}
    assert len(trees) > 50
    for tree in trees:
        playground.run("ls-tree", "-r", tree, cwd=workshop.objects.parent)


def test_no_merge_at_all_is_no_work(merges: GitMerges) -> None:
    assert merges.merge_by_paths([]) == ()
    assert merges.merge_by_renames([]) == ()


# --- git and objects that fail --------------------------------------------------------------------

MISSING = CommitId("1" * 40)


@pytest.mark.parametrize("place", ["ours", "theirs", "base", "recorded"])
def test_an_unknown_commit_is_an_error_that_names_it(
    playground: Playground, merges: GitMerges, place: str
) -> None:
    known = playground.tip("main")
    given = {"ours": known, "theirs": playground.commit({"f": "2"}, parents=known), place: MISSING}
    for rule in (merges.merge_by_paths, merges.merge_by_renames):
        with pytest.raises(MergequeueError, match=MISSING) as raised:
            rule([ThreeWay(**given)])
        assert raised.value.code == GIT_FAILED.code


def test_a_missing_file_is_an_error_and_no_conflict(
    playground: Playground, merges: GitMerges
) -> None:
    lost = "2" * 40
    case = Case(playground, {"f": LINES}, {"f": edited(1)}, {"g": "x"})
    tree = playground.write(TREE_TYPE, b"100644 f\0" + bytes.fromhex(lost))
    raw = f"tree {tree}\nparent {case.base}\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\n"
    theirs = CommitId(playground.write(1, raw.encode()))
    for rule in (merges.merge_by_paths, merges.merge_by_renames):
        with pytest.raises(MergequeueError) as raised:
            rule([case.merge, ThreeWay(case.ours, theirs)])
        assert raised.value.code == GIT_FAILED.code


@pytest.mark.parametrize(
    "end",
    ["kill -9 $$", "exit 1", "exit 128", "exit 0", "printf '1\\0%040d\\0\\0' 0; kill -9 $$"],
    ids=["killed", "exit 1", "exit 128", "silent", "killed after an answer"],
)
def test_a_git_that_dies_in_the_middle_is_an_error_and_no_conflict(
    playground: Playground, tmp_path: Path, end: str
) -> None:
    case = Case(playground, {"f": LINES}, {"f": edited(1)}, {"f": edited(15)})
    playground.branch("main", case.ours)
    real = shutil.which("git")
    (tmp_path / "bin").mkdir()
    script = f'for word; do [ "$word" = merge-tree ] && {{ {end}; }}; done\nexec {real} "$@"\n'
    (tmp_path / "bin/git").write_text(f"#!/bin/sh\n{script}")
    (tmp_path / "bin/git").chmod(0o755)
    outer = {**os.environ, "PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}
    with open_workshop(playground.clone(shared=True), "origin", outer) as workshop:
        merges = GitMerges(workshop)
        for rule in (merges.merge_by_paths, merges.merge_by_renames):
            with pytest.raises(MergequeueError) as raised:
                rule([case.merge, ThreeWay(case.theirs, case.ours)])
            assert raised.value.code == GIT_FAILED.code


@pytest.mark.parametrize(
    "raw",
    [b"100644 f\0short", b"100644 f\0" + b"x" * 20 + b"100644 f\0" + b"x" * 20],
    ids=["cut off", "one name twice"],
)
def test_a_corrupt_tree_is_an_error_that_names_it(
    playground: Playground, merges: GitMerges, raw: bytes
) -> None:
    case = Case(playground, {"d/f": "1"}, {"d/f": "2"}, {"g": "x"})
    broken = playground.write(TREE_TYPE, raw)
    tree = playground.write(TREE_TYPE, b"%o d\0" % FOLDER + bytes.fromhex(broken))
    commit = f"tree {tree}\nparent {case.base}\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\n"
    theirs = CommitId(playground.write(1, commit.encode()))
    with pytest.raises(MergequeueError, match=broken) as raised:
        merges.merge_by_paths([ThreeWay(case.ours, theirs)])
    assert raised.value.code == GIT_FAILED.code
