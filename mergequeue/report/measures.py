"""How the queue did, by day and as a whole (seed 2, Measuring it).

measures = measures_of(days)
measures.total.median, measures.total.slow    # queued to landed: 19 min, and 44 min at the 95th
[one.holds for one in measures.health]        # [True, True, None]
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from math import ceil
from statistics import median

from mergequeue.documents.memory import Day, GateFact, GateOutcome
from mergequeue.vocabulary.codes import Code

PERCENTILE = 95
HEALTHY_MEDIAN = timedelta(minutes=30)
HEALTHY_SLOW = timedelta(minutes=60)
HEALTHY_AWAY = 5
"""Percent of what was queued: the seed's "a few"."""
HEALTHY_PASSED = 80
"""Percent of the batches that ended."""
TENTHS_BELOW = 10
"""Minutes below which tenths of one are told."""


class AwayFor(StrEnum):
    """For what a change was turned away."""

    PREFLIGHT = "pre-flight"
    REVIEW = "review"
    CONFLICT = "conflict"
    GATE = "gate"
    LANDING = "landing"
    OTHER = "other"


_KINDS: Mapping[Code, AwayFor] = {
    Code.KICK_CONFLICT: AwayFor.CONFLICT,
    Code.KICK_RED: AwayFor.GATE,
    Code.KICK_PREFLIGHT: AwayFor.PREFLIGHT,
    Code.KICK_REVIEW: AwayFor.REVIEW,
    Code.KICK_LANDING: AwayFor.LANDING,
    Code.KICK_LANDING: AwayFor.LANDING,
}


@dataclass(frozen=True)
class Measures:
    """How the queue did on one day (UTC), or on several."""

    queued: int = 0
    """How often a change was queued."""
    landed: int = 0
    median: timedelta | None = None
    """From first queued to landed, past any kick-backs; None where nothing landed."""
    slow: timedelta | None = None
    """The same, at the 95th percentile."""
    turned_away: Mapping[AwayFor, int] = field(default_factory=dict)
    """How many changes were, by what for; every kind has its number."""
    gates_passed: int = 0
    gates_ended: int = 0
    """Gates of batches that ended by themselves, red or green."""
    gate_time: timedelta = timedelta(0)
    """How long gates ran, those of the base and those that were cancelled included."""
    cancelled: Mapping[str, int] = field(default_factory=dict)
    """How many gates were cancelled, by why, the most frequent first."""
    retried: int = 0
    """How many gates passed on a retry."""
    retried_for: Mapping[str, int] = field(default_factory=dict)
    """The same by what they were run again for, the most frequent first."""

    @property
    def away(self) -> int:
        """How many changes were turned away."""
        return sum(self.turned_away.values())

    @property
    def away_percent(self) -> float | None:
        """Changes turned away over changes queued; None where none was queued."""
        return 100 * self.away / self.queued if self.queued else None

    @property
    def passed_percent(self) -> float | None:
        """Gates of batches that passed over those that ended; None where none did."""
        return 100 * self.gates_passed / self.gates_ended if self.gates_ended else None


@dataclass(frozen=True)
class Health:
    """One thing by which a queue is called healthy."""

    what: str
    """The measure, and what it should be."""
    measured: str
    """What it is; empty where nothing was measured."""
    holds: bool | None
    """Whether it is as it should be; None where nothing was measured."""


@dataclass(frozen=True)
class Report:
    """How the queue did on the days that anything happened on."""

    days: Mapping[date, Measures]
    """Oldest first."""
    total: Measures
    health: tuple[Health, ...]


def report_of(days: Sequence[Day]) -> Report:
    """Return how the queue did; `days` are oldest first."""
    total = measures_of(days)
    return Report({day.day: measures_of([day]) for day in days}, total, health_of(total))


def measures_of(days: Sequence[Day]) -> Measures:
    """Return how the queue did on all the days together."""
    landed = [fact for day in days for fact in day.landed]
    spans = [fact.at - fact.first_queued_at for fact in landed]
    kinds = Counter(_KINDS.get(f.code, AwayFor.OTHER) for day in days for f in day.turned_away)
    gates = [fact for day in days for fact in day.gates]
    ended = [fact for fact in gates if _is_of_a_batch(fact)]
    passed = [fact for fact in ended if fact.outcome is GateOutcome.PASSED]
    stopped = Counter(f.why or "unknown" for f in gates if f.outcome is GateOutcome.CANCELLED)
    return Measures(
        queued=sum(len(day.queued) for day in days),
        landed=len(landed),
        median=_median(spans),
        slow=_percentile(spans, PERCENTILE),
        turned_away={kind: kinds[kind] for kind in AwayFor},
        gates_passed=len(passed),
        gates_ended=len(ended),
        gate_time=timedelta(milliseconds=sum(fact.duration_ms for fact in gates)),
        cancelled=dict(stopped.most_common()),
        retried=sum(1 for fact in passed if fact.retries),
        retried_for=dict(Counter(f.why or "unknown" for f in passed if f.retries).most_common()),
    )


def health_of(total: Measures) -> tuple[Health, ...]:
    """Return each thing by which merge queues are commonly judged, and whether it holds."""
    fast = total.median is not None and total.median < HEALTHY_MEDIAN
    never_slow = total.slow is not None and total.slow < HEALTHY_SLOW
    away, passed = total.away_percent, total.passed_percent
    return (
        _health(
            f"queued to landed under {minutes_text(HEALTHY_MEDIAN)} at the median",
            minutes_text(total.median),
            holds=fast,
        ),
        _health(
            f"queued to landed under {minutes_text(HEALTHY_SLOW)} at the {PERCENTILE}th percentile",
            minutes_text(total.slow),
            holds=never_slow,
        ),
        _health(
            f"at most {HEALTHY_AWAY} % turned away",
            percent_text(away),
            holds=away is not None and away <= HEALTHY_AWAY,
        ),
        _health(
            f"over {HEALTHY_PASSED} % of batches passing",
            percent_text(passed),
            holds=passed is not None and passed > HEALTHY_PASSED,
        ),
    )


def minutes_text(span: timedelta | None) -> str:
    """Return a span in minutes, with a digit behind the point where it is short; empty for None."""
    if span is None:
        return ""
    minutes = span / timedelta(minutes=1)
    return f"{minutes:.1f} min" if minutes < TENTHS_BELOW else f"{minutes:.0f} min"


def percent_text(percent: float | None) -> str:
    """Return a percentage without digits behind the point; empty for None."""
    return "" if percent is None else f"{percent:.0f} %"


def _health(what: str, measured: str, *, holds: bool) -> Health:
    return Health(what, measured, holds if measured else None)


def _is_of_a_batch(fact: GateFact) -> bool:
    return bool(fact.changes) and fact.outcome is not GateOutcome.CANCELLED


def _median(spans: Sequence[timedelta]) -> timedelta | None:
    return timedelta(seconds=median(map(timedelta.total_seconds, spans))) if spans else None


def _percentile(spans: Sequence[timedelta], percent: int) -> timedelta | None:
    """Return the least of the spans that `percent` of them do not exceed."""
    return sorted(spans)[ceil(len(spans) * percent / 100) - 1] if spans else None
