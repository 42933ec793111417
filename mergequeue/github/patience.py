"""What an answer calls for next, and how long a write waits for its turn: pure decisions.

GitHub says "not now" in several ways, and each is told apart before any words of it are read (CASES
D): a 403 or 429 with Retry-After, or with no request left until a time that it names, is a limit
that ends by itself; a 403 of an unknown kind on a write is tried once more after a minute, since
that is how the secondary limits looked before; a 401 is a credential that is no good any more, and
never says anything of a change. A read that got no whole answer is asked again a few times. A write
that got none is unclear: whoever asked has to read what is true.
"""

import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

from mergequeue.vocabulary import limits

_OK = 200
_NOT_MODIFIED = 304
_UNAUTHORIZED = 401
_FORBIDDEN = 403
_TIMEOUT = 408
_TOO_MANY = 429
_BROKEN = 500
_NUMBER = re.compile(r"[0-9]{1,10}\Z")
_PERMISSION = "resource not accessible by"
_MINUTE = timedelta(minutes=1)
_HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class Came:
    """What came back for a request; `status` is 0 where no whole answer did."""

    status: int
    headers: Mapping[str, str]
    message: str = ""
    is_limit: bool = False
    """Whether the body itself names a rate limit, as GraphQL's does under status 200."""
    reached: bool = True
    """Whether the request may have reached GitHub."""


@dataclass
class Tries:
    """What was tried for one request so far."""

    broken: int = 0
    limited: int = 0
    odd: int = 0
    renewed: int = 0


@dataclass(frozen=True)
class Done:
    """The answer is one to act on."""


@dataclass(frozen=True)
class Again:
    """The same request is sent again after a pause."""

    seconds: float
    why: str


@dataclass(frozen=True)
class Renew:
    """The same request is sent again with a new credential, if one can be had."""


@dataclass(frozen=True)
class Unclear:
    """A write of which nobody knows whether it was carried out."""

    why: str


@dataclass(frozen=True)
class GiveUp:
    """A read that got no answer, or a limit that lasts too long."""

    why: str
    is_limit: bool = False


Next = Done | Again | Renew | Unclear | GiveUp


def decide_next(came: Came, tries: Tries, now: datetime, *, is_write: bool) -> Next:
    """Return what the answer calls for, counting what is tried again in `tries`."""
    if came.status == _UNAUTHORIZED:
        tries.renewed += 1
        return Renew() if tries.renewed == 1 else Done()
    seconds = pause_of(came, now)
    if seconds is not None:
        return _after_limit(seconds, tries, now)
    if is_write and _is_odd(came):
        tries.odd += 1
        if tries.odd == 1:
            return Again(limits.ODD_REFUSAL_SECONDS, f"an unknown 403 ({came.message})")
        return Done()
    if came.status in {0, _NOT_MODIFIED, _TIMEOUT} or came.status >= _BROKEN:
        return _after_break(came, tries, is_write=is_write)
    return Done()


def pause_of(came: Came, now: datetime) -> float | None:
    """Return for how many seconds GitHub wants to be left alone; None where it named no limit."""
    if came.status not in {_FORBIDDEN, _TOO_MANY} and not came.is_limit:
        return None
    after = came.headers.get("retry-after", "")
    if after:
        return _seconds_of(after, _date_of(came.headers, now))
    if came.headers.get("x-ratelimit-remaining") == "0":
        reset = came.headers.get("x-ratelimit-reset", "")
        if _NUMBER.match(reset):
            # By GitHub's own clock: this machine's may be off.
            left = int(reset) - _date_of(came.headers, now).timestamp()
            return max(1.0, left + 1)
        return limits.ODD_REFUSAL_SECONDS
    if came.status == _TOO_MANY or came.is_limit:
        return limits.ODD_REFUSAL_SECONDS
    return None


def date_of(headers: Mapping[str, str]) -> datetime | None:
    """Return what time it is for GitHub; None where its answer has no date that reads."""
    try:
        found = parsedate_to_datetime(headers.get("date", ""))
    except (ValueError, TypeError):
        return None
    return found if found.tzinfo is not None else None


class Turns:
    """When content writes were sent, so that GitHub's secondary limits are never met."""

    def __init__(self) -> None:
        """Start with none sent."""
        self._sent: deque[datetime] = deque(maxlen=limits.WRITES_AN_HOUR)

    def wait(self, now: datetime) -> float:
        """Return for how many seconds the next write waits for its turn."""
        waits = [0.0]
        for allowed, window in (
            (limits.WRITES_A_MINUTE, _MINUTE),
            (limits.WRITES_AN_HOUR, _HOUR),
        ):
            if len(self._sent) >= allowed:
                waits.append((self._sent[-allowed] + window - now).total_seconds())
        return max(waits)

    def sent(self, now: datetime) -> None:
        """Count a write."""
        self._sent.append(now)


def _after_limit(seconds: float, tries: Tries, now: datetime) -> Next:
    tries.limited += 1
    if seconds > limits.LIMIT_WAIT_SECONDS:
        over = (now + timedelta(seconds=seconds)).strftime("%H:%M:%S UTC")
        return GiveUp(f"its rate limit is not over before {over}", is_limit=True)
    if tries.limited > limits.LIMIT_TRIES:
        return GiveUp("its rate limit was met again and again", is_limit=True)
    return Again(seconds, "its rate limit")


def _after_break(came: Came, tries: Tries, *, is_write: bool) -> Next:
    why = f"GitHub answered with {came.status}" if came.status else came.message
    if is_write and came.reached:
        return Unclear(why)
    tries.broken += 1
    if tries.broken >= limits.READ_TRIES:
        return GiveUp(f"{why}, {tries.broken} times")
    return Again(2.0 ** (tries.broken - 1), why)


def _is_odd(came: Came) -> bool:
    return came.status == _FORBIDDEN and not came.message.lower().startswith(_PERMISSION)


def _seconds_of(text: str, now: datetime) -> float:
    if _NUMBER.match(text):
        return float(text)
    try:
        return max(0.0, (parsedate_to_datetime(text) - now).total_seconds())
    except (ValueError, TypeError):
        return limits.ODD_REFUSAL_SECONDS


def _date_of(headers: Mapping[str, str], now: datetime) -> datetime:
    return date_of(headers) or now
