"""Whether replaying a change's commits one by one leaves what was gated (CASES, D).

A rebase makes no merge of its head: each of its own commits is put on the base in turn, so one in
the middle can conflict where the whole does not. That is found out here, not from the provider.
"""

from dataclasses import dataclass

from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.ports import CommitFacts
from mergequeue.report import applying
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, RepoPath, TreeId


@dataclass(frozen=True)
class Replay:
    """What replaying the change's own commits gives."""

    tree: TreeId | None
    """The tree at the end; None where a commit conflicts."""
    stuck: CommitFacts | None = None
    """The commit that conflicts."""
    paths: tuple[RepoPath, ...] = ()
    """The paths on which it does."""


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
