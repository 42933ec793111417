"""Which change may be taken now, and what the others wait for (facts A6, A7)."""

from hypothesis import given
from hypothesis import strategies as st

from mergequeue.apply.outcomes import Wait
from mergequeue.apply.ready import (
    Ending,
    Hold,
    KickAsJudged,
    Readiness,
    SoFar,
    Take,
    decide_ready,
)
from mergequeue.documents.plan import PlannedChange
from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId
from tests.support.graphs import commit_id as id_of
from tests.support.planned import green, planned

ONE, TWO = planned("1"), planned("2", "1")
STACKED = planned("2", "1", below="1", stack_base=id_of("head 1"))


def standing(*verdicts: Verdict, **endings: Ending) -> SoFar:
    return SoFar(
        {verdict.change.id: verdict for verdict in verdicts},
        {ChangeId(id_.removeprefix("c")): ending for id_, ending in endings.items()},
    )


def code(ready: Readiness) -> Code:
    assert isinstance(ready, Wait)
    return ready.code


def held(ready: Readiness) -> Code:
    assert isinstance(ready, Hold)
    return ready.wait.code


def test_the_lowest_green_change_is_taken() -> None:
    assert decide_ready(ONE, standing(green("1"))) == Take((ONE.id,))


def test_a_change_without_a_verdict_is_held() -> None:
    assert held(decide_ready(ONE, standing())) is Code.WAIT_BEHIND
    assert held(decide_ready(STACKED, standing())) is Code.WAIT_BELOW


def test_a_green_change_is_held_until_what_it_was_validated_on_has_merged() -> None:
    both = (green("1"), green("2", "1"))
    assert held(decide_ready(TWO, standing(*both))) is Code.WAIT_BEHIND
    assert held(decide_ready(STACKED, standing(*both))) is Code.WAIT_BELOW
    assert decide_ready(TWO, standing(*both, c1=Ending.MERGED)) == Take((TWO.id,))


def test_a_change_above_one_that_did_not_merge_waits_and_is_never_blamed() -> None:
    both = (green("1"), green("2", "1"))
    assert code(decide_ready(TWO, standing(*both, c1=Ending.WAITS))) is Code.WAIT_BEHIND
    assert code(decide_ready(TWO, standing(*both, c1=Ending.KICKED))) is Code.WAIT_BEHIND
    assert code(decide_ready(STACKED, standing(*both, c1=Ending.WAITS))) is Code.WAIT_BELOW
    assert code(decide_ready(STACKED, standing(*both, c1=Ending.KICKED))) is Code.WAIT_BELOW_KICKED


def test_a_change_validated_without_one_that_was_kicked_back_is_taken() -> None:
    assert decide_ready(TWO, standing(green("2"), c1=Ending.KICKED)) == Take((TWO.id,))


def test_a_change_built_on_another_candidate_than_the_one_that_merged_is_validated_again() -> None:
    other = green("2", "1", onto=id_of("another candidate"))
    assert (
        code(decide_ready(TWO, standing(green("1"), other, c1=Ending.MERGED)))
        is Code.WAIT_REVALIDATE
    )


def test_a_chain_that_lacks_the_change_beneath_is_validated_again() -> None:
    three = planned("3", "1", "2", below="1", stack_base=id_of("head 1"))
    known = standing(green("1"), green("2"), green("3", "2"), c1=Ending.MERGED, c2=Ending.MERGED)
    assert code(decide_ready(three, known)) is Code.WAIT_REVALIDATE


def test_a_red_and_a_waiting_verdict_are_carried_out_whatever_is_beneath() -> None:
    red = green("2", "1", decision="kick", code="KICK_RED", report="Red.")
    waiting = green("2", "1", decision="wait", code="WAIT_BASE_RED")
    assert decide_ready(TWO, standing(red)) == KickAsJudged(red)
    assert code(decide_ready(TWO, standing(waiting))) is Code.WAIT_BASE_RED


def chain(length: int) -> tuple[list[PlannedChange], list[Verdict]]:
    ids = [str(number) for number in range(1, length + 1)]
    changes = [planned(id_, *ids[:place]) for place, id_ in enumerate(ids)]
    verdicts = [green(id_, ids[place - 1] if place else None) for place, id_ in enumerate(ids)]
    return changes, verdicts


@given(
    st.integers(1, 5).flatmap(
        lambda length: st.tuples(
            st.just(length),
            st.lists(st.sampled_from([None, *Ending]), min_size=length, max_size=length),
            st.lists(st.booleans(), min_size=length, max_size=length),
        )
    )
)
def test_nothing_is_taken_before_all_that_it_was_validated_on_merged(
    world: tuple[int, list[Ending | None], list[bool]],
) -> None:
    length, ends, given_ = world
    changes, verdicts = chain(length)
    endings = {c.id: end for c, end in zip(changes, ends, strict=True) if end is not None}
    known = SoFar(
        {v.change.id: v for v, there in zip(verdicts, given_, strict=True) if there}, endings
    )
    for place, change in enumerate(changes):
        ready = decide_ready(change, known)
        beneath = [endings.get(other.id) for other in changes[:place]]
        if isinstance(ready, Take):
            assert beneath[-1:] in ([], [Ending.MERGED])
            assert given_[place]
        if isinstance(ready, Wait):
            assert ready.code.is_wait


@given(st.integers(2, 4), st.integers(0, 3), st.sampled_from(["missing", "red", "other", "none"]))
def test_a_batch_is_taken_only_when_every_member_is_green_on_one_chain(
    length: int, place: int, fault: str
) -> None:
    changes, verdicts = chain(length)
    ids = tuple(change.id for change in changes)
    top = verdicts[-1].candidate_commit
    batch = [v.model_copy(update={"batch": ids, "gated_commit": top}) for v in verdicts]
    at = min(place, length - 1)
    faulty = {
        "missing": None,
        "red": green(
            ids[at], ids[at - 1] if at else None, decision="kick", code="KICK_RED", report="Red."
        ),
        "other": batch[at].model_copy(update={"gated_commit": id_of("other")}),
        "none": batch[at],
    }[fault]
    known = [*batch[:at], *([faulty] if faulty else []), *batch[at + 1 :]]
    ready = decide_ready(changes[0], standing(*known))
    assert isinstance(ready, Take) is (fault == "none")
    if isinstance(ready, Take):
        assert ready.batch == ids
