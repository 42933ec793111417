"""Whether a change is stacked on what the plan says (seed 1, Apply pins what it can read itself;
facts 3.13).

A stack base is where the delta that reviewers approved starts, so a forged one, or one left out,
would merge a delta that nobody reviewed. Apply reads the ancestry and the provider's listing
itself. A stack base that it cannot find stops all; a change that carries another one's commits
beyond what the plan says waits, since that one may have been opened after planning.
"""

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mergequeue.apply.outcomes import Wait
from mergequeue.changes.history import History
from mergequeue.documents.changes import Change, Listing, MergedChange, UnqueuedChange
from mergequeue.documents.plan import PlannedChange
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId, CommitId, short


@dataclass(frozen=True)
class Disagreement:
    """The plan says of a stack what apply cannot find (MQ3028)."""

    problem: str


@dataclass(frozen=True)
class OwnReading:
    """What apply has read itself."""

    history: History
    """What the heads concerned carry and the plan's base commit does not."""
    listing: Listing
    """The provider's listing of this run."""
    on_base: frozenset[CommitId]
    """Which merged changes' commits the plan's base commit carries."""
    confirmed: Mapping[ChangeId, PlannedChange]
    """The planned changes whose head the provider confirmed in this run."""


def heads_concerned(admitted: Iterable[PlannedChange], listing: Listing) -> tuple[CommitId, ...]:
    """Return the heads whose history says what each change is stacked on."""
    every: list[PlannedChange | Change | MergedChange | UnqueuedChange] = [
        *admitted,
        *listing.changes,
        *listing.merged,
        *listing.unqueued,
    ]
    return tuple(dict.fromkeys(change.head for change in every))


def decide_stack(change: PlannedChange, seen: OwnReading) -> Wait | Disagreement | None:
    """Return what is wrong with a change's place in its stack; None where nothing is."""
    listed = next((other for other in seen.listing.changes if other.id == change.id), None)
    if listed is None:
        return Wait(Code.WAIT_WITHDRAWN, "the provider no longer lists it as queued", gone=True)
    if change.stack_base is not None:
        problem = _base_problem(change, change.stack_base, seen)
        if problem:
            return Disagreement(f"{problem} (change {change.id})")
    return _redeclared(change, listed) or _hidden(change, seen)


def _hidden(change: PlannedChange, seen: OwnReading) -> Wait | None:
    """Return the wait for a change whose delta would hold what another change is reviewed for."""
    history, listing = seen.history, seen.listing
    delta = history.own(change.head)
    if change.stack_base is not None:
        delta &= ~history.own(change.stack_base)
    opened: list[Change | UnqueuedChange] = [*listing.changes, *listing.unqueued]
    carried = (
        other.id
        for other in opened
        if other.head != change.head and delta & history.bits([history.top(other.head)])
    )
    merged = (
        record.id
        for record in listing.merged
        if record.commit in seen.on_base and delta & history.own(record.head)
    )
    other = next(itertools.chain(carried, merged), None)
    if other is None:
        return None
    return Wait(
        Code.WAIT_RESTACK, f"it carries commits of {other}, which the plan does not stack it on"
    )


def _redeclared(change: PlannedChange, listed: Change) -> Wait | None:
    if listed.parent == change.parent:
        return None
    return Wait(
        Code.WAIT_RESTACK,
        f"the provider now says that it is stacked on {listed.parent or 'nothing'}",
    )


def _base_problem(change: PlannedChange, stack_base: CommitId, seen: OwnReading) -> str:
    history = seen.history
    if history.on_tip(stack_base):
        return f"the stack base {short(stack_base)} is on the base already"
    if stack_base == change.head or not history.carries(change.head, stack_base):
        return f"the stack base {short(stack_base)} is not beneath the head {short(change.head)}"
    if change.below is None:
        return (
            ""
            if _is_of_merged(change, stack_base, seen)
            else f"no merged change is known at the stack base {short(stack_base)}"
        )
    below = seen.confirmed.get(change.below)
    if below is None:
        return f"the provider has not confirmed the head of {change.below}, which it is stacked on"
    if history.top(below.head) != stack_base:
        return f"the stack base {short(stack_base)} is not the head of {change.below}, beneath it"
    return ""


def _is_of_merged(change: PlannedChange, stack_base: CommitId, seen: OwnReading) -> bool:
    return any(
        record.commit in seen.on_base
        and seen.history.newest_carried(record.head, change.head) == stack_base
        for record in seen.listing.merged
    )
