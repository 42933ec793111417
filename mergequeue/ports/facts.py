"""What the base says of its units."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from mergequeue.vocabulary.ids import RepoPath, Unit

Keep = Callable[[RepoPath], bool]
"""Whether a file is to be in a checkout."""
Needed = Callable[[Sequence[Unit]], Keep | None]
"""Gives which files a gate of some units needs; None for every one."""


@dataclass(frozen=True)
class Affected:
    """The units that some paths reach."""

    units: tuple[Unit, ...]
    """Sorted; everything known, where `unbounded_by` is set."""
    unbounded_by: str = ""
    """Why the set is no proof: a path that no unit owns, in words."""


class Facts(Protocol):
    """What the base says of its units: read from the base commit, never from a candidate."""

    def affected(self, paths: Sequence[RepoPath]) -> Affected:
        """Return the units that these paths can reach, through what depends on them too."""

    def affected_many(self, sets: Sequence[Sequence[RepoPath]]) -> tuple[Affected, ...]:
        """Return `affected` for each set, in one go where that costs a process."""

    def all_units(self) -> tuple[Unit, ...]:
        """Return how every unit is named, for a gate whose reach is not proven."""


class FactsCommand(Protocol):
    """The `--facts` command, run in a checkout of the base commit."""

    def ask(self, fact: str, given: bytes) -> bytes:
        """Run the command with the fact's name as its one argument and return its standard output.

        Raises FACTS_FAILED where it ends with anything but 0, HOOK_NOT_STARTED where it cannot be
        started.
        """
