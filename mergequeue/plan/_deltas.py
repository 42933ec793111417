"""The planner's reading of what changes touch: own diffs, merges, and the units of both."""

from collections.abc import Sequence

from mergequeue.changes.history import History
from mergequeue.documents.changes import Change
from mergequeue.plan.reach import Delta, Reach, is_asked, paths_of, reach_of, stacked_delta
from mergequeue.plan.stacks import Placed
from mergequeue.ports import Affected, Facts, GitReads, Settled
from mergequeue.vocabulary.ids import CommitId, RepoPath
from mergequeue.vocabulary.words import Rule

Paths = tuple[RepoPath, ...]


def read_delta(
    reads: GitReads, history: History, change: Change, placed: Placed, merged: Settled | None
) -> Delta:
    """Return the paths that a change touches; `merged` is its merge onto the tip, where made."""
    own = _own(reads, history, change.head, placed.stack_base)
    if merged is None or merged.tree is None:
        return Delta(own)
    # By paths, a merge from the one fork takes no path but those that the change's own diff holds.
    if merged.rule is Rule.PATHS and own is not None and placed.stack_base is None:
        return Delta(own)
    known = set(own or ())
    by_merge = paths_of(reads.differences(history.tip, merged.tree))
    return Delta(own, tuple(path for path in by_merge if path not in known))


def _own(
    reads: GitReads, history: History, head: CommitId, stack_base: CommitId | None
) -> Paths | None:
    """Return the paths of a change's own diff; None where several merge bases leave no one diff."""
    if stack_base is None:
        return _since_fork(reads, history, head)
    delta = paths_of(reads.differences(stack_base, head))
    if not history.meets_base_since(head, stack_base):
        return delta
    since_fork = _since_fork(reads, history, head)
    beneath = _since_fork(reads, history, stack_base)
    if since_fork is None or beneath is None:
        return None
    return stacked_delta(delta, since_fork, beneath)


def _since_fork(reads: GitReads, history: History, head: CommitId) -> Paths | None:
    forks = history.forks(head)
    fork = forks[0] if len(forks) == 1 else reads.fork_point(history.tip, head)
    return None if fork is None else paths_of(reads.differences(fork, head))


def read_reaches(facts: Facts, changes: Sequence[Change], deltas: Sequence[Delta]) -> list[Reach]:
    """Ask the facts about every path set of every change in one go."""
    asked: dict[tuple[str, bool], Paths] = {}
    for change, delta in zip(changes, deltas, strict=True):
        if is_asked(change) and delta.own is not None:
            asked[change.id, True] = delta.own
            if delta.merge_only:
                asked[change.id, False] = delta.merge_only
    answers: dict[tuple[str, bool], Affected] = {}
    if asked:
        answers = dict(zip(asked, facts.affected_many(list(asked.values())), strict=True))
    return [
        reach_of(change, answers.get((change.id, True)), answers.get((change.id, False)))
        for change in changes
    ]
