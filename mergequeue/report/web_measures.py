"""How the queue did, as the page shows it: charts, and the same in numbers."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from mergequeue.report.charts import Chart, Limit, Series, Shape, Value, amount, chart_of
from mergequeue.report.measures import (
    HEALTHY_MEDIAN,
    HEALTHY_PASSED,
    HEALTHY_SLOW,
    PERCENTILE,
    AwayFor,
    Measures,
    Report,
)
from mergequeue.report.web_view import Table, WebMeasures

DAYS = 30
"""How many days the charts go back at most."""

_MINUTE = timedelta(minutes=1)
_COLORS = ("one", "two", "three", "four", "five", "six")
_COLUMNS = (
    "day",
    "queued",
    "landed",
    "median, min",
    f"{PERCENTILE}th percentile, min",
    "turned away",
    "batches passed",
    "gate minutes",
    "gates cancelled",
    "passed on a retry",
)


def measures_shown(report: Report, today: date) -> WebMeasures:
    """Return the newest days up to today, those too on which nothing happened."""
    days = _days(report.days, today)
    each = [report.days.get(day, Measures()) for day in days]
    return WebMeasures(
        health=[one for one in report.health if one.holds is not None],
        charts=_charts([_name(day) for day in days], each) if days else [],
        table=Table(
            _COLUMNS,
            [_row(day, one) for day, one in zip(reversed(days), reversed(each), strict=True)],
        ),
    )


def _days(known: Mapping[date, Measures], today: date) -> list[date]:
    past = [day for day in known if day <= today]
    if not past:
        return []
    first = max(min(past), today - timedelta(days=DAYS - 1))
    return [first + timedelta(days=number) for number in range((today - first).days + 1)]


def _name(day: date) -> str:
    return f"{day.day} {day:%b}"


def _charts(days: Sequence[str], each: Sequence[Measures]) -> list[Chart]:
    return [
        chart_of(
            "Queued and landed",
            days,
            [
                Series("queued", Shape.BESIDE, "one", [float(one.queued) for one in each]),
                Series("landed", Shape.BESIDE, "two", [float(one.landed) for one in each]),
            ],
        ),
        chart_of(
            "Queued to landed, in minutes",
            days,
            [
                Series("median", Shape.CURVE, "one", [_minutes(one.median) for one in each]),
                Series(
                    f"{PERCENTILE}th percentile",
                    Shape.CURVE,
                    "two",
                    [_minutes(one.slow) for one in each],
                ),
            ],
            limits=[
                _healthy("median", HEALTHY_MEDIAN),
                _healthy(f"{PERCENTILE}th percentile", HEALTHY_SLOW),
            ],
        ),
        chart_of("Turned away", days, _away(each)),
        chart_of(
            "Batches that passed",
            days,
            [Series("passed", Shape.CURVE, "one", [one.passed_percent for one in each])],
            unit=" %",
            limits=[Limit(HEALTHY_PASSED, f"healthy: over {HEALTHY_PASSED} %")],
        ),
        chart_of(
            "Gate minutes",
            days,
            [Series("minutes", Shape.STACKED, "one", [one.gate_time / _MINUTE for one in each])],
        ),
        chart_of("Gates cancelled and run again", days, _odd(each)),
    ]


def _healthy(name: str, span: timedelta) -> Limit:
    minutes = span / _MINUTE
    return Limit(minutes, f"healthy {name}: under {amount(minutes)}")


def _away(each: Sequence[Measures]) -> list[Series]:
    return [
        Series(kind, Shape.STACKED, color, [float(one.turned_away.get(kind, 0)) for one in each])
        for kind, color in zip(AwayFor, _COLORS, strict=True)
    ]


def _odd(each: Sequence[Measures]) -> list[Series]:
    whys = list(dict.fromkeys(why for one in each for why in one.cancelled))
    named, rest = whys[: len(_COLORS) - 2], whys[len(_COLORS) - 2 :]
    series = [
        Series(why, Shape.STACKED, color, [float(one.cancelled.get(why, 0)) for one in each])
        for why, color in zip(named, _COLORS[1:], strict=False)
    ]
    if rest:
        others = [float(sum(one.cancelled.get(why, 0) for why in rest)) for one in each]
        series.append(Series("cancelled for another reason", Shape.STACKED, _COLORS[-1], others))
    retried = [float(one.retried) for one in each]
    return [Series("passed on a retry", Shape.STACKED, _COLORS[0], retried), *series]


def _row(day: date, one: Measures) -> list[str]:
    passed = amount(one.passed_percent, " %")
    return [
        day.isoformat(),
        str(one.queued),
        str(one.landed),
        amount(_minutes(one.median)),
        amount(_minutes(one.slow)),
        _kinds(one),
        f"{passed} of {one.gates_ended}" if one.gates_ended else passed,
        amount(one.gate_time / _MINUTE),
        ", ".join(f"{count}: {why}" for why, count in one.cancelled.items()) or "0",
        str(one.retried),
    ]


def _kinds(one: Measures) -> str:
    kinds = (f"{count} {kind}" for kind, count in one.turned_away.items() if count)
    return ", ".join(kinds) or "0"


def _minutes(span: timedelta | None) -> Value:
    return None if span is None else span / _MINUTE
