"""The change as the provider has it this moment (seed 1, Applying; facts A11 to A13).

Asked before its candidate is rebuilt, and once more right before its merge.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.documents.changes import Change
from mergequeue.documents.plan import PlannedChange
from mergequeue.documents.provider import Approval
from mergequeue.documents.verdict import Verdict
from mergequeue.plan.reviewers import Lacks
from mergequeue.report import applying, reviews
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, CommitId
from mergequeue.vocabulary.text import one_line
from mergequeue.vocabulary.words import Decision, Method


@dataclass(frozen=True)
class Retarget:
    """It still targets the branch of the change beneath it, which merged in this run."""


@dataclass(frozen=True)
class Expected:
    """What the change has to be for its merge to go on."""

    head: CommitId
    """The commit that its branch is to be at: the planned head, or the update commit."""
    base: BranchName
    methods: Sequence[Method]
    """The methods that the base allows."""
    below_branch: BranchName | None = None
    """The branch of the change beneath it, where that one merged in this run."""
    lacks: Lacks | None = None
    """What the base's required reviewers keep it from."""


def answer_carried(
    answer: Approval | str, carried: CommitId | None, why: str = ""
) -> Approval | str:
    """Return a provider's answer with what an approval of an older commit counts for.

    `carried` is the older commit whose approval was found to count (`plan.carrying`): the answer is
    an approval while that is where its approvals stand. Otherwise `why` says why it does not.
    """
    if isinstance(answer, str) or answer.approved or answer.approved_commit is None:
        return answer
    if answer.approved_commit == carried:
        return answer.model_copy(update={"approved": True})
    if not why:
        return answer
    older = reviews.not_carried_over(answer.approved_commit, answer.head, why)
    reason = f"{answer.reason}; {older}" if answer.reason else older
    return answer.model_copy(update={"reason": reason})


def decide_current(
    change: PlannedChange, expected: Expected, answer: Approval | str
) -> Wait | Kick | Retarget | None:
    """Return what keeps the change from merging as it is now; None where nothing does."""
    if isinstance(answer, str):
        return _unsaid(answer)
    if answer.head != expected.head:
        return Wait(Code.WAIT_HEAD_MOVED, "its head moved since it was validated", head=answer.head)
    if not answer.queued:
        return Wait(
            Code.WAIT_WITHDRAWN,
            _because("its merge intent was withdrawn", answer.reason),
            gone=True,
        )
    return (
        _method(change, expected, answer)
        or _target(expected, answer)
        or _shared(answer)
        or _turned_away(expected)
        or (
            None
            if answer.approved
            else Wait(Code.WAIT_NOT_APPROVED, _because("it is not approved", answer.reason))
        )
        or (None if expected.lacks is None else Wait(expected.lacks.code, expected.lacks.reason))
    )


def decide_after_retarget(found: Wait | Kick | Retarget | None, base: BranchName) -> Wait | None:
    """Return why a change waits that was just pointed at the base; None where it goes on."""
    if found is None or (isinstance(found, Wait) and found.code is Code.WAIT_HEAD_MOVED):
        return found
    return Wait(
        Code.WAIT_RETARGET, f"it was pointed at {base}, and is not yet as it has to be there"
    )


def decide_missing(found: Wait | Kick | None) -> Wait:
    """Return why a change waits whose head cannot be had: what the provider says of it, first."""
    gone = Wait(Code.WAIT_HEAD_MOVED, "its head is no longer at the remote")
    return found if isinstance(found, Wait) else gone


def decide_lacking(
    verdict: Verdict, answer: Approval | str, lacks: Lacks | None
) -> Wait | Kick | None:
    """Return what becomes of a change that planning found to lack a required review; None where it
    waits as planned.

    It is what apply itself reads, so that nobody is blamed for a review on the plan's word alone.
    """
    if isinstance(answer, str):
        return _unsaid(answer)
    if lacks is not None:
        kicks = lacks.code.is_kick
        return Kick(lacks.code, lacks.reason) if kicks else Wait(lacks.code, lacks.reason)
    if verdict.decision is Decision.WAIT:
        return None
    return Wait(Code.WAIT_REVALIDATE, "it has the reviews now that it lacked when planned")


def decide_kick_back(change: Change, answer: Approval | str, *, listed: bool) -> Wait | None:
    """Return why a kick-back is not carried out: it is for one head of a queued change alone (facts
    A22, A23).
    """
    if not listed:
        return Wait(Code.WAIT_WITHDRAWN, "the provider does not list it as queued")
    if isinstance(answer, str):
        return _unsaid(answer)
    if answer.head != change.head:
        return Wait(
            Code.WAIT_HEAD_MOVED, "its head moved since it was to be kicked back", head=answer.head
        )
    if not answer.queued:
        return Wait(Code.WAIT_WITHDRAWN, _because("its merge intent was withdrawn", answer.reason))
    return None


def _unsaid(words: str) -> Wait:
    return Wait(
        Code.WAIT_NOT_APPROVED,
        f"the provider could not say how it stands: {one_line(words)}",
        gone=True,
    )


def _method(change: PlannedChange, expected: Expected, answer: Approval) -> Wait | Kick | None:
    if answer.method is not change.method:
        return Wait(
            Code.WAIT_METHOD_CHANGED,
            f"its merge method is now {answer.method}, and it was validated for {change.method}",
        )
    if answer.method not in expected.methods:
        return Kick(Code.KICK_REFUSED, applying.method_not_allowed(answer.method, expected.base))
    return None


def _target(expected: Expected, answer: Approval) -> Wait | Retarget | None:
    if answer.base == expected.base:
        return None
    if answer.base == expected.below_branch:
        return Retarget()
    return Wait(
        Code.WAIT_RETARGET, f"it targets {answer.base}, and the queue merges into {expected.base}"
    )


def _shared(answer: Approval) -> Kick | None:
    if not answer.shared_with:
        return None
    return Kick(Code.KICK_REFUSED, applying.shared_branch(answer.shared_with))


def _turned_away(expected: Expected) -> Kick | None:
    lacks = expected.lacks
    return Kick(lacks.code, lacks.reason) if lacks is not None and lacks.code.is_kick else None


def _because(what: str, reason: str) -> str:
    return f"{what}: {one_line(reason)}" if reason else what
