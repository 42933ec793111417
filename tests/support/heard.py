"""The events of a run, for a test to look at afterwards."""

from collections.abc import Callable

from mergequeue.documents.event import Happening
from mergequeue.vocabulary.words import EventKind


class Heard:
    """The events that were told, in order, and what to do at each."""

    def __init__(self, at_each: Callable[[Happening], None] = lambda _: None) -> None:
        self.happenings: list[Happening] = []
        self._at_each = at_each

    def emit(self, happening: Happening) -> None:
        self.happenings.append(happening)
        self._at_each(happening)

    def of(self, kind: EventKind) -> list[Happening]:
        """Return the events of one kind."""
        return [happening for happening in self.happenings if happening.kind is kind]

    def reasons(self, kind: EventKind, change: str) -> list[str]:
        """Return what was said in the events of one kind about one change."""
        return [happening.reason for happening in self.of(kind) if happening.change == change]
