"""`mergequeue.verdict/v1`: what was decided of one change.

Seed 1, Verdicts; facts V16; DESIGN, Rulings 5.
"""

from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from mergequeue.documents.changes import ListedChange
from mergequeue.documents.gate import GateRecord
from mergequeue.documents.preflight import Preflight
from mergequeue.documents.record import ChangeId, CommitId, Record, repeated, require
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.words import Decision, Method

SCHEMA: Final = "mergequeue.verdict/v1"


class Verdict(Record):
    """One change's verdict.

    Apply trusts it as far as the plan vouches for it, and its words not at all.
    """

    schema_: Literal["mergequeue.verdict/v1"] = Field(default=SCHEMA, alias="schema")
    base_commit: CommitId
    """The base commit of the plan."""
    change: ListedChange
    """The change as it was listed."""
    decision: Decision
    code: Code | None = None
    """Why it waits or was kicked back; None for `merge` and `merged`."""
    reason: str = ""
    """One line on why; on a green verdict, what was settled or gated beyond the plan."""
    report: str = ""
    """What a kick tells the author, as Markdown."""
    paths: tuple[str, ...] = ()
    """The files at issue, as text for people (a path that is no plain UTF-8 is quoted)."""
    with_: tuple[str, ...] = Field(default=(), alias="with")
    """The base's commits that touched those files: short id and subject."""
    after: ChangeId | None = None
    """The change validated right beneath this one."""
    onto: CommitId | None = None
    """The commit that the candidate was built onto."""
    candidate_commit: CommitId | None = None
    """The candidate, which apply compares its own rebuild with."""
    method: Method | None = None
    """The merge method that it was validated under."""
    batch: tuple[ChangeId, ...] = ()
    """The ids of the batch it was gated in, in merge order; empty on verdicts of planning."""
    gated_commit: CommitId | None = None
    """The commit at the batch's top, which the gate ran on."""
    depth: Annotated[int, Field(ge=0)] = 0
    """The batch's place among those in flight at its launch, from 1; 0 on verdicts of planning."""
    duration_ms: Annotated[int, Field(ge=0)] = 0
    """How long the gate ran, in milliseconds."""
    gate: str = ""
    """The hook line of the gate that ran, units included."""
    regenerate: str = ""
    """That of the regeneration, where its merge left generated files stale and a gate ran."""
    gates: tuple[GateRecord, ...] = ()
    """Every gate run that led to the decision, in order, the red ones of halving included."""
    preflights: tuple[Preflight, ...] = ()
    """How its pre-flights stand, where the base has any that were looked at for it."""

    @model_validator(mode="after")
    def _code_of_its_class(self) -> Self:
        if self.decision is Decision.WAIT:
            require(self.code is not None and self.code.is_wait, "a wait has a WAIT_ code")
        elif self.decision is Decision.KICK:
            require(self.code is not None and self.code.is_kick, "a kick has a KICK_ code")
            require(self.report != "", "a kick has a report")
        else:
            require(self.code is None, f"the decision {self.decision} has no code")
        return self

    @model_validator(mode="after")
    def _green_is_whole(self) -> Self:
        if self.decision is not Decision.MERGE:
            return self
        for name in ("onto", "candidate_commit", "method", "gated_commit"):
            require(getattr(self, name) is not None, f"a green verdict names its {name}")
        require(self.change.id in self.batch, "a green verdict's batch holds the change itself")
        require(self.depth >= 1, "a green verdict has a depth of 1 or more")
        return self

    @model_validator(mode="after")
    def _regenerated_is_gated(self) -> Self:
        require(self.gate != "" or self.regenerate == "", "what was regenerated was gated too")
        return self

    @model_validator(mode="after")
    def _batch_without_repeats(self) -> Self:
        twice = repeated(self.batch)
        require(twice is None, f"the batch names {twice} twice")
        return self
