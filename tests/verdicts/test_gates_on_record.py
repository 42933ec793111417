"""What a verdict says of every gate that led to it, and whom a job suspects meanwhile."""

from datetime import timedelta
from pathlib import Path

import pytest

from mergequeue.documents.gate import GateRecord
from mergequeue.documents.memory import GateOutcome
from mergequeue.documents.plan import Plan
from mergequeue.documents.suspects import Suspicion
from mergequeue.hooks.retrying import retrying_of
from mergequeue.sources.directory import DirectorySource
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import EventKind
from tests.support.repositories import Playground
from tests.support.verdicts import ALL
from tests.verdicts.bench import MERGE, World, world_of


@pytest.fixture
def world(playground: Playground, tmp_path: Path) -> World:
    return world_of(playground, tmp_path / "world")


def line_of(world: World, names: str, *, bad: str = "", batch: int = 8) -> Plan:
    """Return a plan of one line, in which one change is bad by itself."""
    changes = [
        world.change(name, {"bad-u" if name == bad else f"{name}.txt": name})
        for name in names.split()
    ]
    return world.plan(changes, batch=batch)


def told(records: tuple[GateRecord, ...]) -> list[str]:
    """Return each run of a gate as its batch and how it ended."""
    return [f"{' '.join(record.changes) or 'base'}: {record.outcome}" for record in records]


def suspicions(world: World) -> tuple[Suspicion, ...]:
    return DirectorySource(world.directory).poll(ALL).suspicions


@pytest.mark.parametrize("only", [None, "h"])
def test_one_culprit_of_eight_is_found_in_one_run_and_its_verdict_names_every_gate(
    world: World, only: str | None
) -> None:
    plan = line_of(world, "a b c d e f g h", bad="f")
    world.validate(plan, only=only)
    assert world.codes() == dict.fromkeys("abcdegh", MERGE) | {"f": Code.KICK_RED}
    assert [line.split()[-2] for line in world.gated] == ["h", "d", "f", "e", "h"]
    verdicts = world.verdicts()
    assert told(verdicts["f"].gates) == [
        "a b c d e f g h: failed",
        "e f: failed",
        "e: passed",
    ]
    assert told(verdicts["a"].gates) == ["a b c d e f g h: failed", "a b c d: passed"]
    assert told(verdicts["h"].gates) == ["a b c d e f g h: failed", "g h: passed"]
    first, second, beneath = verdicts["f"].gates
    assert first.why == second.why == "exit status 3"
    assert beneath.commit == verdicts["e"].candidate_commit
    assert verdicts["a"].gates[0] == first
    (settled,) = suspicions(world)
    assert (settled.job, settled.changes) == ("h", ())


def test_whom_a_job_suspects_is_there_the_moment_a_batch_is_red(
    playground: Playground, tmp_path: Path
) -> None:
    script = """\
#!/bin/sh
# The whole is red, and its first half runs until it is stopped.
case $(git log -1 --format=%s) in *b) touch $HERE/half; exec sleep 600;; esac
test ! -e bad-u
"""
    world = world_of(playground, tmp_path / "world", script=script)
    plan = line_of(world, "a b c d", bad="c", batch=4)
    world.validate(plan, stop=(world.folder / "half").exists)
    assert world.codes() == {}
    (told_of,) = suspicions(world)
    assert (told_of.job, told_of.under) == ("d", ())
    heads = [(change.id, change.head) for change in plan.admitted]
    assert [(pin.id, pin.commit) for pin in told_of.changes] == heads
    assert told(told_of.gates) == ["a b c d: failed", "a b: cancelled"]
    assert told_of.gates[1].why == "the run was stopped"


def test_a_run_that_is_given_suspects_and_stopped_leaves_them_and_what_it_gated(
    playground: Playground, tmp_path: Path
) -> None:
    script = "#!/bin/sh\n: >$HERE/began\nexec sleep 600\n"
    world = world_of(playground, tmp_path / "world", script=script)
    plan = line_of(world, "a b c").model_copy(update={"suspects": (("a", "b"),)})
    world.validate(plan, stop=(world.folder / "began").exists)
    (told_of,) = suspicions(world)
    assert [pin.id for pin in told_of.changes] == ["a", "b"]
    assert told(told_of.gates) == ["a: cancelled"]


def test_a_job_on_ungated_changes_suspects_its_own_on_all_of_those(world: World) -> None:
    plan = line_of(world, "a b c d", bad="d", batch=2)
    world.validate(plan, only="d")
    assert world.codes() == {"c": MERGE, "d": Code.WAIT_BEHIND}
    (told_of,) = suspicions(world)
    assert [pin.id for pin in told_of.changes] == ["d"]
    assert told_of.under == ("a", "b", "c")


