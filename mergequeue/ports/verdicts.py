"""Where validate leaves verdicts, and where apply reads them."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from mergequeue.documents.plan import Plan
from mergequeue.documents.suspects import Suspicion
from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary.ids import ChangeId


class VerdictSink(Protocol):
    """Where validate leaves what it decides; each document appears whole, by rename."""

    def begin(self, plan: Plan, *, whole: bool) -> None:
        """Write the plan; raise OTHER_PLAN where another one is there already.

        A `whole` run is not done any more; one job of several leaves that as it is.
        """

    def write(self, verdict: Verdict, bundle: bytes | None = None) -> None:
        """Write one verdict, in place of an older one of the same change.

        `bundle` holds the commit of a regeneration, for apply to check (facts 3.6).
        """

    def suspect(self, suspicion: Suspicion) -> None:
        """Write whom a job suspects, in place of what it said before."""

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
    suspicions: tuple[Suspicion, ...] = ()
    """Whom the jobs suspect, where that is new."""
    complete: bool = False
    """Whether nothing more will come: known before the listing was made."""


class VerdictSource(Protocol):
    """Where apply reads a plan and verdicts."""

    def plan(self) -> Plan | None:
        """Return the plan, or None where it is not there yet."""

    def poll(self, admitted: Container[ChangeId] | None) -> Poll:
        """Return what has come since the last poll of the changes that the plan admitted.

        None says that there is no plan yet, without which nothing is read. What is there of any
        other change is named as strange, and never read.
        """

    def bundle(self, change: ChangeId) -> bytes | None:
        """Return the bundle beside a change's verdict; None where there is none.

        Raises UNREADABLE where there is one that cannot be read.
        """

    def name(self) -> str:
        """Return the validation run's name for people; empty for a directory."""


class Downloads(Protocol):
    """Fetching what a listing names."""

    def fetch(self, url: str, headers: Mapping[str, str], what: str) -> bytes:
        """Return what is at an address, over https alone; the headers go to its own host alone.

        `what` names it for errors. Raises UNREADABLE where it cannot be had or is too long.
        """


class UploadsArtifacts(Protocol):
    """Keeping files as artifacts of the run that this process is a step of."""

    def upload(self, name: str, files: Mapping[str, bytes]) -> None:
        """Upload an artifact that holds these files; raise UPLOAD_FAILED where that cannot be."""
