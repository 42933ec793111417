"""The one merge function that every stage calls (the step of `conflicts`)."""

from collections.abc import Sequence

from mergequeue.conflicts.rule import is_conflicting, own_paths, settle, stays_within
from mergequeue.ports import Facts, GitReads, Merged, MergesTrees, Settled, ThreeWay
from mergequeue.vocabulary.ids import RepoPath


class TwoRuleMerging:
    """`ports.Merging`: by paths for all, by renames for those that conflict, each in one batch."""

    def __init__(self, trees: MergesTrees, reads: GitReads, facts: Facts) -> None:
        self._trees = trees
        self._reads = reads
        self._facts = facts

    def merge(self, merges: Sequence[ThreeWay]) -> tuple[Settled, ...]:
        """Merge by paths, or by renames where those are clean and stay in the change's units."""
        by_paths = self._trees.merge_by_paths(merges)
        open_ = [place for place, merged in enumerate(by_paths) if is_conflicting(merged)]
        tried = self._trees.merge_by_renames([merges[place] for place in open_])
        clean = {
            place: merged
            for place, merged in zip(open_, tried, strict=True)
            if merged.tree is not None
        }
        within = self._staying_within({merges[place]: merged for place, merged in clean.items()})
        return tuple(
            settle(merged, clean.get(place) if merges[place] in within else None)
            for place, merged in enumerate(by_paths)
        )

    def _staying_within(self, clean: dict[ThreeWay, Merged]) -> set[ThreeWay]:
        """Return the merges that change nothing outside the units of the change's own paths."""
        sets: list[tuple[RepoPath, ...]] = []
        for merge, merged in clean.items():
            since = [self._reads.differences(base, merge.theirs) for base in merged.bases]
            sets += [own_paths(since), self._paths_made(merge, merged)]
        affected = self._facts.affected_many(sets) if sets else ()
        pairs = zip(affected[::2], affected[1::2], strict=True)
        return {
            merge
            for merge, (own, made) in zip(clean, pairs, strict=True)
            if stays_within(made, own)
        }

    def _paths_made(self, merge: ThreeWay, merged: Merged) -> tuple[RepoPath, ...]:
        if merged.tree is None:
            return ()
        return tuple(made.path for made in self._reads.differences(merge.ours, merged.tree))
