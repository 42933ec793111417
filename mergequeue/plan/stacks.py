"""What each change is stacked on (seed 1, Stacks; facts 2.2 and 3.3)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import or_
from typing import TypeVar

from mergequeue.changes.decided import Decided, Tip, refuse, wait
from mergequeue.changes.history import History
from mergequeue.documents.changes import Change, MergedChange, UnqueuedChange
from mergequeue.report import refusals
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.limits import STACK_DEPTH
from mergequeue.vocabulary.words import Method

Item = TypeVar("Item")


@dataclass(frozen=True)
class Placed:
    """A change's place in a stack; in none where there is no stack base."""

    stack_base: CommitId | None = None
    """The head of what it is stacked on, merges of the base peeled off: where its own delta starts.
    """
    below: ChangeId | None = None
    """The open change that it is stacked on."""


@dataclass(frozen=True)
class Node:
    """A change that another may be stacked on."""

    id: ChangeId
    head: CommitId
    """What a change carries that is stacked on it."""
    bit: int
    """That commit, as a set."""
    own: int
    """What it carries itself, as a set (`History.own`)."""
    method: Method
    is_open: bool
    exact: bool
    """Whether `head` is what it was listed at, and not an earlier commit of a merged change."""


@dataclass(frozen=True)
class Listed:
    """The listing's heads that could be read."""

    queued: tuple[Change, ...]
    merged: tuple[MergedChange, ...]
    unqueued: tuple[UnqueuedChange, ...]
    missing: frozenset[ChangeId]
    """Queued changes whose head could not be read."""


class Stacks:
    """Finds what a change is stacked on, by what it carries (facts 3.3)."""

    def __init__(self, listed: Listed, history: History, tip: Tip) -> None:
        self._listed = listed
        self._history = history
        self._tip = tip
        self._heads = {change.id: change.head for change in listed.queued}
        self._heads |= {change.id: change.head for change in listed.merged}
        nodes = [self._open_node(change) for change in listed.queued]
        self._open = _by_commit((node.head, node) for node in nodes)
        self._open_bits = history.bits(self._open)
        self._unqueued = _by_commit(
            (commit, change)
            for change in listed.unqueued
            for commit in dict.fromkeys((change.head, history.top(change.head)))
        )
        self._unqueued_bits = history.bits(self._unqueued)
        self._merged_bits = _union(history.own(change.head) for change in listed.merged)
        self._rank = {change.id: place for place, change in enumerate(listed.queued)}

    def place(self, change: Change) -> Placed | Decided:
        """Return what the change is stacked on, or why it waits or is refused, cycles apart."""
        unqueued = self._unqueued_below(change)
        if unqueued is not None:
            return wait(
                Code.WAIT_UNQUEUED_BELOW,
                f"it carries the commits of change {unqueued}, which is open and nobody queued",
            )
        below = self._nodes_below(change)
        if not below:
            return self._unstacked(change)
        nearest = _nearest(below, change.parent)
        if nearest is None:
            return refuse(change, self._tip, _no_nearest(below))
        if change.parent is not None and change.parent != nearest.id:
            return self._other_parent(change.parent)
        return self._stacked(change, nearest, sum(node.is_open for node in below))

    def _unqueued_below(self, change: Change) -> ChangeId | None:
        """Return the first unqueued change that this one carries, at another head (Rulings 7)."""
        carried = self._history.listed(self._history.own(change.head) & self._unqueued_bits)
        found = {
            other.id
            for commit in carried
            for other in self._unqueued[commit]
            if other.head != change.head
        }
        return next((other.id for other in self._listed.unqueued if other.id in found), None)

    def _nodes_below(self, change: Change) -> list[Node]:
        """Return the changes that this one carries: open ones in queue order, then merged ones."""
        own = self._history.own(change.head)
        carried = self._history.listed(own & self._open_bits)
        below = [node for commit in carried for node in self._open[commit] if node.id != change.id]
        below.sort(key=lambda node: self._rank[node.id])
        if own & self._merged_bits:
            below += [
                node
                for merged in self._listed.merged
                if (node := self._merged_node(merged, change)) is not None
            ]
        return below

    def _open_node(self, change: Change) -> Node:
        history = self._history
        top = history.top(change.head)
        return Node(
            id=change.id,
            head=top,
            bit=history.bits([top]),
            own=history.own(change.head),
            method=change.method,
            is_open=True,
            exact=True,
        )

    def _merged_node(self, merged: MergedChange, change: Change) -> Node | None:
        """Return a merged change by the newest of its commits that is carried (facts S1)."""
        carried = self._history.newest_carried(merged.head, change.head)
        if carried is None:
            return None
        return Node(
            id=merged.id,
            head=carried,
            bit=self._history.bits([carried]),
            own=self._history.own(merged.head),
            method=merged.method,
            is_open=False,
            exact=carried == merged.head,
        )

    def _unstacked(self, change: Change) -> Placed | Decided:
        """Return the answer for a change that carries no other: a parent has to be on the base."""
        parent = change.parent
        if parent is None:
            return Placed()
        if parent in self._heads and self._history.on_tip(self._heads[parent]):
            return Placed()
        return self._other_parent(parent)

    def _other_parent(self, parent: ChangeId) -> Decided:
        if parent in self._listed.missing:
            return wait(
                Code.WAIT_BELOW, f"it is stacked on change {parent}, whose head cannot be read"
            )
        if parent not in self._heads:
            return wait(
                Code.WAIT_BELOW,
                f"it says that it is stacked on change {parent}, which is not queued",
            )
        return wait(
            Code.WAIT_RESTACK,
            f"it says that it is stacked on change {parent} and is not built on that one's head",
        )

    def _stacked(self, change: Change, nearest: Node, open_below: int) -> Placed | Decided:
        """Return the answer for a change stacked on another, checked in the order of facts S7."""
        if open_below > STACK_DEPTH:
            return refuse(change, self._tip, refusals.depth_refused(open_below))
        if change.method is Method.REBASE:
            return refuse(change, self._tip, refusals.stacked_rebase_refused(nearest.id))
        if change.method is not nearest.method:
            mixed = refusals.mixed_methods_refused(change.method, nearest.id, nearest.method)
            return refuse(change, self._tip, mixed)
        return Placed(nearest.head, nearest.id if nearest.is_open else None)


