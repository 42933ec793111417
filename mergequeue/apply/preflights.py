"""Whose pre-flights apply runs again, where the provider has checks (DESIGN, Rulings 12).

A change waits for them, or for a review meanwhile: the two overlap. Which checks that are, the
base's own file says, and how they stand, the provider: of the plan, nothing but who waits is used.
"""

from collections.abc import Collection

from mergequeue.apply.outcomes import Wait
from mergequeue.documents.changes import Change, Listing
from mergequeue.documents.plan import Plan
from mergequeue.documents.preflight import PreflightState
from mergequeue.documents.verdict import Verdict
from mergequeue.report import preflights as words
from mergequeue.report.waits import wait_reason
from mergequeue.vocabulary.codes import Code

_MEANWHILE = frozenset({Code.WAIT_PREFLIGHT, Code.WAIT_REVIEW})


def waiting_for_preflights(plan: Plan, listing: Listing) -> tuple[Change, ...]:
    """Return the changes that wait for their pre-flights, as the provider lists them now; one whose
    head moved since planning is left to the next run.
    """
    listed = {change.id: change for change in listing.changes}
    planned = [verdict.change for verdict in plan.verdicts if verdict.code in _MEANWHILE]
    return tuple(
        listed[change.id]
        for change in planned
        if change.id in listed and listed[change.id].head == change.head
    )


def wait_unrun(why: str) -> Wait:
    """Return why a change waits whose pre-flights the provider would not run again."""
    return Wait(Code.WAIT_PREFLIGHT, wait_reason(Code.WAIT_PREFLIGHT, detail=words.not_rerun(why)))


def known_failure(verdict: Verdict, names: Collection[str]) -> str:
    """Return which of the base's own pre-flights failed, as the queue's own words; empty where a
    verdict says nothing of them.
    """
    failed = [
        one.name
        for one in verdict.preflights
        if one.state is PreflightState.FAILED and one.name in names
    ]
    is_why = verdict.code is Code.KICK_PREFLIGHT and bool(failed)
    return words.failed_detail(failed) if is_why else ""


def is_a_gates(code: Code) -> bool:
    """Return whether running the gate again shows what a change was handed back for."""
    return code is not Code.KICK_PREFLIGHT
