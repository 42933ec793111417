"""The step that merges each green change, following its source (seed 1, Applying as each candidate
goes green).

Everything that it acts on it reads itself: the base, the provider, the heads. So a run that is
stopped at any moment loses nothing, and one started again on the same source repeats nothing.
"""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, replace

from mergequeue.apply._announcing import Announcing
from mergequeue.apply._asking import Asking
from mergequeue.apply._building import Building
from mergequeue.apply._landings import Landings
from mergequeue.apply._partitions import Partitions
from mergequeue.apply._proving import Proving
from mergequeue.apply._rebuilding import Rebuilding
from mergequeue.apply._remembering import Remembering
from mergequeue.apply._rerunning import Rerunning
from mergequeue.apply._reviewers import Reviewers
from mergequeue.apply._runs import Runs
from mergequeue.apply._telling import Telling
from mergequeue.apply._tries import Tries
from mergequeue.apply.marks import decide_marks
from mergequeue.apply.run import ApplyResult, BaseTools, Settings
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
    Bundles,
    Clock,
    Events,
    GitBuilds,
    GitPushes,
    GitReads,
    Merger,
    MergesTrees,
    ProviderReads,
    ProviderWrites,
    Stop,
    VerdictSource,
    Wanted,
    WritesMemory,
)
from mergequeue.vocabulary.errors import PLAN_DISAGREES, SOURCE_INCOMPLETE, WRONG_CREDENTIAL
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import ChangeId, CommitId
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
class Applier:
    """Merges what validation found green, through the ports that may write."""

    git: GitReads
    trees: MergesTrees
    tools_at: Callable[[CommitId], BaseTools]
    """Gives what the facts of a commit of the base make; asked for the plan's base commit, once
    that is proven to be on the base.
    """
    builds: GitBuilds
    bundles: Bundles
    pushes: GitPushes
    reads: ProviderReads
    writes: ProviderWrites
    merger: Merger
    source: VerdictSource
    memory: WritesMemory
    events: Events
    clock: Clock

    def run(self, settings: Settings, stop: Stop) -> ApplyResult:
        """Apply the source to its end, or as far as it goes now with `once`.

        Between two changes `stop` is asked. Raises WRONG_CREDENTIAL, PLAN_DISAGREES where the plan
        is not of this base, SOURCE_INCOMPLETE where there is none, and UNEXPECTED_TREE,
        UNEXPECTED_SHAPE and STATUS_FAILED, on which nothing more merges.
        """
        repository = Repository(base=settings.base, remote_url=self.git.remote_url())
        provider = _DRY if settings.dry_run else self._describe(settings, repository)
        plan = self.source.plan()
        if plan is not None:
            self._check_plan(plan, repository)
        self._revoke(settings, repository)
        if plan is None:
            plan = self._await_plan(settings, stop)
            if plan is None:
                return ApplyResult(stopped=stop())
            self._check_plan(plan, repository)
        listing = Listing(changes=()) if settings.dry_run else self.reads.list_changes(repository)
        plan = pinned_plan(plan, listing)
        missing = self._fetch(plan, listing)
        listing = readable_listing(listing, missing)
        tools = self.tools_at(plan.base_commit)
        return _Run(self, tools, settings, plan, listing, provider, missing, stop).carry_out()

    def _check_plan(self, plan: Plan, repository: Repository) -> None:
        problem = decide_plan(plan, repository.base, repository.remote_url)
        if not problem:
            tip = self.git.fetch_branch(plan.base)
            known = not self.git.fetch_commits([Wanted(plan.base_commit)])
            carries = known and self.git.is_ancestor(plan.base_commit, tip)
            problem = decide_tip(plan, tip, carries_base_commit=carries)
        if problem:
            raise PLAN_DISAGREES(problem)

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


