"""`mergequeue.stats/v1`: how a base's queue did, by day, for programs (seed 2, Measuring it)."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Final, Literal

from pydantic import Field

from mergequeue.documents.record import BranchName, NonEmpty, Record

SCHEMA: Final = "mergequeue.stats/v1"

Count = Annotated[int, Field(ge=0)]


class Measured(Record):
    """How the queue did on one day (UTC), or on all of them together."""

    queued: Count
    """How often a change was queued."""
    landed: Count
    median_seconds: Count | None
    """From first queued to landed, past any kick-backs, at the median; null for no landing."""
    p95_seconds: Count | None
    """The same, at the 95th percentile."""
    turned_away: Mapping[str, Count]
    """How many changes were turned away, by what for."""
    batches_passed: Count
    batches_ended: Count
    """Gates of batches that ended by themselves, red or green."""
    gate_seconds: Count
    """How long gates ran, those that were cancelled included."""
    cancelled: Mapping[str, Count]
    """How many gates were cancelled, by why."""
    retried: Count
    """How many gates passed on a retry."""
    retried_for: Mapping[str, Count]
    """The same, by what they were run again for."""


class DayMeasured(Measured):
    """One day."""

    day: Annotated[date, Field(strict=False)]


class Judged(Record):
    """One thing by which a queue is called healthy."""

    what: NonEmpty
    measured: str
    """Empty where nothing was measured."""
    holds: bool | None


class Stats(Record):
    """The whole document."""

    schema_: Literal["mergequeue.stats/v1"] = Field(default=SCHEMA, alias="schema")
    base: BranchName
    days: tuple[DayMeasured, ...]
    """The days that anything happened on, oldest first."""
    total: Measured
    health: tuple[Judged, ...]
