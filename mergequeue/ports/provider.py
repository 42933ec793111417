"""Asking the provider, and changing what it holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.changes import Listing
from mergequeue.documents.preflight import NamedCheck, NamedChecksQuestion, RerunRequest
from mergequeue.documents.provider import (
    Approval,
    ApprovalQuestion,
    ArtifactQuestion,
    Check,
    CheckQuestion,
    DescribeQuestion,
    GreenChange,
    GreenQuestion,
    KickBack,
    MarkRequest,
    MergeAnswer,
    MergeRequest,
    Repository,
    RetargetRequest,
    RunListing,
    StatusPost,
)
from mergequeue.documents.trying import TryReport
from mergequeue.vocabulary.ids import (
    BranchName,
    ChangeId,
)


class ProviderReads(Protocol):
    """Asking the provider; PROVIDER_FAILED, or BAD_ANSWER naming a wrong key, is raised by each."""

    def describe(self, question: DescribeQuestion) -> Capabilities:
        """Return what the provider can do.

        With a status context, also how its repository is wired.
        """

    def list_changes(self, question: Repository) -> Listing:
        """Return the queued, merged-beneath, unqueued and closed changes."""

    def approvals_at(
        self, questions: Sequence[ApprovalQuestion]
    ) -> Mapping[ChangeId, Approval | str]:
        """Return each change as it is now.

        A text in its place says why that one could not be read.
        """

    def list_green(self, question: GreenQuestion) -> tuple[GreenChange, ...]:
        """Return every open change, whatever its base, whose head carries the status at success."""

    def required_checks(self, question: CheckQuestion) -> tuple[Check, ...]:
        """Return the state of each check that the base requires.

        None where the provider has no checks.
        """

    def named_checks(
        self, questions: Sequence[NamedChecksQuestion]
    ) -> Mapping[ChangeId, tuple[NamedCheck, ...] | str]:
        """Return the newest run of each named check at each change's head (seed 2, Pre-flights).

        A text in their place says why those of one change could not be read. A provider whose
        capabilities do not name this is not asked.
        """


class ProviderWrites(Protocol):
    """Changing what the provider holds."""

    def post_status(self, posts: Sequence[StatusPost]) -> None:
        """Record the statuses."""

    def retarget(self, request: RetargetRequest) -> None:
        """Point a change at another base; one that targets it already is a success."""

    def merge_change(self, request: MergeRequest) -> MergeAnswer:
        """Merge a change at the pinned commit, or say why not."""

    def kick_back(self, kick: KickBack) -> None:
        """Hand a change back: show the report, then remove its intent."""

    def mark(self, marks: Sequence[MarkRequest]) -> tuple[str, ...]:
        """Show each change's one mark.

        Returns in words what could not be marked, since that stops nothing.
        """

    def rerun_checks(self, requests: Sequence[RerunRequest]) -> Mapping[ChangeId, str]:
        """Run checks again that `named_checks` gave an id for.

        Returns in words why those of a change could not be, since that stops nothing. A provider
        whose capabilities do not name checks is not asked.
        """

    def report_try(self, report: TryReport) -> None:
        """Show what a try run came to, and take the request for it off.

        A provider whose listing never says that one is asked for is not asked.
        """


class ListsArtifacts(Protocol):
    """What apply follows a validation run through; a provider may lack it."""

    def list_artifacts(self, question: ArtifactQuestion) -> RunListing:
        """Return what the run has uploaded, and where the run comes from.

        Whether it is complete is read before the listing is made.
        """


@dataclass(frozen=True)
class PlanJob:
    """The job of a validation run that plans, as the CI tells of it."""

    status: str
    """`queued`, `in_progress`, `completed`, or another word of the CI's."""
    conclusion: str
    """How it ended; empty while it has not."""
    started_at: datetime | None


@dataclass(frozen=True)
class WorkflowRun:
    """One run of the queue's workflow on the base."""

    is_over: bool
    plan: PlanJob | None
    """None where it has no such job, or none yet."""


class Dispatches(Protocol):
    """Starting validation runs, and seeing how far one is."""

    def list_runs(self, workflow: str, branch: BranchName) -> tuple[WorkflowRun, ...]:
        """Return the runs on a branch that have not ended."""

    def read_run(self, number: str) -> WorkflowRun:
        """Return how far one run is."""

    def are_older_over(self, number: str, base: BranchName) -> bool:
        """Return whether every run of a run's own workflow that is older than it has ended, but for
        those that are known to merge into another base.
        """

    def dispatch(self, workflow: str, branch: BranchName) -> None:
        """Start a run on a branch."""
