"""A write whose outcome nobody knows: what is true is read before it is done again (CASES D)."""

from collections.abc import Callable

from mergequeue.github.answers import UnclearError


def write_surely(write: Callable[[], object], is_done: Callable[[], bool]) -> None:
    """Write; after an unclear answer read whether it was done, and write once more only if not.

    Raises UnclearError where that answer is not clear either, and it was not done.
    """
    for last in (False, True):
        try:
            write()
        except UnclearError:
            if is_done():
                return
            if last:
                raise
        else:
            return
