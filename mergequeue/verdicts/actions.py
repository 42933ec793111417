"""What a schedule asks for and decides, as values."""

from dataclasses import dataclass
from enum import StrEnum

from mergequeue.verdicts.blame import Fate
from mergequeue.verdicts.line import Batch
from mergequeue.vocabulary.ids import ChangeId


class Why(StrEnum):
    """Why a gate is cancelled."""

    RED = "what it was built on is red"
    MOVED = "a change in it, or beneath it, moved or left the queue"
    BASE = "the base moved by another push"
    STOPPED = "the run was stopped"


@dataclass(frozen=True)
class Build:
    """Build a candidate, to see whether it can join the batch being formed."""

    change: ChangeId
    onto: tuple[ChangeId, ...]
    """What it is merged onto: these changes, in this order, on the base commit."""


@dataclass(frozen=True)
class Gate:
    """Run the gate at a batch's top, and say how it ended."""

    batch: Batch


@dataclass(frozen=True)
class Cancel:
    """Stop a batch's gate, and say when it has ended."""

    batch: Batch
    why: Why


@dataclass(frozen=True)
class AskBase:
    """Run the gate on what a red batch was built onto, and say how it ended."""

    batch: Batch
    red: Batch
    """The batch whose gate was red; its units are asked for again."""


@dataclass(frozen=True)
class Decide:
    """A change's fate, which is final."""

    change: ChangeId
    fate: Fate
    beneath: tuple[ChangeId, ...] = ()
    """What its candidate was built onto."""
    gated: Batch | None = None
    """The batch whose gate says so; None where no gate does."""
    halved: bool = False
    """Whether halving a red batch found it."""
    below: ChangeId | None = None
    """The change that it is stacked on, where that one's fate is the reason."""


@dataclass(frozen=True)
class Suspect:
    """Who is suspected from here on, and nobody else; a later run goes on, should this one end."""

    changes: tuple[ChangeId, ...] = ()
    """In merge order; none once that is settled."""
    under: tuple[ChangeId, ...] = ()
    """What they are built on; the suspicion holds where all of it lands."""


Action = Gate | Cancel | AskBase | Decide | Suspect
