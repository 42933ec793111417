"""What a validation run of a CI has seen, and whether another is wanted (facts 3.18; pure).

A validation reads the whole queue when it plans, so an event needs no run of its own where a run
that has not ended plans later. One that planned before the event, or in the same second, has not
seen it; nor has one whose plan failed.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum

from mergequeue.ports import WorkflowRun
from mergequeue.vocabulary.ids import BranchName


class Planning(StrEnum):
    """How far a run's plan is."""

    AHEAD = "ahead"
    """Its job has not begun."""
    BEGUN = "begun"
    """Its job runs, or ended well."""
    FAILED = "failed"
    SKIPPED = "skipped"
    """It will not begin: it was skipped, or the run ended without it."""


def decide_dispatch(runs: Iterable[WorkflowRun], since: datetime) -> bool:
    """Whether an event of that moment needs another run."""
    return not any(_will_see(run, since) for run in runs)


def bases_of_event(bases: Sequence[BranchName], target: str) -> tuple[BranchName, ...]:
    """Return the bases that an event of a pull request into `target` may be about.

    That is the target alone where it is one. Any it may be otherwise: a pull request of a stack
    targets the branch beneath it, and of some events nothing says what they target.
    """
    return tuple(base for base in bases if base == target) or tuple(bases)


def decide_planned(run: WorkflowRun) -> bool | None:
    """Whether a run's plan has begun, so that there is something to follow; None while nobody
    knows.
    """
    match planning_of(run):
        case Planning.BEGUN | Planning.FAILED:
            return True
        case Planning.SKIPPED:
            return False
        case Planning.AHEAD:
            return False if run.is_over else None


def planning_of(run: WorkflowRun) -> Planning:
    """Return how far a run's plan is."""
    plan = run.plan
    if plan is None:
        return Planning.SKIPPED if run.is_over else Planning.AHEAD
    if plan.status == "completed":
        never_began = plan.conclusion == "skipped" or plan.started_at is None
        if never_began:
            return Planning.SKIPPED
        return Planning.BEGUN if plan.conclusion == "success" else Planning.FAILED
    return Planning.BEGUN if plan.status == "in_progress" else Planning.AHEAD


def _will_see(run: WorkflowRun, since: datetime) -> bool:
    planning = planning_of(run)
    if run.is_over or planning in {Planning.FAILED, Planning.SKIPPED}:
        return False
    if planning is Planning.AHEAD or run.plan is None or run.plan.started_at is None:
        return True
    # GitHub tells times in whole seconds: of the same second either may have been first.
    return run.plan.started_at.replace(microsecond=0) > since.replace(microsecond=0)
