"""Worlds with a hidden truth, and a driver that takes a schedule through one in any order of
events.
"""

import math
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from mergequeue.ports import GateResult
from mergequeue.verdicts.actions import Action, AskBase, Build, Cancel, Decide, Gate, Suspect
from mergequeue.verdicts.blame import Fate, Made
from mergequeue.verdicts.line import Batch, Line
from mergequeue.verdicts.schedule import Schedule
from mergequeue.vocabulary.ids import ChangeId

Chain = tuple[ChangeId, ...]


def ids(text: str) -> Chain:
    return tuple(ChangeId(word) for word in text.split())


def straight(text: str, **below: str) -> Line:
    """Return a line in which each change is built on all ahead of it; `c="a"` stacks c on a."""
    order = ids(text)
    return Line(
        order=order,
        beneath={change: order[:rank] for rank, change in enumerate(order)},
        below={ChangeId(upper): ChangeId(lower) for upper, lower in below.items()},
    )


@dataclass(frozen=True)
class World:
    """What really is the case."""

    line: Line
    units: dict[ChangeId, frozenset[str]] = field(default_factory=dict)
    faults: tuple[tuple[frozenset[ChangeId], str], ...] = ()
    """Changes that, all in one commit, make a unit red."""
    base_red: dict[str, ChangeId | None] = field(default_factory=dict)
    """Units that are red without any change, each with the change that mends it."""
    conflicts: frozenset[frozenset[ChangeId]] = frozenset()
    """Pairs that cannot be merged onto each other."""
    refused: frozenset[ChangeId] = frozenset()
    twins: frozenset[frozenset[ChangeId]] = frozenset()
    """Pairs that change the same, so that the later one changes nothing on the earlier."""

    def units_of(self, members: Iterable[ChangeId]) -> frozenset[str]:
        return frozenset().union(*(self.units.get(change, frozenset({"u"})) for change in members))

    def made(self, build: Build) -> Made:
        if build.change in self.refused:
            return Made.REFUSED
        met = {frozenset({build.change, other}) for other in build.onto}
        if met & self.conflicts:
            return Made.CONFLICT
        return Made.NOTHING if met & self.twins else Made.CLEAN

    def gate(self, chain: Chain, units: frozenset[str]) -> GateResult:
        broken = any(fault <= set(chain) and unit in units for fault, unit in self.faults)
        unmended = any(
            unit in units and mender not in chain for unit, mender in self.base_red.items()
        )
        return GateResult.RED if broken or unmended else GateResult.GREEN


