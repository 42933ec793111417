"""What apply tells the validation that runs beside it, where both are one process."""

from collections.abc import Callable
from dataclasses import dataclass

from mergequeue.vocabulary.ids import ChangeId


@dataclass(frozen=True)
class Moved:
    """What is not to be gated any more."""

    changes: frozenset[ChangeId] = frozenset()
    """The changes that moved, left the queue or ended in this run without merging."""
    base: bool = False
    """Whether the base moved by another push, so that every candidate stands on what it was."""


NOTHING_MOVED = Moved()

AsksMoved = Callable[[], Moved]
"""Asked between two pieces of work, as being told to stop is."""

TellsMoved = Callable[[Moved], None]
"""Told all of it each time."""
