"""What the base will carry once a candidate has landed (facts 3.7; DESIGN, Rulings 3 and 11; pure).

A candidate was built onto one commit and lands on the base's tip, which may have moved since. Where
both moved the same path, or their merge by paths conflicts, nothing is predicted and the change is
validated again.

    prediction = decide_prediction(landing, moved, made)
    if isinstance(prediction, MergeFirst):
        prediction = decide_after_merge(merge_by_paths([prediction.merge]))
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mergequeue.ports import Difference, Merged, ThreeWay
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId


@dataclass(frozen=True)
class AboutToLand:
    """A candidate about to land."""

    built_onto: CommitId
    candidate: CommitId
    candidate_tree: TreeId
    tip: CommitId
    """The base as it is now."""


@dataclass(frozen=True)
class Carries:
    """The tree that the base will carry."""

    tree: TreeId


@dataclass(frozen=True)
class Revalidate:
    """Nothing is predicted: the tip and the candidate meet at this path."""

    path: RepoPath | None
    """None where the two share no history."""


@dataclass(frozen=True)
class MergeFirst:
    """The tree is that of this merge by paths, and nothing is predicted where it conflicts."""

    merge: ThreeWay


def decide_prediction(
    landing: AboutToLand, moved: Sequence[Difference], made: Sequence[Difference]
) -> Carries | Revalidate | MergeFirst:
    """Decide from what the tip moved since `built_onto`, and from what the candidate changed."""
    if landing.tip == landing.built_onto or not moved:
        return Carries(landing.candidate_tree)
    both = {each.path for each in moved} & {each.path for each in made}
    if both:
        return Revalidate(min(both))
    return MergeFirst(ThreeWay(landing.tip, landing.candidate, base=landing.built_onto))


def decide_after_merge(merged: Merged) -> Carries | Revalidate:
    """Decide from the merge made first; a conflict is to be validated again, never a kick."""
    if merged.tree is not None:
        return Carries(merged.tree)
    return Revalidate(merged.conflicts[0].path if merged.conflicts else None)
