"""A part of the step: the candidates of a run and the units of its gates, each asked for once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

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
    Regenerated,
    Stale,
)
from mergequeue.report import resolutions, validating
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
from mergequeue.vocabulary.text import path_text
from mergequeue.vocabulary.words import EventKind


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
        self._merged: dict[tuple[ChangeId, CommitId], Candidate] = {}
        self._regenerated: dict[Stale, Regenerated] = {}

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

    def next_stale(self, builds: Sequence[Build]) -> Stale | None:
        """Return what has to be regenerated before the first of these that is not made can be.

        Those before it are made.
        """
        for build in builds if self._from.builder.regenerates else ():
            onto = self.onto(build.onto)
            if (build.change, onto) not in self._candidates:
                request = self._request(build.change, onto)
                stale = self._stale(request, self._merge(request))
                if stale is not None and stale not in self._regenerated:
                    return stale
            if self.candidate(build.change, onto).commit is None:
                return None
        return None

    def regenerate(self, stale: Stale) -> None:
        """Regenerate, which takes long: it may be done beside everything else."""
        self._regenerated[stale] = self._from.builder.regenerate(stale)

    def cancel(self) -> None:
        """Stop whatever takes long, and what would from now on."""
        self._from.builder.cancel()

    def build(self, build: Build) -> Candidate:
        """Build what a schedule asks for; raise GIT_FAILED where git fails."""
        return self.candidate(build.change, self.onto(build.onto))

    def candidate(self, change: ChangeId, onto: CommitId) -> Candidate:
        """Return the candidate of a change on a commit, its stale files generated anew.

        What was settled for it is told when it is made.
        """
        made = self._candidates.get((change, onto))
        if made is None:
            request = self._request(change, onto)
            made = self._made(request, self._merge(request))
            self._candidates[change, onto] = made
            self._tell(change, made)
        return made

    def _request(self, change: ChangeId, onto: CommitId) -> CandidateRequest:
        planned = self.changes[change]
        return CandidateRequest(planned, planned.stack_base, onto, self._plan.commit_date)

    def _merge(self, request: CandidateRequest) -> Candidate:
        key = request.change.id, request.onto
        if key not in self._merged:
            self._merged[key] = self._from.builder.build(request)
        return self._merged[key]

    def _stale(self, request: CandidateRequest, merged: Candidate) -> Stale | None:
        """Return the generated files that a merge touches, and so may leave stale (facts C10)."""
        if merged.merge is None or not self._from.builder.regenerates:
            return None
        touched = merged.touched
        outputs = tuple(sorted(self._from.facts.outputs(touched).outputs))
        if not outputs:
            return None
        units = self._units_of(self.changes[request.change.id])
        return Stale(merged.merge, units, outputs, touched)

    def _made(self, request: CandidateRequest, merged: Candidate) -> Candidate:
        """Return a candidate with what its merge left stale generated anew (facts C10 to C14)."""
        stale = self._stale(request, merged)
        if stale is None:
            return merged
        if stale not in self._regenerated:
            self.regenerate(stale)
        found = self._regenerated[stale]
        if found.tree is None:
            return Candidate(
                None, refused=found.refused, paths=found.paths, regeneration=found.line
            )
        made = self._from.builder.with_tree(request, merged, found.tree)
        return replace(made, regeneration=found.line)

    def _units_of(self, change: PlannedChange) -> tuple[Unit, ...]:
        """Return what a hook is given for one change: what it affects, or everything."""
        if change.affected is None or change.unbounded_by:
            return self._all_units()
        return change.affected

    def _tell(self, change: ChangeId, made: Candidate) -> None:
        if made.commit is None:
            return
        for reason in resolutions.merge_notes(made.rule, made.resolved):
            self._emit(EventKind.RESOLVED, change, made.merge or made.commit, reason)
        if made.regenerated:
            reason = validating.regenerated([path_text(path) for path in made.regenerated])
            self._emit(EventKind.NOTICE, change, made.commit, reason)

    def _emit(self, kind: EventKind, change: ChangeId, commit: CommitId, reason: str) -> None:
        self._from.events.emit(Happening(kind=kind, change=change, commit=commit, reason=reason))

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
