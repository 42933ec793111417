"""Which change may be taken now, and what each of the others waits for (facts A6, A7; DESIGN,
Rulings 5).

A green change is taken once everything it was validated on has merged, and a batch only when every
member of it is green on one chain. A change that cannot be taken yet holds nobody in another
partition.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import pairwise

from mergequeue.apply.outcomes import Wait
from mergequeue.documents.plan import PlannedChange
from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Decision


class Ending(Enum):
    """How a change ended in this run."""

    MERGED = auto()
    KICKED = auto()
    WAITS = auto()


@dataclass(frozen=True)
class SoFar:
    """What is known in this run so far."""

    verdicts: Mapping[ChangeId, Verdict] = field(default_factory=dict)
    """The verdicts that the plan vouches for."""
    endings: Mapping[ChangeId, Ending] = field(default_factory=dict)


@dataclass(frozen=True)
class Take:
    """The change may merge next."""

    batch: tuple[ChangeId, ...]
    """The change, and the others of its batch where it is the lowest: they go only if all can go.
    """


@dataclass(frozen=True)
class Hold:
    """Not yet; more may come."""

    wait: Wait
    """What the change waits for, if nothing more comes."""


@dataclass(frozen=True)
class KickAsJudged:
    """Validation found that the change goes back."""

    verdict: Verdict


Readiness = Take | Hold | Wait | KickAsJudged


def decide_ready(change: PlannedChange, so_far: SoFar) -> Readiness:
    """Return whether a change without an ending may be taken, has to wait, or is held until more is
    known.
    """
    verdict = so_far.verdicts.get(change.id)
    if verdict is None:
        behind = Wait(Code.WAIT_BEHIND, "it was not validated in this run")
        return Hold(_below_wait(change, so_far) or behind)
    if verdict.decision is Decision.KICK:
        return KickAsJudged(verdict)
    if verdict.decision is Decision.WAIT and verdict.code is not None:
        return Wait(verdict.code, verdict.reason)
    return (
        _held_below(change, so_far)
        or _held_after(verdict, so_far)
        or _chain_broken(change, verdict, so_far)
        or _batch(verdict, so_far)
    )


def decide_broken_up(by: ChangeId) -> Wait:
    """Return why the others of a batch wait: it was gated as a whole, and cannot merge as one."""
    return Wait(Code.WAIT_REVALIDATE, f"it was gated together with {by}, which cannot merge now")


def _below_wait(change: PlannedChange, so_far: SoFar) -> Wait | None:
    if change.below is None or so_far.endings.get(change.below) is Ending.MERGED:
        return None
    if so_far.endings.get(change.below) is Ending.KICKED:
        return Wait(
            Code.WAIT_BELOW_KICKED, f"{change.below}, which it is stacked on, was kicked back"
        )
    return Wait(Code.WAIT_BELOW, f"{change.below}, which it is stacked on, has not merged")


def _held_below(change: PlannedChange, so_far: SoFar) -> Readiness | None:
    wait = _below_wait(change, so_far)
    if wait is None:
        return None
    return wait if change.below in so_far.endings else Hold(wait)


def _held_after(verdict: Verdict, so_far: SoFar) -> Readiness | None:
    after = verdict.after
    if after is None or so_far.endings.get(after) is Ending.MERGED:
        return None
    wait = Wait(Code.WAIT_BEHIND, f"{after}, which it was validated on, has not merged")
    return wait if after in so_far.endings else Hold(wait)


def _chain_broken(change: PlannedChange, verdict: Verdict, so_far: SoFar) -> Wait | None:
    if verdict.after is None:
        return None
    beneath = so_far.verdicts.get(verdict.after)
    if beneath is None or beneath.candidate_commit != verdict.onto:
        return Wait(
            Code.WAIT_REVALIDATE,
            f"it was not built on the candidate that merged as {verdict.after}",
        )
    if change.below is not None and change.below not in _chain(verdict, so_far):
        return Wait(
            Code.WAIT_REVALIDATE, f"it was validated without {change.below}, which it is stacked on"
        )
    return None


def _chain(verdict: Verdict, so_far: SoFar) -> set[ChangeId]:
    found: set[ChangeId] = set()
    at: Verdict | None = verdict
    while at is not None and at.after is not None and at.after not in found:
        found.add(at.after)
        at = so_far.verdicts.get(at.after)
    return found


def _batch(verdict: Verdict, so_far: SoFar) -> Readiness:
    own, batch = verdict.change.id, verdict.batch
    open_ = [id_ for id_ in batch if so_far.endings.get(id_) is not Ending.MERGED]
    gone = next((id_ for id_ in open_ if id_ in so_far.endings), None)
    if batch[0] == own and (gone is not None or len(open_) < len(batch)):
        other = gone or next(id_ for id_ in batch if id_ not in open_)
        return Wait(
            Code.WAIT_REVALIDATE, f"it was gated together with {other}, which ended before it"
        )
    missing = next((id_ for id_ in batch if id_ not in so_far.verdicts), None)
    if missing is not None:
        return Hold(Wait(Code.WAIT_BEHIND, f"{missing}, in its batch, was not validated"))
    if not _is_one_chain(verdict, [so_far.verdicts[id_] for id_ in batch]):
        return Wait(Code.WAIT_REVALIDATE, "its batch is not green as one chain")
    return Take(batch) if batch[0] == own else Take((own,))


def _is_one_chain(verdict: Verdict, members: list[Verdict]) -> bool:
    same = all(
        member.decision is Decision.MERGE
        and member.batch == verdict.batch
        and member.gated_commit == verdict.gated_commit
        for member in members
    )
    linked = all(
        upper.after == lower.change.id and upper.onto == lower.candidate_commit
        for lower, upper in pairwise(members)
    )
    return same and linked and members[-1].candidate_commit == verdict.gated_commit
