"""A schedule whose line holds changes back until their pre-flights pass, in any order of events."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergequeue.verdicts.blame import Fate
from mergequeue.verdicts.line import Line
from mergequeue.verdicts.schedule import Schedule
from mergequeue.vocabulary.ids import ChangeId
from tests.verdicts.worlds import Run, World, ids, straight


def run_with(
    line: Line, world: World, failing: set[ChangeId], *, depth: int, batch: int, seed: int
) -> Run:
    """Take a line to its end, with the pre-flights of its held changes ending at any time."""
    order = random.Random(seed)
    run = Run(world, Schedule(line, depth=depth, batch=batch), order)
    left = sorted(line.held)

    def end_a_flight(_: int = 0, likely: float = 0.2) -> None:
        flying = [change for change in left if line.below.get(change) not in left]
        if flying and order.random() < likely:
            change = order.choice(flying)
            left.remove(change)
            fate = Fate.PREFLIGHT_FAILED if change in failing else None
            run.take(run.schedule.flown(change, fate))

    while True:
        run.to_the_end(meanwhile=end_a_flight)
        if not left:
            return run
        end_a_flight(likely=1)


@pytest.mark.parametrize("seed", range(300))
def test_the_ready_ones_fare_as_if_no_other_were_there_and_each_of_the_others_ends(
    seed: int,
) -> None:
    order = random.Random(seed)
    names = ids(" ".join(f"c{number}" for number in range(order.randint(1, 9))))
    ready = order.randint(0, len(names))
    held = frozenset(names[ready:])
    line = straight(" ".join(names))
    red = {name for name in names if order.random() < 0.2}
    world = World(line, faults=tuple((frozenset({name}), "u") for name in red))
    failing = {name for name in held if order.random() < 0.3}
    depth, batch = order.randint(1, 3), order.randint(1, 4)

    run = run_with(replace(line, held=held), world, failing, depth=depth, batch=batch, seed=seed)
    others = Schedule(straight(" ".join(names[:ready])), depth=depth, batch=batch)
    alone = Run(world, others, random.Random(seed))
    assert {name: run.fate(name) for name in names[:ready]} == alone.to_the_end().fates

    for name in held:
        if name in failing:
            assert run.fate(name) is Fate.PREFLIGHT_FAILED
        else:
            own = Fate.RED if name in red else Fate.GREEN
            assert run.fate(name) in {own, Fate.PASSED_LATE}
    assert not any(name in failing for batch in run.launched for name in batch.chain)


@settings(max_examples=100)
@given(st.integers(0, 10**6))
def test_above_one_that_fails_nobody_is_built_and_nobody_is_blamed(seed: int) -> None:
    line = replace(straight("a b c d", b="a", c="b"), held=frozenset(ids("a b c")))
    (a, b, c, d) = line.order
    run = run_with(line, World(line), {a}, depth=2, batch=2, seed=seed)
    assert run.fates == {
        a: Fate.PREFLIGHT_FAILED,
        b: Fate.BELOW_KICKED,
        c: Fate.BELOW_KICKED,
        d: Fate.GREEN,
    }


def test_one_that_left_the_line_meanwhile_is_decided_by_nothing() -> None:
    line = replace(straight("a b"), held=frozenset(ids("a")))
    (a, b) = line.order
    run = Run(World(line), Schedule(line, depth=1, batch=1), random.Random(0))
    run.drop(a)
    run.take(run.schedule.flown(a, Fate.PREFLIGHT_FAILED))
    run.to_the_end()
    assert run.fates == {b: Fate.GREEN}


def test_one_that_waits_for_its_review_passes_them_and_joins_no_batch() -> None:
    line = replace(straight("a"), held=frozenset(ids("a")), alone=frozenset(ids("a")))
    (a,) = line.order
    run = run_with(line, World(line), set(), depth=1, batch=1, seed=0)
    assert (run.fates, run.launched) == ({a: Fate.PASSED_ALONE}, [])


def fillers(line: Line, *, batch: int, lane: str = "") -> tuple[ChangeId, ...]:
    first = frozenset(ids(lane))
    return Schedule(replace(line, lane=first), depth=2, batch=batch).fillers()


def test_what_a_batch_lacks_is_held_and_of_its_lane_and_no_more_than_fits() -> None:
    line = replace(straight("a b c d"), held=frozenset(ids("b c d")))
    assert fillers(line, batch=3) == ids("b c")
    assert fillers(line, batch=8) == ids("b c d")
    assert fillers(line, batch=1) == ()
    assert fillers(line, batch=8, lane="a") == ()
    assert fillers(replace(line, held=frozenset()), batch=8) == ()


def test_what_a_batch_lacks_stands_behind_what_it_has() -> None:
    line = replace(straight("a b c d e"), held=frozenset(ids("b c d e")))
    schedule = Schedule(line, depth=1, batch=3)
    schedule.flown(ChangeId("c"), None)
    assert schedule.fillers() == ids("d")


def test_halving_waits_for_no_pre_flight() -> None:
    line = replace(straight("a b c d"), held=frozenset(ids("d")))
    schedule = Schedule(line, depth=1, batch=8, suspects=ids("a b c"))
    assert schedule.fillers() == ()
