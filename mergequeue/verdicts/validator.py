"""The step: gates the planned changes, and writes a verdict for each the moment it is decided.

One thread builds candidates, asks the schedules and writes verdicts; gates run beside it in slots
that all partitions share. A free slot goes to a gate on what a red was built onto, which decides at
once, and then to the batch that lands soonest, whichever partition it is in; a candidate is built
when there is a slot to gate it (facts V1). What one partition cannot do stops that one alone (V10).
"""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from mergequeue.documents.plan import Plan
from mergequeue.ports import (
    NOTHING_MOVED,
    AsksMoved,
    Boxes,
    Builder,
    Bundles,
    Events,
    Facts,
    GateEnd,
    GateResult,
    Gates,
    GitReads,
    Moved,
    Needed,
    Stop,
    VerdictSink,
)
from mergequeue.report import preflights as words
from mergequeue.verdicts._clerk import Clerk
from mergequeue.verdicts._materials import Materials, Sources
from mergequeue.verdicts._preflights import PreflightRuns
from mergequeue.verdicts._sections import (
    Section,
    every_section,
    fetch_all,
    most_wanting,
    only_section,
    result_of,
)
from mergequeue.verdicts._slots import Ended, Job, Slots
from mergequeue.verdicts.actions import Action, AskBase, Cancel, Decide, Gate, Suspect, Why
from mergequeue.verdicts.bases import BaseGates, Question
from mergequeue.verdicts.blame import made_of
from mergequeue.verdicts.line import Batch
from mergequeue.verdicts.only import target_of
from mergequeue.verdicts.run import ValidationResult
from mergequeue.vocabulary.errors import HOOK_CANCELLED, PLAN_DISAGREES, MergequeueError
from mergequeue.vocabulary.ids import ChangeId, short


class Validator:
    """The validator, with the tools that it works with."""

    def __init__(  # noqa: PLR0913 (each is a right of its own, and the wiring names every one)
        self,
        *,
        builder: Builder,
        reads: GitReads,
        facts: Facts,
        boxes: Boxes,
        needed: Needed,
        gates: Gates,
        bundles: Bundles,
        sink: VerdictSink,
        events: Events,
        preflights: Mapping[str, Gates] | None = None,
    ) -> None:
        """Keep the tools; nothing happens before `run`.

        `preflights` are the commands that a plan may name for a change to pass alone.
        `needed` says which files a gate's checkout may not lack, also where a commit is gated as it
        stands.
        """
        self._sources = Sources(builder, reads, facts, events)
        self._boxes = boxes
        self._needed = needed
        self._gates = gates
        self._preflights = preflights or {}
        self._bundles = bundles
        self._sink = sink

    def run(
        self,
        plan: Plan,
        *,
        depth: int | None,
        parallel: int,
        only: ChangeId | None,
        stop: Stop,
        moved: AsksMoved = lambda: NOTHING_MOVED,
    ) -> ValidationResult:
        """Validate the plan's partitions and try runs, or the one batch that holds `only`.

        `depth` is the plan's where it is None; `parallel` is how many gates run at once; `moved` is
        asked what is not to be gated any more. The plan
        is written first, and a full run says that it is done even where it stopped early (facts
        V13, V14). Raises OTHER_PLAN, NOT_ADMITTED, PLAN_DISAGREES for a
        pre-flight that there is none of, and GIT_FAILED where the commits cannot be
        fetched; what stops a partition is the result's `error`.
        """
        target = target_of(plan, only) if only is not None else None
        self._check_preflights(plan)
        self._sink.begin(plan, whole=target is None)
        try:
            batches = plan.lines if target is None else (*target.beneath, target.members)
            changes = [change for batch in batches for change in batch]
            gone = fetch_all(plan, changes, self._sources.reads)
            materials = Materials(plan, changes, self._sources)
            clerk = Clerk(plan, materials, self._bundles, self._sink, self._sources.events)
            sections = (
                every_section(plan, depth or plan.depth)
                if target is None
                else [only_section(target, plan, gone, materials)]
            )
            with ThreadPoolExecutor(max_workers=parallel) as pool:
                slots = Slots(self._boxes, self._needed, self._gates, pool, self._preflights)
                _Session(slots, materials, clerk).run(sections, gone, parallel, stop, moved)
            for section in sections:
                clerk.leave(section.changes)
            return result_of(sections, clerk.written)
        finally:
            if target is None:
                self._sink.done()

    def _check_preflights(self, plan: Plan) -> None:
        named = {name for change in plan.admitted for name in change.preflights}
        strange = sorted(named - self._preflights.keys())
        if strange:
            raise PLAN_DISAGREES(words.unknown_preflight(strange[0]))


