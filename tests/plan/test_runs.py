"""Whether an event needs another validation run."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.plan.runs import bases_of_event, decide_dispatch, decide_planned
from mergequeue.ports import PlanJob, WorkflowRun
from mergequeue.vocabulary.ids import BranchName

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


AHEAD = PlanJob("queued", "", None)
FAILED = PlanJob("completed", "failure", NOON + timedelta(seconds=60))
SKIPPED = PlanJob("completed", "skipped", NOON + timedelta(seconds=60))
CANCELLED = PlanJob("completed", "cancelled", None)


def began(after: float, status: str = "in_progress", conclusion: str = "") -> PlanJob:
    return PlanJob(status, conclusion, NOON + timedelta(seconds=after))


def run(plan: PlanJob | None = AHEAD, *, over: bool = False) -> WorkflowRun:
    return WorkflowRun(over, plan)


def test_with_no_run_going_on_one_is_started() -> None:
    assert decide_dispatch([], NOON)
    assert decide_dispatch([run(began(60), over=True)], NOON)


def test_a_run_that_has_not_planned_yet_will_see_the_event() -> None:
    assert not decide_dispatch([run(AHEAD)], NOON)
    assert not decide_dispatch([run(None)], NOON)


@pytest.mark.parametrize(("after", "wanted"), [(-5, True), (0, True), (0.9, True), (1, False)])
def test_a_run_that_planned_after_the_event_saw_it_and_of_the_same_second_nobody_knows(
    after: float, *, wanted: bool
) -> None:
    assert decide_dispatch([run(began(after))], NOON) is wanted


@pytest.mark.parametrize("plan", [FAILED, SKIPPED, CANCELLED])
def test_a_run_whose_plan_failed_or_was_skipped_sees_nothing(plan: PlanJob) -> None:
    assert decide_dispatch([run(plan)], NOON)


def test_a_run_that_planned_and_still_validates_saw_it() -> None:
    assert not decide_dispatch([run(began(9, "completed", "success"))], NOON)


@given(st.lists(st.sampled_from([run(began(-9)), run(FAILED), run(over=True)])))
def test_one_run_that_will_see_the_event_is_enough(others: list[WorkflowRun]) -> None:
    assert decide_dispatch(others, NOON)
    assert not decide_dispatch([*others, run(began(9))], NOON)


@pytest.mark.parametrize(
    ("plan", "over", "planned"),
    [
        (None, False, None),
        (None, True, False),
        (AHEAD, False, None),
        (AHEAD, True, False),
        (SKIPPED, False, False),
        (CANCELLED, True, False),
        (began(0), False, True),
        (began(0, "completed", "success"), True, True),
        (FAILED, True, True),
    ],
)
def test_a_run_is_followed_once_its_plan_has_begun_and_never_where_it_cannot_begin(
    plan: PlanJob | None, *, over: bool, planned: bool | None
) -> None:
    assert decide_planned(run(plan, over=over)) is planned


def test_an_event_is_about_its_target_where_that_is_a_base_and_about_any_otherwise() -> None:
    bases = (BranchName("main"), BranchName("release/1"))
    assert bases_of_event(bases, "release/1") == ("release/1",)
    assert bases_of_event(bases, "main") == ("main",)
    for unknown in ("", "topic", "Main"):
        assert bases_of_event(bases, unknown) == bases