def place_changes(
    listed: Listed, history: History, tip: Tip, settled: Mapping[ChangeId, Decided]
) -> dict[ChangeId, Placed | Decided]:
    """Return where each queued change stands.

    Those settled before are left out, and others still stand on them.
    """
    stacks = Stacks(listed, history, tip)
    places = {
        change.id: stacks.place(change) for change in listed.queued if change.id not in settled
    }
    changes = {change.id: change for change in listed.queued}
    for cycle in _cycles(places):
        for id_ in cycle:
            others = tuple(other for other in cycle if other != id_)
            places[id_] = refuse(changes[id_], tip, refusals.cycle_refused(others))
    return places


def _cycles(places: Mapping[ChangeId, Placed | Decided]) -> list[list[ChangeId]]:
    """Return the changes that are stacked on themselves through others (facts S8)."""
    below = {
        id_: place.below
        for id_, place in places.items()
        if isinstance(place, Placed) and place.below is not None
    }
    seen: set[ChangeId] = set()
    found = []
    for start in below:
        walk: list[ChangeId] = []
        at: ChangeId | None = start
        while at in below and at not in seen:
            seen.add(at)
            walk.append(at)
            at = below[at]
        if at in walk:
            found.append(walk[walk.index(at) :])
    return found


def _nearest(below: Sequence[Node], parent: ChangeId | None) -> Node | None:
    """Return the change that carries every other one below (facts S5).

    Several may, where a merged change is known by an earlier commit that another one ends at: an
    open one is preferred then, the declared parent next, then one that is known by its own head.
    """
    everything = _union(node.bit for node in below)
    containing = [node for node in below if node.own & everything == everything]
    containing.sort(key=lambda node: (not node.is_open, node.id != parent, not node.exact))
    return containing[0] if containing else None


def _no_nearest(below: Sequence[Node]) -> str:
    for one, other in combinations(below, 2):
        if not one.own & other.bit and not other.own & one.bit:
            return refusals.unrelated_refused(one.id, other.id)
    return refusals.cycle_refused(tuple(node.id for node in below))


def _by_commit(pairs: Iterable[tuple[CommitId, Item]]) -> dict[CommitId, list[Item]]:
    found: dict[CommitId, list[Item]] = {}
    for commit, item in pairs:
        found.setdefault(commit, []).append(item)
    return found


def _union(sets: Iterable[int]) -> int:
    return reduce(or_, sets, 0)
