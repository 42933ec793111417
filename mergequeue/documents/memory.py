"""What the queue remembers between runs, whoever its provider is.

DESIGN, The plain-git provider: the suspects, failed landings, pause and timings of seed 2. Each
record is a file under `queue/` in the tree of a commit under `refs/mergequeue/state/<base>`,
written by `apply` and by a person's command alone. What a verdict claims gets in as a hint, which
reorders gates and blames nobody.
"""

from datetime import date
from enum import StrEnum
from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from mergequeue.documents.moment import Moment
from mergequeue.documents.provider import Pin
from mergequeue.documents.record import ChangeId, CommitId, NonEmpty, Record, repeated, require
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.words import Method

PAUSE_SCHEMA: Final = "mergequeue.pause/v1"
HINTS_SCHEMA: Final = "mergequeue.hints/v1"
ENTRY_SCHEMA: Final = "mergequeue.entry/v1"
DAY_SCHEMA: Final = "mergequeue.day/v1"


class Pause(Record):
    """Why nothing of a base's queue is gated or merged until somebody resumes it."""

    schema_: Literal["mergequeue.pause/v1"] = Field(default=PAUSE_SCHEMA, alias="schema")
    reason: NonEmpty
    since: Moment
    by: str = ""
    """Who paused it, as git or the provider names them."""


class Suspected(Record):
    """Changes of a batch whose gate was red, before halving found which of them it was."""

    base_commit: CommitId
    """The tip of the base that they are suspects on: on any other they are cleared."""
    changes: Annotated[tuple[Pin, ...], Field(min_length=1)]
    """In merge order, each at the head that was gated."""


class FailedLanding(Record):
    """A change or a batch that passed its gate and failed to land."""

    tip: CommitId
    """The base's tip that it failed to land on."""
    changes: Annotated[tuple[Pin, ...], Field(min_length=1)]
    """In merge order, each at the head that was to land."""
    count: Annotated[int, Field(ge=1)]
    """How many times in a row."""
    error: NonEmpty
    """The last one, in words."""


class Hints(Record):
    """What only holds for one tip of the base."""

    schema_: Literal["mergequeue.hints/v1"] = Field(default=HINTS_SCHEMA, alias="schema")
    suspects: tuple[Suspected, ...] = ()
    landings: tuple[FailedLanding, ...] = ()


class TurnedAway(Record):
    """How a change left the queue without landing."""

    code: Code
    reason: str = ""
    commit: CommitId
    """The head that was turned away."""
    tip: CommitId | None = None
    """The base's tip that it was planned on."""
    at: Moment


class Entry(Record):
    """A change that the queue has seen and that has not landed."""

    schema_: Literal["mergequeue.entry/v1"] = Field(default=ENTRY_SCHEMA, alias="schema")
    id: ChangeId
    head: CommitId
    """Its head when apply last saw it."""
    title: str = ""
    """What its author calls it, cut short."""
    first_queued_at: Moment
    """When it was first seen in the queue, past any kick-backs since."""
    queued_at: Moment
    """When it was last queued; a new head of a queued change keeps its time."""
    head_at: Moment
    """When its head was first seen in the queue."""
    queued: bool = True
    """Whether it is in the queue now."""
    turned_away: TurnedAway | None = None
    """How it was last turned away; None once it is queued again."""
    preflights: tuple[NonEmpty, ...] = ()
    """The pre-flights that passed at its head, on whichever tip."""


class GateOutcome(StrEnum):
    """How one gate run of a batch ended."""

    PASSED = "passed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class QueuedFact(Record):
    """A change was queued."""

    id: ChangeId
    head: CommitId
    at: Moment


class LandedFact(Record):
    """A change landed."""

    id: ChangeId
    head: CommitId
    title: str = ""
    """What its author calls it, cut short."""
    commit: CommitId | None = None
    """What it became on the base."""
    method: Method
    first_queued_at: Moment
    at: Moment
    batch: Annotated[int, Field(ge=1)] = 1
    """How many changes its batch held."""


class TurnedAwayFact(Record):
    """A change was turned away."""

    id: ChangeId
    head: CommitId
    code: Code
    at: Moment


Took = Annotated[int, Field(ge=0, le=limits.LONGEST_MS)]
"""How long something took, in milliseconds."""


class GateFact(Record):
    """One gate of a batch ran."""

    changes: tuple[ChangeId, ...]
    """The batch, in merge order."""
    commit: CommitId
    """The candidate at its top."""
    outcome: GateOutcome
    why: str = ""
    """Why it was cancelled, or what failed."""
    duration_ms: Took
    retries: Annotated[int, Field(ge=0)] = 0
    """How often it was run again for a pattern that the base names."""
    at: Moment
    """When apply read of it."""


class PreflightFact(Record):
    """The pre-flights of a change passed at its head."""

    id: ChangeId
    head: CommitId
    duration_ms: Took
    """How long the longest of them took."""
    at: Moment
    """When apply read of it."""


class Day(Record):
    """What happened on one day, UTC."""

    schema_: Literal["mergequeue.day/v1"] = Field(default=DAY_SCHEMA, alias="schema")
    day: Annotated[date, Field(strict=False)]
    queued: tuple[QueuedFact, ...] = ()
    landed: tuple[LandedFact, ...] = ()
    turned_away: tuple[TurnedAwayFact, ...] = ()
    gates: tuple[GateFact, ...] = ()
    preflights: tuple[PreflightFact, ...] = ()

    @model_validator(mode="after")
    def _no_landing_twice(self) -> Self:
        twice = repeated([f"{fact.id} at {fact.head}" for fact in self.landed])
        require(twice is None, f"{twice} landed twice")
        return self
