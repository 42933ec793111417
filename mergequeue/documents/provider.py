"""What a provider is asked and what it answers, record by record (tables, Provider functions).

Every key without a default is required: one that is missing is an error and never a zero value,
since a missing `fork` or `queued` read as false would admit what the provider meant to refuse.
"""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Field, model_validator

from mergequeue.documents.changes import ListedChange
from mergequeue.documents.record import (
    BranchName,
    ChangeId,
    CommitId,
    NonEmpty,
    Record,
    TreeId,
    require,
)
from mergequeue.documents.review import Review
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.words import CheckState, Mark, Method, StatusState


class Repository(Record):
    """Which branch of which repository a question is about."""

    base: BranchName
    remote_url: NonEmpty


class DescribeQuestion(Repository):
    """What `describe` is asked."""

    status_context: str = ""
    """The status that a setup is asked for; empty where no setup is wanted."""
    app: str = ""
    """`--app` exactly as a person gave it; the queue never reads it."""
    setup_steps: bool = False
    """Whether the setup lists the steps of setting it up."""


class ApprovalQuestion(Record):
    """One change of the list that `approvals_at` is asked about."""

    change: ListedChange
    commit: CommitId
    """The commit that a review of its head covers."""
    reviewers: tuple[NonEmpty, ...] = ()
    """The base's required reviewers, as it names them; empty where it has none."""
    described: bool = False
    """Whether its description and its reviews are asked for too, for the message of its merge."""


class Approval(Record):
    """The change as the provider has it now."""

    approved: bool
    """Whether the base's own review rule is met at the commit asked about."""
    head: CommitId
    """Its head now."""
    base: BranchName
    """The branch it merges into now."""
    method: Method
    """Its merge method now."""
    queued: bool
    """Whether it still carries merge intent."""
    shared_with: tuple[ChangeId, ...]
    """The other open changes whose head branch is its branch."""
    reason: str = ""
    """Why it is not approved, or not queued."""
    approved_commit: CommitId | None = None
    """An older commit that its approvals stand at."""
    reviews: tuple[Review, ...] | None = None
    """Every review of it, where they were asked for; None where the provider tells of none."""
    description: str | None = None
    """What its author says of it, in Markdown, where that was asked for; None where the provider
    has nothing but its commits.
    """
    unread: Mapping[NonEmpty, NonEmpty] = {}
    """Of which reviewers it cannot be told whose reviews are theirs, and why."""


class GreenQuestion(Repository):
    """What `list_green` is asked: whose head carries this status at success."""

    context: NonEmpty


class GreenChange(Record):
    """An open change whose head carries the status at success."""

    id: ChangeId
    head: CommitId
    repo: str = ""


class StatusPost(Record):
    """A status to record on a commit."""

    change: ChangeId
    repo: str = ""
    commit: CommitId
    context: NonEmpty
    state: StatusState
    description: str


class RetargetRequest(Record):
    """A change to point at another base."""

    change: ChangeId
    repo: str = ""
    base: BranchName


class Pin(Record):
    """A change and the commit it must still be at."""

    id: ChangeId
    commit: CommitId


class MergeMember(Record):
    """A change that merges, and what the base is to carry with it."""

    change: ListedChange
    commit: CommitId
    """The commit that is merged: its head, or the update commit that was pushed to its branch."""
    tree: TreeId
    """The tree that the base will carry; a provider that merges `exact` writes it."""
    stack_base: CommitId | None = None
    """Where its own delta starts, for a provider that replays commits itself."""
    message: str
    """The message of a squash, in the queue's words."""
    title: str = ""
    """The first line of a squash's or merge's message that the base's file asks for; empty where
    the provider's own stands.
    """
    body: str | None = None
    """What the base's file asks to stand beneath that; None where `message`, or the provider's own
    of a merge, stands.
    """
    on_top: str = ""
    """For a provider that replays commits itself: the message of the commit, by the committer, that
    gives the replayed ones the requested tree. Empty where they have it.
    """

    @property
    def id(self) -> ChangeId:
        """What the provider calls it."""
        return self.change.id


