"""What the base says of its units."""

from collections.abc import Callable, Collection, Sequence
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


@dataclass(frozen=True)
class Outputs:
    """How some paths are generated, as the base declares it; a path in none of the sets is source.

    No path stands in two of them.
    """

    outputs: frozenset[RepoPath] = frozenset()
    """Written whole by some generator: these alone are called generated."""
    updated: frozenset[RepoPath] = frozenset()
    """Source that a generator rewrites in place, so that regeneration may write it."""
    maintained: frozenset[RepoPath] = frozenset()
    """Rewritten by the build tool itself on every run, so that it says nothing of the change."""


@dataclass(frozen=True)
class Generation:
    """What the base's own regeneration of some outputs runs and reads."""

    units: tuple[Unit, ...] = ()
    """The units that generate them, sorted."""
    code: tuple[RepoPath, ...] = ()
    """Which of the changed paths it runs or reads, sorted."""
    unbounded_by: str = ""
    """Why what it runs and reads is not known, in words."""

    @property
    def proven(self) -> bool:
        """Whether it runs and reads nothing that changed (facts 3.5, step 5)."""
        return bool(self.units) and not self.code and not self.unbounded_by


@dataclass(frozen=True)
class AutoResolve:
    """The class of risk of one file's edit, and whether a conflict in it may be settled."""

    line: str
    """`<path>: <class> (<why it is of that class>)`, on one line."""
    settles: bool


class Facts(Protocol):
    """What the base says of its units: read from the base commit, never from a candidate."""

    def affected(self, paths: Sequence[RepoPath]) -> Affected:
        """Return the units that these paths can reach, through what depends on them too."""

    def affected_many(self, sets: Sequence[Sequence[RepoPath]]) -> tuple[Affected, ...]:
        """Return `affected` for each set, in one go where that costs a process."""

    def all_units(self) -> tuple[Unit, ...]:
        """Return how every unit is named, for a gate whose reach is not proven."""

    def outputs(self, paths: Collection[RepoPath]) -> Outputs:
        """Return how these paths are generated, where they are."""

    def generation(
        self, outputs: Collection[RepoPath], changed: Collection[RepoPath]
    ) -> Generation:
        """Return what regenerating these outputs runs and reads, and which of it changed."""

    def auto_resolve(self, path: RepoPath, base: bytes, merged: bytes) -> AutoResolve:
        """Return the class of the edit of one file, from the merge base to the settled merge.

        What cannot answer settles nothing, and is no error (facts H10).
        """


class FactsCommand(Protocol):
    """The `--facts` command, run in a checkout of the base commit."""

    def ask(self, fact: str, given: bytes) -> bytes:
        """Run the command with the fact's name as its one argument and return its standard output.

        Raises FACTS_FAILED where it ends with anything but 0, HOOK_NOT_STARTED where it cannot be
        started.
        """

    def is_cancelled(self) -> bool:
        """Whether no fact is answered any more, since the queue was told to stop."""
