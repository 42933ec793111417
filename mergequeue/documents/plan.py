"""`mergequeue.plan/v1`: what is validated, in which order, and what planning already decided.

Facts, P19 and section 7.
"""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Annotated, Final, Literal, Self

from pydantic import Field, field_validator, model_validator

from mergequeue.documents.changes import Change, ClosedChange, MergedChange, UnqueuedChange
from mergequeue.documents.moment import Moment
from mergequeue.documents.preflight import Preflight
from mergequeue.documents.record import (
    BranchName,
    ChangeId,
    CommitId,
    NonEmpty,
    Record,
    repeated,
    require,
)
from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary import ids
from mergequeue.vocabulary.words import Decision

SCHEMA: Final = "mergequeue.plan/v1"


class PlannedChange(Change):
    """A change that the plan admitted, with where its delta starts and what it is built on."""

    stack_base: CommitId | None = None
    """The head of the change it is stacked on, where its delta starts; None for no stack."""
    below: ChangeId | None = None
    """The open change that it is stacked on; None where there is none, or that one has merged."""
    beneath: tuple[ids.ChangeId, ...] = ()
    """The changes it is built on, in the order they are merged (DESIGN, Rulings 16)."""
    # Half a million of them stand in a line of 1,000: the plan holds each to the ids ahead, which
    # are checked as such, in a third of the time that checking each again takes.
    passed: tuple[Preflight, ...] = ()
    """The pre-flights that planning found passed at its head."""
    preflights: tuple[NonEmpty, ...] = ()
    """The pre-flights whose command validation runs on it before it joins a batch."""
    alone: bool = False
    """Whether that is all that is run on it, since it waits for its review as well."""


def batches_of(
    partition: Sequence[PlannedChange], most: int
) -> tuple[tuple[PlannedChange, ...], ...]:
    """Return a partition cut by place alone, into batches of `most` changes at most.

    None holds changes of the priority lane and others: those of the lane would land no sooner.
    """
    lanes = [list(lane) for _, lane in groupby(partition, key=lambda change: change.priority)]
    return tuple(
        tuple(lane[start : start + most]) for lane in lanes for start in range(0, len(lane), most)
    )


class Plan(Record):
    """The whole document."""

    schema_: Literal["mergequeue.plan/v1"] = Field(default=SCHEMA, alias="schema")
    base: BranchName
    """The branch that the queue merges into."""
    remote_url: NonEmpty
    """The address of the remote that the plan is about."""
    base_commit: CommitId
    """The base's tip when the plan was made; every partition starts there."""
    commit_date: Moment
    """The date of every candidate: the newest committer date involved, in UTC and whole seconds."""
    depth: Annotated[int, Field(ge=1)]
    """How many batches of a partition are gated at once."""
    batch: Annotated[int, Field(ge=1)]
    """How many changes of a partition one gate run checks at most."""
    partitions: tuple[tuple[PlannedChange, ...], ...] = ()
    """The admitted changes, in merge order inside each partition."""
    suspects: tuple[tuple[ChangeId, ...], ...] = ()
    """Whom earlier runs suspect of a red batch, each the front of a partition: halving goes on with
    them before anything else of their partition is gated (seed 2, When a batch fails).
    """
    verdicts: tuple[Verdict, ...] = ()
    """What planning decided, in queue order."""
    tries: tuple[PlannedChange, ...] = ()
    """Try runs: changes in no queue that are each gated on the base alone, and never merged."""
    untried: tuple[Verdict, ...] = ()
    """What planning decided of those that are not gated, such as on a conflict with the base."""
    merged: tuple[MergedChange, ...] = ()
    unqueued: tuple[UnqueuedChange, ...] = ()
    closed: tuple[ClosedChange, ...] = ()

    @property
    def lines(self) -> tuple[tuple[PlannedChange, ...], ...]:
        """Everything to gate: the partitions, then each try run by itself."""
        return (*self.partitions, *((change,) for change in self.tries))

    @property
    def admitted(self) -> tuple[PlannedChange, ...]:
        """Every admitted change, partition by partition."""
        return tuple(change for partition in self.partitions for change in partition)

    def batches_of(
        self, partition: Sequence[PlannedChange]
    ) -> tuple[tuple[PlannedChange, ...], ...]:
        """Return a partition's batches, so that every job and every page cuts alike."""
        return batches_of(partition, self.batch)

    def suspects_of(self, changes: Sequence[PlannedChange]) -> tuple[ids.ChangeId, ...]:
        """Return whom earlier runs suspect of a partition, or of the batch at its front."""
        return next((one for one in self.suspects if one[0] == changes[0].id), ())

    @field_validator("commit_date")
    @classmethod
    def _in_whole_seconds(cls, date: datetime) -> datetime:
        require(date.microsecond == 0, "the date has whole seconds")
        return date

    @model_validator(mode="after")
    def _no_id_twice(self) -> Self:
        named = [change.id for change in self.admitted]
        named += [verdict.change.id for verdict in self.verdicts]
        named += [change.id for change in self.merged]
        named += [change.id for change in self.unqueued]
        named += [change.id for change in self.closed]
        twice = repeated(named)
        require(twice is None, f"the id {twice} stands twice")
        return self

    @model_validator(mode="after")
    def _tries_are_in_no_queue(self) -> Self:
        named = [change.id for change in (*self.admitted, *self.tries)]
        named += [verdict.change.id for verdict in (*self.verdicts, *self.untried)]
        twice = repeated(named)
        require(twice is None, f"{twice} is queued and tried, or tried twice")
        for change in self.tries:
            alone = not change.beneath and change.below is None and change.stack_base is None
            require(alone, f"the try run of {change.id} is built on more than the base")
        return self

    @model_validator(mode="after")
    def _built_on_what_is_ahead(self) -> Self:
        for partition in self.partitions:
            require(len(partition) > 0, "a partition holds a change")
            ahead: set[str] = set()
            for change in partition:
                strange = next((id_ for id_ in change.beneath if id_ not in ahead), None)
                require(
                    strange is None,
                    f"{change.id} is built on {strange}, which is not ahead of it in its partition",
                )
                require(
                    repeated(change.beneath) is None,
                    f"{change.id} is built on one change twice",
                )
                if change.below is not None:
                    require(
                        change.below in change.beneath,
                        f"{change.id} is stacked on {change.below} and not built on it",
                    )
                    require(
                        change.stack_base is not None,
                        f"{change.id} is stacked on {change.below} without a stack base",
                    )
                ahead.add(change.id)
        return self

    @model_validator(mode="after")
    def _suspects_in_front(self) -> Self:
        fronts = {line[0].id: line for line in self.partitions if line}
        for suspects in self.suspects:
            require(0 < len(suspects) <= self.batch, "suspects are as many as a batch holds")
            first = self.batches_of(fronts.get(suspects[0], ()))[:1]
            front = tuple(change.id for batch in first for change in batch[: len(suspects)])
            require(
                front == suspects, f"the suspects {', '.join(suspects)} are no partition's front"
            )
        return self

    @model_validator(mode="after")
    def _verdicts_of_planning(self) -> Self:
        for verdict in (*self.verdicts, *self.untried):
            require(
                verdict.decision is not Decision.MERGE,
                f"planning cannot find {verdict.change.id} green",
            )
            require(
                verdict.gate == "",
                f"planning runs no gate, so the verdict on {verdict.change.id} names none",
            )
            require(
                verdict.base_commit == self.base_commit,
                f"the verdict on {verdict.change.id} is of another base commit",
            )
        return self