class _Session:
    """The loop that gives slots away and takes what their gates came to."""

    def __init__(self, slots: Slots, materials: Materials, clerk: Clerk) -> None:
        self._slots = slots
        self._materials = materials
        self._clerk = clerk
        self._sections: list[Section] = []
        self._moved = NOTHING_MOVED
        self._bases: BaseGates[tuple[Section, Batch]] = BaseGates()
        self._preflights = PreflightRuns(materials, clerk, self._start, self._tell, self._fail)

    def run(
        self,
        sections: list[Section],
        gone: frozenset[ChangeId],
        parallel: int,
        stop: Stop,
        moved: AsksMoved,
    ) -> None:
        """Take every section to its end; an error that nobody foresaw stops every gate first."""
        self._sections = sections
        try:
            for section in sections:
                self._tell(section, partial(section.schedule.start, gone))
            stopped = False
            while True:
                if not stopped and stop():
                    stopped = True
                    self._halt(sections, Why.STOPPED)
                stopped = stopped or self._drop(sections, moved())
                while len(self._slots.taken) < parallel and self._fill_slot(sections):
                    pass
                if not self._slots.taken:
                    return
                ended = self._slots.wait()
                if ended is not None:
                    self._take(ended)
        finally:
            if self._slots.taken:
                self._slots.cancel_all()
                self._materials.cancel()

    def _drop(self, sections: list[Section], moved: Moved) -> bool:
        """Gate no further what moved; return whether that is all."""
        if moved.base:
            self._halt(sections, Why.BASE)
            return True
        fresh = moved.changes - self._moved.changes
        self._moved = moved
        self._slots.cancel_flights(fresh)
        for section in sections if fresh else ():
            self._tell(section, partial(section.schedule.drop, fresh))
        return False

    def _halt(self, sections: list[Section], why: Why) -> None:
        """Start no gate any more, and let those that are cancelled decide nothing."""
        self._bases.drop()
        self._preflights.drop()
        self._slots.cancel_all()
        self._materials.cancel()
        for section in sections:
            for action in section.schedule.halt(why):
                if isinstance(action, Cancel):
                    self._clerk.gates.cancelled(action.batch, action.why)
            section.wanted = None

    def _fill_slot(self, sections: list[Section]) -> bool:
        """Give a free slot to what matters most; return whether anything wanted one."""
        question = self._bases.next()
        if question is not None:
            commit = question.commit
            self._start(Job(commit, question.units, f"{short(commit)} base"))
            return True
        section = most_wanting(sections)
        if section is None:
            return self._preflights.fill_slot(sections)
        if self._preflights.fly_next(section, section.schedule.fillers()):
            return True
        section.turns += 1
        self._tell(section, partial(self._prepare_or_form, section))
        return True

    def _prepare_or_form(self, section: Section) -> list[Action]:
        """Have the slot make what the section's next batch needs and takes long, or form it."""
        stale = self._materials.next_stale(section.schedule.upcoming())
        if stale is None:
            return self._form(section)
        section.is_preparing = True
        work = partial(self._materials.regenerate, stale)
        self._start(Job(stale.commit, stale.units, "", prepare=work, prepared=section))
        return []

    def _form(self, section: Section) -> list[Action]:
        """Build the section's next batch, and return what launching it asks for."""
        while (build := section.schedule.next_build()) is not None:
            made = made_of(self._materials.build(build))
            self._carry_out(section, section.schedule.built(build, made))
        return section.schedule.launch()

    def _tell(self, section: Section, tell: Callable[[], list[Action]]) -> None:
        """Carry out what a section's schedule answers; an error stops that section alone."""
        try:
            self._carry_out(section, tell())
        except MergequeueError as error:
            self._fail(section, error)
        section.wanted = None if section.is_preparing else section.schedule.wants()

    def _carry_out(self, section: Section, actions: list[Action]) -> None:
        for action in actions:
            match action:
                case Decide():
                    self._clerk.decide(section.number, action)
                case Gate(batch):
                    self._gate(section, batch)
                case Cancel(batch, why):
                    self._clerk.gates.cancelled(batch, why)
                    self._slots.cancel((section, batch))
                case AskBase(batch, red):
                    self._ask_base(section, batch, red)
                case Suspect():
                    self._clerk.suspect(section.job, action)

    def _gate(self, section: Section, batch: Batch) -> None:
        commit = self._materials.onto(batch.chain)
        units, how = self._materials.units(batch)
        self._clerk.note_units(section.number, batch, units, how)
        if units:
            self._clerk.tell_gate(section.number, batch, commit)
            self._start(Job(commit, units, f"{short(commit)} #{batch.top}", (section, batch)))
        else:
            self._clerk.note_gate(section.number, batch, commit, None)
            self._carry_out(section, section.schedule.ended(batch, GateResult.GREEN))

    def _ask_base(self, section: Section, batch: Batch, red: Batch) -> None:
        onto = self._materials.onto(batch.under)
        question = Question(onto, self._clerk.units_of(section.number, red))
        if not self._bases.is_asked(question):
            self._clerk.tell_base_gate(onto, batch.top)
        answer = self._bases.ask(question, (section, batch))
        if answer is not None:
            self._carry_out(section, section.schedule.judged(batch, answer))

    def _fail(self, section: Section, error: MergequeueError) -> None:
        """Stop a section on what the machine could not do (facts V9, V10)."""
        section.error = section.error or error
        section.wanted = None
        self._carry_out(section, section.schedule.halt())

    def _start(self, job: Job) -> None:
        self._slots.start(job, sum(len(one.schedule.undecided) for one in self._sections))

    def _take(self, ended: Ended) -> None:
        """Carry out what the end of a gate comes to."""
        job, end = ended.job, ended.end
        if job.flight is not None:
            self._preflights.take(job, job.flight, end)
            return
        if job.prepared is not None:
            self._prepared(job.prepared, end)
            return
        if job.of is None:
            self._base_ended(job, end)
            return
        section, batch = job.of
        if isinstance(end, MergequeueError):
            self._fail(section, end)
            return
        self._clerk.note_gate(section.number, batch, job.commit, end)
        if end.result is GateResult.GREEN:
            self._bases.know(Question(job.commit, job.units), end.result)
        self._tell(section, partial(section.schedule.ended, batch, end.result))

    def _prepared(self, section: Section, end: GateEnd | MergequeueError) -> None:
        """Go on with a section whose candidates are made; one that was stopped goes nowhere."""
        section.is_preparing = False
        if not isinstance(end, MergequeueError):
            self._tell(section, list)
        elif end.code == HOOK_CANCELLED.code:
            self._tell(section, section.schedule.halt)
        else:
            self._fail(section, end)

    def _base_ended(self, job: Job, end: GateEnd | MergequeueError) -> None:
        question = Question(job.commit, job.units)
        if isinstance(end, MergequeueError):
            for section, _ in self._bases.answer(question, None):
                self._fail(section, end)
            return
        self._clerk.note_base_gate(question, end)
        for section, batch in self._bases.answer(question, end.result):
            self._tell(section, partial(section.schedule.judged, batch, end.result))
