"""Finding who broke a red batch: halve the suspects until one is left (seed 2, "When a batch
fails").

A gate on `a b c d` is red. The suspects are those four, and `a b`, the first half, runs alone.
Green, `a b` are validated and `c d` are the suspects; then `c` alone. Green again, `d` is left: its
candidate is the very commit that was red at first, so it is not run again. Its red is the one
already seen.
"""

from dataclasses import dataclass

from mergequeue.verdicts.line import Batch
from mergequeue.vocabulary.ids import ChangeId


@dataclass(frozen=True)
class Suspects:
    """Who may have broken a batch."""

    ids: tuple[ChangeId, ...]
    """In merge order; the last is the top of the red batch."""
    red: Batch
    """The batch whose gate was red, so the whole chain up to the last suspect is."""

    @property
    def half(self) -> tuple[ChangeId, ...]:
        """The first half, rounded up: what runs next, alone."""
        return self.ids[: (len(self.ids) + 1) // 2]

    def without(self, passed: Batch) -> "Suspects | None":
        """Return who is left after a batch passed; None where nobody is."""
        left = tuple(suspect for suspect in self.ids if suspect not in passed.members)
        return Suspects(left, self.red) if left else None

    def found_on(self, beneath: tuple[ChangeId, ...]) -> bool:
        """Return whether the one suspect left is, on `beneath`, the very commit that was red."""
        return len(self.ids) == 1 and (*beneath, *self.ids) == self.red.chain


def suspects_of(red: Batch) -> Suspects | None:
    """Return the suspects that a red batch makes; None where it names its culprit by itself."""
    return Suspects(red.members, red) if len(red.members) > 1 else None
