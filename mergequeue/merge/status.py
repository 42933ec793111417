"""The only legal moves of the queue's status (seed 1, Applying).

    pending -> success   on the one commit that is about to be merged
    success -> pending   when that is not followed through, and at the start of every run
    any     -> pending   while the change waits, has its turn later, or is gated
    any     -> failure   when it is kicked back

Nothing else in the program makes a status, so nothing else can turn one green.
"""

from mergequeue.documents.changes import Change
from mergequeue.documents.provider import GreenChange, StatusPost
from mergequeue.ports import Landing, Waiting
from mergequeue.report import applying
from mergequeue.vocabulary.ids import CommitId
from mergequeue.vocabulary.words import STATUS_CONTEXT, StatusState


def about_to_merge(landing: Landing) -> StatusPost:
    """Return the success of the very commit that is handed over."""
    return _post(landing.change, landing.commit, StatusState.SUCCESS, applying.MERGING)


def not_followed_through(landing: Landing) -> StatusPost:
    """Return the pending status that takes that success back."""
    return _post(landing.change, landing.commit, StatusState.PENDING, applying.SET_BACK)


def left_over(green: GreenChange) -> StatusPost:
    """Return the pending status that takes back what an earlier run left."""
    return StatusPost(
        change=green.id,
        repo=green.repo,
        commit=green.head,
        context=STATUS_CONTEXT,
        state=StatusState.PENDING,
        description=applying.SET_BACK,
    )


def waits(waiting: Waiting) -> StatusPost:
    """Return the pending status of a change that waits."""
    return _post(waiting.change, waiting.commit, StatusState.PENDING, applying.waiting(waiting.why))


def stands(standing: Waiting) -> StatusPost:
    """Return the pending status of a change that has its turn later, or has it now."""
    said = applying.standing(standing.why)
    return _post(standing.change, standing.commit, StatusState.PENDING, said)


def kicked(change: Change, commit: CommitId) -> StatusPost:
    """Return the failure of a change that went back to its author."""
    return _post(change, commit, StatusState.FAILURE, applying.KICKED)


def _post(change: Change, commit: CommitId, state: StatusState, description: str) -> StatusPost:
    return StatusPost(
        change=change.id,
        repo=change.repo,
        commit=commit,
        context=STATUS_CONTEXT,
        state=state,
        description=description,
    )
