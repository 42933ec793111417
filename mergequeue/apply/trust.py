"""What the plan and each verdict are vouched for (seed 1, Trust model; facts A1, A4, A5, A9, A10).

Both come from jobs that ran the changes' code. A plan has to agree with what apply reads itself, or
all stops; a verdict has to agree with the plan, or its change waits to be validated again.
"""

from collections.abc import Container, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from mergequeue.apply.outcomes import Wait
from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.changes import Change, Listing
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import Candidate
from mergequeue.report import applying, refusals
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId
from mergequeue.vocabulary.words import STATUS_CONTEXT, Decision

Pinned = TypeVar("Pinned", bound=Change)


@dataclass(frozen=True)
class Filed:
    """A verdict that the plan vouches for; of its change, only the plan's own record counts."""

    change: PlannedChange
    verdict: Verdict


@dataclass(frozen=True)
class Dropped:
    """A verdict about nothing that the plan admitted."""

    notice: str


def decide_plan(plan: Plan, base: BranchName, remote_url: str) -> str:
    """Return how the plan disagrees with apply's own base and remote; empty where it does not
    (MQ3028).
    """
    if plan.base != base:
        return f"it is of base {plan.base}, and apply was given {base}"
    if plan.remote_url != remote_url:
        return f"it is of remote {plan.remote_url}, and apply works with {remote_url}"
    return ""


def decide_tip(plan: Plan, tip: CommitId, *, carries_base_commit: bool) -> str:
    """Return what is wrong with a plan whose base commit the base's tip does not carry (MQ3028)."""
    if carries_base_commit:
        return ""
    return f"its base commit {plan.base_commit} is not on {plan.base}, which is at {tip}"


def pinned_plan(plan: Plan, listing: Listing) -> Plan:
    """Return the plan with what apply's own listing says of where each change is and how it is
    called.

    A plan's title would become a squash's on the base, and its branch and repository are written
    to.
    """
    listed = {change.id: change for change in listing.changes}
    partitions = tuple(
        tuple(_pinned(change, listed) for change in partition) for partition in plan.partitions
    )
    verdicts = tuple(
        verdict.model_copy(update={"change": _pinned(verdict.change, listed)})
        for verdict in plan.verdicts
    )
    return plan.model_copy(update={"partitions": partitions, "verdicts": verdicts})


def _pinned(change: Pinned, listed: Mapping[ChangeId, Change]) -> Pinned:
    own = ("repo", "ref", "branch", "title", "fork", "refused")
    if change.id not in listed:
        return change
    return change.model_copy(update={name: getattr(listed[change.id], name) for name in own})


def known_refusal(change: Change, code: Code, listed: Container[ChangeId]) -> str:
    """Return why a refused change, as apply itself listed it, cannot merge; empty where apply does
    not know.

    So its author reads the reason in the queue's own words, and not as a verdict's claim.
    """
    if code is not Code.KICK_REFUSED or change.id not in listed:
        return ""
    if change.fork:
        return refusals.fork_refused(change.repo)
    return refusals.provider_refused(change.refused) if change.refused else ""


def readable_listing(listing: Listing, missing: Container[CommitId]) -> Listing:
    """Return the listing without the merged changes whose commits could not be had: no proof."""
    merged = [
        record
        for record in listing.merged
        if record.head not in missing and record.commit not in missing
    ]
    return listing.model_copy(update={"merged": tuple(merged)})


def decide_credential(provider: Capabilities) -> str:
    """Return why the base would count no status that apply posts; empty where it would (MQ3019)."""
    setup = provider.setup
    for check in setup.required_checks if setup is not None else ():
        pinned = check.integration if check.context == STATUS_CONTEXT else ""
        if setup is not None and pinned and pinned != setup.credential.id:
            own = setup.credential.id
            return f"the base requires {check.context} from {pinned}, and the credential is {own}"
    return ""


