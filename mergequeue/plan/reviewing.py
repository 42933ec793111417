"""Reading what reviews cover, for the two steps that ask: the planner, and the applier.

It reads through the ports that they hand it, and `review` and `carrying` decide; so both are given
the same answer about the same head. Everything is read in bulk: one batch of merges by each rule,
one fetch and one walk, however many changes are asked about.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mergequeue.changes.history import BaseMerge, History
from mergequeue.plan.carrying import Moved, Other, decide_carried, replay_of, unread_other
from mergequeue.plan.review import (
    Coverage,
    Owed,
    PlainMerge,
    Reviewed,
    coverage_of,
    owed_of,
    plain_merges,
    unproven_merges,
)
from mergequeue.ports import (
    Facts,
    GitReads,
    Merged,
    MergesTrees,
    Merging,
    Settled,
    ThreeWay,
    Wanted,
)
from mergequeue.report import reviews as words
from mergequeue.vocabulary.errors import GIT_FAILED, MergequeueError
from mergequeue.vocabulary.ids import ChangeId, CommitId, RepoPath


@dataclass(frozen=True)
class Reviewing:
    """Reads git and the base's facts for what a review covers; asks no provider."""

    reads: GitReads
    trees: MergesTrees
    merging: Merging
    facts: Facts

    def coverages(self, reviewed: Sequence[Reviewed]) -> list[Coverage]:
        """Return what a review of each head covers (facts 3.8, step 1)."""
        asked = list(dict.fromkeys(plain for one in reviewed for plain in plain_merges(one)))
        proven: set[PlainMerge] = set()
        if asked:
            proven = self._same(asked, self.trees.merge_by_paths([one.merge for one in asked]))
        left = [one for one in asked if one not in proven]
        if left:
            proven |= self._same(left, self.trees.merge_by_renames([one.merge for one in left]))
        adding = dict.fromkeys(m for one in reviewed for m in unproven_merges(one, proven))
        owed = self._owed(list(adding))
        return [coverage_of(one, proven, owed) for one in reviewed]

    def _same(self, asked: Iterable[PlainMerge], made: Iterable[Merged]) -> set[PlainMerge]:
        """Return the merges that give the tree of the commit they stand for."""
        return {
            plain
            for plain, merged in zip(asked, made, strict=True)
            if merged.tree is not None and merged.tree == self.reads.tree_of(plain.commit)
        }

    def _owed(self, adding: Sequence[BaseMerge]) -> dict[CommitId, Owed]:
        """Return the merges that differ from the plain one in generated files alone."""
        if not adding:
            return {}
        made = self.merging.merge([ThreeWay(merge.second, merge.first) for merge in adding])
        differing = [
            self._differing(settled, merge.commit)
            for merge, settled in zip(adding, made, strict=True)
        ]
        paths = {path for found in differing for path in found}
        outputs = self.facts.outputs(paths).outputs if paths else frozenset[RepoPath]()
        found: dict[CommitId, Owed] = {}
        for merge, settled, own in zip(adding, made, differing, strict=True):
            owed = owed_of(merge, settled, own, outputs)
            if owed is not None:
                found[merge.commit] = owed
        return found

    def carried(
        self, moved: Sequence[Moved], others: Sequence[Other], tip: CommitId
    ) -> dict[ChangeId, str]:
        """Return why each approval does not carry over, empty where it does (facts 3.9).

        An approved commit, or another change's head, that cannot be had is a reason and no error.
        """
        try:
            return self._carried(moved, others, tip) if moved else {}
        except MergequeueError as error:
            if error.code != GIT_FAILED.code:
                raise
            if len(moved) == 1:
                return {moved[0].change: words.unreadable(moved[0].old, error.problem)}
        # One of them holds what does not read, and the others need not wait for it.
        return {
            one.change: why for one in moved for why in self.carried([one], others, tip).values()
        }

    def _carried(
        self, moved: Sequence[Moved], others: Sequence[Other], tip: CommitId
    ) -> dict[ChangeId, str]:
        wanted = dict.fromkeys([*(one.old for one in moved), *(other.head for other in others)])
        missing = self.reads.fetch_commits([Wanted(commit) for commit in wanted])
        known = [one for one in others if one.head not in missing]
        unread = [one for one in others if one.head in missing]
        there = [one for one in moved if one.old not in missing]
        found = {one.change: words.unreachable(one.old) for one in moved if one.old in missing}
        heads = [commit for one in there for commit in (one.old, one.now)]
        heads = list(dict.fromkeys([*heads, *(one.head for one in known)]))
        history = History(self.reads.graph(heads, tip), heads)
        merges: dict[ChangeId, tuple[Moved, ThreeWay]] = {}
        for one in there:
            replay = unread_other(one, unread) or replay_of(one, known, history)
            if isinstance(replay, str):
                found[one.change] = replay
            else:
                merges[one.change] = one, replay
        return found | self._replayed(merges)

    def _replayed(self, merges: Mapping[ChangeId, tuple[Moved, ThreeWay]]) -> dict[ChangeId, str]:
        asked = [merge for _, merge in merges.values()]
        made = self.merging.merge(asked) if asked else ()
        return {
            moved.change: decide_carried(
                settled, self.reads.tree_of(moved.now), self._differing(settled, moved.now)
            )
            for (moved, _), settled in zip(merges.values(), made, strict=True)
        }

    def _differing(self, settled: Settled, commit: CommitId) -> tuple[RepoPath, ...]:
        """Return the paths in which a merge's tree and a commit's are not the same."""
        if settled.tree is None:
            return ()
        tree = self.reads.tree_of(commit)
        if settled.tree == tree:
            return ()
        return tuple(difference.path for difference in self.reads.differences(settled.tree, tree))
