"""The planner's questions about approvals: at which commits, then one call for all of them."""

from collections.abc import Iterable, Mapping, Sequence

from mergequeue.documents.changes import Change
from mergequeue.documents.provider import Approval, ApprovalQuestion
from mergequeue.plan.review import PlainMerge, Reviewed, plain_merges, review_target
from mergequeue.ports import GitReads, Merged, MergesTrees, ProviderReads
from mergequeue.vocabulary.ids import ChangeId, CommitId


def read_targets(
    reads: GitReads, trees: MergesTrees, reviewed: Sequence[Reviewed]
) -> list[CommitId]:
    """Return the commit that a review of each head covers, from merges made in bulk."""
    asked = list(dict.fromkeys(plain for one in reviewed for plain in plain_merges(one)))
    proven = (
        _same(reads, asked, trees.merge_by_paths([one.merge for one in asked])) if asked else set()
    )
    left = [one for one in asked if one not in proven]
    if left:
        proven |= _same(reads, left, trees.merge_by_renames([one.merge for one in left]))
    return [review_target(one, proven) for one in reviewed]


def _same(reads: GitReads, asked: Iterable[PlainMerge], made: Iterable[Merged]) -> set[PlainMerge]:
    """Return the merges that give the tree of the commit they stand for."""
    return {
        plain
        for plain, merged in zip(asked, made, strict=True)
        if merged.tree is not None and merged.tree == reads.tree_of(plain.commit)
    }


def read_approvals(
    provider: ProviderReads, changes: Sequence[Change], targets: Sequence[CommitId]
) -> Mapping[ChangeId, Approval | str]:
    """Ask for all the changes in one call; one that the answer leaves out could not be read."""
    if not changes:
        return {}
    questions = [
        ApprovalQuestion(change=change, commit=target)
        for change, target in zip(changes, targets, strict=True)
    ]
    answers = provider.approvals_at(questions)
    return {
        change.id: answers.get(change.id, "the provider did not answer for it")
        for change in changes
    }
