"""What the keeper of turned-away changes asks of a provider, and what it says on a change.

Seed 2, Keeping turned-away pulls moving. The notes are all that the keeper reads back: how often it
brought a change up to date, and at which heads it has left one to its author.
"""

from enum import StrEnum

from mergequeue.documents.changes import ListedChange
from mergequeue.documents.record import CommitId, Record
from mergequeue.vocabulary.codes import Code


class NoteKind(StrEnum):
    """What the keeper did with a change."""

    BROUGHT = "brought"
    """It brought the change up to date with the base."""
    LEFT = "left"
    """It left the change to its author, since bringing it up to date takes judgement."""


class Note(Record):
    """What the keeper said on a change."""

    kind: NoteKind
    head: CommitId
    """The head that it is about: the one that the keeper pushed, or the one that it left alone."""
    tip: CommitId
    """The base's tip that was merged in, or that the head conflicts with."""
    text: str = ""
    """The words, as Markdown."""


class TurnedAwayChange(Record):
    """An open change that the queue turned away, and that nobody has queued since."""

    change: ListedChange
    """As it is now; its method is the one that it was queued with."""
    code: Code
    """Why it was turned away."""
    commit: CommitId
    """The head that was turned away."""
    off: bool
    """Whether its text says `Keeper: off`."""
    in_stack: bool
    """Whether the provider holds it as a member of a stack."""
    notes: tuple[Note, ...]
    """What the keeper has said on it, oldest first."""


class NoteRequest(Record):
    """A note to leave on a change, once."""

    change: ListedChange
    note: Note


class QueueAgain(Record):
    """A turned-away change to queue again, by the way it was queued."""

    change: ListedChange
    commit: CommitId
    """The head that it must have for that."""


class Update(Record):
    """A turned-away change to bring up to date, and to queue again."""

    change: ListedChange
    """At the head that its branch has."""
    commit: CommitId
    """The merge of that head and the base's tip: the head from then on."""
    note: Note
    """What is said on the change before it is queued."""
