"""The fake's time: it stands still until something happens, so that answers can be foretold."""

from datetime import UTC, datetime, timedelta


class Clock:
    """A moment that moves by a second a happening, or as a test says."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def tick(self) -> str:
        """Move on by a second, and return the moment as GitHub writes it."""
        self.now += timedelta(seconds=1)
        return self.text()

    def advance(self, **by: float) -> None:
        """Move on, by what a timedelta is made of."""
        self.now += timedelta(**by)

    def text(self) -> str:
        """Return the moment as GitHub writes it."""
        return self.now.strftime("%Y-%m-%dT%H:%M:%SZ")
