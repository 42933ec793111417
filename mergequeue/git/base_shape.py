"""How the merge bases of two histories hang together, as far as merging them goes.

To merge two bases git needs their own merge bases, and so on down. What it finds is told apart from
all other history by a few commits and by which of those descend from which.
"""

from collections import deque
from dataclasses import dataclass, field
from itertools import combinations

from mergequeue.git.commit_graph import find_merge_bases, is_carried
from mergequeue.git.merge_objects import MergeObjects
from mergequeue.vocabulary.ids import CommitId

Bases = tuple[CommitId, ...]

_LEVELS = 64
"""How many merges of bases deep is looked: what lies beneath so many conflicts decides nothing."""


@dataclass
class BaseShape:
    """The merge bases, theirs, and so on."""

    parents: dict[CommitId, list[CommitId]] = field(default_factory=dict)
    """Every commit, with those among them that it stands on."""
    of_pair: dict[Bases, Bases] = field(default_factory=dict)
    """The merge bases of two of the commits."""

    @property
    def oldest_first(self) -> list[CommitId]:
        """Return every commit, parents before children."""
        placed: dict[CommitId, None] = {}
        while len(placed) < len(self.parents):
            ready = [
                commit
                for commit, parents in self.parents.items()
                if commit not in placed and all(parent in placed for parent in parents)
            ]
            placed.update(dict.fromkeys(ready))
        return list(placed)


def find_shape(objects: MergeObjects, bases: Bases) -> BaseShape:
    """Return the shape of some merge bases, none of which is in the history of another."""
    shape = BaseShape({base: [] for base in bases})
    levels, seen = deque([bases]), {bases}
    while levels and len(seen) <= _LEVELS:
        for level in _levels_below(objects, shape, levels.popleft()):
            if len(level) > 1 and level not in seen:
                seen.add(level)
                levels.append(level)
    return shape


def _levels_below(objects: MergeObjects, shape: BaseShape, level: Bases) -> list[Bases]:
    """Add what a level stands on, and return the levels that merging it merges first."""
    found: list[Bases] = []
    for pair in combinations(level, 2):
        one, other = pair
        if pair not in shape.of_pair:
            shape.of_pair[pair] = find_merge_bases(objects, [one], [other])[other]
        found.append(shape.of_pair[pair])
        for commit in pair:
            _stand_on(shape, commit, found[-1])
    if len(found) == 1:
        return found
    # Two merged bases and a third have the best of what each of the two has with it.
    every = list(dict.fromkeys(base for bases in found for base in bases))
    for one in every:
        _stand_on(shape, one, tuple(other for other in every if _beneath(objects, other, one)))
    best = [one for one in every if not any(_beneath(objects, one, other) for other in every)]
    return [*found, tuple(best)]


def _stand_on(shape: BaseShape, commit: CommitId, bases: Bases) -> None:
    parents = shape.parents.setdefault(commit, [])
    for base in bases:
        shape.parents.setdefault(base, [])
        if base not in parents:
            parents.append(base)


def _beneath(objects: MergeObjects, one: CommitId, other: CommitId) -> bool:
    return one != other and is_carried(objects, one, other)
