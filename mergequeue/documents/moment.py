"""A date and time as documents have it: written out, in UTC."""

import re
from datetime import datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from mergequeue.documents.record import require

_WRITTEN_OUT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})\Z"
)


def _written_out(value: object) -> object:
    """Refuse what pydantic would read too, such as a count of seconds."""
    written = isinstance(value, str) and _WRITTEN_OUT.match(value)
    require(bool(written) or isinstance(value, datetime), "not a date and time as in RFC 3339")
    return value


def _in_utc(time: datetime) -> datetime:
    require(time.utcoffset() == timedelta(0), "the time is in UTC, with its offset")
    return time


Moment = Annotated[
    datetime, Field(strict=False), BeforeValidator(_written_out), AfterValidator(_in_utc)
]
"""A time of RFC 3339 whose offset is zero."""
