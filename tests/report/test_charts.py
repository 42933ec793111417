"""Charts: every value is where its scale says it is."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.report.charts import (
    Limit,
    Series,
    Shape,
    amount,
    chart_of,
)

VALUES = st.one_of(st.none(), st.floats(0, 1e6), st.integers(0, 40).map(float))


@st.composite
def drawn(draw: st.DrawFn) -> tuple[list[str], list[Series]]:
    count = draw(st.integers(0, 31))
    days = [f"day {number}" for number in range(count)]
    shapes = draw(st.lists(st.sampled_from(Shape), min_size=1, max_size=4))
    series = [
        Series(
            f"series {number}",
            shape,
            f"color {number}",
            draw(st.lists(VALUES, min_size=count, max_size=count)),
        )
        for number, shape in enumerate(shapes)
    ]
    return days, series


@given(drawn())
def test_every_value_is_drawn_as_high_as_its_scale_says_and_nothing_outside(
    asked: tuple[list[str], list[Series]],
) -> None:
    days, series = asked
    chart = chart_of("Title", days, series)
    (bottom, top), highest = (chart.rows[0].at, chart.rows[-1].at), numbers(chart.rows[-1].text)
    assert (chart.rows[0].text, len(chart.rows) <= 6) == ("0", True)
    tall = {bar.says.rpartition(" ")[0]: bar for bar in chart.bars}
    high = {dot.says.rpartition(" ")[0]: dot for dot in chart.dots}
    for number, day in enumerate(days):
        beneath = bottom
        for one in series:
            value, key = one.values[number], f"{day}: {one.name}"
            expected = (value or 0) / highest * (bottom - top)
            if one.shape is Shape.CURVE:
                assert (key in high) == (value is not None)
                assert value is None or abs(bottom - expected - high[key].y) <= 0.11
            elif not value:
                assert key not in tall
            else:
                foot = tall[key].y + tall[key].height
                assert abs(tall[key].height - expected) <= 0.21
                assert abs(foot - (beneath if one.shape is Shape.STACKED else bottom)) <= 0.5
                beneath = tall[key].y if one.shape is Shape.STACKED else beneath
    assert all(chart.left <= bar.x and bar.x + bar.width <= chart.right for bar in chart.bars)
    assert all(top - 0.5 <= bar.y for bar in chart.bars)
    assert all(chart.left <= dot.x <= chart.right for dot in chart.dots)
    assert len(chart.days) <= 6


def numbers(text: str) -> float:
    return float(re.sub("[^0-9.e+]", "", text))


def test_bars_of_one_day_stand_beside_each_other_and_days_do_not_touch() -> None:
    chart = chart_of(
        "T",
        ["1 Nov", "2 Nov"],
        [Series("a", Shape.BESIDE, "one", [1, 2]), Series("b", Shape.BESIDE, "two", [3, 4])],
    )
    edges = sorted((bar.x, bar.x + bar.width) for bar in chart.bars)
    assert len(edges) == 4
    assert all(end <= start + 0.11 for (_, end), (start, _) in pairwise(edges))
    assert edges[2][0] - edges[1][1] > 10


def test_a_curve_is_broken_where_a_day_has_nothing_to_measure() -> None:
    values = [1.0, 2.0, None, 3.0, None, None]
    days = [f"{day} Nov" for day in range(1, 7)]
    chart = chart_of("T", days, [Series("a", Shape.CURVE, "one", values)])
    assert [curve.points.count(",") for curve in chart.curves] == [2, 1]
    assert len(chart.dots) == 3


def test_a_limit_is_within_the_chart_and_where_its_value_would_be() -> None:
    chart = chart_of(
        "T", ["1 Nov"], [Series("a", Shape.CURVE, "one", [3])], limits=[Limit(60, "healthy")]
    )
    (limit,) = chart.limits
    assert limit.text == "healthy"
    assert chart.rows[-1].at <= limit.at < chart.dots[0].y


def test_it_says_in_words_what_it_shows() -> None:
    days = ["1 Nov", "2 Nov", "3 Nov"]
    series = [
        Series("median", Shape.CURVE, "one", [9.04, None, 42.6]),
        Series("slow", Shape.CURVE, "two", [None, None, None]),
    ]
    assert chart_of("Minutes", days, series, unit=" min").says == (
        "Minutes, 1 Nov to 3 Nov: median between 9 min and 43 min, last 43 min"
    )
    assert chart_of("T", days, series[1:]).says == "T, 1 Nov to 3 Nov: nothing to measure yet"
    assert chart_of("T", [], []).says == "T: no day yet"


def test_the_newest_day_is_named_however_many_there_are() -> None:
    for count in range(1, 40):
        days = [str(number) for number in range(count)]
        named = chart_of("T", days, [Series("a", Shape.BESIDE, "one", [1.0] * count)]).days
        assert named[-1].text == str(count - 1)
        assert all(later.at - earlier.at >= 45 for earlier, later in pairwise(named)) or count < 8


@pytest.mark.parametrize(
    ("value", "text"), [(None, "-"), (0.0, "0"), (9.94, "9.9"), (12.4, "12"), (100.0, "100")]
)
def test_an_amount_is_told_no_finer_than_people_need(value: float | None, text: str) -> None:
    assert amount(value) == text
