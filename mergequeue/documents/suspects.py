"""`mergequeue.suspects/v1`: whom a validation suspects, while it finds out who broke a batch.

Seed 2, When a batch fails. A claim, as a verdict is: a later run gates in another order for it, and
nobody is blamed for it. A job that ends early leaves in it what no verdict will tell of its gates.
"""

from typing import Final, Literal, Self

from pydantic import Field, model_validator

from mergequeue.documents.gate import GateRecord
from mergequeue.documents.provider import Pin
from mergequeue.documents.record import ChangeId, CommitId, Record, repeated, require

SCHEMA: Final = "mergequeue.suspects/v1"


class Suspicion(Record):
    """Whom one job suspects now; it stands in the place of what the job said before."""

    schema_: Literal["mergequeue.suspects/v1"] = Field(default=SCHEMA, alias="schema")
    base_commit: CommitId
    """The base commit of the plan."""
    job: ChangeId
    """The last change of what the job validates: a batch, or a whole partition."""
    changes: tuple[Pin, ...] = ()
    """The suspects in merge order, each at the head that was gated; none once that is settled."""
    gates: tuple[GateRecord, ...] = ()
    """The gates that ran on changes that have no verdict, once the job has ended."""
    under: tuple[ChangeId, ...] = ()
    """What they are built on, in merge order: on the base they are suspects once it has landed."""

    @model_validator(mode="after")
    def _none_twice(self) -> Self:
        twice = repeated([*(change.id for change in self.changes), *self.under])
        require(twice is None, f"the change {twice} stands twice")
        return self
