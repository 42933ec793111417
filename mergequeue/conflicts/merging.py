"""The one merge function that every stage calls (the step of `conflicts`)."""

from collections.abc import Mapping, Sequence

from mergequeue.conflicts._resolving import Conflicting, Resolving
from mergequeue.conflicts.rule import is_conflicting, is_worth_trying, own_paths, stays_within
from mergequeue.ports import Facts, GitReads, Merged, MergesTrees, Settled, ThreeWay
from mergequeue.vocabulary.ids import RepoPath
from mergequeue.vocabulary.words import Rule


class TwoRuleMerging:
    """`ports.Merging`: what is clean by paths costs nothing more; the rest goes on, in batches."""

    def __init__(self, trees: MergesTrees, reads: GitReads, facts: Facts) -> None:
        self._trees = trees
        self._reads = reads
        self._facts = facts
        self._resolving = Resolving(trees, reads, facts)

    def merge(self, merges: Sequence[ThreeWay]) -> tuple[Settled, ...]:
        """Merge by the first of these that gives a tree, of each merge by itself.

        1. By paths, clean.
        2. By renames, clean, changing nothing outside the units of the change's own paths.
        3. By paths, every conflict settled.
        4. By renames, every conflict settled, and within those units.

        A conflict that is left is that of the paths, with why it stayed one.
        """
        by_paths = dict(zip(merges, self._trees.merge_by_paths(merges), strict=True))
        done = {
            merge: Settled(merged.tree, unrelated=merged.unrelated)
            for merge, merged in by_paths.items()
            if not is_conflicting(merged)
        }
        open_ = {merge: merged for merge, merged in by_paths.items() if merge not in done}
        if open_:
            done |= self._settle(open_)
        return tuple(done[merge] for merge in merges)

    def _settle(self, by_paths: Mapping[ThreeWay, Merged]) -> dict[ThreeWay, Settled]:
        """Return what the merges come to that conflict by paths."""
        tried = self._trees.merge_by_renames(list(by_paths))
        by_renames = dict(zip(by_paths, tried, strict=True))
        clean = {merge: one for merge, one in by_renames.items() if one.tree is not None}
        done = {
            merge: Settled(clean[merge].tree, Rule.RENAMES) for merge in self._staying_within(clean)
        }
        left = {merge: one for merge, one in by_paths.items() if merge not in done}
        done |= self._resolve(left, Rule.PATHS)
        again = {
            merge: by_renames[merge]
            for merge, one in left.items()
            if done[merge].tree is None and is_worth_trying(one, by_renames[merge])
        }
        return done | self._resolved_by_renames(again)

    def _resolved_by_renames(self, tried: Mapping[ThreeWay, Merged]) -> dict[ThreeWay, Settled]:
        """Return the merges whose conflicts settle where a rename is followed."""
        made = self._resolve(tried, Rule.RENAMES)
        clean = {
            merge: Merged(settled.tree, bases=tried[merge].bases)
            for merge, settled in made.items()
            if settled.tree is not None
        }
        return {merge: made[merge] for merge in self._staying_within(clean)}

    def _resolve(self, tried: Mapping[ThreeWay, Merged], rule: Rule) -> dict[ThreeWay, Settled]:
        if not tried:
            return {}
        conflicting = [Conflicting(merge, rule, merged) for merge, merged in tried.items()]
        return dict(zip(tried, self._resolving.resolve(conflicting), strict=True))

    def _staying_within(self, clean: Mapping[ThreeWay, Merged]) -> set[ThreeWay]:
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
