"""A part of the step: runs the pre-flights of held changes in slots that no gate wants."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from mergequeue.ports import GateEnd, GateResult
from mergequeue.report import preflights as words
from mergequeue.verdicts._clerk import Clerk
from mergequeue.verdicts._materials import Materials
from mergequeue.verdicts._sections import Section
from mergequeue.verdicts._slots import Job, Preflighting
from mergequeue.verdicts.actions import Action, Build
from mergequeue.verdicts.bases import BaseGates, Question
from mergequeue.verdicts.blame import Fate, Made, made_of
from mergequeue.verdicts.flown import Beneath, Came, Failed, Flown, Passed, Unproven
from mergequeue.verdicts.line import Batch
from mergequeue.vocabulary.errors import HOOK_CANCELLED, MergequeueError
from mergequeue.vocabulary.ids import ChangeId, Unit, short

Tell = Callable[[Section, Callable[[], list[Action]]], None]
"""Carries out what a section answers."""


@dataclass
class PreflightRuns:
    """The pre-flights of a run, over all its sections."""

    materials: Materials
    clerk: Clerk
    start: Callable[[Job], None]
    tell: Tell
    fail: Callable[[Section, MergequeueError], None]
    _bases: BaseGates[tuple[Section, ChangeId]] = field(default_factory=BaseGates)
    _ends: dict[Question, GateEnd] = field(default_factory=dict)

    def fill_slot(self, sections: Sequence[Section]) -> bool:
        """Give a free slot to a pre-flight; return whether one took it, or was decided without."""
        return any(self.fly_next(one, one.schedule.undecided) for one in sections)

    def fly_next(self, section: Section, among: Sequence[ChangeId]) -> bool:
        """Give a free slot to a pre-flight of one of these changes, one on what a failed one was
        merged onto first; return whether one took it, or was decided without.
        """
        if not among or section.schedule.halted:
            return False
        question = self._bases.next()
        if question is not None:
            self._fly_beneath(question)
            return True
        flown = section.preflights.next(frozenset(among))
        if flown is not None:
            self.tell(section, partial(self._fly, section, flown))
        return flown is not None

    def _fly_beneath(self, question: Question) -> None:
        name, onto = question.preflight, question.commit
        tag = f"{short(onto)} base {name}"
        self.start(Job(onto, question.units, tag, flight=Preflighting(None, name)))

    def drop(self) -> None:
        """Look into nothing more."""
        self._bases.drop()

    def take(self, job: Job, flight: Preflighting, end: GateEnd | MergequeueError) -> None:
        """Carry out what the end of a run comes to."""
        if flight.of is None:
            self._beneath_ended(job, flight.name, end)
            return
        section, change = flight.of
        if isinstance(end, MergequeueError):
            if job.prepare is None or end.code != HOOK_CANCELLED.code:
                self.fail(section, end)
        elif job.prepare is not None:
            section.preflights.again(change)
        else:
            self.tell(section, partial(self._ended, section, Flown(change, flight.name), end))

    def _fly(self, section: Section, flown: Flown) -> list[Action]:
        """Start a pre-flight on a change alone, or what its candidate needs first.

        One that cannot be built, or reaches nothing, has none to run: its batch tells the rest.
        """
        stack = section.preflights.stack(flown.change)
        build = Build(flown.change, stack)
        flight = Preflighting((section, flown.change), flown.name)
        stale = self.materials.next_stale((build,))
        if stale is not None:
            work = partial(self.materials.regenerate, stale)
            self.start(Job(stale.commit, stale.units, "", prepare=work, flight=flight))
            return []
        if made_of(self.materials.build(build)) is not Made.CLEAN:
            return self._came(section, section.preflights.waived(flown.change))
        units = self._units(flown.change, stack)
        if not units:
            return self._ended(section, flown, None)
        commit = self.materials.onto((*stack, flown.change))
        self.clerk.tell_preflight(flown.change, commit, words.running([flown.name]))
        tag = f"{short(commit)} #{flown.change} {flown.name}"
        self.start(Job(commit, units, tag, flight=flight))
        return []

    def _units(self, change: ChangeId, stack: tuple[ChangeId, ...]) -> tuple[Unit, ...]:
        return self.materials.units(Batch(0, (change,), stack, 0))[0]

    def _ended(self, section: Section, flown: Flown, end: GateEnd | None) -> list[Action]:
        result = end.result if end is not None else GateResult.GREEN
        if result is not GateResult.CANCELLED:
            self.clerk.note_preflight(flown.change, flown.name, end)
        return self._came(section, section.preflights.ended(flown.change, result))

    def _came(self, section: Section, came: Came) -> list[Action]:
        match came:
            case Passed(change):
                return section.schedule.flown(change, None)
            case Beneath(change, name):
                return self._ask_beneath(section, change, name)
            case Failed(change):
                stack = section.preflights.stack(change)
                return section.schedule.flown(change, Fate.PREFLIGHT_FAILED, stack)
            case Unproven(change):
                stack = section.preflights.stack(change)
                return section.schedule.flown(change, Fate.PREFLIGHT_UNPROVEN, stack)
            case None:
                return []

    def _ask_beneath(self, section: Section, change: ChangeId, name: str) -> list[Action]:
        stack = section.preflights.stack(change)
        onto = self.materials.onto(stack)
        question = Question(onto, self._units(change, stack), name)
        if not self._bases.is_asked(question):
            self.clerk.tell_preflight(change, onto, words.beneath_gate(name, onto))
        if self._bases.ask(question, (section, change)) is None:
            return []
        return self._judged(section, change, self._ends[question])

    def _beneath_ended(self, job: Job, name: str, end: GateEnd | MergequeueError) -> None:
        question = Question(job.commit, job.units, name)
        if isinstance(end, MergequeueError):
            for section, _ in self._bases.answer(question, None):
                self.fail(section, end)
            return
        self._ends[question] = end
        for section, change in self._bases.answer(question, end.result):
            self.tell(section, partial(self._judged, section, change, end))

    def _judged(self, section: Section, change: ChangeId, end: GateEnd) -> list[Action]:
        self.clerk.note_beneath(change, end)
        return self._came(section, section.preflights.judged(change, end.result))
