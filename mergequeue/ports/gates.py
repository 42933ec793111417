"""Running a gate: boxes for candidates, and the gate itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Protocol

from mergequeue.ports.facts import Keep
from mergequeue.vocabulary.ids import CommitId, Unit


@dataclass(frozen=True)
class Box:
    """A candidate's private folders."""

    checkout: str
    """The absolute path of its checkout."""
    home: str
    scratch: str
    """Where `--scratch-env` folders lie; `tmp` in it is TMPDIR."""
    borrowed: tuple[str, ...] = ()
    """Object folders outside that its repository borrows; they are read and never written."""


class Boxes(Protocol):
    """Private folders, one box a candidate (DESIGN, A candidate on disk)."""

    def open(self, commit: CommitId, *, keep: Keep | None = None, more: bool = False) -> Box:
        """Make a box whose checkout is `commit`; `more` says that others are to follow it.

        With `keep`, the checkout lacks the files that this is false of, and is clean all the same.
        Raises BOX_FAILED where it cannot be made, or is not clean straight after.
        """

    def close(self, box: Box) -> None:
        """Have a box removed, whatever a hook made of it: at once, or by the end of the run."""


class GateResult(StrEnum):
    """How a gate ended."""

    GREEN = "green"
    RED = "red"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class GateRun:
    """A gate to run."""

    box: Box
    units: tuple[Unit, ...]
    """Appended to the gate's own words."""
    tag: str
    """What each line of its output starts with: `<12 digits> #<change>`, or `<12 digits> base`."""
    retries: int = 0
    """How often it was run before, in other boxes."""


@dataclass(frozen=True)
class GateEnd:
    """How a gate ended, in words where it was not green."""

    result: GateResult
    summary: str = ""
    """What failed: the exit status, the signal, or `busy three times running`."""
    duration_ms: int = 0
    line: str = ""
    """The command as a person would type it, units included."""
    again: str = ""
    """The line of its output for which it is run again, in another box; empty where it is not."""
    retries: int = 0
    """How often it was run again."""
    limit: timedelta | None = None
    """How long each try may take."""
    longest_ms: int = 0
    """How long the longest of its tries took."""
    is_over: bool = False
    """Whether it was stopped since its time was over."""


class Gates(Protocol):
    """The gate, run as words in a process group of its own."""

    def run(self, run: GateRun) -> GateEnd:
        """Run the gate to its end; raise HOOK_NOT_STARTED where its program cannot be started.

        Exit 75 is tried again, and red the third time running; a death by signal is red, and so is
        one that is over its time limit, whose end says `again` for no pattern. What its processes
        leave behind in their group is killed before this returns. May be called from several
        threads at once.
        """

    def line(self, units: Sequence[Unit]) -> str:
        """Return the command as a person would type it, with these units."""

    def cancel(self) -> None:
        """Send every running gate's process group SIGTERM, and SIGKILL 30 seconds later.

        A gate that is started afterwards is cancelled at once.
        """

    def cancel_tag(self, tag: str) -> None:
        """Do the same to the running gate with this tag alone."""
