"""A part of the step: what the base's required reviewers say of changes, as they are now."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mergequeue.documents.changes import Change
from mergequeue.documents.config import ReviewersTable
from mergequeue.documents.provider import Approval, ApprovalQuestion
from mergequeue.plan.reviewers import Lacks, decide_reviewed, since_of
from mergequeue.ports import Clock, Memory, ProviderReads, ReadsMemory
from mergequeue.vocabulary.ids import ChangeId, CommitId


@dataclass(frozen=True)
class Reviewers:
    """Asks the provider for reviews, and the pure modules what they mean."""

    reads: ProviderReads
    memory: ReadsMemory
    clock: Clock
    asked: ReviewersTable

    def question(self, change: Change, covered: CommitId) -> ApprovalQuestion:
        """Return the question how a change stands, its required reviews among it."""
        return ApprovalQuestion(change=change, commit=covered, reviewers=self.asked.required)

    def decide(
        self, change: Change, answer: Approval | str, covered: Collection[CommitId]
    ) -> Lacks | None:
        """Return what a change lacks; `covered` are the commits that a review may stand at."""
        if not self.asked.required or isinstance(answer, str):
            return None
        entry = self._remembered.entries.get(change.id)
        since = since_of(entry, change.head, self.clock.now())
        return decide_reviewed(self.asked, answer, {change.head, *covered}, since)

    def answers(
        self, changes: Sequence[tuple[Change, CommitId]]
    ) -> Mapping[ChangeId, Approval | str]:
        """Return how changes stand now, each with what a review of its head covers, in one call."""
        if not changes:
            return {}
        return self.reads.approvals_at([self.question(*each) for each in changes])

    @cached_property
    def _remembered(self) -> Memory:
        """What was remembered when it was first asked for: a wait is not over in between."""
        return self.memory.recall()
