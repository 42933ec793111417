"""Which suspects of an earlier run this plan goes on with (seed 2, When a batch fails; pure).

Suspects hold only while what failed would fail the same way: on the very tip that they were
suspects on, each at the head that was gated, and with nothing ahead of them that was not there.
Where the base moved otherwise, or one of them left, they are suspects no more.
"""

from collections.abc import Sequence

from mergequeue.documents.memory import Hints, Suspected
from mergequeue.documents.plan import PlannedChange, batches_of
from mergequeue.vocabulary.ids import ChangeId, CommitId


def standing_suspects(
    hints: Hints, tip: CommitId, partitions: Sequence[Sequence[PlannedChange]], batch: int
) -> tuple[tuple[ChangeId, ...], ...]:
    """Return the suspects that hold on `tip`, each the front of a partition; none where batches
    have one change.
    """
    if batch == 1:
        return ()
    known = [suspected for suspected in hints.suspects if suspected.base_commit == tip]
    return tuple(
        tuple(pin.id for pin in suspected.changes)
        for partition in partitions
        for suspected in known
        if _is_front(suspected, batches_of(partition, batch)[0])
    )


def _is_front(suspected: Suspected, first: Sequence[PlannedChange]) -> bool:
    front = [(change.id, change.head) for change in first[: len(suspected.changes)]]
    return front == [(pin.id, pin.commit) for pin in suspected.changes]
