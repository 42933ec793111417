"""Making candidates (the step of `candidates`): facts 3.4.

A merge is made in memory, without a checkout; files are regenerated in a box, and nowhere else.
"""

from dataclasses import replace

from mergequeue.candidates._regenerating import Regenerating
from mergequeue.candidates.recipe import (
    CommitToWrite,
    candidate_commit,
    merge_of,
    recording_commit,
    regeneration_commit,
)
from mergequeue.changes.writable import unwritable_path
from mergequeue.ports import (
    Candidate,
    CandidateRequest,
    GitBuilds,
    GitReads,
    Merging,
    Regenerated,
    RegenerationTools,
    Stale,
)
from mergequeue.report.refusals import no_history_refused, unwritable_refused
from mergequeue.vocabulary.identity import QUEUE
from mergequeue.vocabulary.ids import CommitId, TreeId


class CandidateBuilder:
    """`ports.Builder`. Asks the remote for nothing: what a plan names was fetched once."""

    def __init__(
        self,
        reads: GitReads,
        merging: Merging,
        builds: GitBuilds,
        regeneration: RegenerationTools | None = None,
    ) -> None:
        """Take the ports; without `regeneration` there is none to run."""
        self._reads = reads
        self._merging = merging
        self._builds = builds
        self._regenerating = None if regeneration is None else Regenerating(reads, regeneration)

    @property
    def regenerates(self) -> bool:
        """Whether there is a regeneration to run."""
        return self._regenerating is not None

    def build(self, request: CandidateRequest) -> Candidate:
        """Return the merge: the same commit every time it is asked, in every clone (I-same).

        Its `differences` are empty where the change changes nothing on what it is built onto.
        """
        (settled,) = self._merging.merge([merge_of(request)])
        if settled.unrelated:
            return Candidate(None, refused=no_history_refused(request.change.base))
        if settled.tree is None:
            return Candidate(None, rule=settled.rule, conflicts=settled.conflicts)
        differences = self._reads.differences(request.onto, settled.tree)
        unwritable = unwritable_path(differences)
        if unwritable is not None:
            return Candidate(None, refused=unwritable_refused(unwritable))
        commit = candidate_commit(request, self._beneath(request), settled.tree)
        merge = self._write(commit)
        return Candidate(
            merge,
            differences=differences,
            rule=settled.rule,
            resolved=settled.resolved,
            generated=settled.generated,
            merge=merge,
        )

    def regenerate(self, stale: Stale) -> Regenerated:
        """Run the regeneration in a box of a commit, and return the tree that it leaves.

        Raises as the port says, and ValueError where there is none to run.
        """
        if self._regenerating is None:
            msg = "there is no regeneration to run"
            raise ValueError(msg)
        return self._regenerating.run(stale)

    def cancel(self) -> None:
        """Stop a regeneration that runs, and each that is started later."""
        if self._regenerating is not None:
            self._regenerating.tools.hooks.cancel()

    def with_tree(self, request: CandidateRequest, candidate: Candidate, tree: TreeId) -> Candidate:
        """Return a candidate with the commit on top that gives it a regenerated tree."""
        if candidate.merge is None:
            msg = "a candidate that was not merged has nothing to regenerate"
            raise ValueError(msg)
        written = self._reads.differences(candidate.merge, tree)
        if not written:
            return candidate
        return replace(
            candidate,
            commit=self._write(regeneration_commit(request, candidate.merge, tree)),
            differences=self._reads.differences(request.onto, tree),
            regenerated=tuple(each.path for each in written),
        )

    def _beneath(self, request: CandidateRequest) -> CommitId:
        base = request.stack_base
        if base is None or self._reads.is_ancestor(base, request.onto):
            return request.onto
        return self._write(recording_commit(request, base, self._reads.tree_of(request.onto)))

    def _write(self, commit: CommitToWrite) -> CommitId:
        signed = (QUEUE, commit.date)
        return self._builds.write_commit(
            commit.tree, commit.parents, commit.message, author=signed, committer=signed
        )
