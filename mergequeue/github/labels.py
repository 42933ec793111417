"""The labels by which people queue a pull request, and by which the queue says where one stands.

Pure. An intent label is the prefix and a merge method, exactly, so that no status label ever reads
as intent (seed 1, Using it; tables, Status labels).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from mergequeue.vocabulary.words import Mark, Method

PREFIX: Final = "merge-queue: "


@dataclass(frozen=True)
class StatusLabel:
    """A label of the queue's own, as it is made the first time that a repository needs it."""

    name: str
    color: str
    description: str


STATUS: Final = {
    Mark.QUEUED: StatusLabel(f"{PREFIX}queued", "1d76db", "The merge queue holds it"),
    Mark.KICKED_BACK: StatusLabel(
        f"{PREFIX}kicked back", "b60205", "The merge queue's newest comment says why"
    ),
    Mark.NEEDS_REGENERATION: StatusLabel(
        f"{PREFIX}needs regeneration",
        "fbca04",
        "Merge the base in, regenerate and push, then queue it again",
    ),
}
"""The label of each mark, in the order in which one is read where several are shown (facts M6)."""

INTENT: Final = {f"{PREFIX}{method}": method for method in Method}
"""Each label that queues, and the method that it asks for."""

FIRST: Final = f"{PREFIX}priority"
"""The label by which a queued pull request goes before all others."""

TRY: Final = f"{PREFIX}try"
"""The label that asks for a try run of one that is not queued."""

ALL: Final = (*(label.name for label in STATUS.values()), *INTENT, FIRST)
"""Every label of the queue that a closed pull request is not to show."""


def intent_label(names: Iterable[str]) -> str | None:
    """Return the first of the labels that asks for the queue; None where none does."""
    return next((name for name in names if name in INTENT), None)


def mark_of(names: Iterable[str]) -> Mark:
    """Return the mark that the labels show."""
    shown = set(names)
    return next((mark for mark, label in STATUS.items() if label.name in shown), Mark.NONE)


@dataclass(frozen=True)
class LabelMoves:
    """The labels to put on a pull request, and those to take off."""

    add: tuple[StatusLabel, ...] = ()
    remove: tuple[str, ...] = ()


def moves_to(mark: Mark, shown: Iterable[str]) -> LabelMoves:
    """Return what makes a pull request show that mark alone (facts M1, M2).

    `Mark.NONE` takes off what queued it and had it go first, too: only a change that left the queue
    is marked so.
    """
    names = set(shown)
    wanted = STATUS.get(mark)
    add = (wanted,) if wanted is not None and wanted.name not in names else ()
    gone = [label.name for other, label in STATUS.items() if other is not mark]
    gone += (*INTENT, FIRST) if mark is Mark.NONE else ()
    return LabelMoves(add, tuple(name for name in gone if name in names))
