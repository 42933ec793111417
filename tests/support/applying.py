"""A queue over a forge, from the listing to the landing: planned by the planner, judged by a table,
applied.

with open_queue(forge) as queue:
    queue.plan()
    queue.judge(red={"2"})
    queue.apply()
"""

from collections.abc import Callable, Collection, Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from mergequeue.apply.applier import Applier
from mergequeue.apply.run import ApplyResult, BaseTools, Ended, Settings
from mergequeue.candidates.builder import CandidateBuilder
from mergequeue.conflicts.merging import TwoRuleMerging
from mergequeue.documents.changes import Change, Changes
from mergequeue.documents.config import Configuration, QueueTable, UnitTable
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.provider import Repository
from mergequeue.documents.suspects import Suspicion
from mergequeue.documents.verdict import Verdict
from mergequeue.facts.units import UnitFacts
from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.merge.merger import StatusMerger
from mergequeue.plan.planner import Planner
from mergequeue.ports import CandidateRequest, Poll
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId, CommitId, Unit
from mergequeue.vocabulary.words import Decision
from tests.support.forge import Forge
from tests.support.heard import Heard
from tests.support.remembered import InMemory

NOW = datetime(2030, 1, 1, tzinfo=UTC)


@dataclass
class FixedClock:
    """A clock that stands still; what somebody does while the queue sleeps is in `while_asleep`."""

    while_asleep: list[Callable[[], None]] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)

    def now(self) -> datetime:
        return NOW

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        if self.while_asleep:
            self.while_asleep.pop(0)()


@dataclass
class Source:
    """A plan and verdicts in memory."""

    document: Plan | None = None
    verdicts: list[Verdict] = field(default_factory=list)
    unreadable: dict[ChangeId, str] = field(default_factory=dict)
    complete: bool = True
    run: str = ""
    bundles: dict[ChangeId, bytes] = field(default_factory=dict)
    suspicions: tuple[Suspicion, ...] = ()
    _given: int = 0

    def name(self) -> str:
        return self.run

    def plan(self) -> Plan | None:
        return self.document

    def poll(self, admitted: Container[ChangeId] | None) -> Poll:
        if admitted is None:
            return Poll(complete=self.complete)
        fresh, self._given = tuple(self.verdicts[self._given :]), len(self.verdicts)
        unreadable, self.unreadable = self.unreadable, {}
        suspicions, self.suspicions = self.suspicions, ()
        return Poll(fresh, unreadable, suspicions=suspicions, complete=self.complete)

    def bundle(self, change: ChangeId) -> bytes | None:
        return self.bundles.get(change)

    def again(self) -> "Source":
        """Return the same source, read from its start."""
        return Source(self.document, list(self.verdicts), complete=self.complete, run=self.run)


Guard = Callable[[object], object]
"""Wraps a port, for a test that lets one of its calls fail."""


