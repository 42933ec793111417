"""GitHub's rate limits, as far as a test sets them."""

from tests.fakes.github.calls import Answer
from tests.fakes.github.log import Seen


class Limits:
    """Counts requests; refuses none until a test says so."""

    def refuse(self, seen: Seen) -> Answer | None:
        """Return the refusal of a request that is over a limit."""
        del seen
        return None

    def headers(self, seen: Seen) -> dict[str, str]:
        """Return what every answer says of the limits."""
        del seen
        return {}
