"""Where validate leaves verdicts, and where apply reads them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from mergequeue.documents.plan import Plan
from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary.ids import ChangeId


class VerdictSink(Protocol):
    """Where validate leaves what it decides; each document appears whole, by rename."""

    def begin(self, plan: Plan, *, whole: bool) -> None:
        """Write the plan; raise OTHER_PLAN where another one is there already.

        A `whole` run is not done any more; one job of several leaves that as it is.
        """

    def write(self, verdict: Verdict) -> None:
        """Write one verdict, in place of an older one of the same change."""

    def done(self) -> None:
        """Say that the run has finished."""


@dataclass(frozen=True)
class Poll:
    """What one reading of a source gave."""

    verdicts: tuple[Verdict, ...] = ()
    """Verdicts not given before."""
    unreadable: Mapping[ChangeId, str] = field(default_factory=dict)
    """Changes whose verdict does not read, with why; each is given once."""
    strange: tuple[str, ...] = ()
    """What else was found and left alone, in words."""
    complete: bool = False
    """Whether nothing more will come: known before the listing was made."""


class VerdictSource(Protocol):
    """Where apply reads a plan and verdicts."""

    def plan(self) -> Plan | None:
        """Return the plan, or None where it is not there yet."""

    def poll(self) -> Poll:
        """Return what has come since the last poll."""

    def name(self) -> str:
        """Return the validation run's name for people; empty for a directory."""


class Downloads(Protocol):
    """Fetching what a listing names."""

    def fetch(self, url: str, headers: Mapping[str, str], what: str) -> bytes:
        """Return what is at an address, over https alone; the headers go to its own host alone.

        `what` names it for errors. Raises UNREADABLE where it cannot be had or is too long.
        """
