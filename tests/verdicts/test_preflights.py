"""Pre-flights in validation: on the change alone, before its batch, the base asked before blame."""

from pathlib import Path

import pytest

from mergequeue.documents.preflight import PreflightState
from mergequeue.ports import NOTHING_MOVED, Moved
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.words import EventKind
from tests.support.repositories import Content, Playground
from tests.verdicts.bench import GATE, MERGE, World, world_of

FLY = """\
#!/bin/sh
# Red where the checkout holds `no-<name>`; where it holds `wait-for-gate`, waits until one ran, and
# tells where none came.
name=$1; shift
echo "$name $(git log -1 --format=%s) $*" >> "$HERE/flown"
if test -e wait-for-gate; then
  turns=0
  until test -e "$HERE/gated" || test $turns = 3000; do sleep 0.01; turns=$((turns + 1)); done
  test $turns != 3000 || touch "$HERE/outlived"
fi
test ! -e "no-$name" && test ! -e "alone-$name"
"""

SIGNALLING = GATE.replace("exit 0", "touch $HERE/gated\nexit 0")


@pytest.fixture
def world(playground: Playground, tmp_path: Path) -> World:
    return flying(playground, tmp_path / "world")


def flying(
    playground: Playground, folder: Path, files: dict[str | bytes, Content] | None = None
) -> World:
    fly = (0o100755, FLY.replace("$HERE", str(folder)))
    held: dict[str | bytes, Content] = {"fly": fly, **(files or {})}
    world = world_of(playground, folder, held, script=SIGNALLING)
    world.preflights = {name: ("./fly", name) for name in ("fmt", "test")}
    return world


def flown(world: World) -> list[str]:
    """Return what was run, in order: the pre-flight, the commit's subject and the units."""
    log = world.folder / "flown"
    return log.read_text().splitlines() if log.exists() else []


def states(world: World, id_: str) -> list[tuple[str, PreflightState]]:
    return [(one.name, one.state) for one in world.verdicts()[id_].preflights]


PASSED, FAILED, DUE = PreflightState.PASSED, PreflightState.FAILED, PreflightState.DUE


def test_a_change_is_gated_once_its_pre_flights_have_passed_and_its_verdict_says_which(
    world: World,
) -> None:
    one = world.change("one", {"1": "1"}, preflights=["fmt", "test"], units=["b", "a"])
    world.validate(world.plan([one]))
    assert world.codes() == {"one": MERGE}
    assert flown(world) == [f"{name} Candidate of change one a b" for name in ("fmt", "test")]
    assert states(world, "one") == [("fmt", PASSED), ("test", PASSED)]
    assert world.gated == ["Candidate of change one a b"]


def test_one_that_fails_goes_back_and_was_never_in_a_batch(world: World) -> None:
    bad = world.change("bad", {"no-fmt": ""}, preflights=["fmt", "test"])
    good = world.change("good", {"good": ""}, preflights=["fmt"])
    world.validate(world.plan([bad, good], batch=2), parallel=1)
    verdict = world.verdicts()["bad"]
    assert world.codes() == {"bad": Code.KICK_PREFLIGHT, "good": MERGE}
    assert world.gated == ["Candidate of change good u"]
    assert "test Candidate of change bad u" not in flown(world)
    assert "fmt base u" in flown(world)
    assert states(world, "bad") == [("fmt", FAILED)]
    assert verdict.reason == "its pre-flight fmt, which runs ./fly fmt u, fails: exit status 1"
    assert verdict.report.startswith("The pre-flight `fmt` fails with it: `exit status 1`.\n")
    assert (verdict.gate, verdict.gated_commit) == ("", None)