def decide_verdict(plan: Plan, verdict: Verdict) -> Filed | Dropped | Wait:
    """Return the verdict as far as the plan vouches for it.

    One on a change that was not admitted is dropped; one that names another base commit, head,
    method, place or batch than the plan allows makes its change wait (seed 1, Verdicts).
    """
    admitted = {change.id: change for change in plan.admitted}
    change = admitted.get(verdict.change.id)
    if change is None:
        return Dropped(applying.dropped_verdict(verdict.change.id))
    problem = _place_problem(plan, change, verdict)
    if not problem and verdict.decision is Decision.MERGE:
        problem = (
            _joins_problem(change)
            or _method_problem(change, verdict)
            or _batch_problem(plan, admitted, verdict)
        )
    if not problem and verdict.decision is Decision.MERGED:
        problem = "planning alone finds that a change has merged already"
    return (
        Wait(Code.WAIT_REVALIDATE, f"its verdict is not of this plan: {problem}")
        if problem
        else Filed(change, verdict)
    )


def _place_problem(plan: Plan, change: PlannedChange, verdict: Verdict) -> str:
    if verdict.base_commit != plan.base_commit:
        return "it names another base commit"
    if verdict.change.head != change.head:
        return "it names another head"
    if verdict.after is not None and verdict.after not in change.beneath:
        return f"the plan does not build it on {verdict.after}"
    if verdict.after is None and verdict.onto not in {None, plan.base_commit}:
        return "it was built on something else than the base commit, and names no change beneath"
    if verdict.after is None and change.below is not None and verdict.decision is not Decision.WAIT:
        return f"it was built without {change.below}, which it is stacked on"
    return ""


def _joins_problem(change: PlannedChange) -> str:
    return "the plan lets it join no batch" if change.alone else ""


def _method_problem(change: PlannedChange, verdict: Verdict) -> str:
    return "" if verdict.method is change.method else "it names another merge method"


def _batch_problem(plan: Plan, admitted: Mapping[ChangeId, PlannedChange], verdict: Verdict) -> str:
    if len(verdict.batch) > plan.batch:
        return f"its batch has {len(verdict.batch)} changes, and the plan allows {plan.batch}"
    for lower, upper in pairwise(verdict.batch):
        member = admitted.get(upper)
        if member is None or lower not in member.beneath:
            return f"its batch holds {upper}, which the plan does not build on {lower}"
    if verdict.batch[-1] == verdict.change.id and verdict.gated_commit != verdict.candidate_commit:
        return "it is the top of its batch, and another commit was gated"
    return ""


def decide_unreadable(why: str) -> Wait:
    """Return why a change waits whose verdict does not read."""
    return Wait(Code.WAIT_REVALIDATE, f"its verdict does not read: {why}")


def wait_as_planned(verdict: Verdict) -> Wait:
    """Return why a change waits that planning decided itself: what it says, or that the base does
    not carry what it found merged.
    """
    if verdict.code is None:
        return Wait(Code.WAIT_REVALIDATE, "the base does not carry its head")
    return Wait(verdict.code, verdict.reason)


def is_about_a_review(verdict: Verdict) -> bool:
    """Whether planning decided it by the required reviewers, whom apply asks for itself."""
    return verdict.code in {Code.WAIT_REVIEW, Code.KICK_REVIEW}


def decide_beneath(after: ChangeId) -> Wait:
    """Return why a candidate cannot be built again: apply builds on nothing that it did not build
    (facts A10).
    """
    return Wait(
        Code.WAIT_REVALIDATE, f"the candidate of {after}, beneath it, was not built in this run"
    )


def decide_rebuilt(
    change: PlannedChange, verdict: Verdict, candidate: Candidate
) -> CommitId | Wait:
    """Return the commit of the candidate that apply built, or why it is not the one that was gated,
    to the last bit.

    Of the verdict, only the commit's id is used, to compare with (DESIGN, What is trusted).
    """
    if candidate.commit is None:
        return Wait(Code.WAIT_REVALIDATE, applying.not_rebuilt(change.id, candidate))
    if candidate.commit != verdict.candidate_commit:
        return Wait(
            Code.WAIT_REVALIDATE,
            applying.rebuilt_otherwise(candidate.commit, verdict.candidate_commit),
        )
    return candidate.commit
