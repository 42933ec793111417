"""The tries of one gate, each in a box of its own, as the one run that they are."""

from collections.abc import Sequence
from dataclasses import replace

from mergequeue.ports import GateEnd


def run_of(tries: Sequence[GateEnd]) -> GateEnd:
    """Return how a gate ended that was tried so often: as its last try did, and after all of them.

    `again` is what the last retry was for, in the words of the gate's own output.
    """
    *before, last = tries
    return replace(
        last,
        duration_ms=sum(one.duration_ms for one in tries),
        retries=len(before),
        longest_ms=max(one.duration_ms for one in tries),
        again=before[-1].again if before else "",
    )
