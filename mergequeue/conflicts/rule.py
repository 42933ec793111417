"""Which of the two rules makes a merge, and what becomes of its conflicts (pure).

By paths first, as GitHub merges. Where that conflicts, by renames, if that is clean and changes
nothing outside the units that the change's own difference affects: git's guess of a rename can land
an edit in a look-alike elsewhere (CASES A). What conflicts then is settled where it can be, by
paths and next by renames; otherwise the conflict is the author's.

Of the paths that conflict, the base's facts say which are generated. Those hold nothing worth
settling, since regeneration writes them anew (facts 3.4, step 4).
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from mergequeue.ports import Affected, Conflict, Difference, Merged
from mergequeue.vocabulary.ids import RepoPath
from mergequeue.vocabulary.words import ConflictKind

_BOTH_HOLD = frozenset({ConflictKind.CONTENT, ConflictKind.ADDED_BY_BOTH, ConflictKind.MODES})


@dataclass(frozen=True)
class Split:
    """The paths that conflict, by what becomes of them."""

    sources: tuple[Conflict, ...]
    """Settled by what both sides made of them, or not at all."""
    theirs: frozenset[RepoPath]
    """Generated, and held by both sides: the change's is taken."""
    removed: frozenset[RepoPath]
    """Generated, and otherwise in conflict: taken out."""

    @property
    def generated(self) -> tuple[RepoPath, ...]:
        """Return the generated ones, sorted."""
        return tuple(sorted(self.theirs | self.removed))


def split_conflicts(conflicts: Iterable[Conflict], outputs: Container[RepoPath]) -> Split:
    """Split conflicts, given which paths are generated; a submodule is no output of anything."""
    sources: list[Conflict] = []
    theirs: set[RepoPath] = set()
    removed: set[RepoPath] = set()
    for conflict in conflicts:
        if conflict.path not in outputs or conflict.kind is ConflictKind.SUBMODULE:
            sources.append(conflict)
        elif conflict.kind in _BOTH_HOLD:
            theirs.add(conflict.path)
        else:
            removed.add(conflict.path)
    return Split(tuple(sources), frozenset(theirs), frozenset(removed))


def is_conflicting(merged: Merged) -> bool:
    """Whether a merge was tried and paths are in its way."""
    return merged.tree is None and not merged.unrelated


def is_worth_trying(by_paths: Merged, by_renames: Merged) -> bool:
    """Whether following renames leaves other conflicts to settle than the paths rule does."""
    if by_renames.tree is not None or not by_renames.conflicts:
        return False
    one, other = (
        {(each.path, each.kind, each.versions) for each in merged.conflicts}
        for merged in (by_paths, by_renames)
    )
    return one != other


def own_paths(since_bases: Sequence[Sequence[Difference]]) -> tuple[RepoPath, ...]:
    """Return the paths that a change itself differs in, from its differences to its merge bases.

    With several bases, what differs from one and not from another was taken in from our side.
    """
    first, *others = ({difference.path for difference in since} for since in since_bases)
    return tuple(sorted(first.intersection(*others)))


def stays_within(made: Affected, own: Affected) -> bool:
    """Whether what a merge made lies inside the units that the change's own paths affect."""
    if own.unbounded_by:
        return True
    return not made.unbounded_by and set(made.units) <= set(own.units)
