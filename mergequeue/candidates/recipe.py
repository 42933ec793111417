"""The commits that make a candidate, the same in every clone and for every user (pure).

onto ─┬─▶ recording commit ─┬─▶ candidate       where the stack base has landed as another commit
stack base ──┘         head ──┘

onto ─┬─▶ candidate                             otherwise
head ──┘

Where generated files were rewritten, what is called candidate above is the merge, and one more
commit on it is the candidate.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from mergequeue.ports import CandidateRequest, ThreeWay
from mergequeue.vocabulary.identity import (
    candidate_message,
    recording_message,
    regeneration_message,
)
from mergequeue.vocabulary.ids import CommitId, TreeId


@dataclass(frozen=True)
class CommitToWrite:
    """A commit by the queue: everything that goes into its id."""

    tree: TreeId
    parents: Sequence[CommitId]
    message: str
    date: datetime


def merge_of(request: CandidateRequest) -> ThreeWay:
    """Return the merge that gives a candidate its tree: the stack base counts as merged."""
    return ThreeWay(request.onto, request.change.head, recorded=request.stack_base)


def recording_commit(
    request: CandidateRequest, stack_base: CommitId, onto_tree: TreeId
) -> CommitToWrite:
    """Return the commit that records the stack base as merged into `onto`, whose tree it keeps."""
    return CommitToWrite(
        tree=onto_tree,
        parents=(request.onto, stack_base),
        message=recording_message(request.change.id, stack_base),
        date=request.date,
    )


def candidate_commit(request: CandidateRequest, beneath: CommitId, tree: TreeId) -> CommitToWrite:
    """Return the merge of the head, made even where it changes nothing."""
    return CommitToWrite(
        tree=tree,
        parents=(beneath, request.change.head),
        message=candidate_message(request.change.id),
        date=request.date,
    )


def regeneration_commit(request: CandidateRequest, merge: CommitId, tree: TreeId) -> CommitToWrite:
    """Return the commit that puts regenerated files on the merge (facts C14)."""
    return CommitToWrite(
        tree=tree,
        parents=(merge,),
        message=regeneration_message(request.change.id),
        date=request.date,
    )
