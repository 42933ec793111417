"""Merge bases of many pairs of commits in one walk.

Each head is a bit, and so is `ours`; the bits are passed from child to parent, newest commit first,
and a commit that both reach is a common one. What lies beneath a common commit is stale for that
head. The walk ends when all that is left to visit is stale for every head, so that each pair is
walked as far as git walks it.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field

from mergequeue.git.merge_objects import MergeObjects
from mergequeue.vocabulary.ids import CommitId

_OURS = 1


def find_merge_bases(
    objects: MergeObjects, ours: Sequence[CommitId], heads: Sequence[CommitId]
) -> dict[CommitId, tuple[CommitId, ...]]:
    """Return, for each head, its merge bases with a history that carries all of `ours`.

    Several are in the order of their dates, newest first; none means that no history is shared.
    """
    distinct = list(dict.fromkeys(heads))
    walk = _Walk(objects)
    walk.start(ours, distinct)
    walk.run()
    common = walk.common_by_head()
    return {head: _best(objects, common.get(number, [])) for number, head in enumerate(distinct)}


def is_carried(objects: MergeObjects, ancestor: CommitId, descendant: CommitId) -> bool:
    """Return whether the first commit is in the history of the second, or is it."""
    if ancestor == descendant:
        return True
    walk = _Walk(objects)
    walk.start([descendant], [ancestor])
    walk.run()
    return bool(walk.reach[ancestor] & _OURS)


def _best(objects: MergeObjects, common: list[CommitId]) -> tuple[CommitId, ...]:
    # Dates that run backwards can leave a common commit beneath another one.
    if len(common) < 2:  # noqa: PLR2004 (one, or none)
        return tuple(common)
    kept = [
        one
        for one in common
        if not any(one != other and is_carried(objects, one, other) for other in common)
    ]
    return tuple(sorted(kept, key=lambda commit: (-objects.commit(commit).date, commit)))


@dataclass
class _Walk:
    objects: MergeObjects
    asked: int = 0
    """Every head."""
    reach: dict[str, int] = field(default_factory=dict)
    """Which of the commits asked about have this one in their history."""
    stale: dict[str, int] = field(default_factory=dict)
    """Which heads have a common commit above this one."""
    common: dict[str, int] = field(default_factory=dict)
    _heap: list[tuple[int, str]] = field(default_factory=list)
    _queued: set[str] = field(default_factory=set)
    _open: set[str] = field(default_factory=set)
    """Commits in the heap beneath which something new may be found."""

    def start(self, ours: Sequence[CommitId], heads: Sequence[CommitId]) -> None:
        self.asked = (2 << len(heads)) - 2
        for commit in ours:
            self._pass_on(commit, _OURS, 0)
        for number, head in enumerate(heads):
            self._pass_on(head, 2 << number, 0)

    def run(self) -> None:
        while self._open:
            _, commit = heapq.heappop(self._heap)
            self._queued.discard(commit)
            self._open.discard(commit)
            reach, stale = self.reach[commit], self.stale[commit]
            if reach & _OURS and reach & ~_OURS:
                self.common[commit] = reach & ~_OURS
                stale |= reach & ~_OURS
            for parent in self.objects.commit(commit).parents:
                self._pass_on(parent, reach, stale)

    def common_by_head(self) -> dict[int, list[CommitId]]:
        """Return the common commits that have no other above them, by the head's number."""
        found: dict[int, list[CommitId]] = {}
        for commit, heads in self.common.items():
            left = (heads & ~self.stale[commit]) >> 1
            while left:
                number = (left & -left).bit_length() - 1
                found.setdefault(number, []).append(CommitId(commit))
                left &= left - 1
        return found

    def _pass_on(self, commit: str, reach: int, stale: int) -> None:
        old_reach, old_stale = self.reach.get(commit, 0), self.stale.get(commit, 0)
        reach |= old_reach
        stale |= old_stale
        if reach == old_reach and stale == old_stale:
            return
        self.reach[commit] = reach
        self.stale[commit] = stale
        if commit not in self._queued:
            self._queued.add(commit)
            heapq.heappush(self._heap, (-self.objects.commit(commit).date, commit))
        if reach & _OURS and not self.asked & ~stale:
            self._open.discard(commit)
        else:
            self._open.add(commit)
