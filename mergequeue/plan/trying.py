"""Try runs: changes that nobody queued, each gated on the base alone and never merged (pure).

Nothing trusts one: it stands in no partition, so that apply takes no verdict on it for one on a
queued change, and a green one queues nothing and approves nothing.
"""

from mergequeue.changes.decided import MERGED, Decided, wait
from mergequeue.changes.history import History
from mergequeue.documents.changes import Change, Changes, UnqueuedChange
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.words import Method


def asked_for(changes: Changes) -> Changes:
    """Return a listing of the changes to try as if they were queued, and of no others."""
    tried = [
        Change(
            id=one.id,
            head=one.head,
            base=changes.base,
            method=Method.MERGE,
            repo=one.repo,
            ref=one.ref,
        )
        for one in changes.unqueued
        if one.tried
    ]
    return _alone(changes, changes=tuple(tried))


def only(changes: Changes, change: Change | UnqueuedChange) -> Changes:
    """Return a listing in which nothing is queued, and one change is to be tried."""
    tried = UnqueuedChange(
        id=change.id, head=change.head, repo=change.repo, ref=change.ref, tried=True
    )
    return _alone(changes, unqueued=(tried,))


def listed(changes: Changes, id_: ChangeId) -> Change | UnqueuedChange | None:
    """Return a change of a listing that can be tried, queued or not; None where there is none."""
    every: tuple[Change | UnqueuedChange, ...] = (*changes.changes, *changes.unqueued)
    return next((one for one in every if one.id == id_), None)


def decide_tryable(
    change: Change, history: History, missing: frozenset[CommitId]
) -> Decided | None:
    """Return why a change cannot be tried at all; None where its merge will tell."""
    if change.head in missing:
        return wait(Code.WAIT_HEAD_MOVED, "its head could not be fetched")
    return MERGED if history.on_tip(change.head) else None


def _alone(listing: Changes, /, **lists: object) -> Changes:
    empty = {"changes": (), "merged": (), "unqueued": (), "closed": ()}
    return listing.model_copy(update={**empty, **lists})
