"""Where one change stands, in words: the same in `status`, on the change itself and on the page.

Seed 2, Reading the queue.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId
from mergequeue.vocabulary.text import one_line
from mergequeue.vocabulary.words import Method, Stage

ANY_MINUTE = "any minute now"

UNDER_WAY = frozenset({Stage.CHECKING, Stage.LANDING})
"""The stages of a change whose batch has its turn."""

_ENDINGS: Mapping[Stage, str] = {
    Stage.QUEUED: "",
    Stage.PREFLIGHT: ", running its pre-flights",
    Stage.FAILED: ", but a pre-flight failed, and is run again or turns it away",
    Stage.REVIEW: ", waiting for its review",
    Stage.PAUSED: "",
    Stage.WAITING: ", waiting",
    Stage.READY: ", ready for the next batch",
}
_ORDINALS = {1: "st", 2: "nd", 3: "rd"}
_TEENS = range(11, 14)


@dataclass(frozen=True)
class Position:
    """A change's place in the queue, counted from 1."""

    number: int
    of: int
    in_line: int | None = None
    """Its place in its line, where the queue has several; None otherwise."""


@dataclass(frozen=True)
class Standing:
    """One queued change, and where it stands."""

    change: ChangeId
    head: CommitId
    method: Method
    title: str
    below: ChangeId | None
    """The open change that it is stacked on."""
    priority: bool
    """Whether it is in the priority lane, and goes before all that are not."""
    stage: Stage
    said: str
    """Where it stands, in one line without a time."""
    position: Position
    batch: int
    """How many changes its batch holds; 1 where it is in none."""
    since: datetime | None
    """Since when it is at that stage; None where no run has seen it there."""
    code: Code | None
    reason: str
    """What it waits for and what ends the wait; empty where it waits for nothing but its turn."""
    queued_at: datetime | None
    """When it was queued; None where no run has seen it."""
    lands_at: datetime | None
    """When it should land; None where that cannot be said."""


def said_of(
    stage: Stage,
    position: Position,
    *,
    base: BranchName,
    batch: int = 1,
    below: ChangeId | None = None,
) -> str:
    """Return where a change stands, in one line without a time."""
    match stage:
        case Stage.STACKED:
            return f"Queued, behind {below or 'the change'} that it is stacked on"
        case Stage.CHECKING:
            return f"In a batch of {batch} being gated" if batch > 1 else "Being gated"
        case Stage.LANDING:
            return "Landing"
        case Stage.AGAIN:
            ending = f", running its pre-flights again on {one_line(base)} as it is now"
        case _:
            ending = _ENDINGS[stage]
    return f"Queued, {position_text(position)}{ending}"


def position_text(position: Position) -> str:
    """Return `2nd of 5`, and where the queue has several lines, the place in its own."""
    whole = f"{_ordinal(position.number)} of {position.of}"
    return whole if position.in_line is None else f"{whole} ({_ordinal(position.in_line)} in line)"


def lands_text(lands_at: datetime, at: datetime) -> str:
    """Return when a change should land, as it is told at the moment `at`: both are UTC."""
    clock = f" ({clock_text(lands_at, at)})" if lands_at > at else ""
    return f"should land {left_text(lands_at, at)}{clock}"


def left_text(lands_at: datetime, at: datetime) -> str:
    """Return how long that is from the moment `at`, as the page counts it down."""
    left = lands_at - at
    if left <= timedelta(0):
        return ANY_MINUTE
    minutes = -(-left // timedelta(minutes=1))
    hours, rest = divmod(minutes, 60)
    span = f"{minutes} min" if not hours else f"{hours} h {rest} min"
    return f"in about {span}"


def clock_text(moment: datetime, at: datetime) -> str:
    """Return a moment as its time of day in UTC, and its date where that is another than `at`'s."""
    day = "" if moment.date() == at.date() else f"{moment:%Y-%m-%d} "
    return f"{day}{moment:%H:%M} UTC"


def standing_text(standing: Standing, at: datetime) -> str:
    """Return where a change stands, what it waits for, and when it should land."""
    because = f": {one_line(standing.reason)}" if standing.reason else ""
    when = f"; {lands_text(standing.lands_at, at)}" if standing.lands_at is not None else ""
    return f"{standing.said}{because}{when}"


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in _TEENS else _ORDINALS.get(number % 10, "th")
    return f"{number}{ending}"
