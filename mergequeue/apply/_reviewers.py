"""A part of the step: what is asked of changes besides their approval: what the base's required
reviewers say of them, and what the messages of their merges may say.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from mergequeue.documents.changes import Change
from mergequeue.documents.config import Configuration, ReviewersTable
from mergequeue.documents.provider import Approval, ApprovalQuestion
from mergequeue.plan.reviewers import Lacks, approvers_of, decide_reviewed, since_of
from mergequeue.ports import Clock, CommitFacts, Memory, ProviderReads, ReadsMemory
from mergequeue.report.messages import Told, Wording, wording_of
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.words import Method


@dataclass(frozen=True)
class Reviewers:
    """Asks the provider for reviews, and the pure modules what they mean."""

    reads: ProviderReads
    memory: ReadsMemory
    clock: Clock
    configuration: Configuration
    _heard: dict[ChangeId, Approval] = field(default_factory=dict)

    @property
    def asked(self) -> ReviewersTable:
        """The base's required reviewers."""
        return self.configuration.reviewers

    def question(self, change: Change, covered: CommitId) -> ApprovalQuestion:
        """Return the question how a change stands, its required reviews among it."""
        return ApprovalQuestion(
            change=change,
            commit=covered,
            reviewers=self.asked.required,
            described=self.configuration.message.asks_people,
        )

    def hear(self, change: Change, answer: Approval | str) -> None:
        """Keep what the provider tells of a change, for the message of its merge."""
        if not isinstance(answer, str):
            self._heard[change.id] = answer

    def description(self, change: Change) -> str:
        """Return what the provider tells of a change, where the message of its merge may say it."""
        heard = self._heard.get(change.id)
        has_message = change.method is not Method.REBASE
        return (heard.description or "") if heard is not None and has_message else ""

    def wording(
        self, change: Change, covered: CommitId, own: Sequence[CommitFacts], head: CommitFacts
    ) -> Wording:
        """Return the words that the base's file asks for on a change's merge."""
        heard = self._heard.get(change.id)
        told = Told(
            change,
            own,
            head,
            heard.description if heard is not None else None,
            approvers_of(heard, {change.head, covered}) if heard is not None else (),
        )
        return wording_of(self.configuration.message, told)

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
