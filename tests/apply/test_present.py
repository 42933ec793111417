"""The queue as it is now: what each change does, in which line and batch."""

import pytest

from mergequeue.apply.present import stage_of
from mergequeue.apply.ready import Ending
from mergequeue.documents.now import Now
from mergequeue.documents.preflight import Preflight, PreflightState
from mergequeue.ports import Memory
from mergequeue.report.waits import wait_reason
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Decision, Stage
from tests.apply.test_remembering import HOUR, KICKED, MERGED, NOON, after, seen, stages
from tests.support.graphs import commit_id
from tests.support.planned import green, make_plan, planned

LINE = (planned("1"), planned("2", "1"), planned("3", "1", "2"), planned("4", "1", "2", "3"))
FOUR = make_plan(LINE, batch=1, depth=2)
BEHIND = (Ending.WAITS, Code.WAIT_BEHIND)


def now_of(memory: Memory) -> Now:
    assert memory.now is not None
    return memory.now


def drawn(memory: Memory) -> list[list[tuple[str, bool]]]:
    """Return each line's batches, and whether each has its turn."""
    return [
        [("+".join(batch.changes), batch.since is not None) for batch in line]
        for line in now_of(memory).lines
    ]


def test_as_many_batches_of_a_line_are_gated_as_its_depth_and_the_others_are_ready() -> None:
    memory = after(seen(FOUR))
    assert stages(memory) == {
        "1": Stage.CHECKING,
        "2": Stage.CHECKING,
        "3": Stage.READY,
        "4": Stage.READY,
    }
    assert drawn(memory) == [[("1", True), ("2", True), ("3", False), ("4", False)]]


def test_a_change_of_the_priority_lane_is_marked_as_the_plan_has_it() -> None:
    lane = (planned("1", priority=True), planned("2", "1"))
    memory = after(seen(make_plan(lane, batch=1, depth=2)))
    assert [placed.priority for placed in now_of(memory).changes] == [True, False]


def test_a_validation_in_one_job_goes_on_to_the_next_batch_and_a_matrix_does_not() -> None:
    one = after(seen(FOUR, verdicts=[green("1")], ended={"1": MERGED}))
    assert stages(one) == {"2": Stage.CHECKING, "3": Stage.CHECKING, "4": Stage.READY}
    matrix = after(seen(FOUR, verdicts=[green("1")], ended={"1": MERGED}, source="o/r/runs/1"))
    assert stages(matrix) == {"2": Stage.CHECKING, "3": Stage.READY, "4": Stage.READY}


def test_what_is_green_lands_and_keeps_the_time_at_which_its_gate_began() -> None:
    memory = after(seen(FOUR), seen(FOUR, NOON + HOUR, verdicts=[green("2", "1")]))
    assert stages(memory)["2"] is Stage.LANDING
    [line] = now_of(memory).lines
    assert [batch.since for batch in line] == [NOON, NOON, NOON + HOUR, None]
    by_id = {placed.id: placed.since for placed in now_of(memory).changes}
    assert (by_id[ChangeId("1")], by_id[ChangeId("2")]) == (NOON, NOON + HOUR)


def test_the_members_of_a_batch_stand_together() -> None:
    three = make_plan(LINE, batch=3, depth=1)
    memory = after(seen(three, ended={"2": KICKED}))
    assert drawn(memory) == [[("1+3", True), ("4", False)]]


def test_while_there_are_suspects_in_front_nothing_behind_their_batch_is_gated() -> None:
    two = make_plan(LINE, batch=2, depth=2, suspects=(("1", "2"),))
    halving = after(seen(two))
    assert drawn(halving) == [[("1+2", True), ("3+4", False)]]
    settled = [green("1"), green("2", "1")]
    assert drawn(after(seen(two, verdicts=settled)))[0][1] == ("3+4", True)
    matrix = after(seen(two, verdicts=settled, source="o/r/runs/1"))
    assert drawn(matrix)[0][1] == ("3+4", False)


def test_after_a_run_what_was_not_decided_is_ready_for_the_next() -> None:
    ended = {"2": KICKED, "3": BEHIND, "4": BEHIND}
    memory = after(seen(FOUR), seen(FOUR, NOON + HOUR, ended=ended, running=False))
    assert stages(memory) == dict.fromkeys("134", Stage.READY)
    assert drawn(memory) == [[("1", False), ("3", False), ("4", False)]]
    third = now_of(memory).changes[1]
    assert (third.code, third.reason) == (Code.WAIT_BEHIND, "said so")
    assert not now_of(memory).running


