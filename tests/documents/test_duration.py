"""A span of time is written as people write it, and reads back as it was written."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mergequeue.documents.duration import PATTERN, Duration, duration_of, parse_duration
from mergequeue.documents.record import Record


class Holder(Record):
    """A record with a duration."""

    span: Duration


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("90s", timedelta(seconds=90)),
        ("30m", timedelta(minutes=30)),
        ("2h", timedelta(hours=2)),
        ("1d", timedelta(days=1)),
        ("99999s", timedelta(seconds=99999)),
    ],
)
def test_a_number_and_a_unit_is_a_span(text: str, span: timedelta) -> None:
    """Seconds, minutes, hours, days."""
    assert parse_duration(text) == span
    assert Holder.model_validate({"span": text}).span == span


@pytest.mark.parametrize(
    "text", ["", "30", "m", "0m", "-1m", "1.5h", "1h30m", " 1h", "1h\n", "1H", "100000s", "\u0661m"]
)
def test_what_is_written_otherwise_is_refused_and_says_how(text: str) -> None:
    """No zero, no fraction, no two units, no other digits."""
    with pytest.raises(ValueError, match="such as 90s, 30m, 2h or 1d"):
        parse_duration(text)
    with pytest.raises(ValidationError, match="such as 90s, 30m, 2h or 1d"):
        Holder.model_validate({"span": text})


@pytest.mark.parametrize(
    "span",
    [timedelta(0), timedelta(seconds=-1), timedelta(milliseconds=1500), timedelta(seconds=100_001)],
)
def test_a_span_that_nobody_could_write_is_refused(span: timedelta) -> None:
    """A record of it would not read back."""
    with pytest.raises(ValidationError, match="a duration has"):
        Holder(span=span)


def test_a_number_is_no_duration() -> None:
    """`timeout = 30` says neither seconds nor minutes."""
    with pytest.raises(ValidationError):
        Holder.model_validate({"span": 30})


@given(st.from_regex(PATTERN, fullmatch=True))
def test_what_is_written_reads_back_the_same(text: str) -> None:
    """In the largest unit that divides it."""
    holder = Holder.model_validate({"span": text})
    assert Holder.model_validate_json(holder.model_dump_json()) == holder
    assert parse_duration(duration_of(holder.span)) == holder.span
    assert len(duration_of(holder.span)) <= len(text)
