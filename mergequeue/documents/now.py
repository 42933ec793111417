"""`mergequeue.now/v1`: the queue as apply last saw it, for whoever asks where a change stands.

Seed 2, Reading the queue. It is a record of the queue's memory, which apply writes when it starts,
after each burst of what happens, and when it ends. Nothing is decided by it.
"""

from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from mergequeue.documents.moment import Moment
from mergequeue.documents.record import ChangeId, CommitId, Record, repeated, require
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.words import Method, Stage

NOW_SCHEMA: Final = "mergequeue.now/v1"


class Placed(Record):
    """A queued change, and where it stands."""

    id: ChangeId
    head: CommitId
    method: Method
    title: str = ""
    """What its author calls it, cut short."""
    stage: Stage
    since: Moment
    """Since when it is at that stage, as far as apply saw."""
    code: Code | None = None
    """Why it waits; None where it does not."""
    reason: str = ""
    """What it waits for, and what ends the wait."""
    told: bool = False
    """Whether its status on the provider says so."""
    below: ChangeId | None = None
    """The open change that it is stacked on."""
    priority: bool = False
    """Whether it is in the priority lane."""


class Batch(Record):
    """Consecutive changes of a line that one gate checks."""

    changes: Annotated[tuple[ChangeId, ...], Field(min_length=1)]
    """In merge order."""
    since: Moment | None = None
    """Since when its gate may run; None where others of its line are gated before it."""


class Now(Record):
    """The whole record."""

    schema_: Literal["mergequeue.now/v1"] = Field(default=NOW_SCHEMA, alias="schema")
    at: Moment
    """When it was written: a run that changes nothing writes nothing."""
    base_commit: CommitId
    """The tip of the base that the plan was made on."""
    running: bool
    """Whether a run went on when it was written."""
    source: str = ""
    """The validation run that is followed; empty for a directory."""
    depth: Annotated[int, Field(ge=1)]
    """How many batches of a line are gated at once."""
    lines: tuple[Annotated[tuple[Batch, ...], Field(min_length=1)], ...] = ()
    """Changes that may meet, a line of batches each, what lands first in front."""
    changes: tuple[Placed, ...] = ()
    """Every queued change in queue order, those of no line too."""

    @model_validator(mode="after")
    def _each_change_once(self) -> Self:
        placed = [change.id for change in self.changes]
        twice = repeated(placed)
        require(twice is None, f"{twice} stands twice")
        in_lines = [id_ for line in self.lines for batch in line for id_ in batch.changes]
        twice = repeated(in_lines)
        require(twice is None, f"{twice} stands in the lines twice")
        strange = sorted(set(in_lines) - set(placed))
        require(not strange, f"{', '.join(strange)} stands in a line and is not queued")
        return self
