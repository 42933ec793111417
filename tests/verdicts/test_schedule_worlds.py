"""The schedule in random worlds: nobody pays for another's fault, and everything ends."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from mergequeue.verdicts.blame import Fate
from mergequeue.verdicts.line import Line
from mergequeue.vocabulary.ids import ChangeId
from tests.verdicts.worlds import World, most_gates, one_after_the_other, run_of

UNITS = ("x", "y", "z")
MANY = settings(max_examples=400, deadline=None, derandomize=True)


def random_line(order: random.Random, *, stacked: bool, loose: bool) -> Line:
    """Return a line; `loose` lets changes be built on some of those ahead, and on what those are
    built on.
    """
    changes = [ChangeId(f"c{number}") for number in range(order.randint(1, 12))]
    below: dict[ChangeId, ChangeId] = {}
    beneath: dict[ChangeId, tuple[ChangeId, ...]] = {}
    for rank, change in enumerate(changes):
        ahead = changes[:rank]
        if stacked and ahead and order.random() < 0.3:
            below[change] = order.choice(ahead)
        met = {one for one in ahead if not loose or order.random() < 0.4}
        if change in below:
            met.add(below[change])
        closed = {further for one in met for further in beneath[one]} | met
        beneath[change] = tuple(one for one in ahead if one in closed)
    return Line(tuple(changes), beneath, below)


def random_world(
    order: random.Random,
    *,
    stacked: bool = False,
    loose: bool = False,
    pairs: bool = False,
    base: bool = False,
    building: bool = False,
) -> World:
    line = random_line(order, stacked=stacked, loose=loose)
    changes = line.order
    units = {change: frozenset(order.sample(UNITS, order.randint(1, 2))) for change in changes}
    faults = [
        (frozenset({change}), order.choice(sorted(units[change])))
        for change in changes
        if order.random() < 0.2
    ]
    some = [frozenset(order.sample(changes, 2)) for _ in range(3)] if len(changes) > 1 else []
    if pairs:
        faults += [(pair, order.choice(UNITS)) for pair in some]
    menders = [None, *changes]
    return World(
        line=line,
        units=units,
        faults=tuple(faults),
        base_red={order.choice(UNITS): order.choice(menders)} if base else {},
        conflicts=frozenset(some[:1]) if building else frozenset(),
        twins=frozenset(some[1:2]) if building else frozenset(),
        refused=frozenset(one for one in changes if building and order.random() < 0.15),
    )


@MANY
@given(seed=st.integers(0, 10**9), depth=st.integers(1, 4), batch=st.integers(1, 8))
def test_every_change_gets_one_fate_and_no_kick_lacks_its_proof(
    seed: int, depth: int, batch: int
) -> None:
    order = random.Random(seed)
    world = random_world(order, stacked=True, pairs=True, base=order.random() < 0.5, building=True)
    run = run_of(world, depth=depth, batch=batch, seed=seed).to_the_end()
    assert set(run.decisions) == set(world.line.order)
    assert run.schedule.undecided == ()
    for change, decision in run.decisions.items():
        if decision.fate is Fate.RED:
            guilty = {
                one
                for fault, _ in world.faults
                if fault <= {*decision.beneath, change}
                for one in fault
            }
            assert change in guilty, f"{change} is blamed and did nothing"
        if decision.fate in {Fate.BELOW, Fate.BELOW_KICKED}:
            assert decision.below == world.line.below[change]
            assert run.fate(decision.below) is not Fate.GREEN


@MANY
@given(seed=st.integers(0, 10**9), depth=st.integers(1, 4), batch=st.integers(1, 8))
def test_every_change_that_is_bad_by_itself_is_kicked_and_every_other_is_green(
    seed: int, depth: int, batch: int
) -> None:
    world = random_world(random.Random(seed))
    run = run_of(world, depth=depth, batch=batch, seed=seed).to_the_end()
    bad = {one for fault, _ in world.faults for one in fault}
    expected = {one: Fate.RED if one in bad else Fate.GREEN for one in world.line.order}
    assert run.fates == expected


@MANY
@given(seed=st.integers(0, 10**9), depth=st.integers(1, 8))
def test_batches_of_one_find_what_gating_one_after_the_other_finds(seed: int, depth: int) -> None:
    order = random.Random(seed)
    world = random_world(
        order, stacked=True, pairs=True, base=order.random() < 0.5, building=depth == 1
    )
    run = run_of(world, depth=depth, batch=1, seed=seed).to_the_end()
    assert run.fates == one_after_the_other(world)


@MANY
@given(seed=st.integers(0, 10**9), depth=st.integers(1, 4), batch=st.integers(1, 8))
def test_gates_are_few(seed: int, depth: int, batch: int) -> None:
    order = random.Random(seed)
    world = random_world(order, stacked=True, pairs=True, base=order.random() < 0.3, building=True)
    run = run_of(world, depth=depth, batch=batch, seed=seed).to_the_end()
    reds = sum(1 for fate in run.fates.values() if fate in {Fate.RED, Fate.BASE_RED})
    assert run.base_gates == reds
    assert run.widest <= depth
    assert len(run.launched) <= most_gates(len(world.line.order), reds, depth, batch)


@MANY
@given(seed=st.integers(0, 10**9), depth=st.integers(1, 4), batch=st.integers(1, 8))
def test_a_change_built_on_only_some_of_those_ahead_is_judged_on_those(
    seed: int, depth: int, batch: int
) -> None:
    world = random_world(random.Random(seed), stacked=True, loose=True, pairs=True, building=True)
    run = run_of(world, depth=depth, batch=batch, seed=seed).to_the_end()
    assert run.schedule.undecided == ()
    for change, decision in run.decisions.items():
        assert set(decision.beneath) <= set(world.line.beneath[change])
        if decision.fate is Fate.GREEN:
            green = [one for one in world.line.beneath[change] if run.fate(one) is Fate.GREEN]
            assert decision.beneath == tuple(green)


@MANY
@given(seed=st.integers(0, 10**9), depth=st.integers(1, 4), batch=st.integers(1, 8))
def test_a_partition_that_is_stopped_decides_nothing_more_and_lets_go_of_every_gate(
    seed: int, depth: int, batch: int
) -> None:
    order = random.Random(seed)
    run = run_of(random_world(order, stacked=True, base=True), depth=depth, batch=batch, seed=seed)
    run.take(run.schedule.start())
    for _ in range(order.randint(0, 6)):
        if run.schedule.wants() is not None:
            run.launch()
        elif run.running or run.leaving or run.asked:
            run.end_one()
    before = dict(run.decisions)
    run.take(run.schedule.halt())
    assert run.running == []
    while run.leaving or run.asked:
        run.end_one()
    assert run.schedule.wants() is None
    assert run.decisions == before
    assert set(run.schedule.undecided) == set(run.world.line.order) - set(before)


@MANY
@given(seed=st.integers(0, 10**9), depth=st.integers(1, 4), batch=st.integers(1, 8))
def test_whatever_is_dropped_and_whenever_nothing_is_decided_on_it_and_everything_ends(
    seed: int, depth: int, batch: int
) -> None:
    order = random.Random(seed)
    world = random_world(order, stacked=True, pairs=True, base=order.random() < 0.3, building=True)
    run = run_of(world, depth=depth, batch=batch, seed=seed)
    times = {order.randrange(2 * len(world.line.order)): order.choice(world.line.order)}
    times[order.randrange(20)] = order.choice(world.line.order)
    run.to_the_end(meanwhile=lambda turn: run.drop(times[turn]) if turn in times else None)
    assert run.schedule.undecided == ()
    assert run.running == run.leaving == []
    assert set(world.line.order) <= set(run.decisions) | run.dropped
    for change, decision in run.decisions.items():
        if decision.fate is Fate.RED:
            guilty = {one for fault, _ in world.faults for one in fault}
            assert change in guilty, f"{change} is blamed and did nothing"
