"""A partition as its schedule sees it: ids in order, what each is built on, and the batches cut
from it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from mergequeue.documents.plan import PlannedChange
from mergequeue.vocabulary.ids import ChangeId


@dataclass(frozen=True)
class Line:
    """Changes in merge order, and how they stand on one another."""

    order: tuple[ChangeId, ...]
    beneath: Mapping[ChangeId, tuple[ChangeId, ...]]
    """The changes that each is built on, in the order they are merged (DESIGN, Rulings 16)."""
    below: Mapping[ChangeId, ChangeId] = field(default_factory=dict)
    """The open change that each is stacked on, for those in a stack."""
    lane: frozenset[ChangeId] = frozenset()
    """Those of the priority lane, which are in no batch with others."""
    held: frozenset[ChangeId] = frozenset()
    """Those whose pre-flights have to pass before they join a batch."""
    alone: frozenset[ChangeId] = frozenset()
    """Those of them that join none in this run even so."""

    @classmethod
    def of(cls, changes: Sequence[PlannedChange]) -> Self:
        """Return the line that some changes of one partition make."""
        return cls(
            order=tuple(change.id for change in changes),
            beneath={change.id: change.beneath for change in changes},
            below={change.id: change.below for change in changes if change.below is not None},
            lane=frozenset(change.id for change in changes if change.priority),
            held=frozenset(change.id for change in changes if change.preflights),
            alone=frozenset(change.id for change in changes if change.alone),
        )


@dataclass(frozen=True)
class Ground:
    """What lies beneath a line, in a run that builds it and does not gate it (facts O2, O3, O7)."""

    ungated: Collection[ChangeId] = ()
    skipped: Collection[ChangeId] = ()
    """Those that could not be built."""
    places: int = 0
    """How many batches the ungated ones make."""


NOTHING_BENEATH = Ground()
"""The base alone."""


@dataclass(frozen=True)
class Batch:
    """Changes that one gate run checks at its top, each built onto the one before it."""

    number: int
    """Which of its line's batches it is, counted as they are launched."""
    members: tuple[ChangeId, ...]
    under: tuple[ChangeId, ...]
    """What the first member is built on: every change merged beneath it, in order."""
    place: int
    """Its place among the batches in flight when it was launched, from 1."""

    @property
    def top(self) -> ChangeId:
        """The member that the gate runs on."""
        return self.members[-1]

    @property
    def chain(self) -> tuple[ChangeId, ...]:
        """Everything that the top holds, in the order it is merged."""
        return self.under + self.members

    def beneath(self, member: ChangeId) -> tuple[ChangeId, ...]:
        """Return what a member is built on: what is under the batch, and the members before it."""
        return self.under + self.members[: self.members.index(member)]
