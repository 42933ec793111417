"""A span of time as people write it: `90s`, `30m`, `2h`, `1d`."""

import re
from datetime import timedelta
from typing import Annotated, Final

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, WithJsonSchema

from mergequeue.documents.record import require

PATTERN: Final = "[1-9][0-9]{0,4}[smhd]"
"""A whole number that is not zero, and its unit."""

_UNITS: Final = {
    "d": timedelta(days=1),
    "h": timedelta(hours=1),
    "m": timedelta(minutes=1),
    "s": timedelta(seconds=1),
}


def parse_duration(text: str) -> timedelta:
    """Return the span that `text` writes; raise ValueError, saying how it is written."""
    require(
        re.fullmatch(PATTERN, text, re.ASCII) is not None,
        "a duration is a whole number with its unit, such as 90s, 30m, 2h or 1d",
    )
    return int(text[:-1]) * _UNITS[text[-1]]


def duration_of(span: timedelta) -> str:
    """Return how a span of whole seconds is written: in the largest unit that divides it."""
    unit = next(name for name, length in _UNITS.items() if not span % length)
    return f"{span // _UNITS[unit]}{unit}"


def _parsed(value: object) -> object:
    return parse_duration(value) if isinstance(value, str) else value


def _as_written(span: timedelta) -> timedelta:
    require(span > timedelta(0) and not span.microseconds, "a duration has whole seconds")
    require(
        re.fullmatch(PATTERN, duration_of(span)) is not None, "a duration has five digits at most"
    )
    return span


Duration = Annotated[
    timedelta,
    Field(strict=True),
    BeforeValidator(_parsed),
    AfterValidator(_as_written),
    PlainSerializer(duration_of, return_type=str),
    WithJsonSchema({"type": "string", "pattern": f"^{PATTERN}$"}),
]
"""A span of time, in documents its text."""