@dataclass
class _Run:
    """One run over one plan."""

    applier: Applier
    tools: BaseTools
    settings: Settings
    plan: Plan
    listing: Listing
    provider: Capabilities
    missing: Container[CommitId]
    """Heads that could not be had; their changes are settled before any verdict is read."""
    stop: Stop
    telling: Telling = field(init=False)
    partitions: Partitions = field(init=False)
    tries: Tries = field(init=False)
    remembering: Remembering = field(init=False)
    announcing: Announcing = field(init=False)

    def __post_init__(self) -> None:
        ports, settings = self.applier, self.settings
        listed = frozenset(change.id for change in self.listing.changes)
        self.telling = Telling(
            ports.writes,
            ports.merger,
            ports.events,
            self.plan,
            settings,
            ports.source.name(),
            listed,
        )
        building = Building(
            ports.git,
            ports.trees,
            self.tools.merging,
            ports.builds,
            ports.pushes,
            ports.clock,
            self.plan,
            self.provider,
            settings.committer or _committer(self.provider),
        )
        tools, base_commit = self.tools, self.plan.base_commit
        asking = Asking(
            ports.git,
            ports.trees,
            self.tools.merging,
            self.tools.facts,
            ports.reads,
            ports.writes,
            self.plan,
            self.listing,
            self.provider,
            self.missing,
            Reviewers(ports.reads, ports.memory, ports.clock, tools.configuration),
        )
        proving = Proving(ports.git, ports.builds, tools.builder, tools.facts, base_commit)
        rebuilding = Rebuilding(
            ports.git,
            self.tools.facts,
            self.tools.builder,
            ports.bundles,
            ports.source,
            self.plan,
        )
        landings = Landings(
            ports.git,
            asking,
            proving,
            rebuilding,
            building,
            self.telling,
            ports.merger,
            ports.memory,
            self.plan,
            settings,
        )
        runs = self._runs(landings, building)
        self.partitions = Partitions(asking, landings, runs, self.telling, self.plan, settings)
        self.tries = Tries(ports.writes, self.telling, self.plan, self.listing)
        self.announcing = Announcing(
            ports.merger,
            ports.memory,
            ports.clock,
            self.telling,
            self.listing,
            shown=self.provider.shows_status and not settings.dry_run,
        )
        self.remembering = Remembering(
            ports.memory,
            ports.clock,
            self.telling,
            self.plan,
            self.listing,
            ports.source.name(),
            self.partitions.verdicts,
            self.announcing.told,
        )

    def _runs(self, landings: Landings, building: Building) -> Runs:
        ports = self.applier
        return Runs(
            ports.git,
            ports.trees,
            landings,
            building,
            self.telling,
            ports.merger,
            self.plan,
            self.listing,
            self.provider,
        )

    def carry_out(self) -> ApplyResult:
        """Mark, settle what planning decided, then follow the source (facts A2)."""
        self.telling.pause = self.applier.memory.recall().pause
        if not self.settings.dry_run:
            self.telling.mark(decide_marks(self.plan, self.listing))
        self.partitions.settle_planned(self._rerun())
        self.partitions.settle_missing(self.missing)
        self.tries.settle_planned()
        try:
            stopped = self._follow()
        finally:
            self.remembering.write(running=False)
        return ApplyResult(tuple(self.telling.ended), stopped, tuple(self.partitions.errors))

    def _rerun(self) -> Mapping[ChangeId, str]:
        ports = self.applier
        if self.settings.dry_run:
            return {}
        return Rerunning(
            ports.git,
            ports.reads,
            ports.writes,
            ports.memory,
            self.plan,
            self.listing,
            self.provider,
            self.tools.configuration.preflight,
        ).rerun()

    def _follow(self) -> bool:
        """Poll and merge until the source is complete; returns whether it was told to stop."""
        planned = frozenset(change.id for line in self.plan.lines for change in line)
        while not self.stop():
            poll = self.applier.source.poll(planned)
            self.remembering.suspecting.take(poll.suspicions)
            self.partitions.file(replace(poll, verdicts=self.tries.take(poll)))
            progress = self.partitions.advance(self.stop)
            if self.stop():
                return True
            if self.partitions.complete:
                self.partitions.settle_leftovers()
                return False
            if not progress:
                self.remembering.write_news()
                self.announcing.tell_some(self.remembering.memory_now)
                self.applier.clock.sleep(max(self.settings.interval, POLL_FLOOR_SECONDS))
        return True


def _committer(provider: Capabilities) -> Identity | None:
    return (
        Identity(provider.committer.name, provider.committer.email) if provider.committer else None
    )
