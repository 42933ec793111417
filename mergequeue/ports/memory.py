"""What the queue remembers between runs, whoever its provider is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from mergequeue.documents.memory import Day, Entry, Hints, Pause
from mergequeue.documents.now import Now
from mergequeue.vocabulary.ids import ChangeId


@dataclass(frozen=True)
class Memory:
    """Every record of a base's queue, but for the days that are over."""

    pause: Pause | None = None
    hints: Hints = field(default_factory=Hints)
    entries: Mapping[ChangeId, Entry] = field(default_factory=dict)
    today: Day | None = None
    """The newest day there is; an edit that names another one starts that."""
    now: Now | None = None
    """The queue as apply last saw it."""


NOTHING_REMEMBERED: Final = Memory()
"""What a queue remembers that never ran."""


@dataclass(frozen=True)
class Remembered:
    """What an edit made of the memory."""

    memory: Memory
    lines: tuple[str, ...] = ()
    """What happened, for the audit log; empty where nothing changed, and nothing is written."""


class ReadsMemory(Protocol):
    """Reading it: BAD_STATE is raised for what the queue would not have written."""

    def recall(self) -> Memory:
        """Return the memory as the remote has it now."""

    def days(self, count: int) -> tuple[Day, ...]:
        """Return the newest days that anything happened on, oldest first."""


class WritesMemory(ReadsMemory, Protocol):
    """Writing it, as apply and a person's command may."""

    def remember(self, edit: Callable[[Memory], Remembered]) -> Memory:
        """Write what `edit` makes of the memory, anew where another writer came first.

        Raises STATE_MOVED where others come first again and again, PROVIDER_FAILED where the remote
        refuses, GIT_FAILED where it does not answer.
        """
