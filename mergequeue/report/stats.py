"""What `stats` tells: how the queue did, as a table by day, and as a document."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from mergequeue.documents.stats import DayMeasured, Judged, Measured, Stats
from mergequeue.report.columns import column_lines, folded
from mergequeue.report.measures import PERCENTILE, Health, Measures, Report, minutes_text
from mergequeue.vocabulary.ids import BranchName

NOTHING_MEASURED = "nothing happened in these days that the queue remembers"
JUDGED_BY = "A merge queue is commonly called healthy where:"
_HEAD = (
    "day",
    "queued",
    "landed",
    "median",
    f"{PERCENTILE}th",
    "turned away",
    "batches passed",
    "gates ran",
    "on a retry",
)
_SECOND = timedelta(seconds=1)


def stats_lines(report: Report, width: int | None) -> list[str]:
    """Return the table by day, then what for changes were turned away and gates cancelled, and how
    healthy the queue is.
    """
    if not report.days:
        return [NOTHING_MEASURED]
    rows = [(day.isoformat(), *_cells(measures)) for day, measures in report.days.items()]
    lines = column_lines([_HEAD, *rows, ("all", *_cells(report.total))], width)
    lines += ["", *folded("median and 95th: from queued to landed, past any kick-backs", width)]
    lines += _counts("turned away", _named(report.total), width)
    lines += _counts("gates cancelled", report.total.cancelled, width)
    lines += _counts("passed on a retry", report.total.retried_for, width)
    return [*lines, "", *health_lines(report.health, width)]


def health_lines(health: Sequence[Health], width: int | None) -> list[str]:
    """Return by what a queue is called healthy, and whether this one is."""
    rows = [(_answer(one.holds), one.measured or "not measured", one.what) for one in health]
    return [JUDGED_BY, *column_lines(rows, width)]


def stats_of(base: BranchName, report: Report) -> Stats:
    """Return the same as a document."""
    days = [
        DayMeasured(day=day, **dict(_measured(measures))) for day, measures in report.days.items()
    ]
    health = [
        Judged(what=one.what, measured=one.measured, holds=one.holds) for one in report.health
    ]
    return Stats(base=base, days=tuple(days), total=_measured(report.total), health=tuple(health))


def _cells(measures: Measures) -> tuple[str, ...]:
    return (
        str(measures.queued),
        str(measures.landed),
        minutes_text(measures.median) or "-",
        minutes_text(measures.slow) or "-",
        str(measures.away),
        f"{measures.gates_passed} of {measures.gates_ended}",
        minutes_text(measures.gate_time),
        str(measures.retried),
    )


def _named(measures: Measures) -> dict[str, int]:
    return {kind.value: count for kind, count in measures.turned_away.items()}


def _counts(what: str, counts: Mapping[str, int], width: int | None) -> list[str]:
    named = "; ".join(f"{count} {name}" for name, count in counts.items() if count)
    return folded(f"{what}: {named}", width) if named else []


def _answer(holds: bool | None) -> str:  # noqa: FBT001 (what a health says)
    return {True: "yes", False: "no", None: "-"}[holds]


def _measured(measures: Measures) -> Measured:
    return Measured(
        queued=measures.queued,
        landed=measures.landed,
        median_seconds=_seconds(measures.median),
        p95_seconds=_seconds(measures.slow),
        turned_away=_named(measures),
        batches_passed=measures.gates_passed,
        batches_ended=measures.gates_ended,
        gate_seconds=measures.gate_time // _SECOND,
        cancelled=dict(measures.cancelled),
        retried=measures.retried,
        retried_for=dict(measures.retried_for),
    )


def _seconds(span: timedelta | None) -> int | None:
    return None if span is None else span // _SECOND
