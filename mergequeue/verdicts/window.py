"""Where each change of a partition stands: pending, in flight in a batch, or decided.

The queries here are what `schedule` decides by; none of them changes anything.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from mergequeue.verdicts.blame import Fate
from mergequeue.verdicts.halving import Suspects
from mergequeue.verdicts.line import Batch, Ground, Line
from mergequeue.vocabulary.ids import ChangeId


class FlightState(Enum):
    """How far a batch in flight is."""

    RUNNING = "its gate runs"
    GREEN = "green, and something beneath it is not settled"
    RED = "red, and something beneath it is not settled"
    REFUSED = "refused, and something beneath it is not settled"
    JUDGED = "red, and the gate on what it was built onto runs"
    LEAVING = "cancelled, and its gate has not ended"


ALIVE = frozenset({FlightState.RUNNING, FlightState.GREEN})
"""A candidate is built on these."""

ENDED = frozenset({FlightState.GREEN, FlightState.RED, FlightState.REFUSED})
"""These are settled once everything beneath them is."""

STUCK = frozenset({FlightState.RED, FlightState.JUDGED, FlightState.LEAVING})
"""Nothing is launched beside these: it would stand on what is about to go, or run ahead of what
comes back.
"""


@dataclass
class Flight:
    """A batch in flight."""

    batch: Batch
    state: FlightState
    red: Batch
    """The batch whose gate's red this one's is; itself, unless halving found it."""
    among: Suspects | None = None
    """The suspects that halving found it among; None where it was not halved."""


class Window:
    """The state of one partition, and the moves between its three places."""

    def __init__(self, line: Line, ground: Ground) -> None:
        """Start with every change of the line pending."""
        self._line = line
        self._rank = {change: rank for rank, change in enumerate(line.order)}
        self._ungated = frozenset(ground.ungated)
        self._places_beneath = ground.places
        self._launched = 0
        self.pending: list[ChangeId] = list(line.order)
        self.held: set[ChangeId] = set(line.held)
        """The pending changes that join no batch yet."""
        self.flights: list[Flight] = []
        self.fates: dict[ChangeId, Fate] = dict.fromkeys(ground.skipped, Fate.BELOW)
        self.left: set[ChangeId] = set()
        """The changes that left the line while it was validated."""

    def alive_beneath(
        self, change: ChangeId, forming: Collection[ChangeId]
    ) -> tuple[ChangeId, ...]:
        """Return what a change's candidate is built on: what it names beneath it and has not failed
        (facts V2).
        """
        alive = self._alive(forming)
        return tuple(other for other in self._line.beneath[change] if other in alive)

    def standing(
        self, changes: Sequence[ChangeId], forming: Collection[ChangeId]
    ) -> list[ChangeId]:
        """Return those that can be built: in no stack, or stacked on a change that a candidate is
        built on.
        """
        alive = self._alive(forming)
        below = self._line.below
        return [change for change in changes if change not in below or below[change] in alive]

    def are_of_one_lane(self, *changes: ChangeId) -> bool:
        """Return whether all of these are of the priority lane, or none of them is."""
        return len({change in self._line.lane for change in changes}) == 1

    def fallen(self) -> list[tuple[ChangeId, ChangeId, Fate]]:
        """Return each pending change stacked on one that is decided and not green, with that one
        and its fate.
        """
        found: list[tuple[ChangeId, ChangeId, Fate]] = []
        for change in self.pending:
            below = self._line.below.get(change)
            fate = self.fates.get(below) if below is not None else None
            fate = Fate.BELOW if below in self.left else fate
            if below is not None and fate is not None and fate is not Fate.GREEN:
                found.append((change, below, fate))
        return found

    def has_room(self, depth: int, suspects: Suspects | None) -> bool:
        """Return whether a batch can be launched: beside fewer than `depth`, and nothing beside
        suspects but what was launched before.
        """
        if suspects is None:
            stuck = any(flight.state in STUCK for flight in self.flights)
            return len(self.flights) < depth and not stuck
        return not any(
            flight.batch.top in suspects.ids or flight.state is FlightState.LEAVING
            for flight in self.flights
        )

    def settled(self) -> Iterable[Flight]:
        """Return the batches that have ended, with everything beneath them validated."""
        return [
            flight
            for flight in self.flights
            if flight.state in ENDED
            and all(self._is_validated(change) for change in flight.batch.under)
        ]

    def is_on_ungated(self, batch: Batch) -> bool:
        """Return whether a batch is built on changes that this run does not gate."""
        return not self._ungated.isdisjoint(batch.under)

    def is_on_green(self, batch: Batch) -> bool:
        """Return whether a batch is built on a change that this run found green."""
        return any(self.fates.get(change) is Fate.GREEN for change in batch.under)

    def built_on(self, batch: Batch) -> list[Flight]:
        """Return the batches in flight that are built on one of this batch's changes."""
        return [
            flight
            for flight in self.flights
            if not set(batch.members).isdisjoint(flight.batch.under)
        ]

    def flight_of(self, batch: Batch) -> Flight:
        """Return the flight of a batch that is in flight."""
        return next(flight for flight in self.flights if flight.batch == batch)

    def fly(
        self, members: tuple[ChangeId, ...], under: tuple[ChangeId, ...], state: FlightState
    ) -> Flight:
        """Put changes into the window as one batch."""
        self._launched += 1
        batch = Batch(self._launched, members, under, self._places_beneath + len(self.flights) + 1)
        self.pending = [change for change in self.pending if change not in members]
        flight = Flight(batch, state, red=batch)
        self.flights.append(flight)
        return flight

    def ground(self, flight: Flight) -> None:
        """Take a batch out of the window, its members back to where they stood in the queue (facts
        V6).
        """
        self.flights.remove(flight)
        back = [member for member in flight.batch.members if member not in self.left]
        self.pending = sorted([*self.pending, *back], key=self._rank.__getitem__)

    def leave(self, changes: Collection[ChangeId]) -> frozenset[ChangeId]:
        """Take changes out of the line for good, with those found green on one that was; return
        all that something may stand on, or still would.
        """
        leaving: set[ChangeId] = set()
        for change in self._line.order:
            fate = self.fates.get(change)
            on_green = fate is Fate.GREEN and any(
                other in leaving and other in self.fates for other in self._line.beneath[change]
            )
            if (change in changes and fate in {None, Fate.GREEN}) or on_green:
                leaving.add(change)
        leaving -= self.left
        self.left |= leaving
        self.pending = [change for change in self.pending if change not in leaving]
        return frozenset(leaving)

    def is_held(self, change: ChangeId) -> bool:
        """Return whether a change waits for its pre-flights, and nothing else became of it."""
        return change in self.held and change in self.pending

    @property
    def ready(self) -> list[ChangeId]:
        """The pending changes that may join a batch, in merge order."""
        return [change for change in self.pending if change not in self.held]

    def release(self, change: ChangeId, fate: Fate | None) -> Fate | None:
        """Hold a change no more; return its fate, or why it joins no batch in this run: what is
        behind it in the line was built without it, and it is built on nothing behind it.
        """
        self.held.discard(change)
        if fate is not None:
            return fate
        if change in self._line.alone:
            return Fate.PASSED_ALONE
        flying = {member for flight in self.flights for member in flight.batch.members}
        green = {other for other, fate in self.fates.items() if fate is Fate.GREEN}
        ahead = (flying | green) - self.left
        is_late = any(change in self._line.beneath.get(other, ()) for other in ahead)
        return Fate.PASSED_LATE if is_late else None

    def undecided(self) -> tuple[ChangeId, ...]:
        """Return the changes of the line without a fate that have not left it, in merge order."""
        return tuple(
            change
            for change in self._line.order
            if change not in self.fates and change not in self.left
        )

    def _alive(self, forming: Collection[ChangeId]) -> frozenset[ChangeId]:
        in_flight = {
            change
            for flight in self.flights
            if flight.state in ALIVE
            for change in flight.batch.members
        }
        green = {change for change, fate in self.fates.items() if fate is Fate.GREEN}
        return (self._ungated | in_flight | green | frozenset(forming)) - self.left

    def _is_validated(self, change: ChangeId) -> bool:
        return change in self._ungated or self.fates.get(change) is Fate.GREEN
