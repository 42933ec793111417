"""Making candidates (the step of `candidates`): facts 3.4, in memory, without a checkout."""

from mergequeue.candidates.recipe import (
    CommitToWrite,
    candidate_commit,
    merge_of,
    recording_commit,
)
from mergequeue.changes.writable import unwritable_path
from mergequeue.ports import Candidate, CandidateRequest, GitBuilds, GitReads, Merging
from mergequeue.report.refusals import no_history_refused, unwritable_refused
from mergequeue.vocabulary.identity import QUEUE
from mergequeue.vocabulary.ids import CommitId


class CandidateBuilder:
    """`ports.Builder`. Asks the remote for nothing: what a plan names was fetched once."""

    def __init__(self, reads: GitReads, merging: Merging, builds: GitBuilds) -> None:
        self._reads = reads
        self._merging = merging
        self._builds = builds

    def build(self, request: CandidateRequest) -> Candidate:
        """Return the candidate: the same commit every time it is asked, in every clone (I-same).

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
        return Candidate(self._write(commit), differences=differences, rule=settled.rule)

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
