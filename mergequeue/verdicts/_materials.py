"""A part of the step: the candidates of a run and the units of its gates, each asked for once."""

from collections.abc import Iterable
from dataclasses import dataclass

from mergequeue.documents.event import Happening
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.ports import (
    Builder,
    Candidate,
    CandidateRequest,
    Difference,
    Events,
    Facts,
    GitReads,
)
from mergequeue.report import validating
from mergequeue.verdicts.actions import Build
from mergequeue.verdicts.line import Batch
from mergequeue.verdicts.units import (
    NOTHING,
    GateUnits,
    Reached,
    gate_units,
    known_own_paths,
    paths_beyond,
)
from mergequeue.vocabulary.errors import GIT_FAILED
from mergequeue.vocabulary.ids import ChangeId, CommitId, RepoPath, Unit, short
from mergequeue.vocabulary.words import EventKind, Rule


@dataclass(frozen=True)
class Sources:
    """The ports that materials come from."""

    builder: Builder
    reads: GitReads
    facts: Facts
    events: Events


class Materials:
    """What verdicts are made from."""

    def __init__(self, plan: Plan, changes: Iterable[PlannedChange], sources: Sources) -> None:
        """Hold nothing yet; `changes` are all that this run may build."""
        self._plan = plan
        self._from = sources
        self.changes = {change.id: change for change in changes}
        self._candidates: dict[tuple[ChangeId, CommitId], Candidate] = {}
        self._chains: dict[tuple[ChangeId, ...], CommitId] = {(): plan.base_commit}
        self._every_unit: tuple[Unit, ...] | None = None

    def onto(self, chain: tuple[ChangeId, ...]) -> CommitId:
        """Return the commit of a chain that was built: the base commit, with these merged onto it
        in order.
        """
        if chain not in self._chains:
            commit = self._plan.base_commit
            for change in chain:
                made = self.candidate(change, commit).commit
                if made is None:
                    problem = f"{change} could be built onto {short(commit)} before, and cannot now"
                    raise GIT_FAILED(problem)
                commit = made
            self._chains[chain] = commit
        return self._chains[chain]

    def build(self, build: Build) -> Candidate:
        """Build what a schedule asks for; raise GIT_FAILED where git fails."""
        return self.candidate(build.change, self.onto(build.onto))

    def candidate(self, change: ChangeId, onto: CommitId) -> Candidate:
        """Return the candidate of a change on a commit, telling of one that follows renames when it
        is made.
        """
        made = self._candidates.get((change, onto))
        if made is None:
            planned = self.changes[change]
            request = CandidateRequest(planned, planned.stack_base, onto, self._plan.commit_date)
            made = self._candidates[change, onto] = self._from.builder.build(request)
            if made.commit is not None and made.rule is Rule.RENAMES:
                reason = validating.by_renames()
                self._from.events.emit(
                    Happening(
                        kind=EventKind.RESOLVED, change=change, commit=made.commit, reason=reason
                    )
                )
        return made

    def units(self, batch: Batch) -> tuple[tuple[Unit, ...], GateUnits]:
        """Return the units of a batch's gate, and how they come about."""
        asked = [self._beyond(batch, member) for member in batch.members]
        wanted = [paths for paths in asked if paths]
        answers = iter(self._from.facts.affected_many(wanted) if wanted else ())
        reached = [
            Reached(self.changes[member], next(answers) if paths else NOTHING)
            for member, paths in zip(batch.members, asked, strict=True)
        ]
        found = gate_units(reached)
        return self._all_units() if found.units is None else found.units, found

    def _beyond(self, batch: Batch, member: ChangeId) -> tuple[RepoPath, ...]:
        change = self.changes[member]
        candidate = self.candidate(member, self.onto(batch.beneath(member)))
        reads = self._from.reads
        fork = reads.fork_point(self._plan.base_commit, change.head)
        since_fork = reads.differences(fork, change.head) if fork is not None else None
        since_stack_base: tuple[Difference, ...] | None = None
        if change.stack_base is not None:
            since_stack_base = reads.differences(change.stack_base, change.head)
        return paths_beyond(candidate.differences, known_own_paths(since_fork, since_stack_base))

    def _all_units(self) -> tuple[Unit, ...]:
        if self._every_unit is None:
            self._every_unit = self._from.facts.all_units()
        return self._every_unit
