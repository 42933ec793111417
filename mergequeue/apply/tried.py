"""Which try runs are reported, and that nothing else is made of one (seed 1, Trust model; pure).

A verdict on a try run is a claim like any other, and the weakest: whatever it says, it merges
nothing, kicks nothing and marks nothing. It is shown on the change where apply's own listing says
that somebody asks for it, of the head that it was asked for.
"""

from mergequeue.documents.changes import Listing
from mergequeue.documents.plan import Plan
from mergequeue.documents.trying import TryReport
from mergequeue.documents.verdict import Verdict
from mergequeue.report.trying import try_report
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.limits import CLAIM_BYTES
from mergequeue.vocabulary.text import cut


def is_of_try(plan: Plan, change: ChangeId) -> bool:
    """Whether a verdict on a change is one on a try run of the plan."""
    return any(one.id == change for one in plan.tries)


def decide_reported(
    plan: Plan, listing: Listing, verdict: Verdict, source: str
) -> TryReport | None:
    """Return what is shown of a try run; None where nobody asks for it at that head."""
    asked = next((one for one in listing.unqueued if one.id == verdict.change.id), None)
    if asked is None or not asked.tried or asked.head != verdict.change.head:
        return None
    return TryReport(
        change=asked.id,
        repo=asked.repo,
        commit=asked.head,
        report=try_report(verdict, plan.base, plan.base_commit),
        claim=cut(verdict.reason, CLAIM_BYTES),
        source=source,
    )
