"""A part of the step: the base's regeneration, run on plain merges of the base (facts 3.8)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mergequeue.apply.outcomes import Wait
from mergequeue.apply.owed import decide_regenerated, decide_unproven, paths_at_stake, stale_of
from mergequeue.documents.plan import PlannedChange
from mergequeue.plan.review import Owed
from mergequeue.ports import Builder, Facts, GitBuilds, GitReads
from mergequeue.report.reviews import PLAIN_MERGE_MESSAGE
from mergequeue.vocabulary.identity import QUEUE
from mergequeue.vocabulary.ids import CommitId


@dataclass(frozen=True)
class Proving:
    """Proves merges of the base, each once a run."""

    git: GitReads
    builds: GitBuilds
    builder: Builder
    facts: Facts
    base_commit: CommitId
    """The plan's, once it is proven to be on the base."""
    _found: dict[CommitId, Wait | None] = field(default_factory=dict)

    def prove(self, change: PlannedChange, owed: Sequence[Owed]) -> Wait | None:
        """Return why an older review does not cover the head; None where all that is owed is
        proven.
        """
        for one in owed:
            commit = one.merge.commit
            if commit not in self._found:
                self._found[commit] = self._prove(change, one)
            found = self._found[commit]
            if found is not None:
                return found
        return None

    def _prove(self, change: PlannedChange, owed: Owed) -> Wait | None:
        fork = self.git.fork_point(self.base_commit, change.head)
        own = () if fork is None else self.git.differences(fork, change.head)
        at_stake = paths_at_stake(own, self.git.differences(owed.merge.second, owed.plain))
        generation = None if fork is None else self.facts.generation(owed.paths, at_stake)
        unproven = decide_unproven(owed, generation, regenerates=self.builder.regenerates)
        if unproven is not None or generation is None:
            return unproven
        made = self.builder.regenerate(stale_of(owed, self._plain(owed), generation, at_stake))
        return decide_regenerated(owed, made, self.git.tree_of(owed.merge.commit))

    def _plain(self, owed: Owed) -> CommitId:
        """Write the plain merge's commit, dated as the merge that it stands for."""
        signed = (QUEUE, self.git.commit(owed.merge.commit).committer_date)
        parents = [owed.merge.first, owed.merge.second]
        return self.builds.write_commit(
            owed.plain, parents, PLAIN_MERGE_MESSAGE, author=signed, committer=signed
        )
