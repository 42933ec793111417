"""Which changes stacked on each other may merge in one call; no provider here (facts 3.12)."""

from hypothesis import given
from hypothesis import strategies as st

from mergequeue.apply.ready import Ending, Hold, SoFar
from mergequeue.apply.stack_run import (
    Predicted,
    decide_run,
    own_deltas,
    stacked_from,
    whole_below,
)
from mergequeue.documents.plan import PlannedChange
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import ThreeWay
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Decision, Method
from tests.support.graphs import commit_id as id_of
from tests.support.planned import green, planned, tree


def stack(size: int, method: Method = Method.SQUASH) -> tuple[PlannedChange, ...]:
    made = [planned("1", method=method)]
    for number in range(2, size + 1):
        below = made[-1]
        beneath = (*below.beneath, below.id)
        more = {"below": below.id, "parent": below.id, "stack_base": below.head}
        made.append(planned(str(number), *beneath, method=method, **more))
    return tuple(made)


def declared(run: tuple[PlannedChange, ...]) -> dict[ChangeId, ChangeId | None]:
    return {change.id: change.parent for change in run}


def verdicts_of(run: tuple[PlannedChange, ...]) -> dict[ChangeId, Verdict]:
    return {change.id: green(change.id, change.below) for change in run}


RUN = stack(4)


@given(size=st.integers(1, 6), undeclared=st.sets(st.integers(2, 6)))
def test_a_run_goes_up_while_the_provider_declares_the_stack_that_the_plan_claims(
    size: int, undeclared: set[int]
) -> None:
    run = stack(size)
    says = declared(run) | {ChangeId(str(number)): None for number in undeclared}
    found = stacked_from(run[0], run, says)
    assert len(found) == min([number - 1 for number in undeclared if number <= size] or [size])
    assert found == run[: len(found)]


def test_a_stack_that_only_the_provider_declares_is_no_run() -> None:
    one, two = planned("1"), planned("2", "1")
    assert stacked_from(one, (one, two), {two.id: one.id}) == (one,)


def test_a_run_has_one_method_and_is_never_rebased() -> None:
    lower, upper, *_ = RUN
    other = upper.model_copy(update={"method": Method.MERGE})
    assert stacked_from(lower, (lower, other), declared(RUN)) == (lower,)
    rebased = stack(2, Method.REBASE)
    assert stacked_from(rebased[0], rebased, declared(rebased)) == rebased[:1]


@given(
    missing=st.sets(st.sampled_from("234")),
    red=st.sets(st.sampled_from("234")),
    complete=st.booleans(),
)
def test_a_run_is_as_long_as_it_is_green_and_is_waited_for_while_it_may_grow(
    missing: set[str], red: set[str], *, complete: bool
) -> None:
    verdicts = verdicts_of(RUN)
    for id_ in red:
        judged = verdicts[ChangeId(id_)]
        kick = {"decision": Decision.KICK, "code": "KICK_RED", "reason": "red"}
        verdicts[judged.change.id] = judged.model_copy(update=kick)
    for id_ in missing:
        del verdicts[ChangeId(id_)]
    found = decide_run(RUN, SoFar(verdicts), complete=complete)
    stops = min(missing | red, default="5")
    if stops in missing and not complete:
        assert isinstance(found, Hold)
    else:
        assert found == RUN[: int(stops) - 1]


def test_one_that_was_built_on_another_than_the_one_beneath_ends_the_run() -> None:
    verdicts = verdicts_of(RUN)
    three = verdicts[ChangeId("3")]
    verdicts[three.change.id] = three.model_copy(update={"after": ChangeId("1")})
    assert decide_run(RUN, SoFar(verdicts), complete=True) == RUN[:2]


def test_one_that_ended_already_ends_the_run() -> None:
    so_far = SoFar(verdicts_of(RUN), {ChangeId("3"): Ending.WAITS})
    assert decide_run(RUN, so_far, complete=True) == RUN[:2]


def test_a_batch_goes_into_a_run_whole_or_not_at_all() -> None:
    verdicts = verdicts_of(RUN)
    top = id_of("candidate 4")
    for id_ in (ChangeId("3"), ChangeId("4")):
        both = {"batch": (ChangeId("3"), ChangeId("4")), "gated_commit": top}
        verdicts[id_] = verdicts[id_].model_copy(update=both)
    assert decide_run(RUN, SoFar(verdicts), complete=True) == RUN
    assert decide_run(RUN[:3], SoFar(verdicts), complete=True) == RUN[:2]
    ids = [change.id for change in RUN]
    assert whole_below(ids[:3], ids[3], verdicts) == 2
    assert whole_below(ids[:2], ids[2], verdicts) == 2


def test_each_ones_own_delta_is_merged_onto_what_the_one_beneath_leaves() -> None:
    run = [Predicted(change, tree(change.id)) for change in RUN[:2]]
    tip = id_of("tip")
    lower = ThreeWay(tip, RUN[0].head), tree("1")
    upper = ThreeWay(tree("1"), RUN[1].head, base=RUN[0].head), tree("2")
    assert own_deltas(run, tip) == (lower, upper)


def test_one_commit_that_merges_them_all_has_to_give_the_tops_tree_too() -> None:
    run = [Predicted(change, tree(change.id)) for change in stack(2, Method.MERGE)]
    assert own_deltas(run, id_of("tip"))[-1] == (ThreeWay(id_of("tip"), RUN[1].head), tree("2"))
