"""The one reader of the clock."""

import threading
from datetime import UTC, datetime


class SystemClock:
    """The `Clock` port, whose sleeps end early once the program is told to stop."""

    def __init__(self) -> None:
        """Start awake to the machine's clock."""
        self._stopped = threading.Event()

    def now(self) -> datetime:
        """Return the time, in UTC."""
        return datetime.now(UTC)

    def sleep(self, seconds: float) -> None:
        """Wait; returns at once when `wake` is called, or was."""
        self._stopped.wait(seconds)

    def wake(self) -> None:
        """End every sleep, those that begin later too."""
        self._stopped.set()
