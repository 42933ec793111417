"""What passed its gate and fails to land again and again (seed 2, Landing; pure).

The same changes, at the same heads, failing on the same tip of the base for the third time in a row
leave the queue: whatever refuses them is not theirs to mend, and validating them for ever costs
everybody. The count is a record of the queue's memory, so that no restart begins it anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.documents.memory import FailedLanding
from mergequeue.documents.provider import Pin
from mergequeue.ports import Landing, Memory, Remembered
from mergequeue.report import landings as words
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import CommitId
from mergequeue.vocabulary.limits import LANDINGS_TRIED


@dataclass(frozen=True)
class Failure:
    """A landing that failed, with nothing to be read that explains it."""

    tip: CommitId
    changes: tuple[Pin, ...]
    """In merge order, each at what was handed over."""
    error: str


def failure_of(landings: Sequence[Landing], ended: Sequence[Wait]) -> Failure | None:
    """Return how landings that were to merge in one call failed, or the one that was to merge
    alone; None where something else than the provider's refusal explains it, which the next run
    sees.
    """
    if any(wait.code is not Code.WAIT_PROVIDER_REFUSED for wait in ended):
        return None
    pins = tuple(Pin(id=one.change.id, commit=one.commit) for one in landings)
    return Failure(landings[0].tip, pins, ended[-1].reason)


def remember_failure(memory: Memory, failure: Failure) -> Remembered:
    """Return the memory with one more failure; with the last one that is borne, its record goes.

    A record on another tip is dropped: it counts no further.
    """
    times = times_of(memory, failure)
    ids = [pin.id for pin in failure.changes]
    others = tuple(
        one
        for one in memory.hints.landings
        if one.tip == failure.tip and one.changes != failure.changes
    )
    if times >= LANDINGS_TRIED:
        kept, line = others, words.given_up_line(ids, failure.tip)
    else:
        record = FailedLanding(
            tip=failure.tip, changes=failure.changes, count=times, error=failure.error
        )
        kept, line = (*others, record), words.failed_line(ids, failure.tip, times)
    hints = memory.hints.model_copy(update={"landings": kept})
    return Remembered(replace(memory, hints=hints), (line,))


def times_of(memory: Memory, failure: Failure) -> int:
    """Return how many times in a row it has failed by now, where it failed before as remembered."""
    known = (
        one.count
        for one in memory.hints.landings
        if (one.tip, one.changes) == (failure.tip, failure.changes)
    )
    return next(known, 0) + 1


def decide_failed(failure: Failure, times: int) -> Kick | None:
    """Return the kick of each of the changes, once that was once too often."""
    if times < LANDINGS_TRIED:
        return None
    detail = words.landing_failed(times, len(failure.changes), failure.error)
    return Kick(Code.KICK_LANDING, detail)
