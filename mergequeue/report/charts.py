"""Charts of measures by day, as shapes with coordinates: nothing here knows how one is drawn."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

WIDTH = 360
HEIGHT = 180
_LEFT, _RIGHT, _TOP, _BOTTOM = 36, 10, 10, 24
_TICKS = 4
"""How many steps the scale at the left has at most."""
_DAYS_NAMED = 5
"""How many days are named beneath a chart at most."""
_WHOLE = 10
"""From here on a measure is said without its tenths."""
_BAR_PART = 0.68
"""How much of a day's width its bars take."""
_BAR_WIDEST = 40

Value = float | None
"""A measure of a day; None where that day has nothing to measure."""


class Shape(StrEnum):
    """How a series is drawn."""

    BESIDE = "beside"
    """A bar beside those of the others."""
    STACKED = "stacked"
    """A bar on top of those before it."""
    CURVE = "curve"


@dataclass(frozen=True)
class Series:
    """One measure, a value a day."""

    name: str
    shape: Shape
    color: str
    """The name of its color, which the page's style gives."""
    values: Sequence[Value]


@dataclass(frozen=True)
class Limit:
    """A value that a healthy queue stays on one side of."""

    at: float
    words: str


@dataclass(frozen=True)
class Tick:
    """A place on a scale, and what stands there."""

    at: float
    text: str


@dataclass(frozen=True)
class Bar:
    """One bar, and what it says when it is pointed at."""

    x: float
    y: float
    width: float
    height: float
    color: str
    says: str


@dataclass(frozen=True)
class Dot:
    """One value of a curve, and what it says when it is pointed at."""

    x: float
    y: float
    color: str
    says: str


@dataclass(frozen=True)
class Curve:
    """Values of days in a row, joined."""

    points: str
    """As SVG has them: `x,y x,y`."""
    color: str


@dataclass(frozen=True)
class Chart:
    """Everything that is drawn, in a field of `WIDTH` by `HEIGHT`."""

    title: str
    says: str
    """What it shows, in words."""
    names: tuple[tuple[str, str], ...]
    """Each series' name and color."""
    rows: tuple[Tick, ...]
    days: tuple[Tick, ...]
    bars: tuple[Bar, ...]
    curves: tuple[Curve, ...]
    dots: tuple[Dot, ...]
    limits: tuple[Tick, ...]

    width = WIDTH
    height = HEIGHT
    left = _LEFT
    right = WIDTH - _RIGHT
    bottom = HEIGHT - _BOTTOM


@dataclass(frozen=True)
class _Plot:
    """Where values and days are in a chart."""

    days: Sequence[str]
    unit: str
    top: float
    """The value at its upper edge."""

    @property
    def step(self) -> float:
        return (WIDTH - _LEFT - _RIGHT) / max(len(self.days), 1)

    def y(self, value: float) -> float:
        return round(HEIGHT - _BOTTOM - (HEIGHT - _BOTTOM - _TOP) * value / self.top, 1)

    def middle(self, day: int) -> float:
        return round(_LEFT + self.step * (day + 0.5), 1)

    def says(self, one: Series, day: int) -> str:
        return f"{self.days[day]}: {one.name} {amount(one.values[day], self.unit)}"


def chart_of(
    title: str,
    days: Sequence[str],
    series: Sequence[Series],
    *,
    unit: str = "",
    limits: Sequence[Limit] = (),
) -> Chart:
    """Return a chart of series that each have a value for every one of the days, oldest first."""
    highest = max([*_heights(series), *(limit.at for limit in limits), 1.0])
    step = _step_of(highest)
    count = math.ceil(highest / step)
    plot = _Plot(days, unit, step * count)
    return Chart(
        title,
        _said(title, days, series, unit),
        tuple((one.name, one.color) for one in series),
        tuple(Tick(plot.y(step * at), amount(step * at, unit)) for at in range(count + 1)),
        _named(plot),
        tuple(_bars(plot, series)),
        tuple(curve for one in series for curve in _curves(plot, one)),
        tuple(dot for one in series for dot in _dots(plot, one)),
        tuple(Tick(plot.y(limit.at), limit.words) for limit in limits),
    )