@dataclass
class Run:
    """A schedule on its way through a world, with everything that happened."""

    world: World
    schedule: Schedule
    order: random.Random
    ungated: Chain = ()
    running: list[Batch] = field(default_factory=list)
    leaving: list[Batch] = field(default_factory=list)
    asked: list[AskBase] = field(default_factory=list)
    decisions: dict[ChangeId, Decide] = field(default_factory=dict)
    launched: list[Batch] = field(default_factory=list)
    dropped: set[ChangeId] = field(default_factory=set)
    suspects: Suspect | None = None
    """Whom it told of last."""
    base_gates: int = 0
    green: set[tuple[Chain, frozenset[str]]] = field(default_factory=set)
    """What a gate was green on, and with which units."""
    asked_beneath: set[tuple[Chain, frozenset[str]]] = field(default_factory=set)
    """What was asked of as it stands."""
    widest: int = 0

    def take(self, actions: list[Action]) -> None:
        for action in actions:
            match action:
                case Gate(batch):
                    self.running.append(batch)
                    self.launched.append(batch)
                    self.widest = max(self.widest, len(self.running))
                case Cancel(batch):
                    self.running.remove(batch)
                    self.leaving.append(batch)
                case AskBase():
                    self.asked.append(action)
                    self.base_gates += 1
                case Suspect():
                    self.suspects = action
                case Decide():
                    assert action.change not in self.decisions, "decided twice"
                    self.check(action)
                    self.decisions[action.change] = action

    def drop(self, *changes: ChangeId) -> None:
        self.dropped.update(changes)
        self.take(self.schedule.drop(changes))

    def check(self, decision: Decide) -> None:
        gone = self.dropped.intersection((*decision.beneath, decision.change))
        assert not gone, f"{decision} is about what was dropped"
        beneath_is_green = all(
            other in self.ungated or self.fate(other) is Fate.GREEN for other in decision.beneath
        )
        if decision.fate in {Fate.GREEN, Fate.RED, Fate.REFUSED, Fate.BASE_RED}:
            assert beneath_is_green, f"{decision} stands on what is not validated"
        if decision.gated is not None:
            units = self.world.units_of(decision.gated.members)
            found = self.world.gate((*decision.beneath, decision.change), units)
            top = self.world.gate(decision.gated.chain, units)
            if decision.fate is Fate.GREEN:
                assert top is GateResult.GREEN, f"{decision} was never green"
            else:
                assert found is GateResult.RED, f"{decision} was never red"

    def fate(self, change: ChangeId) -> Fate | None:
        decision = self.decisions.get(change)
        return decision.fate if decision is not None else None

    def launch(self) -> None:
        while (build := self.schedule.next_build()) is not None:
            self.take(self.schedule.built(build, self.world.made(build)))
        self.take(self.schedule.launch())

    def end_one(self) -> None:
        """End a gate, one in flight or one on its way out, or answer about the base."""
        waiting: list[Batch | AskBase] = [*self.running, *self.leaving, *self.asked]
        self.end(self.order.choice(waiting))

    def end(self, what: Batch | AskBase) -> None:
        if isinstance(what, AskBase):
            self.asked.remove(what)
            units = self.world.units_of(what.red.members)
            onto = self.world.gate(what.batch.under, units)
            self.asked_beneath.add((what.batch.under, units))
            self.take(self.schedule.judged(what.batch, onto))
        elif what in self.leaving:
            self.leaving.remove(what)
            self.take(self.schedule.ended(what, GateResult.CANCELLED))
        else:
            self.running.remove(what)
            units = self.world.units_of(what.members)
            result = self.world.gate(what.chain, units)
            if result is GateResult.GREEN:
                self.green.add((what.chain, units))
            self.take(self.schedule.ended(what, result))

    def to_the_end(
        self, *, limit: int = 10_000, meanwhile: Callable[[int], None] = lambda _: None
    ) -> "Run":
        self.take(self.schedule.start())
        for turn in range(limit):
            meanwhile(turn)
            wanted = self.schedule.wants() is not None
            if not (wanted or self.running or self.leaving or self.asked):
                return self
            if wanted and (
                not (self.running or self.leaving or self.asked) or self.order.random() < 0.5
            ):
                self.launch()
            else:
                self.end_one()
        raise AssertionError("it does not end")

    @property
    def fates(self) -> dict[ChangeId, Fate]:
        return {change: decision.fate for change, decision in self.decisions.items()}


def run_of(world: World, *, depth: int = 1, batch: int = 1, seed: int = 0) -> Run:
    schedule = Schedule(world.line, depth=depth, batch=batch)
    return Run(world, schedule, random.Random(seed))


def one_after_the_other(world: World) -> dict[ChangeId, Fate]:
    """Return what seed 1's queue finds when it gates one change after the other, written down
    naively.
    """
    fates: dict[ChangeId, Fate] = {}
    for change in world.line.order:
        green = tuple(one for one in world.line.beneath[change] if fates[one] is Fate.GREEN)
        below = world.line.below.get(change)
        if below is not None and fates[below] is not Fate.GREEN:
            lower = fates[below]
            kicked = lower in {Fate.RED, Fate.REFUSED, Fate.NOTHING_ON_BASE, Fate.BELOW_KICKED}
            fates[change] = Fate.BELOW_KICKED if kicked else Fate.BELOW
            continue
        made = world.made(Build(change, green))
        if made is Made.CONFLICT:
            fates[change] = Fate.CONFLICT_AHEAD
        elif made is Made.NOTHING:
            fates[change] = Fate.NOTHING_ON_OTHERS
        elif made is Made.REFUSED:
            fates[change] = Fate.REFUSED
        else:
            units = world.units_of([change])
            if world.gate((*green, change), units) is GateResult.GREEN:
                fates[change] = Fate.GREEN
            else:
                onto_green = world.gate(green, units) is GateResult.GREEN
                fates[change] = Fate.RED if onto_green else Fate.BASE_RED
    return fates


def most_gates(changes: int, reds: int, depth: int, batch: int) -> int:
    """Return a bound on the gates of one partition.

    Each settled change costs at most the path through the halves that leads to it, and each red
    throws away what ran above it.
    """
    path = 1 + math.ceil(math.log2(batch)) if batch > 1 else 1
    return changes * path + (reds + 1) * (depth - 1)
