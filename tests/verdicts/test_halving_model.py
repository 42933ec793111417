"""Batches, halving and running ahead against seed 2's rules, written down naively: the same fates
from as many gates.
"""

import random
from dataclasses import dataclass, field
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergequeue.ports import GateResult
from mergequeue.verdicts.actions import Suspect
from mergequeue.verdicts.blame import Fate
from mergequeue.verdicts.schedule import Schedule
from mergequeue.vocabulary.ids import ChangeId
from tests.verdicts.worlds import Run, World, ids, run_of, straight

UNIT = frozenset({"u"})
CHANGES = tuple(f"c{number:02}" for number in range(24))
MANY = settings(max_examples=1000, deadline=None, derandomize=True)
SOME = settings(MANY, max_examples=300)


def world_with(seed: int, *, base: bool) -> World:
    """Return a line with some that are bad by themselves, some in pairs, and maybe a red base."""
    order = random.Random(seed)
    names = CHANGES[: order.randint(1, len(CHANGES))]
    line = straight(" ".join(names))
    faults = [frozenset({one}) for one in line.order if order.random() < 0.12]
    faults += [frozenset(order.sample(line.order, 2)) for _ in range(2) if len(names) > 1]
    menders = [None, *line.order]
    return World(
        line,
        faults=tuple((fault, "u") for fault in faults),
        base_red={"u": order.choice(menders)} if base else {},
    )


@dataclass
class Model:
    """The lander of seed 2, with what is beneath checked before anybody is blamed, where no gate
    of the run was green on it.
    """

    world: World
    size: int
    depth: int
    waiting: list[ChangeId] = field(default_factory=list)
    landed: list[ChangeId] = field(default_factory=list)
    flights: list[list[ChangeId]] = field(default_factory=list)
    suspects: list[ChangeId] = field(default_factory=list)
    red: list[ChangeId] = field(default_factory=list)
    fates: dict[ChangeId, Fate] = field(default_factory=dict)
    gates: int = 0
    base_gates: int = 0
    known: set[tuple[ChangeId, ...]] = field(default_factory=set)
    """What is known to be green or red by itself."""

    def run(self) -> "Model":
        self.waiting = list(self.world.line.order)
        while self.waiting or self.flights:
            self.fill()
            lowest = self.flights.pop(0)
            if self.is_green(self.landed + lowest):
                self.land(lowest)
            else:
                self.fail(lowest)
        return self

    def is_green(self, chain: list[ChangeId]) -> bool:
        return self.world.gate(tuple(chain), UNIT) is GateResult.GREEN

    def fill(self) -> None:
        if self.suspects and not self.flights:
            self.launch(ceil(len(self.suspects) / 2))
        while not self.suspects and self.waiting and len(self.flights) < self.depth:
            self.launch(self.size)

    def launch(self, most: int) -> None:
        self.flights.append(self.waiting[:most])
        self.waiting = self.waiting[most:]
        self.gates += 1

    def land(self, batch: list[ChangeId]) -> None:
        self.landed += batch
        self.known.add(tuple(self.landed))
        self.fates |= dict.fromkeys(batch, Fate.GREEN)
        self.suspects = [one for one in self.suspects if one not in batch]
        if len(self.suspects) == 1 and self.landed + self.suspects == self.red:
            self.waiting.remove(self.suspects[0])
            self.blame(self.suspects[0])

    def fail(self, batch: list[ChangeId]) -> None:
        self.waiting = sorted(
            [*self.waiting, *batch, *(one for flight in self.flights for one in flight)]
        )
        self.flights = []
        self.red = self.landed + batch
        self.suspects = batch
        if len(batch) == 1:
            self.waiting.remove(batch[0])
            self.blame(batch[0])

    def blame(self, change: ChangeId) -> None:
        self.suspects = []
        self.base_gates += tuple(self.landed) not in self.known
        self.known.add(tuple(self.landed))
        self.fates[change] = Fate.RED if self.is_green(self.landed) else Fate.BASE_RED
        if self.fates[change] is Fate.BASE_RED:
            self.size = 1


def taken_in_turn(run: Run) -> Run:
    """Take a schedule to its end as the lander of seed 2 goes: what lands soonest ends first."""
    run.take(run.schedule.start())
    while True:
        while run.schedule.wants() is not None:
            run.launch()
        if run.leaving:
            run.end(run.leaving[0])
        elif run.asked:
            run.end(run.asked[0])
        elif run.running:
            run.end(run.running[0])
        else:
            return run


def beneath_gated(run: Run) -> int:
    """Return how often a gate ran on what was beneath a red: once, where none was green on it."""
    return len(run.asked_beneath - run.green)


