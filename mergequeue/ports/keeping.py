"""What the keeper asks of the provider, and what it changes there."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from mergequeue.documents.keeping import NoteRequest, QueueAgain, TurnedAwayChange, Update
from mergequeue.documents.provider import Repository
from mergequeue.vocabulary.ids import ChangeId


@dataclass(frozen=True)
class TurnedAway:
    """The changes that the queue turned away, and those of which that could not be read."""

    changes: tuple[TurnedAwayChange, ...]
    unread: Mapping[ChangeId, str]
    """Why one could not be read: it holds no other."""


class ReadsTurnedAway(Protocol):
    """Asking which changes the queue turned away; PROVIDER_FAILED and BAD_ANSWER are raised."""

    def turned_away(self, question: Repository) -> TurnedAway:
        """Return every open change that was turned away and that nobody has queued since."""


class LeavesNotes(Protocol):
    """Saying something on a change."""

    def say(self, request: NoteRequest) -> None:
        """Leave a note on a change, unless the very same is there already."""


class QueuesAgain(Protocol):
    """Queueing a turned-away change."""

    def queue_again(self, request: QueueAgain) -> None:
        """Queue a change again as it was queued; raise PROVIDER_FAILED where its head is another.

        One that is queued already is a success.
        """


class BringsUpToDate(Protocol):
    """Moving a turned-away change's branch to its merge with the base, and queueing it."""

    def bring(self, update: Update) -> str:
        """Move the branch where it is not there yet, leave the note, and queue the change.

        Returns why the branch could not be moved, or nothing.
        """