def test_a_run_that_is_given_suspects_goes_on_with_their_first_half(world: World) -> None:
    plan = line_of(world, "a b c d e", bad="c", batch=4)
    world.validate(plan.model_copy(update={"suspects": (("a", "b", "c", "d"),)}))
    assert [line.split()[-2] for line in world.gated] == ["b", "c", "e"]
    assert world.codes()["c"] == Code.KICK_RED
    assert told(world.verdicts()["c"].gates) == ["c: failed", "a b: passed"]


def test_a_gate_that_is_cancelled_says_why(playground: Playground, tmp_path: Path) -> None:
    script = """\
#!/bin/sh
# The first is red once the second runs, which only ends when it is stopped.
name=$(git log -1 --format=%s)
case $name in
  *a) while ! test -e $HERE/second; do sleep 0.02; done; test -e bad-u && exit 3; exit 0;;
  *b) touch $HERE/second; test ! -e bad-u || exec sleep 600;;
esac
"""
    world = world_of(playground, tmp_path / "world", script=script)
    world.validate(line_of(world, "a b", bad="a", batch=1))
    assert world.codes() == {"a": Code.KICK_RED, "b": MERGE}
    dropped, passed = world.verdicts()["b"].gates
    assert (dropped.outcome, passed.outcome) == (GateOutcome.CANCELLED, GateOutcome.PASSED)
    assert dropped.why == "what it was built on is red"


# --- time limits and retries ---------------------------------------------------------------------

FLAKY = """\
#!/bin/sh
# Fails so often before it passes, each time leaving its checkout as no other may find it.
test ! -e left-over || exit 9
touch left-over
echo x >>$HERE/tries
test "$(wc -l <$HERE/tries)" -gt 1 || { echo 'connection reset'; exit 4; }
test ! -e bad-u
"""


def test_a_red_gate_with_a_pattern_is_run_again_in_a_box_of_its_own_and_said_to_be(
    playground: Playground, tmp_path: Path
) -> None:
    world = world_of(playground, tmp_path / "world", script=FLAKY)
    world.retrying = retrying_of(["connection reset"], 1)
    world.limit = timedelta(minutes=30)
    world.validate(line_of(world, "a"))
    verdict = world.verdicts()["a"]
    assert verdict.decision is MERGE
    (record,) = verdict.gates
    assert (record.outcome, record.retries) == (GateOutcome.PASSED, 1)
    assert record.why == "run again since it said 'connection reset'"
    assert record.limit == timedelta(minutes=30)
    assert verdict.reason == "the gate was run again since it said 'connection reset'"
    noted = [one.reason for one in world.told.happenings if one.kind is EventKind.NOTICE]
    assert noted == [verdict.reason]
    (decided,) = [one for one in world.told.happenings if one.kind is EventKind.DECIDED]
    assert (decided.limit_ms, decided.limit_used_ms) == (1_800_000, record.limit_used_ms)


def test_a_gate_that_stays_red_is_red_and_its_tries_are_counted(
    playground: Playground, tmp_path: Path
) -> None:
    world = world_of(playground, tmp_path / "world", script=FLAKY)
    world.retrying = retrying_of(["connection reset"], 1)
    world.validate(line_of(world, "a", bad="a"))
    verdict = world.verdicts()["a"]
    assert verdict.code is Code.KICK_RED
    assert [(record.retries, record.outcome) for record in verdict.gates] == [
        (1, GateOutcome.FAILED),
        (0, GateOutcome.PASSED),
    ]
    assert verdict.gates[0].why.startswith("exit status 1; run again since")


def test_a_gate_over_its_limit_is_red_and_blames_nobody_where_the_base_takes_as_long(
    playground: Playground, tmp_path: Path
) -> None:
    world = world_of(playground, tmp_path / "world", script="#!/bin/sh\nexec sleep 600\n")
    world.limit = timedelta(seconds=1)
    world.validate(line_of(world, "a"))
    verdict = world.verdicts()["a"]
    assert verdict.code is Code.WAIT_BASE_RED
    assert "over its time limit of 1s" in verdict.reason
    assert {record.limit for record in verdict.gates} == {timedelta(seconds=1)}


def test_every_change_of_a_batch_has_the_run_that_it_was_in(world: World) -> None:
    world.validate(line_of(world, "a b"))
    verdicts = world.verdicts()
    (record,) = verdicts["a"].gates
    assert verdicts["b"].gates == (record,)
    assert record.changes == (ChangeId("a"), ChangeId("b"))
    assert record.commit == verdicts["b"].gated_commit