def amount(value: Value, unit: str = "") -> str:
    """Return a measure as people write it: to a tenth below ten, and a dash where there is none."""
    if value is None:
        return "-"
    return f"{round(value, 1 if value < _WHOLE else 0):g}{unit}"


def _heights(series: Sequence[Series]) -> list[float]:
    """Return how high a chart has to be for each value, and for each day's stack."""
    single = [one.values for one in series if one.shape is not Shape.STACKED]
    stacked = [one.values for one in series if one.shape is Shape.STACKED]
    stacks = [sum(value or 0.0 for value in day) for day in zip(*stacked, strict=True)]
    return [*(value or 0.0 for values in single for value in values), *stacks]


def _step_of(highest: float) -> float:
    """Return the smallest of 1, 2 and 5 by a power of ten that reaches `highest` in few steps."""
    least = highest / _TICKS
    power = 10.0 ** math.floor(math.log10(least))
    steps = (power * times for times in (1, 2, 5, 10))
    return max(next(step for step in steps if step * _TICKS >= highest), 1.0)


def _said(title: str, days: Sequence[str], series: Sequence[Series], unit: str) -> str:
    """Return a chart in words: for whom it is not drawn."""
    if not days:
        return f"{title}: no day yet"
    said = [
        f"{one.name} between {amount(min(known), unit)} and {amount(max(known), unit)}, "
        f"last {amount(known[-1], unit)}"
        for one in series
        if (known := [value for value in one.values if value is not None])
    ]
    return f"{title}, {days[0]} to {days[-1]}: {'; '.join(said) or 'nothing to measure yet'}"


def _named(plot: _Plot) -> tuple[Tick, ...]:
    """Return the newest day and those before it that have room to be named."""
    apart = math.ceil(len(plot.days) / _DAYS_NAMED) or 1
    named = range(len(plot.days) - 1, -1, -apart)
    return tuple(Tick(plot.middle(day), plot.days[day]) for day in reversed(named))


def _bars(plot: _Plot, series: Sequence[Series]) -> Iterator[Bar]:
    beside = [one for one in series if one.shape is Shape.BESIDE]
    stacked = [one for one in series if one.shape is Shape.STACKED]
    wide = min(plot.step * _BAR_PART, _BAR_WIDEST)
    for day in range(len(plot.days)):
        left = plot.middle(day) - wide / 2
        for place, one in enumerate(beside):
            part = wide / len(beside)
            yield from _bar(plot, one, day, (left + place * part, part), 0.0)
        below = 0.0
        for one in stacked:
            yield from _bar(plot, one, day, (left, wide), below)
            below += one.values[day] or 0.0


def _bar(
    plot: _Plot, one: Series, day: int, across: tuple[float, float], below: float
) -> Iterator[Bar]:
    value = one.values[day]
    if value:
        top = plot.y(below + value)
        left, wide = across
        height = round(plot.y(below) - top, 1)
        yield Bar(round(left, 1), top, round(wide, 1), height, one.color, plot.says(one, day))


def _curves(plot: _Plot, one: Series) -> Iterator[Curve]:
    """Yield a curve for each run of days that have a value."""
    if one.shape is not Shape.CURVE:
        return
    for known, run in groupby(enumerate(one.values), lambda each: each[1] is not None):
        if known:
            points = [f"{plot.middle(day):g},{plot.y(value or 0.0):g}" for day, value in run]
            yield Curve(" ".join(points), one.color)


def _dots(plot: _Plot, one: Series) -> Iterator[Dot]:
    if one.shape is Shape.CURVE:
        for day, value in enumerate(one.values):
            if value is not None:
                yield Dot(plot.middle(day), plot.y(value), one.color, plot.says(one, day))
