"""A hook to start, and how it ended."""

import signal
from collections.abc import Mapping
from dataclasses import dataclass

from mergequeue.hooks.confinement import Confinement


@dataclass(frozen=True)
class Command:
    """A hook to start."""

    words: tuple[str, ...]
    folder: str
    """Where it runs: an absolute path."""
    environ: Mapping[str, str]
    held: Confinement
    """What it may reach."""
    tag: str
    """What its lines are tagged with."""
    given: bytes = b""
    """Its standard input."""
    captured: int | None = None
    """How many bytes of standard output to keep at most; None where that is shown line by line."""
    streams_passed: bool = False
    """Whether its three streams are those of the queue itself; then nothing of them is read."""


@dataclass(frozen=True)
class HookEnd:
    """How a hook ended."""

    status: int
    """The exit status; below 0 the signal that ended it."""
    output: bytes = b""
    """What was captured."""
    overflowed: bool = False
    """Whether it printed more than it was allowed to, and was killed for it."""
    last_line: str = ""
    """The last line that it showed."""

    def text(self) -> str:
        """Return in words how it ended."""
        if self.status >= 0:
            return f"exit status {self.status}"
        try:
            return f"killed by {signal.Signals(-self.status).name}"
        except ValueError:
            return f"killed by signal {-self.status}"
