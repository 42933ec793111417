"""Whether the plan admits a change, decided in one order (facts P8 to P14).

The order is: what `changes.acceptable` and `stacks` decided, then `decide_as_it_is` (head moved,
withdrawn, pointed elsewhere, method changed, turned away by a required reviewer, not approved,
method not allowed), then what merging it shows (`decide_merge`: no history, conflict, nothing
added; `decide_delta` above an open change), then its units, and last whether it lacks a required
review (`decide_lacking`). The first answer stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mergequeue.changes import acceptable
from mergequeue.changes.decided import Decided, Tip, kick, refuse, wait
from mergequeue.conflicts.replay import Replay
from mergequeue.documents.changes import Change
from mergequeue.documents.provider import Approval
from mergequeue.plan.reviewers import Lacks
from mergequeue.ports import Settled
from mergequeue.report import applying, refusals
from mergequeue.report.reviews import not_carried_over
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, RepoPath, TreeId, short
from mergequeue.vocabulary.limits import CLAIM_BYTES
from mergequeue.vocabulary.text import cut, path_text
from mergequeue.vocabulary.words import Method


@dataclass(frozen=True)
class AsItIs:
    """A listed change beside what the provider says of it now."""

    change: Change
    approval: Approval | str
    """The provider's answer, or why there is none."""
    target: CommitId
    """The commit that an approval was asked for at."""
    readable: bool
    """Whether its head could be fetched."""
    below_branch: BranchName | None = None
    """The branch of the open change that it is stacked on: a stacked change may still point there.
    """
    carried: str | None = None
    """Why its approval at an older commit does not count; empty where it does, None for none."""
    lacks: Lacks | None = None
    """What the base's required reviewers keep it from."""


def decide_as_it_is(now: AsItIs, allowed: tuple[Method, ...], tip: Tip) -> Decided | None:
    """Return what the provider's answer decides; None where the change may be merged."""
    approval = now.approval
    if isinstance(approval, str):
        why = f"whether it is approved could not be read: {cut(approval, CLAIM_BYTES)}"
        return wait(Code.WAIT_NOT_APPROVED, why)
    moved = _decide_moved(now, approval, tip)
    if moved is not None:
        return moved
    if now.lacks is not None and now.lacks.code.is_kick:
        return kick(now.lacks.code, now.change, tip, detail=now.lacks.reason)
    if not approval.approved and now.carried != "":
        return wait(Code.WAIT_NOT_APPROVED, _not_approved(approval, now))
    return acceptable.decide_method(now.change, allowed, tip)


def decide_lacking(lacks: Lacks | None) -> Decided | None:
    """Return why a change waits for its required reviewers, once all else is decided: so its
    conflicts are told, and its pre-flights run, meanwhile.
    """
    return None if lacks is None else wait(lacks.code, lacks.reason)


def decide_broken(change: Change, problem: str) -> Decided:
    """Return the wait of a change whose head cannot be read, though the base can.

    A wait, since the machine's own copy may be what is broken; another push ends it.
    """
    return wait(Code.WAIT_HEAD_MOVED, f"its head {short(change.head)} cannot be read: {problem}")


def _decide_moved(now: AsItIs, approval: Approval, tip: Tip) -> Decided | None:
    """Return how the change differs from what was listed, if it does."""
    change = now.change
    if approval.head != change.head:
        moved = f"its head moved from {short(change.head)} to {short(approval.head)}"
        return wait(Code.WAIT_HEAD_MOVED, moved, head=approval.head)
    if not now.readable:
        return wait(Code.WAIT_HEAD_MOVED, f"its head {short(change.head)} could not be fetched")
    if not approval.queued:
        return wait(Code.WAIT_WITHDRAWN, cut(approval.reason, CLAIM_BYTES))
    if approval.base not in {tip.base, now.below_branch}:
        return wait(
            Code.WAIT_RETARGET, f"it targets {approval.base}, and the queue's base is {tip.base}"
        )
    if approval.method is not change.method:
        return wait(
            Code.WAIT_METHOD_CHANGED,
            f"its merge method is {approval.method}, and was {change.method}",
        )
    return None


def _not_approved(approval: Approval, now: AsItIs) -> str:
    where = f"it is not approved at {short(now.target)}"
    said = f"{where}: {cut(approval.reason, CLAIM_BYTES)}" if approval.reason else where
    if now.carried is None or approval.approved_commit is None:
        return said
    return f"{said}; {not_carried_over(approval.approved_commit, now.target, now.carried)}"


@dataclass(frozen=True)
class MergedOntoTip:
    """What merging a change onto the base's tip gave."""

    change: Change
    settled: Settled
    tip_tree: TreeId


def decide_merge(merged: MergedOntoTip, touching: Sequence[str], tip: Tip) -> Decided | None:
    """Return what merging a change with nothing open beneath decides (facts P10 to P12; CASES J).

    `touching` are the base's commits that touched the paths in conflict.
    """
    settled = merged.settled
    if settled.unrelated:
        return refuse(merged.change, tip, refusals.no_history_refused(tip.base))
    if settled.tree is None:
        paths = [path_text(conflict.path) for conflict in settled.conflicts]
        whys = [conflict.why for conflict in settled.conflicts if conflict.why]
        return kick(Code.KICK_CONFLICT, merged.change, tip, paths=paths, with_=touching, whys=whys)
    if settled.tree == merged.tip_tree:
        return refuse(merged.change, tip, refusals.adds_nothing_refused(tip.base))
    return None


def decide_replay(change: Change, replay: Replay, settled: Settled, tip: Tip) -> Decided | None:
    """Return what replaying a rebase's commits one by one decides (CASES, D; facts 3.10, step 6).

    What regeneration will write into the candidate is not in the tree of the merge yet.
    """
    if settled.resolved:
        files = [path_text(resolved.path) for resolved in settled.resolved]
        return refuse(change, tip, refusals.settled_rebase_refused(tip.base), paths=files)
    if replay.stuck is not None:
        paths = [path_text(path) for path in replay.paths]
        detail = applying.replay_conflicts(tip.base, replay.stuck)
        return kick(Code.KICK_CONFLICT, change, tip, detail=detail, paths=paths)
    if replay.tree != settled.tree:
        return refuse(change, tip, applying.replay_differs(tip.base))
    return None


def decide_delta(
    change: Change, below: ChangeId | None, paths: Sequence[RepoPath] | None, tip: Tip
) -> Decided | None:
    """Refuse a change above an open one that has no delta; paths are None where that is unknown."""
    if below is None or paths is None or paths:
        return None
    return refuse(change, tip, refusals.adds_nothing_to_stack_refused(below))
