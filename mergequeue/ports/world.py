"""Where happenings go, the clock, and being told to stop."""

from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from mergequeue.documents.event import Happening


class Events(Protocol):
    """Where happenings go: lines of JSON, a terminal, or both.

    A failure to write never stops the queue.
    """

    def emit(self, happening: Happening) -> None:
        """Tell what happened. May be called from several threads at once."""


class Clock(Protocol):
    """The one reader of the clock."""

    def now(self) -> datetime:
        """Return the time, in UTC."""

    def sleep(self, seconds: float) -> None:
        """Wait; returns early when the program is told to stop."""


Stop = Callable[[], bool]
"""Asked between two pieces of work: whether the program was told to stop."""
