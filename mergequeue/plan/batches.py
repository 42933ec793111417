"""How a line of changes is cut into what one gate run checks (DESIGN, One queue)."""

from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


def next_batch(pending: Sequence[Item], size: int) -> tuple[Item, ...]:
    """Return the changes at the front of a line that the next gate run checks at its top."""
    return tuple(pending[:size])