@MANY
@given(seed=st.integers(0, 10**9), depth=st.integers(1, 4), batch=st.integers(1, 8))
def test_the_gates_that_run_are_those_of_the_model(seed: int, depth: int, batch: int) -> None:
    world = world_with(seed, base=seed % 4 == 0)
    run = taken_in_turn(run_of(world, depth=depth, batch=batch))
    model = Model(world, batch, depth).run()
    assert run.fates == model.fates
    assert (len(run.launched), beneath_gated(run)) == (model.gates, model.base_gates)


@pytest.mark.parametrize("culprit", range(8))
def test_one_culprit_of_eight_is_found_in_four_gates_and_one_of_the_base_if_it_is_the_first(
    culprit: int,
) -> None:
    changes = ids(" ".join(CHANGES[:8]))
    world = World(straight(" ".join(changes)), faults=((frozenset({changes[culprit]}), "u"),))
    run = taken_in_turn(run_of(world, batch=8))
    red = [one for one, fate in run.fates.items() if fate is Fate.RED]
    assert red == [changes[culprit]]
    assert len(run.fates) == 8
    until_found = [batch for batch in run.launched if changes[culprit] in batch.chain]
    assert len(until_found) <= 4
    assert beneath_gated(run) == (culprit == 0)
    assert len(run.launched) <= 5
    assert run.suspects == Suspect()


# --- suspects of an earlier run ------------------------------------------------------------------


def gone_on(world: World, suspects: str, *, batch: int = 8, depth: int = 2) -> Run:
    schedule = Schedule(world.line, depth=depth, batch=batch, suspects=ids(suspects))
    return taken_in_turn(Run(world, schedule, random.Random(0)))


def test_a_run_goes_on_with_the_first_half_of_the_suspects_that_it_is_given() -> None:
    world = World(straight("a b c d e f"), faults=((frozenset(ids("c")), "u"),))
    run = gone_on(world, "a b c d", batch=4)
    assert [" ".join(batch.members) for batch in run.launched] == ["a b", "c", "d e f"]
    assert run.fates[ChangeId("c")] is Fate.RED


def test_what_an_earlier_run_says_blames_nobody_so_the_last_one_left_runs_too() -> None:
    innocent = World(straight("a b c d"))
    run = gone_on(innocent, "a b")
    assert run.fates == dict.fromkeys(ids("a b c d"), Fate.GREEN)
    assert [" ".join(batch.members) for batch in run.launched] == ["a", "b", "c d"]
    assert gone_on(innocent, "a").fates == run.fates


def test_suspects_that_cannot_be_had_any_more_are_none() -> None:
    world = World(straight("a b c"))
    schedule = Schedule(world.line, depth=1, batch=4, suspects=ids("a b"))
    run = Run(world, schedule, random.Random(0))
    run.take(schedule.start(gone=ids("b")))
    assert run.suspects == Suspect()
    run.launch()
    assert [" ".join(batch.members) for batch in run.launched] == ["a c"]


@SOME
@given(seed=st.integers(0, 10**9), batch=st.integers(2, 8), count=st.integers(1, 8))
def test_whoever_an_earlier_run_suspected_only_the_guilty_are_blamed(
    seed: int, batch: int, count: int
) -> None:
    world = world_with(seed, base=False)
    suspects = world.line.order[: min(batch, count)]
    run = gone_on(world, " ".join(suspects), batch=batch)
    assert run.fates == Model(world, batch, 2).run().fates


@SOME
@given(seed=st.integers(0, 10**9), depth=st.integers(1, 3), batch=st.integers(2, 8))
def test_wherever_a_run_is_cut_off_whom_it_told_of_last_are_first_in_what_is_left_and_red(
    seed: int, depth: int, batch: int
) -> None:
    world = world_with(seed, base=False)
    cut = run_of(world, depth=depth, batch=batch)
    cut.take(cut.schedule.start())
    for _ in range(random.Random(seed).randint(0, 12)):
        if cut.schedule.wants() is not None:
            cut.launch()
        elif cut.running or cut.leaving or cut.asked:
            cut.end((cut.leaving + cut.asked + cut.running)[0])
    told = cut.suspects or Suspect()
    left = [one for one in world.line.order if one not in cut.decisions]
    assert tuple(left[: len(told.changes)]) == told.changes
    assert set(told.under) == {one for one, fate in cut.fates.items() if fate is Fate.GREEN} or (
        told == Suspect()
    )
    if told.changes:
        assert world.gate((*told.under, *told.changes), UNIT) is GateResult.RED
