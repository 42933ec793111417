"""Whether an approval of an older commit counts for a head that was only moved (facts 3.9).

It does where the whole diff that was approved, put onto what the head now starts from, is exactly
the head: a rebase, and nothing else. What the approval was given on has to be known for that. So it
does not carry over from a commit that holds another change's work, unless it holds all of it as it
is now, and then the diff starts there.

    m1 ─ a ─ b  old           approved at b; rebased onto m2
      └ m2 ─ a' ─ b'  now     merging b onto m2 from m1 gives the tree of b', so it counts
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mergequeue.changes.history import History
from mergequeue.documents.changes import Change, MergedChange, UnqueuedChange
from mergequeue.documents.provider import Approval
from mergequeue.ports import Settled, ThreeWay
from mergequeue.report import reviews as words
from mergequeue.vocabulary.ids import ChangeId, CommitId, RepoPath, TreeId


@dataclass(frozen=True)
class Moved:
    """A change whose approval stands at an older commit."""

    change: ChangeId
    old: CommitId
    """Where the approval stands."""
    now: CommitId
    """Where it would have to: the commit that a review of the head covers."""
    stack_base: CommitId | None
    """Where the change's own delta starts, where it is stacked."""


@dataclass(frozen=True)
class Other:
    """Another change of the listing, as far as an approved commit can hold its work."""

    id: ChangeId
    head: CommitId
    is_queued: bool
    """Whether it merges, or has merged: False for one that is open and nobody queued."""


def moved_of(
    change: Change, approval: Approval | str, now: CommitId, stack_base: CommitId | None
) -> Moved | None:
    """Return the question that a provider's answer leaves; None where it leaves none."""
    if isinstance(approval, str) or approval.approved or approval.head != change.head:
        return None
    if approval.approved_commit is None or approval.approved_commit == now:
        return None
    return Moved(change.id, approval.approved_commit, now, stack_base)


def others_of(
    queued: Iterable[Change], merged: Iterable[MergedChange], unqueued: Iterable[UnqueuedChange]
) -> tuple[Other, ...]:
    """Return the changes whose work an approved commit may hold."""
    listed: list[Change | MergedChange] = [*queued, *merged]
    return (
        *(Other(one.id, one.head, is_queued=True) for one in listed),
        *(Other(one.id, one.head, is_queued=False) for one in unqueued),
    )


def replay_of(moved: Moved, others: Sequence[Other], history: History) -> ThreeWay | str:
    """Return the merge that shows whether the head was only moved, or why nothing can show it.

    The change's own listed head is no other's. `history` holds the old commit, the head and every
    other's head.
    """
    others = [other for other in others if other.id != moved.change]
    carried = [other for other in others if _is_carried(moved.old, other, history)]
    unqueued = next((other for other in carried if not other.is_queued), None)
    if unqueued is not None:
        return words.holds_unqueued(moved.old, unqueued.id)
    start: CommitId | None = None
    if carried:
        start = _nearest(carried, history)
        if start is None:
            return words.holds_unrelated(moved.old, [other.id for other in carried])
    delta = history.own(moved.old) & ~(0 if start is None else history.own(start))
    begun = _start_of(moved.old, start, delta, history)
    stranger = _stranger(moved.old, delta, others, history)
    onto = _start_now(moved, history)
    if begun is None:
        return words.starts_in_several(moved.old)
    if stranger is not None:
        return words.holds_older(moved.old, stranger)
    if onto is None:
        return words.starts_in_several(moved.now)
    return ThreeWay(onto, moved.old, begun)


def unread_other(moved: Moved, unread: Iterable[Other]) -> str:
    """Return why nothing can be known while another change cannot be read; empty where none is."""
    other = next((other for other in unread if other.id != moved.change), None)
    return "" if other is None else words.unread_beside(other.id)


def decide_carried(made: Settled, now: TreeId, differing: Sequence[RepoPath]) -> str:
    """Return why the approval does not carry over; empty where it does.

    `made` is what the replay gave, `now` the head's tree, and `differing` the paths in which the
    two are not the same.
    """
    settled = [*(resolved.path for resolved in made.resolved), *made.generated]
    if made.tree is None or settled:
        # What the queue settled nobody reviewed.
        return words.replay_in_the_way(settled or [conflict.path for conflict in made.conflicts])
    return "" if made.tree == now else words.replay_differs(differing)


def _is_carried(old: CommitId, other: Other, history: History) -> bool:
    """Whether the old commit holds another change; an unqueued one also without the base's merges
    on top of it.
    """
    heads = [other.head] if other.is_queued else [other.head, history.top(other.head)]
    return any(head != old and history.carries(old, head) for head in heads)


def _nearest(carried: Sequence[Other], history: History) -> CommitId | None:
    """Return the head among those carried that holds all the others."""
    everything = history.bits(other.head for other in carried)
    heads = (other.head for other in carried)
    return next((head for head in heads if not everything & ~history.own(head)), None)


def _start_of(
    old: CommitId, start: CommitId | None, delta: int, history: History
) -> CommitId | None:
    """Return what the approved diff starts from; None where that is not one commit."""
    if start is None:
        forks = history.forks(old) or (old,)
        return forks[0] if len(forks) == 1 else None
    own = history.own(old)
    for commit in history.listed(delta):
        beside = history.bits(history.parents(commit)) & own & ~delta
        if beside & ~history.bits([start]):
            return None
    return start


def _stranger(
    old: CommitId, delta: int, others: Iterable[Other], history: History
) -> ChangeId | None:
    """Return a change some of whose commits the approved diff holds, and not its head.

    One that nobody queued and that is built on the old commit took them from here.
    """
    for other in others:
        if other.head == old or history.carries(old, other.head):
            continue
        is_above = not other.is_queued and history.carries(other.head, old)
        if history.own(other.head) & delta and not is_above:
            return other.id
    return None


def _start_now(moved: Moved, history: History) -> CommitId | None:
    if moved.stack_base is not None:
        return moved.stack_base
    forks = history.forks(moved.now)
    return forks[0] if len(forks) == 1 else None
