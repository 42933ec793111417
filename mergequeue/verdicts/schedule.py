"""When each batch of a partition is built, gated, cancelled and decided: one schedule with two
numbers.

A `Schedule` is asked what to build, is told what became of that and of each gate, and answers with
actions. It knows changes by id alone, and neither starts nor waits for anything. A line `a b c` of
batches of one, two in flight, where `b` is red:

    next_build()  Build(a, onto=())      built(CLEAN)    launch()   Gate(1: a)
    next_build()  Build(b, onto=(a,))    built(CLEAN)    launch()   Gate(2: b on a)
    ended(2, RED)                        nothing, since 1 is not settled
    ended(1, GREEN)                      Decide(a, GREEN), AskBase(2)
    judged(2, GREEN)                     Decide(b, RED)
    next_build()  Build(c, onto=(a,))    built(CLEAN)    launch()   Gate(3: c on a)

- At most `depth` batches are in flight, each built onto everything beneath it that is validated or
  in flight (facts V1, V2), of at most `batch` changes in queue order.
- A conflict is decided at once and the next change is built past it (V4). A refusal takes a place
  in the window, nothing is built on it, and it is decided once everything that it was tried on has
  landed (V5).
- A batch is settled once everything beneath it is validated. Red, whatever was built on it is
  cancelled and goes back to pending when its gate has ended (V6, V7). A batch of one is then judged
  by the gate on what it was built onto; a larger one is halved, and nothing runs ahead while there
  are suspects (seed 2).
- What moved or left is dropped, with every batch in flight that holds it (seed 2, When something
  moves).
- Where what a red change was built onto is red too, a batch's red tells nothing any more: from
  there on the partition gates its changes one by one.
"""

from collections.abc import Collection, Sequence

from mergequeue.ports import GateResult
from mergequeue.verdicts.actions import Action, AskBase, Build, Cancel, Decide, Gate, Suspect, Why
from mergequeue.verdicts.blame import (
    Fate,
    Made,
    decide_above,
    decide_red,
    decide_refused,
    decide_unlaunched,
)
from mergequeue.verdicts.forming import Forming, builds_of, fillers_of
from mergequeue.verdicts.halving import Suspects, suspects_of
from mergequeue.verdicts.line import NOTHING_BENEATH, Batch, Ground, Line
from mergequeue.verdicts.window import Flight, FlightState, Window
from mergequeue.vocabulary.ids import ChangeId


