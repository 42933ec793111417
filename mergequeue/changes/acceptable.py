"""What makes a change acceptable on its own (seed 1, Input; DESIGN, Rulings 7)."""

from collections.abc import Container, Iterable, Mapping, Sequence

from mergequeue.changes.decided import MERGED, Decided, Tip, refuse
from mergequeue.changes.history import History
from mergequeue.documents.changes import Change
from mergequeue.report import refusals
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.words import Method


def decide_alone(
    changes: Sequence[Change], history: History, missing: Container[CommitId], tip: Tip
) -> dict[ChangeId, Decided]:
    """Return what is decided of changes before stacks, approvals and merges are looked at.

    A fork's change is refused whatever else is true of it (facts P8). A head that the base carries
    has merged; one that could not be fetched, one of `missing`, is nobody's fault here.
    """
    twins = _first_twins(changes)
    found: dict[ChangeId, Decided] = {}
    for change in changes:
        landed = change.head not in missing and history.on_tip(change.head)
        if change.fork:
            found[change.id] = refuse(change, tip, refusals.fork_refused(change.repo))
        elif landed:
            found[change.id] = MERGED
        elif change.refused:
            found[change.id] = refuse(change, tip, refusals.provider_refused(change.refused))
        elif change.id in twins:
            found[change.id] = refuse(change, tip, refusals.one_head_refused(twins[change.id]))
    return found


def _first_twins(changes: Sequence[Change]) -> Mapping[ChangeId, ChangeId]:
    """Return the first other change at the head and for the base of each that has one."""
    first: dict[tuple[CommitId, str], ChangeId] = {}
    twins: dict[ChangeId, ChangeId] = {}
    for change in changes:
        other = first.setdefault((change.head, change.base), change.id)
        if other != change.id:
            twins[change.id] = other
            twins.setdefault(other, change.id)
    return twins


def decide_method(change: Change, allowed: tuple[Method, ...], tip: Tip) -> Decided | None:
    """Refuse a change whose merge method the base does not allow."""
    if change.method in allowed:
        return None
    return refuse(change, tip, refusals.method_refused(change.method, allowed))


def decide_units(change: Change, units: Iterable[str], tip: Tip) -> Decided | None:
    """Refuse a change that affects a unit which the gate would read as an option (facts P14)."""
    bad = next((unit for unit in units if not unit or unit.startswith("-")), None)
    if bad is None:
        return None
    return refuse(change, tip, refusals.unit_refused(bad))
