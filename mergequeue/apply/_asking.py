"""A part of the step: what is read of a change and of its stack."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from mergequeue.apply._reviewers import Reviewers
from mergequeue.apply.checks import Stale, decide_checks, decide_unread
from mergequeue.apply.current import (
    Expected,
    Retarget,
    answer_carried,
    decide_after_retarget,
    decide_current,
    decide_lacking,
)
from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.apply.stacks import Disagreement, OwnReading, decide_stack, heads_concerned
from mergequeue.changes.history import History
from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.changes import Change, Listing
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.provider import Approval, ApprovalQuestion, CheckQuestion, RetargetRequest
from mergequeue.documents.verdict import Verdict
from mergequeue.plan.carrying import moved_of, others_of
from mergequeue.plan.review import Coverage, Reviewed
from mergequeue.plan.reviewing import Reviewing
from mergequeue.ports import Facts, GitReads, MergesTrees, Merging, ProviderReads, ProviderWrites
from mergequeue.vocabulary.errors import PLAN_DISAGREES, PROVIDER_FAILED, MergequeueError
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId


@dataclass(frozen=True)
class Asking:
    """Reads the change as it is now, and asks the pure modules what that means."""

    git: GitReads
    trees: MergesTrees
    merging: Merging
    facts: Facts
    reads: ProviderReads
    writes: ProviderWrites
    plan: Plan
    listing: Listing
    provider: Capabilities
    missing: Container[CommitId]
    """Heads that could not be had."""
    reviewers: Reviewers
    carried: dict[ChangeId, CommitId] = field(default_factory=dict)
    """The older commits whose approval counts for a head that was only moved."""

    def stack(
        self, change: PlannedChange, confirmed: Mapping[ChangeId, PlannedChange]
    ) -> Wait | None:
        """Return what is wrong with its place in its stack; raise PLAN_DISAGREES if the plan is."""
        history = self._history
        on_base = frozenset(
            record.commit for record in self.listing.merged if history.on_tip(record.commit)
        )
        problem = decide_stack(change, OwnReading(history, self.listing, on_base, confirmed))
        if isinstance(problem, Disagreement):
            raise PLAN_DISAGREES(problem.problem)
        return problem

    @cached_property
    def _history(self) -> History:
        """What every head carries and the plan's base commit does not: one walk for the run."""
        concerned = heads_concerned(self.plan.admitted, self.listing)
        heads = [head for head in concerned if head not in self.missing]
        merged = [record.commit for record in self.listing.merged]
        return History(self.git.graph([*heads, *merged], self.plan.base_commit), heads)

    def covered(self, change: PlannedChange, tip: CommitId, *, below_open: bool) -> Coverage:
        """Return what a review of the head covers (facts 3.8, step 1)."""
        return self._covered({change.head: None if below_open else change.stack_base}, tip)[0]

    def _covered(
        self, heads: Mapping[CommitId, CommitId | None], tip: CommitId
    ) -> Sequence[Coverage]:
        """Return what reviews of heads cover, each with the stack base that it has."""
        history = History(self.git.graph(list(heads), tip), list(heads))
        return self._reviewing.coverages(
            [Reviewed(head, history.base_merges(head), base) for head, base in heads.items()]
        )

    def lacking(
        self, verdicts: Sequence[Verdict]
    ) -> Mapping[ChangeId, tuple[Approval | str, Wait | Kick | None]]:
        """Return what becomes of the changes that planning found to lack a required review, each
        with the provider's answer, from one call for all of them.
        """
        here = [one.change for one in verdicts if one.change.head not in self.missing]
        heads: dict[CommitId, CommitId | None] = dict.fromkeys(one.head for one in here)
        coverages = self._covered(heads, self.plan.base_commit) if heads else ()
        covered = {head: each.target for head, each in zip(heads, coverages, strict=True)}
        answers = self.reviewers.answers([(one, covered[one.head]) for one in here])
        found: dict[ChangeId, tuple[Approval | str, Wait | Kick | None]] = {}
        for verdict in verdicts:
            change = verdict.change
            answer = answers.get(change.id, "it gave no answer")
            at = [covered[change.head]] if change.head in covered else []
            lacks = self.reviewers.decide(change, answer, at)
            found[change.id] = answer, decide_lacking(verdict, answer, lacks)
        return found

    @cached_property
    def _reviewing(self) -> Reviewing:
        return Reviewing(self.git, self.trees, self.merging, self.facts)

    def _answer(
        self, change: PlannedChange, covered: CommitId, tip: CommitId | None
    ) -> Approval | str:
        """Return the change as the provider has it now, approved where an approval of an older
        commit counts for what a review covers (facts 3.9).
        """
        answers = self.reads.approvals_at([self.reviewers.question(change, covered)])
        answer = answers.get(change.id, "it gave no answer")
        self.reviewers.hear(change, answer)
        moved = moved_of(change, answer, covered, change.stack_base)
        if moved is None or tip is None:
            return answer
        listing = self.listing
        others = others_of(listing.changes, listing.merged, listing.unqueued)
        why = self._reviewing.carried([moved], others, tip)[change.id]
        if not why:
            self.carried[change.id] = moved.old
        return answer_carried(answer, self.carried.get(change.id), why)

    def now(self, change: Change) -> Approval | str:
        """Return a change as the provider has it now, whatever its review."""
        answers = self.reads.approvals_at([ApprovalQuestion(change=change, commit=change.head)])
        return answers.get(change.id, "it gave no answer")

    def current(
        self,
        change: PlannedChange,
        covered: CommitId,
        below_branch: BranchName | None = None,
        *,
        tip: CommitId | None = None,
        is_next: bool = True,
    ) -> Wait | Kick | None:
        """Return what keeps the change from merging as it is now.

        Without the base's `tip`, as for a head that cannot be read, no approval carries over.
        One that still targets the branch beneath it is pointed at the base first, where it merges
        next (facts A12).
        """
        found = self._decide(change, covered, tip, below_branch)
        if not isinstance(found, Retarget):
            return found
        if not is_next:
            again = self._decide(change, covered, tip, None, base=below_branch)
            return None if isinstance(again, Retarget) else again
        self.writes.retarget(
            RetargetRequest(change=change.id, repo=change.repo, base=self.plan.base)
        )
        again = self._decide(change, covered, tip, None)
        return decide_after_retarget(again, self.plan.base)

    def _decide(
        self,
        change: PlannedChange,
        covered: CommitId,
        tip: CommitId | None,
        below_branch: BranchName | None,
        base: BranchName | None = None,
    ) -> Wait | Kick | Retarget | None:
        answer = self._answer(change, covered, tip)
        lacks = self.reviewers.decide(change, answer, [covered])
        into = base or self.plan.base
        expected = Expected(change.head, into, self.provider.methods, below_branch, lacks)
        return decide_current(change, expected, answer)

    def checks(self, change: PlannedChange, tip: CommitId) -> Wait | Kick | Stale | None:
        """Return what the base's other required checks at the head mean (facts A14)."""
        try:
            checks = self.reads.required_checks(CheckQuestion(change=change, commit=change.head))
        except MergequeueError as error:
            if error.code != PROVIDER_FAILED.code:
                raise
            return decide_unread(error.problem)
        return decide_checks(checks, carries_tip=self.git.is_ancestor(tip, change.head))
