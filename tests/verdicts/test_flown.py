"""Which pre-flights run, in which order, and whose a failure is: the state machine alone."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from mergequeue.documents.plan import PlannedChange
from mergequeue.ports import GateResult
from mergequeue.verdicts.flown import Beneath, Failed, Flown, Passed, Preflights, Unproven
from mergequeue.vocabulary.ids import ChangeId
from tests.support.listings import queued

GREEN, RED, CANCELLED = GateResult.GREEN, GateResult.RED, GateResult.CANCELLED


def planned(id_: str, *preflights: str, below: str | None = None) -> PlannedChange:
    return PlannedChange.model_validate(
        {
            **queued(id_, id_).model_dump(by_alias=True),
            "preflights": preflights,
            "below": below,
            "beneath": (below,) if below else (),
        }
    )


def every(changes: Sequence[PlannedChange]) -> list[ChangeId]:
    return [change.id for change in changes]


A, B = ChangeId("a"), ChangeId("b")


def test_those_of_one_change_run_one_after_the_other_and_those_of_others_beside() -> None:
    changes = [planned("a", "fmt", "test"), planned("b", "fmt")]
    preflights = Preflights(changes)

    assert preflights.next(every(changes)) == Flown(A, "fmt")
    assert preflights.next(every(changes)) == Flown(B, "fmt")
    assert preflights.next(every(changes)) is None
    assert preflights.ended(A, GREEN) is None
    assert preflights.next(every(changes)) == Flown(A, "test")
    assert preflights.ended(A, GREEN) == Passed(A)
    assert preflights.next(every(changes)) is None


def test_the_first_that_fails_ends_them_and_is_run_on_what_lies_beneath() -> None:
    changes = [planned("a", "fmt", "test")]
    preflights = Preflights(changes)
    preflights.next(every(changes))

    assert preflights.ended(A, RED) == Beneath(A, "fmt")
    assert preflights.next(every(changes)) is None
    assert preflights.judged(A, GREEN) == Failed(A, "fmt")
    assert preflights.judged(A, RED) == Unproven(A, "fmt")


def test_a_cancelled_one_blames_nobody_and_lets_nobody_through() -> None:
    changes = [planned("a", "fmt")]
    preflights = Preflights(changes)
    preflights.next(every(changes))

    assert preflights.ended(A, CANCELLED) is None
    assert preflights.judged(A, CANCELLED) is None
    assert preflights.next(every(changes)) is None


def test_a_change_waits_for_the_one_that_it_is_stacked_on() -> None:
    changes = [planned("a", "fmt"), planned("b", "fmt", below="a")]
    preflights = Preflights(changes)
    preflights.next(every(changes))

    assert preflights.next(every(changes)) is None
    assert preflights.ended(A, GREEN) == Passed(A)
    assert preflights.next(every(changes)) == Flown(B, "fmt")
    assert preflights.stack(B) == (A,)


def test_what_lies_beneath_ungated_is_part_of_a_stack_and_runs_nothing() -> None:
    changes = [planned("b", "fmt", below="a")]
    preflights = Preflights(changes, beneath=[planned("a", "fmt")])

    assert preflights.next(every(changes)) == Flown(B, "fmt")
    assert preflights.stack(B) == (A,)


def test_nothing_is_run_of_a_change_that_something_else_decided() -> None:
    assert Preflights([planned("a", "fmt")]).next([]) is None


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=3), min_size=1, max_size=6), st.data())
def test_in_any_order_of_ends_each_change_passes_if_and_only_if_all_of_its_own_do(
    wanted: list[list[bool]], data: st.DataObject
) -> None:
    changes = [
        planned(f"c{number}", *(f"p{place}" for place in range(len(ends))))
        for number, ends in enumerate(wanted)
    ]
    preflights = Preflights(changes)
    running: list[Flown] = []
    runs = 0
    came: dict[ChangeId, object] = {}
    while True:
        while (flown := preflights.next(every(changes))) is not None:
            running.append(flown)
            runs += 1
        if not running:
            break
        flown = running.pop(data.draw(st.integers(0, len(running) - 1)))
        is_green = wanted[int(flown.change[1:])][int(flown.name[1:])]
        came[flown.change] = preflights.ended(flown.change, GREEN if is_green else RED)

    for change, ends in zip(changes, wanted, strict=True):
        if all(ends):
            assert came[change.id] == Passed(change.id)
        else:
            assert came[change.id] == Beneath(change.id, f"p{ends.index(False)}")
    assert runs == sum(len(ends) if all(ends) else ends.index(False) + 1 for ends in wanted)
