"""How a plan is spread over jobs: each batch once, what lands soonest first, never too many."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from mergequeue.documents.plan import Plan
from mergequeue.plan.matrix import JOBS, matrix_of
from mergequeue.verdicts.only import target_of
from mergequeue.vocabulary.ids import ChangeId
from tests.support.planned import make_plan, planned


def plan_of(lengths: Sequence[int], *, depth: int = 8, batch: int = 1) -> Plan:
    lines = []
    for line, length in enumerate(lengths):
        ids = [f"{line}-{place}" for place in range(length)]
        lines.append(tuple(planned(id_, *ids[:place]) for place, id_ in enumerate(ids)))
    return make_plan(*lines, depth=depth, batch=batch)


def jobs_of(plan: Plan, only: str | None = None, most: int = JOBS) -> list[tuple[str, ...]]:
    chosen = None if only is None else ChangeId(only)
    return [job.members for job in matrix_of(plan, chosen, most).jobs]


def test_each_partition_has_a_job_for_each_of_its_first_batches() -> None:
    plan = plan_of([3, 1], depth=2)
    assert jobs_of(plan) == [("0-0",), ("1-0",), ("0-1",)]
    assert matrix_of(plan).left == 1


def test_a_batch_has_one_job_named_by_its_last() -> None:
    matrix = matrix_of(plan_of([5], batch=3))
    assert [(job.members, job.only) for job in matrix.jobs] == [
        (("0-0", "0-1", "0-2"), "0-2"),
        (("0-3", "0-4"), "0-4"),
    ]


def test_over_256_jobs_the_partitions_take_turns_and_the_rest_is_counted() -> None:
    plan = plan_of([2] * 200)
    matrix = matrix_of(plan)
    assert len(matrix.jobs) == JOBS
    assert {job.members[0].rpartition("-")[2] for job in matrix.jobs[:200]} == {"0"}
    assert matrix.left == 400 - JOBS


def test_one_change_by_number_has_the_job_of_its_batch_however_deep_it_is() -> None:
    plan = plan_of([20], depth=2, batch=2)
    assert jobs_of(plan, only="0-15") == [("0-14", "0-15")]
    assert matrix_of(plan, ChangeId("0-15")).left == 0


def test_one_that_the_plan_did_not_admit_has_no_job() -> None:
    assert jobs_of(plan_of([2]), only="7") == []


def test_an_empty_plan_has_no_job() -> None:
    assert matrix_of(make_plan()).jobs == ()


@given(
    st.lists(st.integers(1, 9), max_size=6),
    st.integers(1, 4),
    st.integers(1, 4),
    st.integers(1, 12),
)
def test_every_change_is_in_one_job_or_counted_and_jobs_cut_as_validate_does(
    lengths: list[int], depth: int, batch: int, most: int
) -> None:
    plan = plan_of(lengths, depth=depth, batch=batch)
    matrix = matrix_of(plan, None, most)
    named = [change for job in matrix.jobs for change in job.members]
    assert len(named) == len(set(named))
    assert len(named) + matrix.left == sum(lengths)
    assert len(matrix.jobs) <= most
    for job in matrix.jobs:
        assert tuple(member.id for member in target_of(plan, job.only).members) == job.members


def test_a_try_run_has_a_job_behind_all_others_and_no_room_is_made_for_it() -> None:
    plan = plan_of([2, 1]).model_copy(update={"tries": (planned("t"),)})
    assert [(job.members, job.is_try) for job in matrix_of(plan).jobs][-1] == (("t",), True)
    assert jobs_of(plan, most=3) == [("0-0",), ("1-0",), ("0-1",)]
    assert jobs_of(plan, only="t") == [("t",)]
    assert jobs_of(plan, only="1-0") == [("1-0",)]
    assert matrix_of(plan).left == 0
