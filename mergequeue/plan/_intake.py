"""The planner's reading of the listing's heads: one fetch and one walk (facts P5 to P7)."""

from collections.abc import Sequence
from dataclasses import dataclass

from mergequeue.changes.decided import Tip
from mergequeue.changes.history import History
from mergequeue.documents.changes import Changes, MergedChange
from mergequeue.plan.stacks import Listed
from mergequeue.ports import GitReads, Wanted
from mergequeue.vocabulary.errors import MERGED_NOT_ON_BASE
from mergequeue.vocabulary.ids import ChangeId, CommitId, short


@dataclass(frozen=True)
class Intake:
    """What could be read of a listing."""

    listed: Listed
    history: History
    missing: frozenset[CommitId]
    """Heads that could not be fetched, or that nobody needs."""
    unread: tuple[ChangeId, ...]
    """Merged and unqueued changes that nothing can be seen to stand on, for the same reason."""


def read_intake(reads: GitReads, changes: Changes, tip: Tip) -> Intake:
    """Fetch every head and read the graph.

    Raises MERGED_NOT_ON_BASE where the base lacks a merge that is listed.
    """
    skipped = _skipped(changes)
    missing = reads.fetch_commits(_wanted(changes, skipped)) | skipped
    queued = tuple(change for change in changes.changes if change.head not in missing)
    merged = tuple(change for change in changes.merged if change.head not in missing)
    unqueued = tuple(change for change in changes.unqueued if change.head not in missing)
    heads = [change.head for change in queued]
    heads += [change.head for change in merged]
    others = [change.head for change in unqueued]
    others += [change.commit for change in changes.merged if change.commit not in missing]
    graph = reads.graph(list(dict.fromkeys([*heads, *others])), tip.commit)
    history = History(graph, heads)
    _check_merged(changes.merged, history, missing)
    unread = [change.id for change in changes.merged if change.head in missing]
    unread += [change.id for change in changes.unqueued if change.head in missing]
    return Intake(
        Listed(
            queued,
            merged,
            unqueued,
            frozenset(change.id for change in changes.changes if change.head in missing),
        ),
        history,
        missing,
        tuple(unread),
    )


def _skipped(changes: Changes) -> frozenset[CommitId]:
    """Return the heads that nobody needs: a fork's shows what is built on it alone (facts P6)."""
    if len(changes.changes) + len(changes.merged) + len(changes.unqueued) > 1:
        return frozenset()
    return frozenset(change.head for change in changes.changes if change.fork)


def _wanted(changes: Changes, skipped: frozenset[CommitId]) -> list[Wanted]:
    return [
        *(
            Wanted(change.head, change.ref)
            for change in changes.changes
            if change.head not in skipped
        ),
        *(Wanted(change.head, change.ref) for change in changes.unqueued),
        *(Wanted(commit) for change in changes.merged for commit in (change.head, change.commit)),
    ]


def _check_merged(
    merged: Sequence[MergedChange], history: History, missing: frozenset[CommitId]
) -> None:
    """Hold the listed merges to the base: a wrong one would give a wrong stack base (facts P3)."""
    for change in merged:
        if change.commit in missing or not history.on_tip(change.commit):
            raise MERGED_NOT_ON_BASE(
                f"change {change.id} is listed as merged by {short(change.commit)}, "
                f"which {short(history.tip)} does not carry"
            )
