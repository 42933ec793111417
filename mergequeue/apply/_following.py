"""A part of the step: one plan followed to its end, with the parts that it takes."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field, replace

from mergequeue.apply._announcing import Announcing
from mergequeue.apply._asking import Asking
from mergequeue.apply._building import Building
from mergequeue.apply._failing import Failing
from mergequeue.apply._landings import Landings
from mergequeue.apply._partitions import Partitions
from mergequeue.apply._ports import Ports
from mergequeue.apply._proving import Proving
from mergequeue.apply._rebuilding import Rebuilding
from mergequeue.apply._remembering import Remembering
from mergequeue.apply._rerunning import Rerunning
from mergequeue.apply._reviewers import Reviewers
from mergequeue.apply._runs import Runs
from mergequeue.apply._telling import Telling
from mergequeue.apply._tries import Tries
from mergequeue.apply._watching import Watching
from mergequeue.apply.marks import decide_marks
from mergequeue.apply.run import ApplyResult, BaseTools, Settings
from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.changes import Listing
from mergequeue.documents.plan import Plan
from mergequeue.ports import (
    Stop,
)
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.limits import POLL_FLOOR_SECONDS


@dataclass
class Following:
    """One run over one plan."""

    ports: Ports
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
    watching: Watching = field(init=False)

    def __post_init__(self) -> None:
        ports, settings = self.ports, self.settings
        listed = frozenset(change.id for change in self.listing.changes)
        self.telling = Telling(
            ports.writes,
            ports.merger,
            ports.events,
            self.plan,
            settings,
            ports.source.name(),
            listed,
            self.tools.configuration.preflight.keys(),
        )
        building = self._building()
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
            Failing(ports.memory, self.telling),
            ports.memory,
            self.plan,
            settings,
        )
        runs = self._runs(landings, building)
        self.partitions = Partitions(asking, landings, runs, self.telling, self.plan, settings)
        self._look_and_tell()

    def _building(self) -> Building:
        ports = self.ports
        return Building(
            ports.git,
            ports.trees,
            self.tools.merging,
            ports.builds,
            ports.pushes,
            ports.clock,
            self.plan,
            self.provider,
            self.settings.committer or _committer(self.provider),
        )

    def _look_and_tell(self) -> None:
        """Make the parts that look at what happens, and tell of it."""
        ports, settings = self.ports, self.settings
        self.watching = Watching(
            ports, self.telling, self.partitions, self.plan, settings.look_interval
        )
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
        ports = self.ports
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
        self.telling.pause = self.ports.memory.recall().pause
        if not self.settings.dry_run:
            self.telling.mark(decide_marks(self.plan, self.listing))
        self.partitions.settle_planned(self._rerun())
        self.partitions.settle_missing(self.missing)
        self.tries.settle_planned()
        try:
            stopped = self._follow()
        finally:
            self.remembering.write(running=False)
        return ApplyResult(
            tuple(self.telling.ended),
            stopped,
            tuple(self.partitions.errors),
            moved=self.watching.moved,
        )

    def _rerun(self) -> Mapping[ChangeId, str]:
        ports = self.ports
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
            poll = self.ports.source.poll(planned)
            self.remembering.suspecting.take(poll.suspicions)
            self.partitions.file(replace(poll, verdicts=self.tries.take(poll)))
            progress = self.partitions.advance(self.stop)
            self.watching.tell()
            if self.stop():
                return True
            if self.partitions.complete:
                self.watching.settle_undecided()
                self.partitions.settle_leftovers()
                return False
            if not progress:
                self.remembering.write_news()
                self.announcing.tell_some(self.remembering.memory_now)
                pause = max(self.settings.interval, POLL_FLOOR_SECONDS)
                self.ports.clock.sleep(pause)
                self.watching.waited(pause)
        return True


def _committer(provider: Capabilities) -> Identity | None:
    return (
        Identity(provider.committer.name, provider.committer.email) if provider.committer else None
    )
