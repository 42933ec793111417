"""Which changes stacked on each other may merge in one call (seed 1, Applying; facts 3.12; pure).

A run is a change and those stacked on it one after the other, by the plan and by what the provider
itself declares: ancestry alone makes no stack of its. It goes as far up as validation found each
one green on the one beneath, and no further than its batches are whole.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from mergequeue.apply.ready import Ending, Hold, SoFar, Take, decide_ready
from mergequeue.documents.plan import PlannedChange
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import ThreeWay
from mergequeue.vocabulary.ids import ChangeId, CommitId, TreeId
from mergequeue.vocabulary.words import Method


@dataclass(frozen=True)
class Predicted:
    """A member of a run, with the tree that the base is to carry once it has merged."""

    change: PlannedChange
    tree: TreeId


def stacked_from(
    bottom: PlannedChange,
    partition: Sequence[PlannedChange],
    declared: Mapping[ChangeId, ChangeId | None],
) -> tuple[PlannedChange, ...]:
    """Return a change and those on it, lowest first, that the provider could merge in one call.

    `declared` is what the provider's own listing says each change is stacked on.
    """
    run = [bottom]
    for change in partition[partition.index(bottom) + 1 :]:
        on_top = change.below == declared.get(change.id) == run[-1].id
        if not on_top or change.method is not bottom.method or change.method is Method.REBASE:
            break
        run.append(change)
    return tuple(run)


def decide_run(
    run: Sequence[PlannedChange], so_far: SoFar, *, complete: bool
) -> tuple[PlannedChange, ...] | Hold:
    """Return how much of a run may merge together, or the hold while verdicts are still to come."""
    endings = dict(so_far.endings)
    green: list[PlannedChange] = []
    for change in run:
        if change.id in endings:
            break
        ready = decide_ready(change, SoFar(so_far.verdicts, endings))
        if isinstance(ready, Hold) and not complete:
            return ready
        if not isinstance(ready, Take):
            break
        if green and so_far.verdicts[change.id].after != green[-1].id:
            break
        green.append(change)
        endings[change.id] = Ending.MERGED
    return _whole_batches(green, so_far)


def _whole_batches(green: list[PlannedChange], so_far: SoFar) -> tuple[PlannedChange, ...]:
    """Return the changes up to the first whose batch holds one that is not among them."""
    while True:
        there = {id_ for id_, ending in so_far.endings.items() if ending is Ending.MERGED}
        there |= {change.id for change in green}
        whole = [there.issuperset(so_far.verdicts[change.id].batch) for change in green]
        if all(whole):
            return tuple(green)
        green = green[: whole.index(False)]


def whole_below(
    ready: Sequence[ChangeId], cut: ChangeId, verdicts: Mapping[ChangeId, Verdict]
) -> int:
    """Return how many of those beneath a member that cannot merge are in no batch with it."""
    batch = verdicts[cut].batch
    return next((place for place, id_ in enumerate(ready) if id_ in batch), len(ready))


def own_deltas(run: Sequence[Predicted], tip: CommitId) -> tuple[tuple[ThreeWay, TreeId], ...]:
    """Return the merges of each one's own delta, each with the tree that it has to give.

    The lowest from where it left the base, each other from the head beneath onto what the base
    carries by then. One that squashed beneath would bring back what it took away, and is found out.
    """
    bottom, top = run[0], run[-1]
    merges = [(ThreeWay(tip, bottom.change.head), bottom.tree)]
    for beneath, member in pairwise(run):
        delta = ThreeWay(beneath.tree, member.change.head, base=member.change.stack_base)
        merges.append((delta, member.tree))
    if top.change.method is Method.MERGE:
        merges.append((ThreeWay(tip, top.change.head), top.tree))  # One commit merges them all.
    return tuple(merges)
