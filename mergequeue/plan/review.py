"""Which commit an approval has to stand at (seed 1, What a review covers; facts 3.8, step 1).

A review of the commit beneath a merge of the base covers the merge when that adds nothing: when its
tree is the plain merge of its parents by either rule, since an author merges with git and a
provider's button by path (DESIGN, Rulings 3), or, for a change stacked on one that has merged,
their merge from its stack base. While the change beneath is open that form would drop its content.

A merge that differs from the plain one in generated files alone is covered too, at the price of a
proof that planning cannot give and apply owes: that the base's own regeneration, run on the plain
merge, makes exactly that tree.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from mergequeue.changes.history import BaseMerge
from mergequeue.ports import Settled, ThreeWay
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId


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


@dataclass(frozen=True)
class Owed:
    """A merge of the base that has to be proven: its generated files are not the plain merge's."""

    merge: BaseMerge
    plain: TreeId
    """The plain merge, generated files in conflict taken from the change's side."""
    paths: tuple[RepoPath, ...]
    """The generated files that differ, or that were in conflict; sorted."""


@dataclass(frozen=True)
class Coverage:
    """What a review of a head covers."""

    target: CommitId
    """The commit that an approval has to stand at."""
    owed: tuple[Owed, ...] = ()
    """What is left to prove for that, newest first."""


def plain_merges(reviewed: Reviewed) -> list[PlainMerge]:
    """Return what has to be merged to know the review's target, from the base's side."""
    bases = (None,) if reviewed.stack_base is None else (None, reviewed.stack_base)
    return [
        PlainMerge(merge.commit, ThreeWay(merge.second, merge.first, base))
        for merge in reviewed.merges
        for base in bases
    ]


def unproven_merges(reviewed: Reviewed, proven: Collection[PlainMerge]) -> list[BaseMerge]:
    """Return the merges that add something; `proven` gave their commits' trees."""
    shown = {plain.commit for plain in plain_merges(reviewed) if plain in proven}
    return [merge for merge in reviewed.merges if merge.commit not in shown]


def owed_of(
    merge: BaseMerge,
    made: Settled,
    differing: Sequence[RepoPath],
    outputs: Collection[RepoPath],
) -> Owed | None:
    """Return the proof that a merge needs; None where none can cover it.

    `made` is what the one merge function makes of it, `differing` the paths in which its tree is
    another, `outputs` those that the base declares as generated. A conflict that was settled, or
    that is in source, was put right by somebody, and a reviewer has to see how.
    """
    if made.tree is None or made.resolved:
        return None
    paths = tuple(sorted({*differing, *made.generated}))
    if not paths or not set(paths) <= set(outputs):
        return None
    return Owed(merge, made.tree, paths)


def coverage_of(
    reviewed: Reviewed, proven: Collection[PlainMerge], owed: Mapping[CommitId, Owed]
) -> Coverage:
    """Return what a review of the head covers, from the merges shown to add nothing and those that
    are owed a proof, by their commits.
    """
    adding = {merge.commit for merge in unproven_merges(reviewed, proven)}
    target = reviewed.head
    proofs: list[Owed] = []
    for merge in reviewed.merges:
        if merge.commit in adding:
            if merge.commit not in owed:
                break
            proofs.append(owed[merge.commit])
        target = merge.first
    return Coverage(target, tuple(proofs))
