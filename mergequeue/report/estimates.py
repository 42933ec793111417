"""When a change should land, reckoned from what landed lately (seed 2, Reading the queue).

A batch takes the median of the gates of those that landed lately. One that is being gated lands
that long after its gate might start; one behind it, that long after a place among the `depth` of
its line comes free, and never before what it stands on. With nothing landed to go by, nothing is
said.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from mergequeue.documents.memory import Day, GateOutcome
from mergequeue.documents.now import Batch, Now
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Stage

LATELY = 20
"""How many of the newest batches that landed are gone by."""


@dataclass(frozen=True)
class Typical:
    """How long things usually take; None where nothing is known to go by."""

    batch: timedelta | None = None
    """The gate of a batch."""
    preflight: timedelta | None = None
    """The pre-flights of a change."""


def typical_of(days: Sequence[Day]) -> Typical:
    """Return how long things took lately; `days` are oldest first."""
    landed = {fact.id for day in days for fact in day.landed}
    passed = [
        fact.duration_ms
        for day in days
        for fact in day.gates
        if fact.outcome is GateOutcome.PASSED and fact.changes and landed.issuperset(fact.changes)
    ]
    preflights = [fact.duration_ms for day in days for fact in day.preflights]
    return Typical(_median(passed[-LATELY:]), _median(preflights[-LATELY:]))


def landing_times(now: Now, typical: Typical, at: datetime) -> Mapping[ChangeId, datetime]:
    """Return when each change should land that is in a line, or will be once its pre-flights pass.

    A time that is past means any minute now. Empty where nothing landed to go by.
    """
    if typical.batch is None:
        return {}
    times: dict[ChangeId, datetime] = {}
    for line in now.lines:
        for batch, lands in zip(line, line_times(line, now.depth, typical.batch, at), strict=True):
            times.update(dict.fromkeys(batch.changes, lands))
    times.update(_once_they_pass(now, typical, typical.batch, at, times))
    return times


def line_times(
    line: Sequence[Batch], depth: int, takes: timedelta, at: datetime
) -> Iterator[datetime]:
    """Yield when each batch of a line should land."""
    lands: list[datetime] = []
    for place, batch in enumerate(line):
        free = at if place < depth else max(at, lands[place - depth])
        time = (batch.since or free) + takes
        lands.append(max(time, lands[-1]) if lands else time)
        yield lands[-1]


def _once_they_pass(
    now: Now,
    typical: Typical,
    takes: timedelta,
    at: datetime,
    times: Mapping[ChangeId, datetime],
) -> Iterator[tuple[ChangeId, datetime]]:
    """Yield those whose pre-flights run: a batch's time after they pass, or after what is gated
    ahead of them, whichever is later.
    """
    ahead = at
    for change in now.changes:
        if change.stage in {Stage.CHECKING, Stage.LANDING} and change.id in times:
            ahead = max(ahead, times[change.id])
        elif change.stage in {Stage.PREFLIGHT, Stage.AGAIN}:
            passes = change.since + (typical.preflight or takes)
            yield change.id, max(passes, ahead) + takes


def _median(milliseconds: Sequence[int]) -> timedelta | None:
    return timedelta(milliseconds=median(milliseconds)) if milliseconds else None
