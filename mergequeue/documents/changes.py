"""`mergequeue.changes/v1`: what the provider lists.

Seed 1, Input; facts P1.
"""

from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from mergequeue.documents.moment import Moment
from mergequeue.documents.record import (
    BranchName,
    ChangeId,
    CommitId,
    NonEmpty,
    Record,
    RefName,
    Unit,
    repeated,
    require,
)
from mergequeue.vocabulary.words import Mark, Method

SCHEMA: Final = "mergequeue.changes/v1"


class Change(Record):
    """A queued change, as the provider lists it."""

    id: ChangeId
    """What the provider calls it."""
    head: CommitId
    """Its own commit."""
    base: BranchName
    """The branch that it merges into."""
    method: Method
    """How it lands."""
    repo: str = ""
    """The repository it belongs to, where the provider has several."""
    ref: RefName | None = None
    """The reference that names its head at the remote."""
    branch: BranchName | None = None
    """Its branch, which an update commit is pushed to; None where nothing may be pushed."""
    title: str = ""
    """What its author calls it."""
    parent: ChangeId | None = None
    """The change that the provider says it is stacked on: a hint that ancestry has to confirm."""
    fork: bool = False
    """Whether its branch is in a repository that the queue cannot push to."""
    refused: str = ""
    """Why the provider itself can never merge it; empty where it can."""
    affected: tuple[Unit, ...] | None = None
    """The units it can reach; None where that is unknown, empty as a proof that it reaches none."""
    unbounded_by: str = ""
    """Why `affected` is no proof; empty where it is one."""
    queued_at: Moment | None = None
    """When it was queued, where the provider tells; it is shown and counted, and orders nothing."""
    priority: bool = False
    """Whether it goes before all that are not marked so; in a plan, also what lies beneath one."""


def _as_listed(change: Change) -> Change:
    """Return a change without what planning added, so that a record reads back as written."""
    if type(change) is Change:
        return change
    return Change(**{name: getattr(change, name) for name in Change.model_fields})


ListedChange = Annotated[Change, AfterValidator(_as_listed)]
"""A change inside another record: as it was listed, whatever kind of change was put there."""


class MergedChange(Record):
    """A merged change whose head a queued change carries."""

    id: ChangeId
    head: CommitId
    """Its head when it merged."""
    commit: CommitId
    """What it became on the base."""
    method: Method


class UnqueuedChange(Record):
    """An open change that nobody queued."""

    id: ChangeId
    head: CommitId
    repo: str = ""
    ref: RefName | None = None
    """The reference that names its head at the remote."""
    mark: Mark = Mark.NONE
    """The mark it shows now."""
    tried: bool = False
    """Whether somebody who may write asks for a try run of it: gated on its own, never merged."""


class ClosedChange(Record):
    """A closed change that still shows one of the queue's marks."""

    id: ChangeId
    repo: str = ""


class Listing(Record):
    """The four lists of changes that a provider gives, without what they were asked for."""

    changes: tuple[Change, ...]
    """The queued changes, in queue order."""
    merged: tuple[MergedChange, ...] = ()
    unqueued: tuple[UnqueuedChange, ...] = ()
    closed: tuple[ClosedChange, ...] = ()

    @model_validator(mode="after")
    def _no_id_twice(self) -> Self:
        ids = [change.id for change in self.changes]
        ids += [change.id for change in self.merged]
        ids += [change.id for change in self.unqueued]
        ids += [change.id for change in self.closed]
        twice = repeated(ids)
        require(twice is None, f"the id {twice} stands twice")
        return self


class Changes(Listing):
    """The whole document."""

    schema_: Literal["mergequeue.changes/v1"] = Field(default=SCHEMA, alias="schema")
    base: BranchName
    """The branch that the queue merges into."""
    remote_url: NonEmpty
    """The address of the remote that the listing is about."""
