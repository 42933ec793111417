"""Turned-away changes of a person's provider: its answers checked, where it has the functions."""

from mergequeue.documents.keeping import NoteRequest, QueueAgain, TurnedAwayChange
from mergequeue.documents.provider import Repository
from mergequeue.documents.record import Record
from mergequeue.ports import TurnedAway
from mergequeue.providers.checked import RawProvider
from mergequeue.vocabulary.errors import BAD_PROVIDER

FUNCTIONS = ("turned_away", "say", "queue_again")


class _Answered(Record):
    """What `turned_away` returns."""

    changes: tuple[TurnedAwayChange, ...]


class CheckedKeeping:
    """`ReadsTurnedAway`, `LeavesNotes` and `QueuesAgain` over a person's provider."""

    def __init__(self, raw: object, name: str) -> None:
        """Go through `raw`, which errors call `name`; raise BAD_PROVIDER for what it lacks."""
        self._raw = RawProvider(raw, name)
        missing = [function for function in FUNCTIONS if not self._raw.has(function)]
        if missing:
            raise BAD_PROVIDER(
                f"{name} lacks {', '.join(missing)}, so nothing that was turned away can be kept",
                "Add them as docs/reference/provider.md has them, or leave the keeper out.",
            )

    def turned_away(self, question: Repository) -> TurnedAway:
        """Return its changes that were turned away."""
        return TurnedAway(self._raw.ask("turned_away", question, _Answered).changes, {})

    def say(self, request: NoteRequest) -> None:
        """Have it leave a note on a change."""
        self._raw.tell("say", request)

    def queue_again(self, request: QueueAgain) -> None:
        """Have it queue a change again."""
        self._raw.tell("queue_again", request)
