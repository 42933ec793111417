"""Which paths and units a change touches: by its own diff, and by its merge (CASES A).

git's guess of a rename can carry an edit into a file that the change's author never named, so a
change reaches what its merge changes too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mergequeue.documents.changes import Change
from mergequeue.ports import Affected, Difference
from mergequeue.vocabulary.ids import RepoPath, Unit


@dataclass(frozen=True)
class Delta:
    """The paths that a change touches."""

    own: tuple[RepoPath, ...] | None
    """By its own diff; None where its history with the base leaves several merge bases."""
    merge_only: tuple[RepoPath, ...] = ()
    """By its merge onto the base alone."""

    @property
    def paths(self) -> tuple[RepoPath, ...]:
        """Every path of both."""
        return (*(self.own or ()), *self.merge_only)


@dataclass(frozen=True)
class Reach:
    """The units that a change can affect, as its plan says them."""

    affected: tuple[Unit, ...] | None
    unbounded_by: str = ""
    merge_only: tuple[Unit, ...] = ()
    """Units that its merge touches and its own diff does not."""

    @property
    def proven(self) -> bool:
        """Whether `affected` is a proof (seed 1, Input)."""
        return self.affected is not None and not self.unbounded_by


def paths_of(differences: Iterable[Difference]) -> tuple[RepoPath, ...]:
    """Return the paths of some differences."""
    return tuple(difference.path for difference in differences)


def stacked_delta(
    since_stack_base: Sequence[RepoPath],
    since_fork: Sequence[RepoPath],
    beneath: Sequence[RepoPath],
) -> tuple[RepoPath, ...]:
    """Return what a stacked change touches itself when the base was merged into it.

    Its diff from the stack base holds what that merge brought: a path is the base's alone where the
    head has it as the base had it and nothing beneath touched it. A path that nothing beneath
    touched and that the head has otherwise than the base is the change's, even one put back.
    """
    stack = {*since_fork, *beneath}
    own = {path for path in since_stack_base if path in stack}
    return tuple(sorted(own | (set(since_fork) - set(beneath))))


def is_asked(change: Change) -> bool:
    """Whether the facts are asked for its units; what the listing gives is trusted (facts P13)."""
    return change.affected is None and not change.unbounded_by


def reach_of(change: Change, own: Affected | None, merge_only: Affected | None) -> Reach:
    """Return a change's reach, from the facts' answers for both parts of its delta."""
    if not is_asked(change):
        return Reach(change.affected, change.unbounded_by)
    if own is None:
        return Reach(None, "its history and the base's have several merge bases")
    if merge_only is None:
        return Reach(own.units, own.unbounded_by)
    units = tuple(sorted({*own.units, *merge_only.units}))
    added = tuple(unit for unit in merge_only.units if unit not in own.units)
    return Reach(units, own.unbounded_by or merge_only.unbounded_by, added)
