"""Finding who broke a red batch: halve the suspects until one is left (seed 2, "When a batch
fails").

A gate on `a b c d` is red. The suspects are those four, and `a b`, the first half, runs alone.
Green, `a b` are validated and `c d` are the suspects; then `c` alone. Green again, `d` is left: its
candidate is the very commit that was red at first, so it is not run again. Its red is the one
already seen.

Suspects may come from an earlier run too, which ended before it had found out. What that run saw is
a hint and no proof, so its red decides nothing: the first half runs first, and the last one left
runs too.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

from mergequeue.verdicts.line import Batch
from mergequeue.vocabulary.ids import ChangeId


@dataclass(frozen=True)
class Suspects:
    """Who may have broken a batch."""

    ids: tuple[ChangeId, ...]
    """In merge order; the last is the top of the red batch."""
    red: Batch | None = None
    """The batch whose gate was red, so the whole chain up to the last suspect is; None where an
    earlier run says so.
    """
    first: Batch | None = None
    """The batch whose red this run began with; None likewise."""

    @property
    def half(self) -> tuple[ChangeId, ...]:
        """The first half, rounded up: what runs next, alone."""
        return self.ids[: (len(self.ids) + 1) // 2]

    def without(self, passed: Batch) -> "Suspects | None":
        """Return who is left after a batch passed; None where nobody is."""
        left = tuple(suspect for suspect in self.ids if suspect not in passed.members)
        return replace(self, ids=left) if left else None

    def found_on(self, beneath: tuple[ChangeId, ...]) -> bool:
        """Return whether the one suspect left is, on `beneath`, the very commit that was red."""
        if self.red is None or len(self.ids) > 1:
            return False
        return (*beneath, *self.ids) == self.red.chain

    def rests_on(self, changes: Collection[ChangeId]) -> bool:
        """Return whether one of these is a suspect, or in what was red with them."""
        chain = self.ids if self.red is None else self.red.chain
        return any(change in changes for change in chain)


def suspects_of(red: Batch, before: Suspects | None) -> Suspects | None:
    """Return the suspects that a red batch makes, after those before; None where it names its
    culprit by itself.
    """
    first = before.first if before is not None and before.first is not None else red
    return Suspects(red.members, red, first) if len(red.members) > 1 else None
