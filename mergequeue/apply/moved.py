"""What moved under a validation that is still at work (seed 2, When something moves; pure).

Landing reads every change again, whatever this finds. It is for the validation that runs beside
apply in one process: a gate that nothing can come of is stopped, and those behind are gated
without.
"""

from collections.abc import Collection, Iterable, Mapping

from mergequeue.apply.outcomes import Wait
from mergequeue.documents.changes import Change, Listing
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId


def decide_moved(
    changes: Iterable[PlannedChange], listing: Listing, base: BranchName
) -> Mapping[ChangeId, Wait]:
    """Return why each change waits that is no longer as it was planned, by a newer listing."""
    listed = {change.id: change for change in listing.changes}
    found = ((change.id, _moved(change, listed.get(change.id), base)) for change in changes)
    return {id_: wait for id_, wait in found if wait is not None}


def is_moved_by_others(
    tip: CommitId | None, plan: Plan, landed: Collection[CommitId | None]
) -> bool:
    """Whether the base is neither where the plan found it nor where a landing of this run left it;
    None is a base that is gone.
    """
    return tip is None or (tip != plan.base_commit and tip not in landed)


def wait_on_moved_base(base: BranchName) -> Wait:
    """Return why a change waits that had no verdict when the base moved by another push."""
    return Wait(Code.WAIT_REVALIDATE, f"{base} moved by another push while it was validated")


def _moved(change: PlannedChange, now: Change | None, base: BranchName) -> Wait | None:
    if now is None:
        return Wait(Code.WAIT_WITHDRAWN, "the provider no longer lists it as queued", gone=True)
    if now.head != change.head:
        return Wait(Code.WAIT_HEAD_MOVED, "its head moved while it was validated", head=now.head)
    if now.method is not change.method:
        return Wait(
            Code.WAIT_METHOD_CHANGED,
            f"its merge method is now {now.method}, and it was planned for {change.method}",
        )
    if now.base not in {change.base, base}:
        return Wait(Code.WAIT_RETARGET, f"it targets {now.base}, and the queue merges into {base}")
    return None
