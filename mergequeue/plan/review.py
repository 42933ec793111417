"""Which commit an approval has to stand at (seed 1, What a review covers; facts 3.8, step 1).

A review of the commit beneath a merge of the base covers the merge when that adds nothing: when its
tree is the plain merge of its parents by either rule, since an author merges with git and a
provider's button by path (DESIGN, Rulings 3), or, for a change stacked on one that has merged,
their merge from its stack base. While the change beneath is open that form would drop its content.
"""

from collections.abc import Collection
from dataclasses import dataclass

from mergequeue.changes.history import BaseMerge
from mergequeue.ports import ThreeWay
from mergequeue.vocabulary.ids import CommitId


@dataclass(frozen=True)
class Reviewed:
    """A head with the merges of the base on top of it, newest first (`History.base_merges`)."""

    head: CommitId
    merges: tuple[BaseMerge, ...]
    stack_base: CommitId | None
    """Where its own delta starts, where nothing open is beneath it (facts P15); None otherwise."""


@dataclass(frozen=True)
class PlainMerge:
    """A merge commit, and the three-way merge that would show that it adds nothing."""

    commit: CommitId
    merge: ThreeWay


def plain_merges(reviewed: Reviewed) -> list[PlainMerge]:
    """Return what has to be merged to know the review's target, from the base's side."""
    bases = (None,) if reviewed.stack_base is None else (None, reviewed.stack_base)
    return [
        PlainMerge(merge.commit, ThreeWay(merge.second, merge.first, base))
        for merge in reviewed.merges
        for base in bases
    ]


def review_target(reviewed: Reviewed, proven: Collection[PlainMerge]) -> CommitId:
    """Return the commit that a review of the head covers; `proven` gave their commits' trees."""
    target = reviewed.head
    asked = plain_merges(reviewed)
    for merge in reviewed.merges:
        if not any(plain in proven for plain in asked if plain.commit == merge.commit):
            break
        target = merge.first
    return target