def test_one_that_fails_without_the_change_too_blames_nobody_and_is_asked_once_for_all(
    playground: Playground, tmp_path: Path
) -> None:
    world = flying(playground, tmp_path / "red", {"no-fmt": ""})
    line = [world.change(name, {name: ""}, preflights=["fmt"]) for name in ("a", "b")]
    mends = world.change("mends", {"no-fmt": None}, preflights=["fmt"])
    world.validate(world.plan(line, [mends]), parallel=1)
    assert world.codes() == {"a": Code.WAIT_PREFLIGHT, "b": Code.WAIT_PREFLIGHT, "mends": MERGE}
    assert flown(world).count("fmt base u") == 1
    assert states(world, "a") == [("fmt", DUE)]
    assert "fails too on" in world.verdicts()["a"].reason


def test_it_runs_on_the_change_alone_whatever_is_ahead_of_it(world: World) -> None:
    ahead = world.change("ahead", {"alone-fmt": ""})
    behind = world.change("behind", {"b": ""}, preflights=["fmt"])
    world.validate(world.plan([ahead, behind]))
    assert world.codes() == {"ahead": MERGE, "behind": MERGE}
    assert world.verdicts()["behind"].after == "ahead"


def test_one_waiting_holds_up_none_behind_it_and_joins_the_next_run(world: World) -> None:
    slow = world.change("slow", {"wait-for-gate": ""}, preflights=["fmt"])
    ready = world.change("ready", {"r": ""})
    world.validate(world.plan([slow, ready]), parallel=2)
    assert world.codes() == {"slow": Code.WAIT_BEHIND, "ready": MERGE}
    assert world.verdicts()["ready"].after is None
    assert states(world, "slow") == [("fmt", PASSED)]
    assert "its pre-flights passed once others" in world.verdicts()["slow"].reason


def test_behind_the_ready_ones_it_lands_in_the_same_run(world: World) -> None:
    ready = world.change("ready", {"r": ""})
    slow = world.change("slow", {"wait-for-gate": ""}, preflights=["fmt"])
    world.validate(world.plan([ready, slow]), parallel=2)
    assert world.codes() == {"ready": MERGE, "slow": MERGE}
    assert world.verdicts()["slow"].after == "ready"


def test_a_gate_goes_before_a_pre_flight(world: World) -> None:
    ready = world.change("ready", {"r": ""})
    other = world.change("other", {"o": ""}, preflights=["fmt"])
    world.validate(world.plan([ready], [other]), parallel=1)
    started = [happening.change for happening in world.told.happenings if happening.commit]
    assert started.index(ready.id) < started.index(other.id)


def test_in_a_stack_each_waits_for_the_one_beneath_and_nobody_is_blamed_for_it(
    world: World,
) -> None:
    low = world.change("low", {"no-fmt": ""}, preflights=["fmt"])
    top = world.change(
        "top", {"t": ""}, on=low.head, stack_base=low.head, below="low", preflights=["fmt"]
    )
    world.validate(world.plan([low, top]))
    assert world.codes() == {"low": Code.KICK_PREFLIGHT, "top": Code.WAIT_BELOW_KICKED}
    assert not any("change top" in line for line in flown(world))


def test_the_upper_of_a_stack_answers_for_itself_alone(world: World) -> None:
    low = world.change("low", {"l": ""}, preflights=["fmt"])
    top = world.change(
        "top", {"no-fmt": ""}, on=low.head, stack_base=low.head, below="low", preflights=["fmt"]
    )
    world.validate(world.plan([low, top]), parallel=1)
    verdicts = world.verdicts()
    assert world.codes() == {"low": MERGE, "top": Code.KICK_PREFLIGHT}
    assert flown(world)[-1] == "fmt Candidate of change low u"
    assert (verdicts["top"].after, verdicts["top"].onto) == (
        "low",
        verdicts["low"].candidate_commit,
    )


def test_one_that_waits_for_its_review_runs_them_and_joins_no_batch(world: World) -> None:
    one = world.change("one", {"1": ""}, preflights=["fmt"], alone=True)
    world.validate(world.plan([one]))
    assert world.codes() == {"one": Code.WAIT_REVIEW}
    assert (world.gated, states(world, "one")) == ([], [("fmt", PASSED)])


