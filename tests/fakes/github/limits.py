"""GitHub's rate limits, as far as a test sets them.

github.limits.primary = 10                  so many requests until the reset
github.limits.secondary_after = 3           so many writes, then 403 with Retry-After
github.limits.forms                         the answers of the next limited requests, in order
"""

from dataclasses import dataclass, field

from tests.fakes.github.calls import Answer
from tests.fakes.github.log import Seen

_PRIMARY = "API rate limit exceeded for installation."
_SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes."


@dataclass
class Limits:
    """Counts requests; refuses none until a test says so."""

    primary: int | None = None
    """How many requests are left until the reset; None for as many as one likes."""
    reset: int = 0
    """When there are `allowed` again, in seconds since 1970."""
    allowed: int = 5000
    secondary_after: int | None = None
    """After how many writes the secondary limit is met, once."""
    retry_after: int = 60
    odd_words: str = ""
    """What the secondary limit says in place of GitHub's words, with no header at all."""
    spent: int = 0
    """How many requests counted; those that found nothing changed do not."""
    _writes: int = field(default=0)

    def refuse(self, seen: Seen) -> Answer | None:
        """Return the refusal of a request that is over a limit."""
        if self.primary is not None and self.primary <= 0:
            return Answer(403, {"message": _PRIMARY}, self.headers(seen))
        if not seen.writes or self.secondary_after is None:
            return None
        self._writes += 1
        if self._writes <= self.secondary_after:
            return None
        self.secondary_after = None
        if self.odd_words:
            return Answer(403, {"message": self.odd_words})
        return Answer(403, {"message": _SECONDARY}, {"Retry-After": str(self.retry_after)})

    def count(self, status: int) -> None:
        """Count an answered request."""
        if status == 304:
            return
        self.spent += 1
        if self.primary is not None:
            self.primary -= 1

    def headers(self, seen: Seen) -> dict[str, str]:
        """Return what every answer says of the limits."""
        del seen
        left = self.allowed if self.primary is None else max(self.primary, 0)
        return {
            "X-RateLimit-Limit": str(self.allowed),
            "X-RateLimit-Remaining": str(left),
            "X-RateLimit-Reset": str(self.reset),
            "X-RateLimit-Resource": "core",
        }
