"""What the checks that the base requires besides the queue's own mean for a change (seed 1; facts
A14 to A16).

Failing beats running: any failed check decides, even with others still running.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.documents.provider import Check
from mergequeue.report import applying
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import CommitId
from mergequeue.vocabulary.words import STATUS_CONTEXT, CheckState


@dataclass(frozen=True)
class Stale:
    """Checks failed on a head that does not carry the base's tip, so they may have failed on an
    older base.
    """

    names: tuple[str, ...]


def decide_checks(checks: Sequence[Check], *, carries_tip: bool) -> Wait | Kick | Stale | None:
    """Return what the required checks at a head make of the change; None where all have passed.

    The queue's own status is left out, by its exact name: waiting for it would be waiting for
    itself.
    """
    failed = failed_checks(checks)
    if failed and carries_tip:
        return Kick(Code.KICK_RED, applying.checks_failed(failed))
    if failed:
        return Stale(failed)
    running = [check for check in _others(checks) if check.state is CheckState.PENDING]
    return Wait(Code.WAIT_CHECKS, applying.checks_running(running)) if running else None


def decide_unread(problem: str) -> Wait:
    """Return why a change waits whose required checks the provider could not give."""
    return Wait(Code.WAIT_PROVIDER_REFUSED, f"its required checks cannot be read: {problem}")


def decide_rerun(stale: Sequence[str], commit: CommitId) -> Wait:
    """Return why a change waits whose update commit has checks of its own to run first."""
    return Wait(Code.WAIT_CHECKS, applying.checks_run_again(stale), head=commit)


def failed_checks(checks: Sequence[Check]) -> tuple[str, ...]:
    """Return the names of the failed checks among those that are not the queue's own."""
    return tuple(check.name for check in _others(checks) if check.state is CheckState.FAILURE)


def _others(checks: Sequence[Check]) -> list[Check]:
    return [check for check in checks if check.name != STATUS_CONTEXT]
