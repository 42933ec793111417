"""Pre-flights: checks that a change passes on its own before it joins a batch (seed 2).

What a verdict says of them, and what a provider that has checks is asked and answers.
"""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from mergequeue.documents.changes import ListedChange
from mergequeue.documents.moment import Moment
from mergequeue.documents.record import ChangeId, CommitId, NonEmpty, Record


class PreflightState(StrEnum):
    """How one pre-flight of a change stands."""

    PASSED = "passed"
    """It passed at the change's head, on whichever tip of the base."""
    FAILED = "failed"
    """It failed, and that is the change's own."""
    RUNNING = "running"
    """It runs, or the provider has taken it up."""
    AGAIN = "again"
    """It failed on an older tip, or was cancelled, and is run again."""
    DUE = "due"
    """None has run yet."""


class Preflight(Record):
    """One pre-flight of a change, in a verdict."""

    name: NonEmpty
    state: PreflightState
    duration_ms: Annotated[int, Field(ge=0)] = 0
    """How long it ran, where that is known."""
    why: str = ""
    """What failed, or why it has not run, in one line."""


class NamedState(StrEnum):
    """How the newest run of a check stands at a head, whatever the base was when it ran."""

    PASSED = "passed"
    FAILED = "failed"
    RUNNING = "running"
    """It runs, waits for its turn, or something that runs may yet report it."""
    CANCELLED = "cancelled"
    MISSING = "missing"
    """Nothing at the head has reported it, and nothing that runs there may."""


class NamedCheck(Record):
    """The newest run of one check at a change's head."""

    name: NonEmpty
    state: NamedState
    ended_at: Moment | None = None
    """When it ended, by the provider's clock."""
    duration_ms: Annotated[int, Field(ge=0)] = 0
    """How long it ran, where that is known."""
    again: bool = False
    """Whether an earlier run of it at this head ended, and this one is there in its place."""
    id: str = ""
    """What the provider runs it again by; empty where it cannot."""
    reason: str = ""
    """What the provider knows beyond the state, such as which names were reported instead."""


class NamedChecksQuestion(Record):
    """A change, and the names of the checks that are asked for at its head."""

    change: ListedChange
    names: Annotated[tuple[NonEmpty, ...], Field(min_length=1)]


class RerunRequest(Record):
    """A check to run again at a change's head."""

    change: ChangeId
    repo: str = ""
    commit: CommitId
    check: NamedCheck
