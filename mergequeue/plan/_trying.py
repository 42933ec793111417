"""A part of the step: what try runs are gated on, each merged onto the base alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from mergequeue.changes.decided import Tip
from mergequeue.documents.changes import Changes
from mergequeue.documents.plan import PlannedChange
from mergequeue.documents.verdict import Verdict
from mergequeue.plan._draft import Draft
from mergequeue.plan._intake import read_intake
from mergequeue.plan._merges import Merges
from mergequeue.plan.trying import asked_for, decide_tryable
from mergequeue.ports import GitReads
from mergequeue.vocabulary.errors import GIT_FAILED, MergequeueError


@dataclass(frozen=True)
class Tries:
    """The try runs of a plan."""

    gated: Sequence[PlannedChange] = ()
    decided: Sequence[Verdict] = ()
    """Those that need no gate."""
    problem: str = ""
    """Why none could be planned, so that nobody in the queue is held up by it."""


def read_tries(reads: GitReads, merges: Merges, changes: Changes, tip: Tip) -> Tries:
    """Plan the try runs that a listing asks for; objects that do not read cost these alone."""
    asked = asked_for(changes)
    if not asked.changes:
        return Tries()
    try:
        draft = Draft(asked, tip, read_intake(reads, asked, tip))
        for change in asked.changes:
            intake = draft.intake
            draft.decide(change, decide_tryable(change, intake.history, intake.missing))
        merges.decide(draft)
        merges.decide_reaches(draft)
    except MergequeueError as error:
        if error.code != GIT_FAILED.code:
            raise
        return Tries(problem=error.problem)
    return Tries(draft.alone(), draft.verdicts())