class MergeRequest(MergeMember):
    """A change to merge, with those beneath it that merge in the same call."""

    onto: CommitId
    """The base's tip that the merge was predicted onto; the lowest member's, where there are some.
    """
    committer: str = ""
    """`Name <address>` of who commits, for a provider that writes the merge itself."""
    app: str = ""
    through: tuple[MergeMember, ...] = ()
    """The changes beneath it that merge in the same call, all or none, lowest first."""

    @property
    def members(self) -> tuple[MergeMember, ...]:
        """Every change that merges in this call, lowest first."""
        return (*self.through, self)


class MergeAnswer(Record):
    """What became of a merge."""

    merged: bool
    by_provider: bool = False
    """Whether the provider merged it on its own, rather than on this call."""
    reason: str = ""
    """Why it did not merge, in the provider's words."""

    @model_validator(mode="after")
    def _says_why_not(self) -> Self:
        require(self.merged or self.reason != "", "a merge that did not happen has a reason")
        return self


class Reproduction(Record):
    """The hook lines that validate a change again, from apply's own options."""

    gate: NonEmpty
    regenerate: str = ""
    """Empty where nothing is regenerated."""


class KickBack(Record):
    """A change to hand back to its author: the provider removes its intent and shows the report."""

    change: ListedChange
    commit: CommitId
    """The head it was decided for."""
    code: Code
    report: NonEmpty
    """Markdown in the queue's own words, every file name in a code span."""
    claim: str = ""
    """What the verdict said went wrong: text, never markup."""
    paths: tuple[str, ...] = ()
    with_: Annotated[tuple[str, ...], Field(alias="with")] = ()
    candidate_commit: CommitId | None = None
    source: str = ""
    """The validation run that apply followed; empty for a directory."""
    reproduce: Reproduction | None = None

    @property
    def mark(self) -> Mark:
        """The mark that the change shows from then on (seed 1, Providers)."""
        needs_regeneration = self.code is Code.KICK_REGENERATION
        return Mark.NEEDS_REGENERATION if needs_regeneration else Mark.KICKED_BACK


class MarkRequest(Record):
    """A change and the one mark that it shall show."""

    change: ChangeId
    repo: str = ""
    mark: Mark
    head: CommitId | None = None
    """The head that the mark is about, where there is one."""


class CheckQuestion(Record):
    """The commit of a change whose required checks are asked for."""

    change: ListedChange
    commit: CommitId


class Check(Record):
    """One check that the base requires, at a commit."""

    name: NonEmpty
    state: CheckState
    reason: str = ""
    """What the provider knows beyond the state, such as that nothing ever reported it."""


class ArtifactQuestion(Record):
    """The validation run whose artifacts are asked for, as the provider names it."""

    source: NonEmpty


class RunOrigin(Record):
    """Where a validation run comes from: who could have written what it did."""

    repo: NonEmpty
    """The repository that it belongs to."""
    head_repo: str
    """The repository whose commit it ran; empty where that is gone."""
    head_branch: str
    """The branch that it ran on."""
    event: NonEmpty
    """What started it."""
    branch_event: bool
    """Whether that event runs the branch's own copy of the definition."""
    definition: NonEmpty
    """The definition that it ran."""


class Artifact(Record):
    """One archive that a run uploaded."""

    name: NonEmpty
    url: NonEmpty
    attempt: Annotated[int, Field(ge=1)] = 1
    """The attempt of the run that uploaded it."""


class RunListing(Record):
    """What a validation run has uploaded so far."""

    run: RunOrigin
    complete: bool
    """Whether nothing more will come: read before the listing was made."""
    artifacts: tuple[Artifact, ...]
    headers: Annotated[Mapping[str, str], Field(repr=False)] = {}
    """What a download is asked with, at its own host alone."""