class Queue:
    """The stages of the queue over one forge."""

    def __init__(self, forge: Forge, workshop: Workshop, configuration: Configuration) -> None:
        self.forge = forge
        self.workshop = workshop
        self.configuration = configuration
        self.trees = GitMerges(workshop)
        self.facts = UnitFacts(configuration)
        self.merging = TwoRuleMerging(self.trees, workshop.reads, self.facts)
        self.builder = CandidateBuilder(workshop.reads, self.merging, workshop.builds)
        self.heard = Heard()
        self.planned = Heard()
        self.clock = FixedClock()
        self.source = Source()
        self.memory = InMemory()
        self.ended: dict[str, Ended] = {}

    def plan(self, *, depth: int = 8, batch: int = 1) -> Plan:
        """List and plan."""
        reads = self.workshop.reads
        repository = Repository(base=self.forge.base, remote_url=reads.remote_url())
        listing = self.forge.list_changes(repository)
        changes = Changes(**repository.model_dump(), **dict(listing))
        planner = Planner(reads, self.trees, self.merging, self.facts, self.forge, self.planned)
        plan = planner.plan(
            changes,
            depth=depth,
            batch=batch,
            memory=self.memory.recall(),
            configuration=self.configuration,
            now=self.clock.now(),
        )
        self.source = Source(plan)
        return plan

    def judge(self, *, red: Collection[str] = (), batches: bool = False) -> list[Verdict]:
        """Find each planned change red or green, as a validation would that has all the time it
        wants.
        """
        assert self.source.document is not None
        verdicts: list[Verdict] = []
        for partition in self.source.document.partitions:
            verdicts += self._judge(partition, frozenset(red), batches=batches)
        self.source.verdicts = verdicts
        return verdicts

    def _judge(
        self, partition: tuple[PlannedChange, ...], red: frozenset[str], *, batches: bool
    ) -> list[Verdict]:
        plan = self.source.document
        assert plan is not None
        onto, after = plan.base_commit, None
        found: list[Verdict] = []
        green: list[Verdict] = []
        for change in partition:
            missing = change.below is not None and change.below not in [v.change.id for v in green]
            if missing:
                found.append(self._verdict(change, Decision.WAIT, Code.WAIT_BELOW, after, onto))
                continue
            request = CandidateRequest(change, change.stack_base, onto, plan.commit_date)
            commit = self.builder.build(request).commit
            if commit is None:
                wait = self._verdict(change, Decision.WAIT, Code.WAIT_CONFLICT_AHEAD, after, onto)
                found.append(wait)
            elif change.id in red:
                found.append(self._verdict(change, Decision.KICK, Code.KICK_RED, after, onto))
            else:
                verdict = self._verdict(change, Decision.MERGE, None, after, onto)
                green.append(
                    verdict.model_copy(update={"candidate_commit": commit, "gated_commit": commit})
                )
                onto, after = commit, change.id
        size = plan.batch if batches else 1
        for start in range(0, len(green), size):
            members = green[start : start + size]
            ids = tuple(member.change.id for member in members)
            gated = members[-1].candidate_commit
            found += [
                Verdict.model_validate(
                    member.model_copy(update={"batch": ids, "gated_commit": gated}).model_dump(
                        by_alias=True
                    )
                )
                for member in members
            ]
        return found

    def _verdict(
        self,
        change: Change,
        decision: Decision,
        code: Code | None,
        after: ChangeId | None,
        onto: CommitId,
    ) -> Verdict:
        plan = self.source.document
        assert plan is not None
        return Verdict.model_construct(
            schema_="mergequeue.verdict/v1",
            base_commit=plan.base_commit,
            change=record_of(change),
            decision=decision,
            code=code,
            reason="" if decision is Decision.MERGE else "exit status 1 @everyone",
            report="A report." if decision is Decision.KICK else "",
            paths=(),
            with_=(),
            after=after,
            onto=onto,
            candidate_commit=None,
            method=change.method,
            batch=(change.id,),
            gated_commit=None,
            depth=1,
            duration_ms=1,
            gate="make check",
        )

    def applier(self, guard: Guard = lambda port: port) -> Applier:
        """Return the applier over the forge, each port that is asked of the outside wrapped by
        `guard`.
        """
        workshop = self.workshop
        git = guard(workshop.reads)
        forge = guard(self.forge)
        merger = StatusMerger(git, forge, forge, self.heard)  # type: ignore[arg-type]  # a guard gives what it takes
        return Applier(
            git=git,  # type: ignore[arg-type]  # as above
            trees=self.trees,
            tools_at=lambda *_: BaseTools(
                self.facts, self.merging, self.builder, self.configuration
            ),
            builds=workshop.builds,
            bundles=workshop.bundles,
            pushes=guard(workshop.pushes),  # type: ignore[arg-type]  # as above
            reads=forge,  # type: ignore[arg-type]  # as above
            writes=forge,  # type: ignore[arg-type]  # as above
            merger=merger,
            source=guard(self.source),  # type: ignore[arg-type]  # as above
            memory=guard(self.memory),  # type: ignore[arg-type]  # as above
            events=self.heard,
            clock=self.clock,
        )

    def apply(self, guard: Guard = lambda port: port, /, **options: object) -> ApplyResult:
        """Apply the source; how each change ended is in `ended`."""
        settings = Settings(**{"base": self.forge.base, **options})  # type: ignore[arg-type]  # options are the test's
        result = self.applier(guard).run(settings, lambda: False)
        self.ended = {ended.change: ended for ended in result.ended}
        return result

    def code(self, id_: str) -> str:
        """Return how a change ended: its code, or its ending."""
        ended = self.ended[id_]
        return ended.code.value if ended.code else ended.ending.name.lower()

    def codes(self) -> dict[str, str]:
        """Return how every change ended."""
        return {id_: self.code(id_) for id_ in self.ended}


def record_of(change: Change) -> Change:
    """Return a planned change as the provider listed it."""
    return Change.model_validate({name: getattr(change, name) for name in Change.model_fields})


@contextmanager
def open_queue(
    forge: Forge, units: Collection[str] = (), *, machine: str = "work"
) -> Iterator[Queue]:
    """Open a queue over a forge; each unit owns the folder of its name, and one the rest."""
    clone = forge.playground.clone(machine)
    configuration = Configuration(
        queue=QueueTable(rest=Unit("rest") if units else None),
        unit={Unit(name): UnitTable(paths=(f"{name}/**",)) for name in units},
    )
    with open_workshop(clone, "origin") as workshop:
        yield Queue(forge, workshop, configuration)
