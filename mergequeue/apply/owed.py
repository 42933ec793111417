"""Whether a merge of the base that an older review is to cover holds what the base generates (facts
3.8, step 4).

Such a merge differs from the plain merge of its parents in generated files alone. A reviewer saw
none of them there, so the base's own regeneration, run on the plain merge, has to make that very
tree; and it is run only where nothing that it runs or reads is the change's. What cannot be proven
waits for an approval of the head.
"""

from collections.abc import Iterable

from mergequeue.apply.outcomes import Wait
from mergequeue.plan.review import Owed
from mergequeue.ports import Difference, Generation, Regenerated, Stale
from mergequeue.report import reviews
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId


def paths_at_stake(own: Iterable[Difference], since: Iterable[Difference]) -> tuple[RepoPath, ...]:
    """Return what the regeneration may not run: what the change alters, from its own diff and from
    what the plain merge changes on the base that was merged in.
    """
    return tuple(sorted({each.path for each in (*own, *since)}))


def decide_unproven(owed: Owed, generation: Generation | None, *, regenerates: bool) -> Wait | None:
    """Return why the base's regeneration is not even run; None where it may be.

    `generation` is None where the change's own diff is not known, since it has several merge bases.
    """
    if not regenerates:
        return _wait(owed, reviews.NO_REGENERATION)
    if generation is None:
        return _wait(owed, reviews.NO_ONE_FORK)
    if generation.unbounded_by:
        return _wait(owed, reviews.generation_unknown(generation.unbounded_by))
    if generation.code:
        return _wait(owed, reviews.generation_touched(generation.code))
    return None if generation.proven else _wait(owed, reviews.NO_GENERATOR)


def stale_of(
    owed: Owed, commit: CommitId, generation: Generation, at_stake: tuple[RepoPath, ...]
) -> Stale:
    """Return what to regenerate in the commit of the plain merge."""
    return Stale(commit, generation.units, owed.paths, at_stake)


def decide_regenerated(owed: Owed, made: Regenerated, tree: TreeId) -> Wait | None:
    """Return why a merge with this tree is not what the regeneration makes; None where it is."""
    if made.tree is None:
        return _wait(owed, reviews.regeneration_refused(made.refused))
    return None if made.tree == tree else _wait(owed, reviews.REGENERATED_OTHERWISE)


def _wait(owed: Owed, why: str) -> Wait:
    return Wait(Code.WAIT_NOT_APPROVED, reviews.unproven(owed.merge.commit, owed.paths, why))