class Schedule:
    """The rules of one partition, over the `Window` that holds its state."""

    def __init__(
        self,
        line: Line,
        *,
        depth: int,
        batch: int,
        ground: Ground = NOTHING_BENEATH,
        suspects: Sequence[ChangeId] = (),
    ) -> None:
        """Start with every change of the line pending.

        `ground` is what lies beneath the line, and `suspects`, the first of it, are whom an earlier
        run left.
        """
        self._window = Window(line, ground)
        self._depth = depth
        self._most = self._size = batch
        self._forming: Forming | None = None
        self._suspects = Suspects(tuple(suspects)) if suspects else None
        self.halted = False
        self._actions: list[Action] = []

    def start(self, gone: Collection[ChangeId] = ()) -> list[Action]:
        """Decide the changes whose commits cannot be had, and what is stacked on them or on a
        skipped one.
        """
        for change in [one for one in self._window.pending if one in gone]:
            self._window.pending.remove(change)
            self._decide(Decide(change, Fate.HEAD_GONE))
        self._cascade()
        return self._taken()

    def wants(self) -> int | None:
        """Return the place in the window that the next batch would take; None where none is to be
        launched.
        """
        has_room = self._window.has_room(self._depth, self._suspects)
        if self.halted or not has_room or not self._window.standing(self._next_in_line(), ()):
            return None
        return len(self._window.flights) + 1

    def next_build(self) -> Build | None:
        """Return what to build for the batch being formed; None once it is whole, and `launch` is
        due.
        """
        if self._forming is None:
            if self.wants() is None:
                return None
            self._forming = Forming(self._next_in_line())
        return self._forming.next_build(self._window, self._size)

    def upcoming(self) -> tuple[Build, ...]:
        """Return the builds that `next_build` asks for, one after the other, while all are clean.

        Nothing comes of asking.
        """
        if self._forming is not None or self.wants() is None:
            return ()
        return builds_of(self._next_in_line(), self._window, self._size)

    def fillers(self) -> tuple[ChangeId, ...]:
        """Return the held changes that the next batch lacks, once their pre-flights have passed."""
        ready = self._next_in_line()
        return fillers_of(ready, self._window, self._size) if self._suspects is None else ()

    def built(self, build: Build, made: Made) -> list[Action]:
        """Take what became of a build that `next_build` asked for."""
        forming = self._forming
        if forming is None:
            msg = "no batch is being formed"
            raise ValueError(msg)
        forming.pool.remove(build.change)
        self._window.pending.remove(build.change)
        fate = decide_unlaunched(made, on_others=bool(build.onto))
        if made is Made.CLEAN:
            forming.join(build)
            return self._taken()
        self._clear_suspects()
        if fate is not None:
            self._decide(Decide(build.change, fate, build.onto))
            self._cascade()
        else:
            self._window.fly((build.change,), build.onto, FlightState.REFUSED)
            forming.pool = forming.pool if forming.members else []
            self._settle()
        return self._taken()

    def launch(self) -> list[Action]:
        """Launch the batch that was formed, if any change could join it."""
        forming, self._forming = self._forming, None
        if forming is not None and forming.members:
            flight = self._window.fly(tuple(forming.members), forming.under, FlightState.RUNNING)
            self._actions.append(Gate(flight.batch))
        return self._taken()

    def ended(self, batch: Batch, result: GateResult) -> list[Action]:
        """Take how a batch's gate ended. One that was cancelled without being asked to stops the
        partition.
        """
        flight = self._window.flight_of(batch)
        if flight.state is FlightState.LEAVING:
            self._window.ground(flight)
            self._cascade()
        elif result is GateResult.CANCELLED:
            self._window.ground(flight)
            self._halt()
        else:
            flight.state = FlightState.GREEN if result is GateResult.GREEN else FlightState.RED
        self._settle()
        return self._taken()

    def judged(self, batch: Batch, onto: GateResult) -> list[Action]:
        """Take how the gate ended on what a red batch, if still in flight, was built onto."""
        if onto is GateResult.CANCELLED:
            self._halt()
        if not self.halted and any(one.batch == batch for one in self._window.flights):
            self._condemn(self._window.flight_of(batch), decide_red(onto))
        return self._taken()

    def drop(self, changes: Collection[ChangeId]) -> list[Action]:
        """Validate changes no further that moved, left the queue or ended otherwise (seed 2, "When
        something moves").

        The batch of each goes, with every one that is built on it; what is left of those goes back
        to where it stood. Suspects are cleared where one of them, or what they stand on, is among
        the changes. One that is found not to be green already keeps its fate.
        """
        leaving = self._window.leave(changes)
        if not leaving or self.halted:
            return self._taken()
        if self._suspects is not None and self._suspects.rests_on(leaving):
            self._clear_suspects()
        for flight in tuple(self._window.flights):
            if not leaving.isdisjoint(flight.batch.chain):
                self._send_back(flight, Why.MOVED)
        self._cascade()
        self._settle()
        return self._taken()

    def flown(
        self, change: ChangeId, fate: Fate | None, stack: tuple[ChangeId, ...] = ()
    ) -> list[Action]:
        """Take what the pre-flights of a held change came to, run on top of its stack: without a
        `fate` they passed, and it joins a batch, unless one was built past it.
        """
        if self._window.is_held(change) and not self.halted:
            fate = self._window.release(change, fate)
            if fate is not None:
                self._window.pending.remove(change)
                self._decide(Decide(change, fate, stack))
                self._cascade()
        return self._taken()

    def halt(self, why: Why = Why.STOPPED) -> list[Action]:
        """Launch and decide nothing more: running gates are cancelled, and what is undecided stays
        queued.
        """
        self._halt(why)
        return self._taken()

    @property
    def undecided(self) -> tuple[ChangeId, ...]:
        """The changes without a fate, in merge order."""
        return self._window.undecided()

    def _taken(self) -> list[Action]:
        taken, self._actions = self._actions, []
        return taken

    def _next_in_line(self) -> list[ChangeId]:
        half = self._suspects.half if self._suspects is not None else None
        return [change for change in self._window.ready if half is None or change in half]

    def _settle(self) -> None:
        while not self.halted and (flight := self._first_settled()) is not None:
            match flight.state:
                case FlightState.GREEN:
                    self._pass(flight)
                case FlightState.REFUSED:
                    self._condemn(
                        flight, decide_refused(on_ungated=self._window.is_on_ungated(flight.batch))
                    )
                case _:
                    self._judge(flight)

    def _first_settled(self) -> Flight | None:
        """Return the first settled batch; another red waits until halving has found who broke this
        one.
        """
        for flight in self._window.settled():
            if (
                flight.state is not FlightState.RED
                or self._suspects is None
                or flight.batch.top in self._suspects.ids
            ):
                return flight
        return None

    def _pass(self, flight: Flight) -> None:
        batch = flight.batch
        self._window.flights.remove(flight)
        for member in batch.members:
            self._decide(Decide(member, Fate.GREEN, batch.beneath(member), gated=batch))
        if self._suspects is None or batch.top not in self._suspects.ids:
            return
        self._suspects = self._suspects.without(batch)
        if self._suspects is None:
            self._tell_suspects()
            return
        beneath = self._window.alive_beneath(self._suspects.ids[0], ())
        self._tell_suspects(self._suspects.ids, beneath)
        if self._suspects.found_on(beneath):
            found = self._window.fly(self._suspects.ids, beneath, FlightState.RED)
            found.red = self._suspects.red or found.red

    def _judge(self, flight: Flight) -> None:
        """Begin to find whose fault a settled red is, with all that is built on it sent back."""
        batch = flight.batch
        for above in self._window.built_on(batch):
            self._send_back(above, Why.RED)
        flight.among, self._suspects = self._suspects, suspects_of(batch, self._suspects)
        if self._suspects is not None:
            self._tell_suspects(batch.members, batch.under)
            self._window.ground(flight)
        elif self._window.is_on_ungated(batch):
            self._condemn(flight, decide_red(None))
        else:
            flight.state = FlightState.JUDGED
            self._actions.append(AskBase(batch, flight.red))

    def _send_back(self, flight: Flight, why: Why) -> None:
        if flight.state is FlightState.RUNNING:
            flight.state = FlightState.LEAVING
            self._actions.append(Cancel(flight.batch, why))
        elif flight.state is not FlightState.LEAVING:
            self._window.ground(flight)

    def _condemn(self, flight: Flight, fate: Fate) -> None:
        batch = flight.batch
        self._window.flights.remove(flight)
        gated = None if flight.state is FlightState.REFUSED else flight.red
        halved = flight.among is not None
        self._decide(Decide(batch.top, fate, batch.under, gated=gated, halved=halved))
        self._cascade()
        if fate is Fate.RED_ON_UNGATED:
            self._leave_unproven(flight)
        elif halved:
            self._tell_suspects()
        if fate is Fate.BASE_RED:
            self._size = 1

    def _leave_unproven(self, flight: Flight) -> None:
        """Suspect what is red on ungated changes alone, with all of the batch that it was in: if
        it is not to blame, what is beneath it is, and each of them would be red as well.
        """
        red = flight.batch
        if flight.among is not None and not self._window.is_on_green(red):
            red = flight.among.first or red
        for member in [one for one in red.members if one in self._window.pending]:
            self._window.pending.remove(member)
            self._decide(
                Decide(member, Fate.RED_ON_UNGATED, red.beneath(member), gated=red, halved=True)
            )
        if self._most > 1:
            self._tell_suspects(red.members, red.under)

    def _clear_suspects(self) -> None:
        """Suspect nobody: suspects hold only while what failed would fail the same way (seed 2)."""
        if self._suspects is not None:
            self._suspects = None
            self._tell_suspects()

    def _tell_suspects(
        self, changes: tuple[ChangeId, ...] = (), under: tuple[ChangeId, ...] = ()
    ) -> None:
        self._actions.append(Suspect(changes, under))

    def _halt(self, why: Why = Why.STOPPED) -> None:
        self.halted = True
        self._forming = None
        for flight in self._window.flights:
            if flight.state is FlightState.RUNNING:
                self._send_back(flight, why)

    def _decide(self, decision: Decide) -> None:
        self._window.fates[decision.change] = decision.fate
        self._actions.append(decision)
        is_suspect = self._suspects is not None and decision.change in self._suspects.ids
        if is_suspect and decision.fate is not Fate.GREEN:
            self._clear_suspects()

    def _cascade(self) -> None:
        """Decide every pending change that is stacked on one that is not green, all the way up."""
        while not self.halted and (fallen := self._window.fallen()):
            for change, below, fate in fallen:
                self._window.pending.remove(change)
                self._decide(Decide(change, decide_above(fate), below=below))
