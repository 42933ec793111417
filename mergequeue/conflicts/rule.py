"""Which of the two rules makes a merge (DESIGN, Merging; pure).

By paths first, as GitHub merges. Where that conflicts, by renames, if that is clean and changes
nothing outside the units that the change's own difference affects: git's guess of a rename can land
an edit in a look-alike elsewhere (CASES A). Otherwise the conflict is the author's.
"""

from collections.abc import Sequence

from mergequeue.ports import Affected, Difference, Merged, Settled
from mergequeue.vocabulary.ids import RepoPath
from mergequeue.vocabulary.words import Rule


def is_conflicting(merged: Merged) -> bool:
    """Whether a merge was tried and paths are in its way."""
    return merged.tree is None and not merged.unrelated


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


def settle(by_paths: Merged, by_renames: Merged | None) -> Settled:
    """Return what the two rules come to; `by_renames` is None where that rule may not be taken."""
    if by_paths.tree is not None or by_paths.unrelated:
        return Settled(by_paths.tree, unrelated=by_paths.unrelated)
    if by_renames is not None and by_renames.tree is not None:
        return Settled(by_renames.tree, Rule.RENAMES)
    return Settled(None, conflicts=by_paths.conflicts)
