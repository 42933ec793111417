"""What becomes of changes above one that is kicked or waits, and their order (facts S10, S11)."""

from collections.abc import Mapping, Sequence

from mergequeue.changes.decided import Decided, wait
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Decision

Below = Mapping[ChangeId, ChangeId | None]
"""What each change is stacked on: an open change, since none carries what the base carries."""


def waits_above(
    ids: Sequence[ChangeId], below: Below, decided: Mapping[ChangeId, Decided]
) -> dict[ChangeId, Decided]:
    """Return the waits of undecided changes that have one beneath which does not merge.

    The lowest cause is named all the way up, and nobody above it is blamed (facts 6.8, I-blame).
    """
    found: dict[ChangeId, Decided] = {}
    for id_ in ids:
        cause = None if id_ in decided else _cause(id_, below, decided)
        if cause is not None:
            found[id_] = _wait_for(cause, decided[cause])
    return found


def _cause(id_: ChangeId, below: Below, decided: Mapping[ChangeId, Decided]) -> ChangeId | None:
    """Return the nearest change beneath that is decided and does not merge."""
    at = below.get(id_)
    while at is not None:
        if at in decided:
            return at
        at = below.get(at)
    return None


def _wait_for(cause: ChangeId, decided: Decided) -> Decided:
    if decided.decision is Decision.KICK:
        return wait(
            Code.WAIT_BELOW_KICKED,
            f"change {cause}, which it is stacked on, was kicked back: {decided.reason}",
        )
    return wait(Code.WAIT_BELOW, f"change {cause}, which it is stacked on, waits: {decided.reason}")


def stack_order(ids: Sequence[ChangeId], below: Below) -> list[ChangeId]:
    """Return the changes in queue order, each behind what it is stacked on."""
    wanted = set(ids)
    placed: dict[ChangeId, None] = {}
    for id_ in ids:
        walk = []
        at: ChangeId | None = id_
        while at is not None and at in wanted and at not in placed:
            walk.append(at)
            at = below.get(at)
        placed.update(dict.fromkeys(reversed(walk)))
    return list(placed)
