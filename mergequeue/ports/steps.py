"""Two steps as the others are handed them: the builder and the merger."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from mergequeue.documents.changes import Change
from mergequeue.documents.config import ReviewersTable
from mergequeue.documents.plan import PlannedChange
from mergequeue.documents.provider import (
    GreenChange,
    Repository,
)
from mergequeue.ports.git import Difference
from mergequeue.ports.regeneration import Regenerated, Stale
from mergequeue.ports.trees import Conflict, Resolved
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId, CommitId, RepoPath, TreeId
from mergequeue.vocabulary.words import Rule

_NO_REVIEWERS = ReviewersTable()


class Builder(Protocol):
    """The step that makes candidates, as validator and applier are handed it."""

    def build(self, request: "CandidateRequest") -> "Candidate":
        """Return the merge; the same commit every time it is asked, in every clone."""

    @property
    def regenerates(self) -> bool:
        """Whether there is a regeneration to run."""

    def regenerate(self, stale: Stale) -> Regenerated:
        """Run the regeneration in a box of a commit, and return the tree that it leaves.

        Raises HOOK_NOT_STARTED where it cannot be started, HOOK_CANCELLED where it was cancelled
        and BOX_FAILED; without a regeneration there is nothing to ask for.
        """

    def cancel(self) -> None:
        """Stop a regeneration that runs, and each that is started later."""

    def with_tree(
        self, request: "CandidateRequest", candidate: "Candidate", tree: TreeId
    ) -> "Candidate":
        """Return a candidate with the commit on top that gives it a regenerated tree.

        It is the candidate itself where the tree is its own (facts C13, C14).
        """


@dataclass(frozen=True)
class CandidateRequest:
    """A candidate to make."""

    change: Change
    stack_base: CommitId | None
    onto: CommitId
    """The base commit, or the candidate of the change right beneath."""
    date: datetime
    """The plan's commit date."""


@dataclass(frozen=True)
class Candidate:
    """A candidate, or why there is none."""

    commit: CommitId | None
    """The merge of the head onto `onto`, or the regenerated commit on it; None where there is a
    conflict or a refusal.
    """
    differences: tuple[Difference, ...] = ()
    """What the candidate changes in what it was built onto."""
    rule: Rule = Rule.PATHS
    conflicts: tuple[Conflict, ...] = ()
    refused: str = ""
    """Why the head can be merged onto nothing, such as a missing history, or why its generated
    files could not be regenerated.
    """
    paths: tuple[RepoPath, ...] = ()
    """The paths that it was refused for."""
    resolved: tuple[Resolved, ...] = ()
    """The source files whose conflicts were settled."""
    generated: tuple[RepoPath, ...] = ()
    """The generated files that conflicted and took the change's side, sorted."""
    merge: CommitId | None = None
    """The merge itself, which `commit` is where nothing was regenerated."""
    regenerated: tuple[RepoPath, ...] = ()
    """What the regeneration rewrote in the merge, sorted."""
    regeneration: str = ""
    """The hook line that ran, units included; empty where none did."""

    @property
    def touched(self) -> tuple[RepoPath, ...]:
        """What its merge touches: what it changes, and what conflicted (facts C7)."""
        return tuple(sorted({*(each.path for each in self.differences), *self.generated}))


@dataclass(frozen=True)
class Landing:
    """A change to land: what is handed over, and what the base is to be afterwards."""

    change: PlannedChange
    """The plan's record, with the base that it merges into."""
    commit: CommitId
    """What is merged: the change's head, or the update commit that was pushed to its branch."""
    covered: CommitId
    """The commit that a review of its head covers."""
    tip: CommitId
    """The base's tip that the merge was predicted onto."""
    tree: TreeId
    """The tree that the base is predicted to carry."""
    message: str
    """The message of a squash."""
    title: str = ""
    """The title that the base's file asks for; empty for the provider's own."""
    body: str | None = None
    """What it asks to stand beneath that; None for `message`, or the provider's own of a merge."""
    on_top: str = ""
    """That of the commit which puts regenerated files on a replayed line; empty for none."""
    committer: str = ""
    """`Name <address>` of who commits, for a provider that writes the merge itself."""
    app: str = ""
    reviewers: ReviewersTable = _NO_REVIEWERS
    """The base's required reviewers."""
    carried: CommitId | None = None
    """An older commit whose approval counts for `covered`, where there is one."""


@dataclass(frozen=True)
class Landed:
    """What became of a landing."""

    tip: CommitId | None = None
    """The base's tip with the change on it; None where it did not merge."""
    by_provider: bool = False
    code: Code | None = None
    """Why it waits, where it did not merge."""
    reason: str = ""
    head: CommitId | None = None
    """The commit that its status belongs to while it waits, where that is another one."""


@dataclass(frozen=True)
class Waiting:
    """A change that stays queued, and why."""

    change: Change
    commit: CommitId
    """The commit that its status belongs to."""
    why: str
    """Why it waits, or where it stands."""


class Merger(Protocol):
    """The step that lands a change, and alone moves the queue's status."""

    def land(self, landing: Landing) -> Landed:
        """Read everything again, turn the status green, merge, and check the base.

        Raises UNEXPECTED_TREE and UNEXPECTED_SHAPE where the base is not as predicted,
        STATUS_FAILED where a status could not be posted that had to be. A success not followed
        through is set back before this returns or raises.
        """

    def land_stack(self, landings: Sequence[Landing]) -> Mapping[ChangeId, Landed]:
        """Land changes stacked on each other, lowest first, in one call through the top.

        Returns what became of each: all merged, or all wait. Where one of them keeps the others
        from merging, what that one waits for alone. Raises as `land` does, and UNEXPECTED_TREE
        where only part of them merged.
        """

    def land_batch(self, landings: Sequence[Landing]) -> Mapping[ChangeId, Landed]:
        """Land the changes of a batch in one call, each in the shape of its own method onto the one
        beneath.

        Returns and raises as `land_stack` does.
        """

    def post_waiting(self, waiting: Sequence[Waiting]) -> None:
        """Set the status of each to pending, all in one post."""

    def post_standing(self, standing: Sequence[Waiting]) -> None:
        """Set the status of each to pending, with where it stands, all in one post."""

    def post_kicked(self, change: Change, commit: CommitId) -> None:
        """Set the status to failure."""

    def revoke(self, question: Repository) -> tuple[GreenChange, ...]:
        """Set every success on an open change back to pending, and return those changes."""
