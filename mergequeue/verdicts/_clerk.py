"""A part of the step: gates on record, and each verdict written and told of the moment it is
decided.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from mergequeue.documents.event import Happening
from mergequeue.documents.gate import GateRecord
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.preflight import Preflight, PreflightState
from mergequeue.documents.provider import Pin
from mergequeue.documents.suspects import Suspicion
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import Affected, Bundles, Events, GateEnd, GateResult, VerdictSink
from mergequeue.report import validating
from mergequeue.verdicts._materials import Materials
from mergequeue.verdicts.actions import Build, Decide, Suspect
from mergequeue.verdicts.bases import Question
from mergequeue.verdicts.blame import Fate
from mergequeue.verdicts.line import Batch
from mergequeue.verdicts.making import Case, FailedPreflight, Gated, verdict_of
from mergequeue.verdicts.records import GateRecords
from mergequeue.verdicts.units import NOTHING, GateUnits
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.ids import ChangeId, CommitId, Unit
from mergequeue.vocabulary.limits import BUNDLE_BYTES
from mergequeue.vocabulary.text import one_line
from mergequeue.vocabulary.words import Decision, EventKind


class Clerk:
    """Writes down what a run decides."""

    def __init__(
        self, plan: Plan, materials: Materials, bundles: Bundles, sink: VerdictSink, events: Events
    ) -> None:
        """Write to `sink`, with what `bundles` packs, and tell `events`."""
        self._plan = plan
        self._bundles = bundles
        self._materials = materials
        self._sink = sink
        self._events = events
        self._gates: dict[tuple[int, int], Gated] = {}
        self.gates = GateRecords()
        self._suspects: dict[ChangeId, Suspect] = {}
        self._units: dict[tuple[int, int], tuple[Unit, ...]] = {}
        self._base_ends: dict[Question, GateEnd] = {}
        self._beyond: dict[ChangeId, Affected] = {}
        self._reasons: dict[ChangeId, str] = {}
        self._causes: dict[ChangeId, ChangeId] = {}
        """What a change waits for that waits for what it is stacked on."""
        self._preflights: dict[ChangeId, list[Preflight]] = {}
        self._failed: dict[ChangeId, FailedPreflight] = {}
        self.written: list[Verdict] = []

    def note_units(
        self, partition: int, batch: Batch, units: tuple[Unit, ...], how: GateUnits
    ) -> None:
        """Keep the units of a batch's gate, and what its members reach beyond the plan."""
        self._units[partition, batch.number] = units
        for member in batch.members:
            self._beyond[member] = how.beyond.get(member, NOTHING)

    def note_gate(
        self, partition: int, batch: Batch, commit: CommitId, end: GateEnd | None
    ) -> None:
        """Keep how a batch's gate ended; None where nothing was to be gated."""
        self._gates[partition, batch.number] = Gated(commit, end)
        if end is not None:
            self.gates.add(batch, Question(commit, self.units_of(partition, batch)), end)
            self._note(batch.top, commit, end)

    def note_base_gate(self, question: Question, end: GateEnd) -> None:
        """Keep how the gate ended on a commit as it stands."""
        self._base_ends[question] = end
        self.gates.add_base(question, end)
        self._note(None, question.commit, end)

    def _note(self, change: ChangeId | None, commit: CommitId, end: GateEnd) -> None:
        reason = validating.gate_noted(end)
        if reason:
            self._events.emit(
                Happening(kind=EventKind.NOTICE, change=change, commit=commit, reason=reason)
            )

    def note_preflight(self, change: ChangeId, name: str, end: GateEnd | None) -> None:
        """Keep how a pre-flight ended on a change; None where nothing was to be run."""
        is_red = end is not None and end.result is GateResult.RED
        self._preflights.setdefault(change, []).append(
            Preflight(
                name=name,
                state=PreflightState.FAILED if is_red else PreflightState.PASSED,
                duration_ms=end.duration_ms if end is not None else 0,
                why=one_line(end.summary) if end is not None else "",
            )
        )
        if end is not None and is_red:
            self._failed[change] = FailedPreflight(name, end)

    def note_beneath(self, change: ChangeId, end: GateEnd) -> None:
        """Keep how the failed pre-flight of a change ended on what that was merged onto."""
        self._failed[change] = replace(self._failed[change], beneath=end)
        if end.result is GateResult.RED:
            *others, last = self._preflights[change]
            unproven = last.model_copy(update={"state": PreflightState.DUE})
            self._preflights[change] = [*others, unproven]

    def tell_preflight(self, change: ChangeId, commit: CommitId, reason: str) -> None:
        """Tell that a pre-flight starts."""
        self._events.emit(
            Happening(kind=EventKind.NOTICE, change=change, commit=commit, reason=reason)
        )

    def units_of(self, partition: int, batch: Batch) -> tuple[Unit, ...]:
        """Return the units that a batch's gate was given."""
        return self._units[partition, batch.number]

    def tell_gate(self, partition: int, batch: Batch, commit: CommitId) -> None:
        """Tell that a batch's gate starts."""
        self._events.emit(
            Happening(
                kind=EventKind.GATE,
                change=batch.top,
                changes=batch.members,
                partition=partition,
                commit=commit,
                depth=batch.place,
            )
        )

    def tell_base_gate(self, onto: CommitId, change: ChangeId) -> None:
        """Tell that the gate starts on a commit as it stands (facts V21)."""
        reason = validating.base_gate(onto)
        self._events.emit(
            Happening(kind=EventKind.NOTICE, change=change, commit=onto, reason=reason)
        )

    def decide(self, partition: int, decide: Decide) -> None:
        """Write the verdict on a change, and tell of it."""
        case = self._case(partition, decide)
        verdict = verdict_of(self._plan, decide, case)
        self._sink.write(verdict, self._bundle(case))
        self.written.append(verdict)
        self._reasons[decide.change] = verdict.reason
        end = case.gated.end if case.gated is not None else None
        limit = end.limit if end is not None else None
        self._events.emit(
            Happening(
                kind=EventKind.TRIED if self._is_try(decide.change) else EventKind.DECIDED,
                change=decide.change,
                partition=partition,
                decision=verdict.decision,
                code=verdict.code,
                reason=self._said(verdict),
                commit=verdict.candidate_commit,
                depth=verdict.depth or None,
                duration_ms=verdict.duration_ms if verdict.gate else None,
                limit_ms=limit // timedelta(milliseconds=1) if limit is not None else None,
                limit_used_ms=end.longest_ms if end is not None and limit is not None else None,
            )
        )

    def suspect(self, job: ChangeId, suspect: Suspect) -> None:
        """Write whom a job suspects now; where that cannot be, a later run does without it."""
        self._suspects[job] = suspect
        self._write_suspects(job, suspect)

    def leave(self, changes: Sequence[PlannedChange]) -> None:
        """Write what no verdict tells of the gates of a job's changes, at its end."""
        decided = {verdict.change.id for verdict in self.written}
        gates = self.gates.among([one.id for one in changes if one.id not in decided])
        if gates:
            began = Suspect(self._plan.suspects_of(changes))
            job = changes[-1].id
            self._write_suspects(job, self._suspects.get(job, began), gates)

    def _write_suspects(
        self, job: ChangeId, suspect: Suspect, gates: tuple[GateRecord, ...] = ()
    ) -> None:
        heads = self._materials.changes
        pins = tuple(Pin(id=change, commit=heads[change].head) for change in suspect.changes)
        suspicion = Suspicion(
            base_commit=self._plan.base_commit,
            job=job,
            changes=pins,
            under=suspect.under,
            gates=gates,
        )
        try:
            self._sink.suspect(suspicion)
        except MergequeueError as error:
            reason = validating.suspects_unwritten(error.problem)
            self._events.emit(Happening(kind=EventKind.NOTICE, change=job, reason=reason))

    def _said(self, verdict: Verdict) -> str:
        """Return what is told of a verdict; of a green try run, that nothing comes of it."""
        if verdict.decision is not Decision.MERGE or not self._is_try(verdict.change.id):
            return verdict.reason
        return validating.try_is_green(verdict.reason)

    def _is_try(self, change: ChangeId) -> bool:
        return any(one.id == change for one in self._plan.tries)

    def _bundle(self, case: Case) -> bytes | None:
        """Return the regenerated commit of a candidate, for apply to check; None without one."""
        made = case.candidate
        if made is None or made.commit is None or made.merge is None or made.merge == made.commit:
            return None
        packed = self._bundles.pack(made.commit, made.merge)
        if len(packed) <= BUNDLE_BYTES:
            return packed
        reason = validating.unpackable(len(packed))
        self._events.emit(
            Happening(
                kind=EventKind.NOTICE, change=case.change.id, commit=made.commit, reason=reason
            )
        )
        return None

    def _case(self, partition: int, decide: Decide) -> Case:
        return replace(
            self._candidates_case(partition, decide),
            preflights=tuple(self._preflights.get(decide.change, ())),
            failed=self._failed.get(decide.change),
        )

    def _candidates_case(self, partition: int, decide: Decide) -> Case:
        change = self._materials.changes[decide.change]
        if decide.fate in {Fate.PASSED_LATE, Fate.PASSED_ALONE}:
            return Case(change)
        if decide.fate in {Fate.HEAD_GONE, Fate.BELOW, Fate.BELOW_KICKED}:
            if decide.below is None:
                return Case(change)
            cause = self._causes.get(decide.below, decide.below)
            self._causes[decide.change] = cause
            return Case(change, cause=cause, below=self._reasons.get(cause, ""))
        onto = self._materials.onto(decide.beneath)
        gated = onto_end = asked = None
        if decide.gated is not None:
            gated = self._gates[partition, decide.gated.number]
            asked = Question(onto, self.units_of(partition, decide.gated))
            onto_end = self._base_ends.get(asked)
        return Case(
            change,
            onto=onto,
            onto_end=onto_end,
            candidate=self._materials.build(Build(decide.change, decide.beneath)),
            gated=gated,
            gates=self.gates.of(decide.change, None if decide.fate is Fate.GREEN else asked),
            beyond=self._beyond.get(decide.change, NOTHING),
        )
