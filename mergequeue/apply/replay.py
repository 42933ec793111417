"""Whether replaying a change's commits one by one leaves what was gated (CASES, D).

Planning has replayed them onto its base commit; the tip may be another one by now.
"""

from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.conflicts.replay import Replay
from mergequeue.ports import Candidate
from mergequeue.report import applying, refusals
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName


def decide_settled(base: BranchName, candidate: Candidate) -> Kick | None:
    """Refuse a change that merges by rebase and whose conflicts had to be settled: no update commit
    can hold what they came to (facts 3.10, step 6).
    """
    if not candidate.resolved:
        return None
    paths = tuple(resolved.path for resolved in candidate.resolved)
    return Kick(Code.KICK_REFUSED, refusals.settled_rebase_refused(base), paths)


def decide_replay(base: BranchName, on_tip: Replay, *, alone: Replay | None) -> Wait | Kick:
    """Return what becomes of a change whose replay onto the tip does not give the predicted tree.

    `alone` is its replay onto the plan's base commit, where the tip is another one by now: only a
    commit that conflicts there, too, is the author's.
    """
    if alone is not None and alone.stuck is None:
        return Wait(Code.WAIT_REVALIDATE, "replaying its commits onto what merged since conflicts")
    if on_tip.stuck is None:
        return Kick(Code.KICK_REFUSED, applying.replay_differs(base))
    return Kick(Code.KICK_CONFLICT, applying.replay_conflicts(base, on_tip.stuck), on_tip.paths)