def test_one_that_reaches_nothing_runs_nothing(world: World) -> None:
    one = world.change("one", {"no-fmt": ""}, preflights=["fmt"], units=[])
    world.validate(world.plan([one]))
    assert (world.codes(), flown(world)) == ({"one": MERGE}, [])


def test_one_that_conflicts_is_not_run_at_all(world: World) -> None:
    tip = world.playground.commit({"shared.txt": "two\n"}, parents=world.base, message="two\n")
    one = world.change("one", {"shared.txt": "three\n"}, preflights=["fmt"])
    world.playground.branch("main", tip)
    world.base = tip
    world.validate(world.plan([one]))
    assert (world.codes(), flown(world)) == ({"one": Code.WAIT_REVALIDATE}, [])


def test_a_job_of_many_runs_those_of_its_own_batch_alone(world: World) -> None:
    low = world.change("low", {"no-fmt": ""}, preflights=["fmt"])
    top = world.change("top", {"t": ""}, preflights=["fmt"])
    world.validate(world.plan([low, top]), only="top")
    assert world.codes() == {"top": MERGE}
    assert flown(world) == ["fmt Candidate of change top u"]


def test_a_run_that_is_stopped_decides_nothing_and_lets_nobody_through(world: World) -> None:
    started: list[bool] = []
    world.told._at_each = lambda one: started.append(one.kind is EventKind.NOTICE)
    one = world.change("one", {"wait-for-gate": ""}, preflights=["fmt"])
    result = world.validate(world.plan([one]), stop=lambda: bool(started))
    assert (world.codes(), result.undecided, world.gated) == ({}, ("one",), [])


def test_the_pre_flight_of_a_change_that_left_is_stopped_and_decides_nothing(world: World) -> None:
    """The gate that it would wait for never comes, since nothing is ready."""
    slow = world.change("slow", {"wait-for-gate": ""}, preflights=["fmt"])
    plan = world.plan([slow])
    gone = Moved(frozenset({slow.id}))

    def moved() -> Moved:
        return gone if flown(world) else NOTHING_MOVED

    with world.validator(plan) as validator:
        result = validator.run(
            plan, depth=None, parallel=1, only=None, stop=lambda: False, moved=moved
        )
    assert (world.codes(), result.undecided, result.error) == ({}, (), None)
    assert not (world.folder / "outlived").exists()


def test_a_program_that_cannot_be_started_stops_its_line_and_blames_nobody(world: World) -> None:
    world.preflights["fmt"] = ("./nothing-here",)
    one = world.change("one", {"1": ""}, preflights=["fmt"])
    two = world.change("two", {"2": ""})
    result = world.validate(world.plan([one], [two]))
    assert (world.codes(), result.undecided) == ({"two": MERGE}, ("one",))
    assert result.error is not None


def test_a_plan_that_names_another_pre_flight_than_the_base_is_refused(world: World) -> None:
    one = world.change("one", {"1": ""}, preflights=["deploy"])
    with pytest.raises(MergequeueError, match=r"MQ3028: .*deploy"):
        world.validate(world.plan([one]))
    assert not world.directory.exists()


def test_a_batch_that_is_not_full_lets_those_that_would_fill_it_go_first(world: World) -> None:
    line = [world.change(name, {name: ""}, preflights=["fmt"]) for name in ("a", "b", "c", "d")]
    line[2:2] = [world.change("bad", {"no-fmt": ""}, preflights=["fmt"])]
    world.validate(world.plan(line, batch=2), parallel=1)
    assert world.codes() == {**dict.fromkeys("abcd", MERGE), "bad": Code.KICK_PREFLIGHT}
    assert world.gated == ["Candidate of change b u", "Candidate of change d u"]


def test_one_by_one_nothing_ready_waits_for_a_pre_flight(world: World) -> None:
    ready = world.change("ready", {"r": ""})
    held = world.change("held", {"h": ""}, preflights=["fmt"])
    world.validate(world.plan([ready, held], batch=1), parallel=1)
    started = [happening.change for happening in world.told.happenings if happening.commit]
    assert started.index(ready.id) < started.index(held.id)
