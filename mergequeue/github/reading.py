"""The reading side of the provider: it can name nothing that writes."""

from collections.abc import Callable, Mapping, Sequence

from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.changes import Listing
from mergequeue.documents.preflight import NamedCheck, NamedChecksQuestion
from mergequeue.documents.provider import (
    Approval,
    ApprovalQuestion,
    Check,
    CheckQuestion,
    DescribeQuestion,
    GreenChange,
    GreenQuestion,
    Repository,
)
from mergequeue.github.addresses import RepoName
from mergequeue.github.approving import Approvals
from mergequeue.github.checks import Checks
from mergequeue.github.client import Client
from mergequeue.github.describing import describe
from mergequeue.github.greens import Greens
from mergequeue.github.listing import Lists
from mergequeue.github.named_checks import NamedChecks
from mergequeue.github.rules import Base
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import STATUS_CONTEXT


class GitHubReads:
    """`ProviderReads` over one repository of GitHub's."""

    def __init__(
        self,
        client: Client,
        repo: RepoName,
        *,
        tell: Callable[[str], None],
        app: str = "",
        members: Client | None = None,
    ) -> None:
        """Read through `client`; `tell` is told what holds a single pull request back.

        The members of teams are read through `members`, where they take another credential.
        """
        self._client = client
        self._repo = repo
        self._app = app
        self._lists = Lists(client, repo, tell)
        self._members = members or client

    def describe(self, question: DescribeQuestion) -> Capabilities:
        """Return what the queue can do here."""
        return describe(self._client, self._repo, question, self._app)

    def list_changes(self, question: Repository) -> Listing:
        """Return the four lists of a base, each to its last page."""
        return self._lists.list_changes(question)

    def approvals_at(
        self, questions: Sequence[ApprovalQuestion]
    ) -> Mapping[ChangeId, Approval | str]:
        """Return each change as it is now; a text in its place where it alone does not read."""
        if not questions:
            return {}
        return Approvals(self._client, self._repo, self._lists, self._members).read(questions)

    def list_green(self, question: GreenQuestion) -> tuple[GreenChange, ...]:
        """Return every open pull request whose head carries the status at success."""
        return Greens(self._client, self._repo, self._lists).read(question)

    def required_checks(self, question: CheckQuestion) -> tuple[Check, ...]:
        """Return how the checks that the base requires stand at a commit.

        The queue's own status is none of them, by its exact name: it would wait for itself.
        """
        base = Base(self._client, self._repo, question.change.base)
        required = base.required_checks(base.rules())
        others = [check for check in required if check.context != STATUS_CONTEXT]
        return Checks(self._client, self._repo).read(others, question.commit)

    def named_checks(
        self, questions: Sequence[NamedChecksQuestion]
    ) -> Mapping[ChangeId, tuple[NamedCheck, ...] | str]:
        """Return how checks of any name stand at each head; a text where a change's do not read."""
        return NamedChecks(self._client, self._repo).read(questions)
