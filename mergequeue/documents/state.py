"""`mergequeue.state/v1`: what the queue remembers of a change where no forge does.

DESIGN, The plain-git provider. One file a change, `changes/<id>.json`, and one for the merges that
stacks still need, `merged.json`, in the tree of a commit under `refs/mergequeue/state/<base>`: the
history of a change is then `git log -p <reference> -- changes/<id>.json`.
"""

from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from mergequeue.documents.changes import MergedChange
from mergequeue.documents.keeping import Note
from mergequeue.documents.provider import KickBack, StatusPost
from mergequeue.documents.record import ChangeId, Record, repeated, require
from mergequeue.documents.review import Review
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.words import Mark

SCHEMA: Final = "mergequeue.state/v1"


class ChangeState(Record):
    """What the queue remembers of one change."""

    schema_: Literal["mergequeue.state/v1"] = Field(default=SCHEMA, alias="schema")
    id: ChangeId
    place: Annotated[int, Field(ge=1)] | None = None
    """Its place in the queue's order, lower first; None where apply has not recorded one."""
    mark: Mark = Mark.NONE
    """The mark that it shows."""
    priority: bool = False
    """Whether a person had it go before all others, until it leaves the queue."""
    status: StatusPost | None = None
    """The newest status that was posted on it, on whichever of its heads."""
    kick: KickBack | None = None
    """Why it was kicked back; it stands until its branch names another commit or method."""
    reviews: Annotated[tuple[Review, ...], Field(max_length=limits.REVIEWS_REMEMBERED)] = ()
    """The newest review that each account gave, on whichever of its heads, oldest first."""
    notes: Annotated[tuple[Note, ...], Field(max_length=limits.NOTES_REMEMBERED)] = ()
    """What the keeper of turned-away changes has said of it, oldest first."""

    @model_validator(mode="after")
    def _of_one_change(self) -> Self:
        if self.status is not None:
            require(self.status.change == self.id, "the status is another change's")
        if self.kick is not None:
            require(self.kick.change.id == self.id, "the kick-back is another change's")
            require(self.place is None, "a change that was kicked back has no place in the queue")
        return self


class MergedState(Record):
    """The queue's own merges, by which a change stacked on a squashed one finds its stack base."""

    schema_: Literal["mergequeue.state/v1"] = Field(default=SCHEMA, alias="schema")
    merged: Annotated[tuple[MergedChange, ...], Field(max_length=limits.MERGES_REMEMBERED)] = ()
    """Oldest first."""

    @model_validator(mode="after")
    def _no_head_twice(self) -> Self:
        twice = repeated([record.head for record in self.merged])
        require(twice is None, f"the head {twice} stands twice")
        return self
