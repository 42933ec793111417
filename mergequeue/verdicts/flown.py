"""Which pre-flights of a partition run next, and what their ends come to (seed 2, Pre-flights).

`Preflights` is asked what to run and told how that ended; it neither starts nor waits for anything.
A change `b` with two of them, `fmt` and `test`:

    next()                     Flown(b, fmt)
    ended(b, GREEN)            nothing yet; next() gives Flown(b, test)
    ended(b, RED)              Beneath(b, test): is it the change's own?
    judged(b, GREEN)           Failed(b, test)      judged(b, RED) would be Unproven(b, test)

- A change's pre-flights run one after the other, in the order of the base's file, and stop at the
  first that fails. Those of different changes run beside each other.
- They run on the change alone: its head merged onto the base, with what it is stacked on beneath it
  and nothing else. One in a stack waits for the one beneath it to pass, so that nobody is blamed
  for that one's failure.
- A failure is the change's own where the same command passes on what it was merged onto.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from mergequeue.documents.plan import PlannedChange
from mergequeue.ports import GateResult
from mergequeue.vocabulary.ids import ChangeId


@dataclass(frozen=True)
class Flown:
    """A pre-flight to run on a change."""

    change: ChangeId
    name: str


@dataclass(frozen=True)
class Passed:
    """Every pre-flight of a change passed."""

    change: ChangeId


@dataclass(frozen=True)
class Beneath:
    """A pre-flight failed: it has to be run on what the change was merged onto."""

    change: ChangeId
    name: str


@dataclass(frozen=True)
class Failed:
    """A pre-flight failed, and passes without the change."""

    change: ChangeId
    name: str


@dataclass(frozen=True)
class Unproven:
    """A pre-flight failed, and fails without the change too."""

    change: ChangeId
    name: str


Came = Passed | Beneath | Failed | Unproven | None
"""What the end of a run comes to; None where more is to be run."""


@dataclass
class _Left:
    """What is left to run of one change."""

    names: list[str]
    below: ChangeId | None
    stack: tuple[ChangeId, ...]
    is_busy: bool = False


@dataclass
class Preflights:
    """The pre-flights of one partition's changes."""

    changes: Sequence[PlannedChange] = ()
    beneath: Sequence[PlannedChange] = ()
    """What lies beneath them in this run, built and not gated."""
    _left: dict[ChangeId, _Left] = field(init=False)

    def __post_init__(self) -> None:
        stacks = stacks_of([*self.beneath, *self.changes])
        self._left = {
            change.id: _Left(list(change.preflights), change.below, stacks[change.id])
            for change in self.changes
            if change.preflights
        }

    def next(self, undecided: Collection[ChangeId]) -> Flown | None:
        """Return what to run next, of changes that nothing was decided of yet; None where nothing
        is to be started now.
        """
        for change, left in self._left.items():
            if change in undecided and not left.is_busy and left.below not in self._left:
                left.is_busy = True
                return Flown(change, left.names[0])
        return None

    def again(self, change: ChangeId) -> None:
        """Take a run as not begun: `next` gives it once more."""
        self._left[change].is_busy = False

    def stack(self, change: ChangeId) -> tuple[ChangeId, ...]:
        """Return what a change is stacked on, lowest first: what its pre-flights run on top of."""
        return self._left[change].stack

    def ended(self, change: ChangeId, result: GateResult) -> Came:
        """Take how the run ended that `next` asked for; a cancelled one comes to nothing."""
        left = self._left[change]
        if result is GateResult.CANCELLED:
            return None
        if result is GateResult.RED:
            return Beneath(change, left.names[0])
        left.names.pop(0)
        if left.names:
            left.is_busy = False
            return None
        return self.waived(change)

    def judged(self, change: ChangeId, onto: GateResult) -> Came:
        """Take how the failed pre-flight ended on what the change was merged onto."""
        name = self._left[change].names[0]
        match onto:
            case GateResult.GREEN:
                return Failed(change, name)
            case GateResult.RED:
                return Unproven(change, name)
            case GateResult.CANCELLED:
                return None

    def waived(self, change: ChangeId) -> Passed:
        """Run no more of a change: it passed, or building its batch tells what is wrong with it."""
        del self._left[change]
        return Passed(change)


def stacks_of(changes: Sequence[PlannedChange]) -> dict[ChangeId, tuple[ChangeId, ...]]:
    """Return what each change of a line is stacked on there, lowest first."""
    found: dict[ChangeId, tuple[ChangeId, ...]] = {}
    for change in changes:
        below = change.below
        found[change.id] = (*found[below], below) if below is not None and below in found else ()
    return found
