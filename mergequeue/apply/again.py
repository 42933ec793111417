"""Whether the queue stands still after a run, though another would go on with it.

What merges moves the base, and that starts the next run. Where a run handed changes back and merged
none, nothing does; those that were validated on what went back wait for it all the same.
"""

from collections.abc import Sequence

from mergequeue.apply.ready import Ending
from mergequeue.apply.run import ApplyResult, Ended
from mergequeue.vocabulary.codes import Code

_UNTIL_ANOTHER_RUN = frozenset({Code.WAIT_BEHIND, Code.WAIT_CONFLICT_AHEAD, Code.WAIT_REVALIDATE})
"""Waits that nothing but another validation ends."""


def is_another_run_wanted(result: ApplyResult) -> bool:
    """Return whether a run is to be started, since nothing else starts one.

    Each of them handed a change back, so there are no more of them than changes. One that was
    stopped, or that an error ended, wants none, and neither does a dry run, which did nothing.
    """
    if result.stopped or result.errors:
        return False
    done = [one for one in result.ended if not one.would]
    return _ended(done, Ending.KICKED) and not _ended(done, Ending.MERGED) and _is_left(done)


def _ended(done: Sequence[Ended], ending: Ending) -> bool:
    return any(one.ending is ending for one in done)


def _is_left(done: Sequence[Ended]) -> bool:
    return any(one.code in _UNTIL_ANOTHER_RUN for one in done)
