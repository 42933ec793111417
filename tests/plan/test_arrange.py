"""Facts S10 and S11; 6.8, I-order and I-blame."""

from hypothesis import given
from hypothesis import strategies as st

from mergequeue.changes.decided import Decided, refuse, wait
from mergequeue.plan.arrange import stack_order, waits_above
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId
from tests.support.listings import TIP, queued

ONE, TWO, THREE, FOUR = (ChangeId(id_) for id_ in "1234")
KICKED = refuse(queued("1", "a"), TIP, "It is wrong.")


def test_above_a_kicked_change_all_wait_with_the_same_reason_and_none_is_kicked() -> None:
    below = {ONE: None, TWO: ONE, THREE: TWO, FOUR: None}

    found = waits_above([ONE, TWO, THREE, FOUR], below, {ONE: KICKED})

    assert set(found) == {TWO, THREE}
    assert found[TWO] == found[THREE]
    assert found[TWO].code is Code.WAIT_BELOW_KICKED
    assert found[TWO].reason == (
        "change 1, which it is stacked on, was kicked back: It is wrong; it goes on once that "
        "change is queued again and merges, or once it is rebased off it"
    )


def test_above_a_waiting_change_all_wait_quoting_its_reason() -> None:
    lower = wait(Code.WAIT_NOT_APPROVED, "nobody has looked at it")

    found = waits_above([ONE, TWO], {TWO: ONE}, {ONE: lower})

    assert found[TWO].code is Code.WAIT_BELOW
    assert lower.reason in found[TWO].reason


def test_a_change_with_a_decision_of_its_own_keeps_it() -> None:
    own = wait(Code.WAIT_WITHDRAWN)

    found = waits_above([ONE, TWO, THREE], {TWO: ONE, THREE: TWO}, {ONE: KICKED, TWO: own})

    assert set(found) == {THREE}
    assert own.reason in found[THREE].reason


def test_a_change_is_placed_behind_what_it_is_stacked_on_and_else_in_queue_order() -> None:
    below = {TWO: FOUR, FOUR: THREE, THREE: None, ONE: None}

    assert stack_order([TWO, ONE, THREE, FOUR], below) == [THREE, FOUR, TWO, ONE]


@st.composite
def stacks(draw: st.DrawFn) -> tuple[list[ChangeId], dict[ChangeId, ChangeId | None]]:
    """Any changes in any order, stacked on each other without a cycle."""
    count = draw(st.integers(1, 10))
    ids = [ChangeId(str(number)) for number in range(count)]
    below = {id_: draw(st.sampled_from([None, *ids[:place]])) for place, id_ in enumerate(ids)}
    return draw(st.permutations(ids)), below


@given(stacks())
def test_every_order_of_stacks_is_a_merge_order(
    made: tuple[list[ChangeId], dict[ChangeId, ChangeId | None]],
) -> None:
    ids, below = made

    order = stack_order(ids, below)

    assert sorted(order) == sorted(ids)
    for place, id_ in enumerate(order):
        assert below[id_] is None or below[id_] in order[:place]


@given(stacks(), st.data())
def test_a_change_waits_exactly_when_something_beneath_it_does_not_merge(
    made: tuple[list[ChangeId], dict[ChangeId, ChangeId | None]], data: st.DataObject
) -> None:
    ids, below = made
    bad = data.draw(st.sets(st.sampled_from(ids)))
    decided: dict[ChangeId, Decided] = dict.fromkeys(bad, KICKED)

    found = waits_above(ids, below, decided)

    for id_ in ids:
        beneath = set()
        at = below[id_]
        while at is not None:
            beneath.add(at)
            at = below[at]
        assert (id_ in found) == (id_ not in bad and bool(beneath & bad))
