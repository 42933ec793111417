"""The priority lane: the changes that somebody who may write marked to go before all others (pure).

They stand first in their line, in queue order among themselves, with everything that they are
stacked on. A gate that runs is left alone: a plan is made anew for the next run, and no running one
is changed. A batch holds changes of the lane or others and never both, so that nobody outside of it
is gated together with what is to land first.
"""

from collections.abc import Iterable

from mergequeue.documents.changes import Change
from mergequeue.plan.arrange import Below
from mergequeue.vocabulary.ids import ChangeId


def lane_of(changes: Iterable[Change], below: Below) -> frozenset[ChangeId]:
    """Return the changes of the lane: those that are marked, and all that they are stacked on."""
    lane: set[ChangeId] = set()
    for change in changes:
        at: ChangeId | None = change.id if change.priority else None
        while at is not None and at not in lane:
            lane.add(at)
            at = below.get(at)
    return frozenset(lane)


def lane_first(ids: Iterable[ChangeId], lane: frozenset[ChangeId]) -> list[ChangeId]:
    """Return the ids with those of the lane first, each group in the order that it has."""
    return sorted(ids, key=lambda id_: id_ not in lane)
