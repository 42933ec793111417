"""A part of the step: the slots that gates run in, each in a thread of its own."""

import queue
import threading
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field

from mergequeue.ports import Boxes, GateEnd, GateResult, GateRun, Gates, Needed
from mergequeue.verdicts._sections import Section
from mergequeue.verdicts.line import Batch
from mergequeue.verdicts.retries import run_of
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.ids import ChangeId, CommitId, Unit

_POLL_SECONDS = 0.2
"""How often a wait for gates looks whether the program was told to stop."""


@dataclass(frozen=True)
class Preflighting:
    """A pre-flight in a slot."""

    of: tuple[Section, ChangeId] | None
    """Whose it is; None for a commit as it stands."""
    name: str


@dataclass(eq=False)
class Job:
    """A gate in a slot, or what is made for one there."""

    commit: CommitId
    units: tuple[Unit, ...]
    tag: str
    of: tuple[Section, Batch] | None = None
    """Whose batch it gates; None for a commit gated as it stands."""
    prepare: Callable[[], None] | None = None
    """What is done in the place of a gate, which takes long."""
    prepared: Section | None = None
    """For whom that is done."""
    flight: Preflighting | None = None
    """The pre-flight that runs in the place of the gate, or that this is made for."""
    more: bool = False
    """Whether each slot is likely to gate another commit after this one."""
    cancelled: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True)
class Ended:
    """A gate that ended, or what the machine could not do for it."""

    job: Job
    end: GateEnd | MergequeueError


class Slots:
    """Runs gates beside each other. Used by one thread."""

    def __init__(
        self,
        boxes: Boxes,
        needed: Needed,
        gates: Gates,
        pool: Executor,
        preflights: Mapping[str, Gates],
    ) -> None:
        """Take what gates and pre-flights need, and the threads to run them in."""
        self._boxes = boxes
        self._needed = needed
        self._gates = gates
        self._preflights = preflights
        self._pool = pool
        self._ended: queue.SimpleQueue[tuple[Job, GateEnd | BaseException]] = queue.SimpleQueue()
        self.taken: list[Job] = []
        """The gates that run, as they were started."""

    def start(self, job: Job, left: int) -> None:
        """Run a gate, where so many changes are undecided."""
        self.taken.append(job)
        job.more = left >= 2 * len(self.taken)
        self._pool.submit(self._run, job)

    def cancel(self, of: tuple[Section, Batch]) -> None:
        """Stop the gate of a batch; it ends as cancelled, whatever it comes to."""
        for job in self.taken:
            if job.of == of:
                self._stop(job)

    def cancel_flights(self, changes: Collection[ChangeId]) -> None:
        """Stop the pre-flights of changes that left; they end as cancelled, too."""
        for job in self.taken:
            of = job.flight.of if job.flight is not None else None
            if of is not None and of[1] in changes:
                self._stop(job)

    def cancel_all(self) -> None:
        """Stop every gate, and those that are still to be started."""
        for hook in (self._gates, *self._preflights.values()):
            hook.cancel()

    def wait(self) -> Ended | None:
        """Wait a moment for a gate to end, and free its slot; raise what nobody foresaw."""
        try:
            job, end = self._ended.get(timeout=_POLL_SECONDS)
        except queue.Empty:
            self._cancel_again()
            return None
        self.taken.remove(job)
        if isinstance(end, MergequeueError) and job.cancelled.is_set():
            end = GateEnd(GateResult.CANCELLED)
        if isinstance(end, GateEnd | MergequeueError):
            return Ended(job, end)
        raise end

    def _cancel_again(self) -> None:
        # One that was cancelled between its box and its first process runs on.
        for job in self.taken:
            if job.cancelled.is_set():
                self._stop(job)

    def _stop(self, job: Job) -> None:
        job.cancelled.set()
        self._hook(job).cancel_tag(job.tag)

    def _hook(self, job: Job) -> Gates:
        return self._gates if job.flight is None else self._preflights[job.flight.name]

    def _run(self, job: Job) -> None:
        """Run a gate in a thread of the pool, and hand over how it ended, whatever that is."""
        try:
            end: GateEnd | BaseException = self._gated(job)
        except BaseException as error:  # noqa: BLE001 (`wait` raises it again)
            end = error
        self._ended.put((job, end))

    def _gated(self, job: Job) -> GateEnd:
        if job.prepare is not None:
            job.prepare()
            return GateEnd(GateResult.GREEN)
        tries = [self._tried(job, retries=0)]
        while tries[-1].again and not job.cancelled.is_set():
            tries.append(self._tried(job, retries=len(tries)))
        return run_of(tries)

    def _tried(self, job: Job, *, retries: int) -> GateEnd:
        """Run a gate once, in a box of its own."""
        if job.cancelled.is_set():
            return GateEnd(GateResult.CANCELLED)
        box = self._boxes.open(job.commit, keep=self._needed(job.units), more=job.more)
        try:
            if job.cancelled.is_set():
                return GateEnd(GateResult.CANCELLED)
            return self._hook(job).run(GateRun(box, job.units, job.tag, retries))
        finally:
            self._boxes.close(box)
