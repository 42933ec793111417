"""The planner's one question about approvals: for all the changes at once (DESIGN, Rulings 8)."""

from collections.abc import Mapping, Sequence

from mergequeue.documents.changes import Change
from mergequeue.documents.provider import Approval, ApprovalQuestion
from mergequeue.ports import ProviderReads
from mergequeue.vocabulary.ids import ChangeId, CommitId


def read_approvals(
    provider: ProviderReads,
    changes: Sequence[Change],
    targets: Sequence[CommitId],
    reviewers: tuple[str, ...] = (),
) -> Mapping[ChangeId, Approval | str]:
    """Ask for all the changes in one call; one that the answer leaves out could not be read."""
    if not changes:
        return {}
    questions = [
        ApprovalQuestion(change=change, commit=target, reviewers=reviewers)
        for change, target in zip(changes, targets, strict=True)
    ]
    answers = provider.approvals_at(questions)
    return {
        change.id: answers.get(change.id, "the provider did not answer for it")
        for change in changes
    }
