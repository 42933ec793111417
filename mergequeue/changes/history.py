"""Who carries what: every question of ancestry of a plan, from one walk (facts 3.3)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mergequeue.ports import Graph
from mergequeue.vocabulary.ids import CommitId
from mergequeue.vocabulary.limits import PEELED_MERGES

Parents = Mapping[CommitId, tuple[CommitId, ...]]


@dataclass(frozen=True)
class BaseMerge:
    """A merge of the base into a change."""

    commit: CommitId
    first: CommitId
    """The change as it was."""
    second: CommitId
    """The commit of the base that was merged in."""


class History:
    """What some heads carry and the tip does not, as sets of bits.

    A commit's bit is higher than those of the commits it carries, so the highest bit of a set is
    one of its newest. The sets of `heads` are made at once, those of other commits when asked for.
    A commit that the graph was not asked about answers as if it were on the tip.
    """

    def __init__(self, graph: Graph, heads: Iterable[CommitId]) -> None:
        self.tip = graph.tip
        self._parents = graph.parents
        self._commits = list(reversed(list(graph.parents)))
        self._place = {commit: place for place, commit in enumerate(self._commits)}
        self._merges: dict[CommitId, tuple[BaseMerge, ...]] = {}
        self._own = _own_sets(self._commits, graph.parents, set(heads))
        self._edges = self.bits(
            commit
            for commit in self._commits
            if any(parent not in graph.parents for parent in graph.parents[commit])
        )

    def on_tip(self, commit: CommitId) -> bool:
        """Whether the base carries the commit."""
        return commit not in self._place

    def parents(self, commit: CommitId) -> tuple[CommitId, ...]:
        """Return the parents of a commit that the tip does not carry."""
        return self._parents.get(commit, ())

    def base_merges(self, head: CommitId) -> tuple[BaseMerge, ...]:
        """Return the merges of the base on top of a head, newest first, at most 8 (facts S12)."""
        if head not in self._merges:
            self._merges[head] = _base_merges(head, self._parents)
        return self._merges[head]

    def top(self, head: CommitId) -> CommitId:
        """Return what is left of a head without the merges of the base on top of it (facts 3.3)."""
        merges = self.base_merges(head)
        return merges[-1].first if merges else head

    def own(self, head: CommitId) -> int:
        """Return the set of what a commit carries and the tip does not, itself included."""
        if head not in self._own and head in self._place:
            self._own[head] = self._walked(head)
        return self._own.get(head, 0)

    def _walked(self, commit: CommitId) -> int:
        seen: set[CommitId] = set()
        ahead = [commit]
        while ahead:
            commit = ahead.pop()
            if commit in self._place and commit not in seen:
                seen.add(commit)
                ahead.extend(self._parents[commit])
        return self.bits(seen)

    def bits(self, commits: Iterable[CommitId]) -> int:
        """Return the commits as a set; those on the tip are in none."""
        found = 0
        for commit in commits:
            if commit in self._place:
                found |= 1 << self._place[commit]
        return found

    def listed(self, bits: int) -> list[CommitId]:
        """Return a set's commits, the newest first."""
        found = []
        while bits:
            place = bits.bit_length() - 1
            found.append(self._commits[place])
            bits ^= 1 << place
        return found

    def carries(self, head: CommitId, commit: CommitId) -> bool:
        """Whether a commit that the tip does not carry is in a head's history, or is the head."""
        place = self._place.get(commit)
        return place is not None and bool(self.own(head) >> place & 1)

    def newest_carried(self, of: CommitId, by: CommitId) -> CommitId | None:
        """Return the newest of one head's own commits that another head carries."""
        shared = self.own(of) & self.own(by)
        return self._commits[shared.bit_length() - 1] if shared else None

    def meets_base_since(self, head: CommitId, base: CommitId) -> bool:
        """Whether the base was merged into a head after a commit that the head carries."""
        return bool(self.own(head) & ~self.own(base) & self._edges)

    def forks(self, head: CommitId) -> tuple[CommitId, ...]:
        """Return the base's commits that a head was made on; none where it shares no history."""
        if self.on_tip(head):
            return (head,)
        found: dict[CommitId, None] = {}
        for commit in self.listed(self.own(head) & self._edges):
            found.update((p, None) for p in self._parents[commit] if p not in self._place)
        return tuple(found)


def _base_merges(head: CommitId, parents: Parents) -> tuple[BaseMerge, ...]:
    found: list[BaseMerge] = []
    commit = head
    while len(found) < PEELED_MERGES:
        match parents.get(commit, ()):
            # With both parents on the tip the merge itself is all that the change has of its own.
            case (first, second) if second not in parents and first in parents:
                found.append(BaseMerge(commit, first, second))
                commit = first
            case _:
                break
    return tuple(found)


def _own_sets(
    commits: list[CommitId], parents: Parents, wanted: set[CommitId]
) -> dict[CommitId, int]:
    """Return the wanted commits' sets; a set that no later commit needs is let go at once."""
    needed = Counter(parent for commit in commits for parent in parents[commit])
    own: dict[CommitId, int] = {}
    for place, commit in enumerate(commits):
        bits = 1 << place
        for parent in parents[commit]:
            bits |= own.get(parent, 0)
        own[commit] = bits
        for parent in parents[commit]:
            needed[parent] -= 1
            if not needed[parent] and parent not in wanted:
                own.pop(parent, None)
    return {commit: own[commit] for commit in wanted if commit in own}