def test_what_was_queued_after_the_plan_is_told_as_such() -> None:
    memory = after(seen(FOUR, listed=[*LINE, planned("5")]))
    assert stages(memory)["5"] is Stage.QUEUED
    assert now_of(memory).changes[-1].reason.startswith("it was queued after the run")


def test_what_nobody_lists_as_queued_stands_nowhere() -> None:
    memory = after(seen(FOUR, listed=LINE[:1]))
    assert drawn(memory) == [[("1", True)]]


STAGES = {
    Code.WAIT_NOT_APPROVED: Stage.REVIEW,
    Code.WAIT_REVIEW: Stage.REVIEW,
    Code.WAIT_PAUSED: Stage.PAUSED,
    Code.WAIT_PREFLIGHT: Stage.PREFLIGHT,
    Code.WAIT_BELOW: Stage.STACKED,
    Code.WAIT_BELOW_KICKED: Stage.STACKED,
}


@pytest.mark.parametrize("code", [code for code in Code if code.is_wait])
def test_what_only_waits_for_a_next_run_is_ready_for_it(code: Code) -> None:
    end = wait_reason(code).rpartition("; ")[2]
    next_run = "the next run" in end and code is not Code.WAIT_PROVIDER_REFUSED
    ready = next_run or code is Code.WAIT_CONFLICT_AHEAD
    expected = Stage.READY if ready else STAGES.get(code, Stage.WAITING)
    assert stage_of(code, ()) is expected


@pytest.mark.parametrize(
    ("states", "stage"),
    [
        ((PreflightState.PASSED, PreflightState.RUNNING), Stage.PREFLIGHT),
        ((PreflightState.DUE,), Stage.PREFLIGHT),
        ((PreflightState.RUNNING, PreflightState.AGAIN), Stage.AGAIN),
        ((PreflightState.AGAIN, PreflightState.FAILED), Stage.FAILED),
    ],
)
def test_pre_flights_say_whether_they_run_or_run_again(
    states: tuple[PreflightState, ...], stage: Stage
) -> None:
    preflights = [Preflight(name=f"p{n}", state=state) for n, state in enumerate(states)]
    assert stage_of(Code.WAIT_PREFLIGHT, preflights) is stage


def test_the_pre_flights_of_a_change_that_planning_let_wait_are_told() -> None:
    wait = green("9").model_copy(
        update={
            "decision": Decision.WAIT,
            "code": Code.WAIT_PREFLIGHT,
            "preflights": (Preflight(name="p", state=PreflightState.AGAIN),),
        }
    )
    plan = make_plan(LINE, verdicts=[_of_planning(wait.model_dump(by_alias=True))])
    ended = {"9": (Ending.WAITS, Code.WAIT_PREFLIGHT)}
    assert stages(after(seen(plan, listed=[planned("9")], ended=ended))) == {"9": Stage.AGAIN}


def _of_planning(fields: dict[str, object]) -> dict[str, object]:
    kept = ("schema", "base_commit", "change", "decision", "code", "preflights")
    return {name: fields[name] for name in kept}


def test_a_change_that_validation_runs_pre_flights_of_is_in_no_batch_yet() -> None:
    waits = planned("2", "1", preflights=("lint",))
    memory = after(seen(make_plan((planned("1"), waits))))
    assert stages(memory) == {"1": Stage.CHECKING, "2": Stage.PREFLIGHT}
    assert drawn(memory) == [[("1", True)]]


def test_those_of_the_priority_lane_stand_first() -> None:
    hurried = planned("2", priority=True)
    plan = make_plan((hurried, planned("1", "2")))
    memory = after(seen(plan, listed=[planned("1"), hurried]))
    assert [one.id for one in now_of(memory).changes] == ["2", "1"]


def test_only_a_time_that_changed_is_nothing_new() -> None:
    memory = after(seen(FOUR))
    assert after(seen(FOUR, NOON + HOUR), memory=memory).now is memory.now
    moved = make_plan(LINE, batch=1, depth=2, base_commit=commit_id("moved"))
    assert after(seen(moved, NOON + HOUR), memory=memory).now is not memory.now
    empty = after(seen(make_plan(), listed=[]), memory=memory)
    again = make_plan(base_commit=commit_id("moved"))
    assert after(seen(again, listed=[]), memory=empty).now is empty.now
