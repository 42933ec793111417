"""The step that merges each green change, following its source (seed 1, Applying as each candidate
goes green).

Everything that it acts on it reads itself: the base, the provider, the heads. So a run that is
stopped at any moment loses nothing, and one started again on the same source repeats nothing.
"""

from dataclasses import dataclass

from mergequeue.apply._following import Following
from mergequeue.apply._ports import Ports
from mergequeue.apply.run import ApplyResult, Settings
from mergequeue.apply.trust import (
    decide_credential,
    decide_plan,
    decide_tip,
    pinned_plan,
    readable_listing,
)
from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.changes import Listing
from mergequeue.documents.event import Happening
from mergequeue.documents.plan import Plan
from mergequeue.documents.provider import DescribeQuestion, Repository
from mergequeue.ports import (
    Stop,
    Wanted,
)
from mergequeue.vocabulary.errors import PLAN_DISAGREES, SOURCE_INCOMPLETE, WRONG_CREDENTIAL
from mergequeue.vocabulary.ids import CommitId
from mergequeue.vocabulary.limits import POLL_FLOOR_SECONDS
from mergequeue.vocabulary.words import (
    STATUS_CONTEXT,
    EventKind,
    Method,
    ProviderMerges,
    StackMerge,
)

_DRY = Capabilities(
    merges=ProviderMerges.EXACT,
    stack_merge=StackMerge.SEQUENTIAL,
    linear_stacks=False,
    methods=tuple(Method),
    required_approvals=0,
)
"""What a dry run takes a provider for, since it asks none."""


@dataclass(frozen=True)
class Applier(Ports):
    """Merges what validation found green, through the ports that may write."""

    def run(self, settings: Settings, stop: Stop) -> ApplyResult:
        """Apply the source to its end, or as far as it goes now with `once`.

        Between two changes `stop` is asked. Raises WRONG_CREDENTIAL, PLAN_DISAGREES where the plan
        is not of this base, SOURCE_INCOMPLETE where there is none, and UNEXPECTED_TREE,
        UNEXPECTED_SHAPE and STATUS_FAILED, on which nothing more merges.
        """
        repository = Repository(base=settings.base, remote_url=self.git.remote_url())
        provider = _DRY if settings.dry_run else self._describe(settings, repository)
        plan = self.source.plan()
        tip = self._proven_tip(plan, repository) if plan is not None else None
        self._revoke(settings, repository)
        if plan is None:
            plan = self._await_plan(settings, stop)
            if plan is None:
                return ApplyResult(stopped=stop())
        tip = tip or self._proven_tip(plan, repository)
        listing = Listing(changes=()) if settings.dry_run else self.reads.list_changes(repository)
        plan = pinned_plan(plan, listing)
        missing = self._fetch(plan, listing)
        listing = readable_listing(listing, missing)
        tools = self.tools_at(plan.base_commit, tip)
        return Following(self, tools, settings, plan, listing, provider, missing, stop).carry_out()

    def _proven_tip(self, plan: Plan, repository: Repository) -> CommitId:
        """Return the base's tip, once the plan is proven to be of this base and to stand on it."""
        problem = decide_plan(plan, repository.base, repository.remote_url)
        if problem:
            raise PLAN_DISAGREES(problem)
        tip = self.git.fetch_branch(plan.base)
        known = not self.git.fetch_commits([Wanted(plan.base_commit)])
        carries = known and self.git.is_ancestor(plan.base_commit, tip)
        problem = decide_tip(plan, tip, carries_base_commit=carries)
        if problem:
            raise PLAN_DISAGREES(problem)
        return tip

    def _fetch(self, plan: Plan, listing: Listing) -> frozenset[CommitId]:
        """Fetch what the plan and its stacks rest on in one go; returns what could not be had."""
        merged = [commit for record in listing.merged for commit in (record.head, record.commit)]
        heads = [Wanted(change.head, change.ref) for change in plan.admitted]
        heads += [Wanted(change.head, change.ref) for change in listing.changes]
        heads += [Wanted(change.head, change.ref) for change in listing.unqueued]
        return self.git.fetch_commits([*heads, *map(Wanted, merged)])

    def _describe(self, settings: Settings, repository: Repository) -> Capabilities:
        question = DescribeQuestion(
            base=repository.base,
            remote_url=repository.remote_url,
            status_context=STATUS_CONTEXT,
            app=settings.app,
        )
        provider = self.reads.describe(question)
        problem = decide_credential(provider)
        if problem:
            raise WRONG_CREDENTIAL(problem)
        return provider

    def _revoke(self, settings: Settings, repository: Repository) -> None:
        if settings.dry_run:
            return
        for green in self.merger.revoke(repository):
            reason = "set back a success that an earlier run left"
            self.events.emit(
                Happening(kind=EventKind.NOTICE, change=green.id, commit=green.head, reason=reason)
            )

    def _notice(self, reason: str) -> None:
        self.events.emit(Happening(kind=EventKind.NOTICE, reason=reason))

    def _await_plan(self, settings: Settings, stop: Stop) -> Plan | None:
        """Return the plan once it is there, looked for last when the source is complete.

        A validation run that left none, such as a cancelled one, leaves nothing to do (facts A33).
        """
        while not stop():
            complete = settings.once or self.source.poll(None).complete
            plan = self.source.plan()
            if plan is not None:
                return plan
            if complete and not self.source.name():
                raise SOURCE_INCOMPLETE("there is no plan in the source of verdicts")
            if complete:
                self._notice(f"there is no plan in {self.source.name()}: nothing to apply")
                return None
            self.clock.sleep(max(settings.interval, POLL_FLOOR_SECONDS))
        return None
