"""`mergequeue.event/v1`: one line of JSON for each thing that happens.

Facts, section 4.
"""

from typing import Annotated, Final, Literal

from pydantic import Field

from mergequeue.documents.moment import Moment
from mergequeue.documents.record import ChangeId, CommitId, Record
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.words import Decision, EventKind

SCHEMA: Final = "mergequeue.event/v1"


class Happening(Record):
    """What happened, before the clock has said when.

    Fields that do not apply are left out of the line.
    """

    kind: EventKind
    change: ChangeId | None = None
    """The change it is about."""
    changes: tuple[ChangeId, ...] = ()
    """A partition's changes, in merge order; the batch that a gate checks."""
    partition: Annotated[int, Field(ge=0)] | None = None
    """The partition's number, from 0."""
    decision: Decision | None = None
    code: Code | None = None
    reason: str = ""
    """Why, in one line."""
    commit: CommitId | None = None
    """The candidate, or what was handed over or landed."""
    depth: Annotated[int, Field(ge=1)] | None = None
    """The batch's place among those in flight, from 1."""
    duration_ms: Annotated[int, Field(ge=0)] | None = None
    limit_ms: Annotated[int, Field(ge=0)] | None = None
    """The time limit of each try of the gate, where it has one."""
    limit_used_ms: Annotated[int, Field(ge=0)] | None = None
    """How much of it the longest try took."""
    by_provider: bool | None = None
    """Whether the provider merged it on its own."""


class Event(Happening):
    """One line."""

    schema_: Literal["mergequeue.event/v1"] = Field(default=SCHEMA, alias="schema")
    time: Moment
    """When it happened, in UTC."""
