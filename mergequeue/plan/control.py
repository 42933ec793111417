"""Which marks and requests of people the base's own file lets count (pure).

`[control]` of `mergequeue.toml` allows each by itself; what it does not allow changes nothing, and
is said.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from mergequeue.documents.changes import Changes
from mergequeue.documents.config import ControlTable
from mergequeue.report import control as words
from mergequeue.vocabulary.ids import ChangeId


@dataclass(frozen=True)
class Heeded:
    """A listing with the marks and requests that count."""

    changes: Changes
    unheeded: Mapping[ChangeId, str]
    """Why what somebody marked or asked for counts for nothing, by change."""


def heed(changes: Changes, control: ControlTable) -> Heeded:
    """Return the listing without what the base's file does not allow."""
    unheeded: dict[ChangeId, str] = {}
    queued, unqueued = changes.changes, changes.unqueued
    if not control.priority:
        unheeded |= {one.id: words.PRIORITY_IS_OFF for one in queued if one.priority}
        queued = tuple(one.model_copy(update={"priority": False}) for one in queued)
    if not control.tries:
        unheeded |= {one.id: words.TRIES_ARE_OFF for one in unqueued if one.tried}
        unqueued = tuple(one.model_copy(update={"tried": False}) for one in unqueued)
    if not unheeded:
        return Heeded(changes, {})
    return Heeded(changes.model_copy(update={"changes": queued, "unqueued": unqueued}), unheeded)
