"""Validation regenerates what a merge left stale, and gates the result (facts C10 to C15)."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.documents.plan import PlannedChange
from mergequeue.verdicts.blame import Made
from mergequeue.verdicts.schedule import Schedule
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.words import EventKind
from tests.support.repositories import EXECUTABLE, LINK, Content, Playground
from tests.verdicts.bench import World, world_of
from tests.verdicts.worlds import straight

GENERATE = """\
#!/bin/sh
# Writes gen/list from what src holds, and tells what it was given.
echo "regenerate $* < $(cat | tr '\\n' ' ')" >> "$LOG"
. ./tools/settings
mkdir -p gen
if test -e gen/list; then cat src/*.txt > gen/list; fi
if test -e gen/count; then cat src/*.txt | wc -l | tr -d ' ' > gen/count; fi
eval "$EXTRA"
"""

GATE = """\
#!/bin/sh
# Tells what it ran on and what that generated; red where the list holds what no source does.
test ! -e ping || echo ping > "$HERE/fifo"
echo "gate $(git log -1 --format=%s): $(cat gen/list stamp | tr '\\n' ' ')" >> "$LOG"
cat src/*.txt | cmp -s - gen/list
"""

TOML = """\
[queue]
regenerate = "./tools/generate all"

[unit.u]
paths = ["src/**", "gen/**", "tools/**", "stamp"]
outputs = ["gen/**"]
updates = ["stamp"]
generator = ["tools/**", "src/**"]

[unit.rest]
paths = ["/*"]
"""


@pytest.fixture
def world(playground: Playground, tmp_path: Path) -> World:
    folder = tmp_path / "world"
    files: dict[str | bytes, Content] = {
        "mergequeue.toml": TOML,
        "tools/generate": (EXECUTABLE, GENERATE.replace("$LOG", str(folder / "log"))),
        "tools/settings": "EXTRA=true\n",
        "src/a.txt": "a\n",
        "src/m.txt": "m\n",
        "gen/list": "a\nm\n",
        "stamp": "1\n",
        ".gitignore": "*.cache\n",
    }
    return world_of(playground, folder, files, script=GATE)


def stale(world: World, name: str, letter: str, **more: Content) -> PlannedChange:
    """Return a change that adds a source, and carries the list as it was right for its own base."""
    letters = sorted({"a", "m", letter})
    listed = "".join(f"{each}\n" for each in letters)
    files: dict[str | bytes, Content] = {f"src/{letter}.txt": f"{letter}\n", "gen/list": listed}
    files.update(more)
    return world.change(name, files)


def extra(script: str) -> dict[str, Content]:
    return {"tools/settings": f"EXTRA='{script}'\n"}


def test_nothing_is_run_where_no_output_is_touched(world: World) -> None:
    plan = world.plan([world.change("1", {"src/z.md": "z\n"})])
    world.validate(plan)
    assert world.codes() == {"1": "merge"}
    assert not [line for line in world.gated if line.startswith("regenerate")]
    assert world.verdicts()["1"].regenerate == ""
    assert not (world.directory / "1" / "candidate.bundle").exists()


def test_what_a_merge_left_stale_is_generated_anew_and_the_result_is_gated(world: World) -> None:
    plan = world.plan([stale(world, "1", "b"), stale(world, "2", "c")])
    world.validate(plan, parallel=1)
    assert world.codes() == {"1": "merge", "2": "merge"}
    assert world.gated == [
        "regenerate all u < gen/list ",
        "gate Candidate of change 1: a b m 1 ",
        "regenerate all u < gen/list ",
        "gate Generated files of the candidate of change 2: a b c m 1 ",
    ]
    one, two = (world.verdicts()[name] for name in ("1", "2"))
    assert (one.gate, one.regenerate) == ("./gate u", "./tools/generate all u")
    assert two.regenerate == "./tools/generate all u"
    assert not (world.directory / "1" / "candidate.bundle").exists()
    bundle = (world.directory / "2" / "candidate.bundle").read_bytes()
    assert two.candidate_commit is not None
    assert f"{two.candidate_commit} refs/".encode() in bundle
    assert "gen/list stale" in world.told.reasons(EventKind.NOTICE, "2")[0]


def test_a_job_for_one_change_generates_beneath_it_and_comes_to_the_same_commit(
    world: World,
) -> None:
    changes = [stale(world, name, letter) for name, letter in zip("123", "bcd", strict=True)]
    plan = world.plan(changes)
    world.validate(plan, parallel=1)
    whole = world.verdicts()["3"]
    world.validate(plan, only="3")
    alone = world.verdicts()["3"]
    assert (alone.candidate_commit, alone.onto) == (whole.candidate_commit, whole.onto)
    assert alone.decision == whole.decision == "merge"
    assert (world.directory / "3" / "candidate.bundle").exists()


def test_what_is_built_above_is_built_on_what_was_generated(world: World) -> None:
    plan = world.plan(
        [stale(world, "1", "b"), stale(world, "2", "c"), world.change("3", {"src/z.md": "z\n"})],
        batch=3,
    )
    world.validate(plan, parallel=1)
    two, three = (world.verdicts()[name] for name in ("2", "3"))
    assert three.onto == two.candidate_commit
    assert world.gated[-1] == "gate Candidate of change 3: a b c m 1 "
    assert world.codes() == {"1": "merge", "2": "merge", "3": "merge"}


def test_a_regeneration_that_fails_kicks_that_change_back_and_the_run_goes_on(
    world: World,
) -> None:
    bad = stale(world, "bad", "b", **extra("echo no >&2; exit 3"))
    plan = world.plan([bad, stale(world, "good", "c")])
    world.validate(plan, parallel=1)
    assert world.codes() == {"bad": Code.KICK_REFUSED, "good": "merge"}
    verdict = world.verdicts()["bad"]
    assert "`./tools/generate all u` failed: `exit status 3`" in verdict.report
    assert (verdict.gate, verdict.regenerate, verdict.candidate_commit) == ("", "", None)
    assert any(line.endswith("regenerate] no") for line in world.shown.lines)


def test_one_that_is_busy_three_times_running_has_failed(world: World) -> None:
    plan = world.plan([stale(world, "1", "b", **extra("exit 75"))])
    world.validate(plan)
    assert "three times running" in world.verdicts()["1"].report


def test_one_that_cannot_be_started_stops_its_line_and_blames_nobody(world: World) -> None:
    gone: dict[str, Content] = {"tools/generate": None}
    plan = world.plan([stale(world, "1", "b", **gone)], [world.change("2", {"src/z": "z\n"})])
    result = world.validate(plan)
    assert world.codes() == {"2": "merge"}
    assert result.error is not None
    assert result.undecided == ("1",)


STRAYS = {
    "a new file": ("touch src/stray", ("src/stray",)),
    "a rewritten one": ("echo x >> src/a.txt", ("src/a.txt",)),
    "a removed one": ("rm src/a.txt", ("src/a.txt",)),
    "its mode": ("chmod +x src/a.txt", ("src/a.txt",)),
    "several": ("touch y x", ("x", "y")),
    "a planted repository": ("git init -q src/sub; rm -r src/sub/.git/*", ()),
    "its own git directory": ("rm -r .git; git init -q .", ()),
    "a git file": ("rm -r .git; echo gitdir: /x > .git", ()),
    "a linked one": ("mv .git ../git; ln -s ../git .git", ()),
    "a repository among its outputs": ("git init -q gen", ("gen/.git/HEAD",)),
    "no file": ("rm gen/list; mkfifo gen/list", ()),
}


@pytest.mark.parametrize(("script", "paths"), STRAYS.values(), ids=STRAYS)
def test_what_it_writes_beyond_the_declared_is_refused_and_named(
    world: World, script: str, paths: tuple[str, ...]
) -> None:
    plan = world.plan([stale(world, "1", "b", **extra(script))])
    world.validate(plan)
    verdict = world.verdicts()["1"]
    if "src/sub" in script:  # An empty folder is nothing to git.
        assert verdict.decision == "merge"
        return
    assert verdict.code is Code.KICK_REFUSED
    assert verdict.paths == paths
    for path in paths:
        assert f"- `{path}`" in verdict.report


def test_files_rewritten_in_place_are_taken_and_what_is_ignored_is_not(world: World) -> None:
    script = "echo 2 > stamp; mkdir -p x.cache gen/d; touch src/x.cache gen/d/new"
    plan = world.plan([stale(world, "1", "b", **extra(script))])
    world.validate(plan)
    assert world.codes() == {"1": "merge"}
    assert world.gated[-1] == "gate Generated files of the candidate of change 1: a b m 2 "
    notice = world.told.reasons(EventKind.NOTICE, "1")[0]
    assert "gen/d/new, stamp stale" in notice


def test_nothing_is_generated_where_a_link_could_lead_elsewhere(world: World) -> None:
    linked: dict[str, Content] = {"src/link": (LINK, "/etc")}
    world.validate(world.plan([stale(world, "1", "b", **linked)]))
    verdict = world.verdicts()["1"]
    assert (verdict.code, verdict.paths) == (Code.KICK_REFUSED, ("src/link",))
    assert not [line for line in world.gated if line.startswith("regenerate")]


def test_an_output_that_is_a_link_is_never_written_through(world: World, tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("kept\n")
    change = world.change("1", {"src/b.txt": "b\n", "gen/list": (LINK, str(tmp_path / "outside"))})
    world.validate(world.plan([change]))
    verdict = world.verdicts()["1"]
    assert (verdict.code, verdict.paths) == (Code.KICK_REFUSED, ("gen/list",))
    assert (tmp_path / "outside").read_text() == "kept\n"


def test_a_file_whose_name_holds_a_line_break_cannot_be_told_to_a_hook(world: World) -> None:
    odd: dict[str, Content] = {"gen/a\nb": "x\n"}
    world.validate(world.plan([stale(world, "1", "b", **odd)]))
    verdict = world.verdicts()["1"]
    assert verdict.code is Code.KICK_REFUSED
    assert verdict.paths == ('"gen/a\\x0ab"',)
    assert "line break" in verdict.report


def test_a_red_result_names_its_regeneration_too(world: World) -> None:
    plan = world.plan([stale(world, "1", "b", **extra("echo x >> gen/list"))])
    world.validate(plan)
    verdict = world.verdicts()["1"]
    assert verdict.code is Code.KICK_RED
    assert verdict.regenerate == "./tools/generate all u"


def test_every_unit_is_given_where_the_reach_is_not_proven(world: World) -> None:
    change = world.change("1", {"src/b.txt": "b\n", "gen/list": "a\nb\nm\n"}, units=None)
    world.validate(world.plan([change]))
    assert world.gated[0] == "regenerate all rest u < gen/list "


def test_a_run_that_is_stopped_while_it_regenerates_decides_nothing(world: World) -> None:
    slow = stale(world, "1", "b", **extra("echo running; exec sleep 600"))

    def runs() -> bool:
        return any(line.endswith("running") for line in world.shown.lines)

    result = world.validate(world.plan([slow]), stop=runs)
    assert (world.codes(), result.undecided, result.error) == ({}, ("1",), None)


def test_one_line_regenerates_while_another_is_gated(world: World) -> None:
    os.mkfifo(world.folder / "fifo")
    fifo = world.folder / "fifo"
    # The regeneration of one ends only once the gate of the other has run.
    slow = stale(world, "slow", "b", **extra(f"read -r line < {fifo}"))
    other = world.change("other", {"src/z.md": "z\n", "ping": "x"}, units=("rest",))
    world.validate(world.plan([slow], [other]), parallel=2)
    assert world.codes() == {"slow": "merge", "other": "merge"}


@given(st.integers(1, 3), st.integers(1, 3), st.lists(st.booleans(), min_size=6, max_size=6))
def test_what_is_made_ahead_is_what_is_asked_for(depth: int, batch: int, clean: list[bool]) -> None:
    schedule = Schedule(straight("a b c d e f"), depth=depth, batch=batch)
    schedule.start()
    made = dict(zip("abcdef", clean, strict=True))
    while (upcoming := schedule.upcoming()) != ():
        assert schedule.upcoming() == upcoming
        asked = []
        while (build := schedule.next_build()) is not None:
            asked.append(build)
            assert schedule.upcoming() == ()
            schedule.built(build, Made.CLEAN if made[build.change] else Made.CONFLICT)
        whole = [build for build in asked if made[build.change]] == asked
        assert list(upcoming) == asked if whole else asked[0] == upcoming[0]
        schedule.launch()
