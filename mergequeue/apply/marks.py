"""Which mark each change shows (seed 1, Providers; facts A3)."""

from collections.abc import Iterable

from mergequeue.documents.changes import Listing
from mergequeue.documents.plan import Plan
from mergequeue.documents.provider import MarkRequest
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Decision, Mark


def decide_marks(plan: Plan, listing: Listing) -> tuple[MarkRequest, ...]:
    """Return the marks to set when applying starts.

    Queued: what the plan admitted or found waiting, as far as the provider still lists it as
    queued, so that a run started again marks nothing that its forerunner handed back. None: what
    nobody queued and still shows that mark, and every closed change that shows one.
    """
    planned: Iterable[ChangeId] = (
        *(change.id for change in plan.admitted),
        *(verdict.change.id for verdict in plan.verdicts if verdict.decision is Decision.WAIT),
    )
    listed = {change.id: change for change in listing.changes}
    queued = [listed[id_] for id_ in planned if id_ in listed]
    stray = [change for change in listing.unqueued if change.mark is Mark.QUEUED]
    return (
        *(
            MarkRequest(change=change.id, repo=change.repo, mark=Mark.QUEUED, head=change.head)
            for change in queued
        ),
        *(
            MarkRequest(change=change.id, repo=change.repo, mark=Mark.NONE, head=change.head)
            for change in stray
        ),
        *(
            MarkRequest(change=closed.id, repo=closed.repo, mark=Mark.NONE)
            for closed in listing.closed
        ),
    )


def mark_after_wait(code: Code) -> Mark | None:
    """Return the mark of a change that waits; None where it keeps the one that it has."""
    return Mark.NONE if code is Code.WAIT_WITHDRAWN else None
