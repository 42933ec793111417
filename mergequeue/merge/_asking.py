"""A part of the step: the provider asked for a merge, of one change or of several in one call."""

from collections.abc import Sequence

from mergequeue.documents.provider import (
    ApprovalQuestion,
    MergeAnswer,
    MergeMember,
    MergeRequest,
)
from mergequeue.merge.answers import Failed
from mergequeue.ports import Landing, ProviderWrites
from mergequeue.vocabulary.errors import MergequeueError


def ask(writes: ProviderWrites, landings: Sequence[Landing]) -> MergeAnswer | Failed:
    """Ask for landings, lowest first, to merge through the topmost; return the answer, or that the
    call failed.
    """
    members = [_member(one) for one in landings]
    top = landings[-1]
    request = MergeRequest(
        **dict(members[-1]),
        onto=top.tip,
        committer=top.committer,
        app=top.app,
        through=tuple(members[:-1]),
    )
    try:
        return writes.merge_change(request)
    except MergequeueError as error:
        return Failed(error.problem)


def question_of(landing: Landing) -> ApprovalQuestion:
    """Return how a change stands that is about to land, its required reviews among it."""
    return ApprovalQuestion(
        change=landing.change, commit=landing.covered, reviewers=landing.reviewers.required
    )


def _member(landing: Landing) -> MergeMember:
    return MergeMember(
        change=landing.change,
        commit=landing.commit,
        tree=landing.tree,
        stack_base=landing.change.stack_base,
        message=landing.message,
        title=landing.title,
        body=landing.body,
        on_top=landing.on_top,
    )
