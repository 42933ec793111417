"""A part of the step: what a run adds to the memory, once for each burst of what happens."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mergequeue.apply._telling import Telling
from mergequeue.apply.present import Seen, Told
from mergequeue.apply.remembering import remember_run
from mergequeue.apply.suspecting import Suspecting
from mergequeue.documents.changes import Listing
from mergequeue.documents.plan import Plan
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import Clock, Memory, WritesMemory
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.ids import ChangeId


@dataclass
class Remembering:
    """Writes what was seen so far; whatever keeps it from that is a notice, and stops nothing."""

    memory: WritesMemory
    clock: Clock
    telling: Telling
    plan: Plan
    listing: Listing
    source: str
    """The validation run that apply follows; empty for a directory."""
    verdicts: Mapping[ChangeId, Verdict]
    """Those that the plan vouches for, as they come."""
    told: Mapping[ChangeId, Told]
    """What changes were told of where they stand, as they are."""
    memory_now: Memory | None = None
    """The memory as this run last wrote it; None where it has not."""
    suspecting: Suspecting = field(init=False)
    _written: set[ChangeId] = field(default_factory=set)
    _failed: str = ""
    """Why it could not be written last."""
    _had: tuple[int, int, int] | None = None

    def __post_init__(self) -> None:
        """Have heard of no suspects yet."""
        self._since = self.clock.now()
        self.suspecting = Suspecting(self.plan)

    def write_news(self) -> None:
        """Write it where it never was, or where a verdict came, a change ended or others are
        suspected since then.
        """
        if self._had != self._has():
            self.write(running=True)

    def write(self, *, running: bool) -> None:
        """Write it, where anything in it is new; a dry run writes nothing."""
        if self.telling.settings.dry_run:
            return
        self._had = self._has()
        ended = {one.change: one for one in self.telling.ended}
        seen = Seen(
            plan=self.plan,
            listing=self.listing,
            since=self._since,
            at=self.clock.now(),
            verdicts=self.verdicts,
            ended=ended,
            remembered=frozenset(self._written),
            running=running and any(one.id not in ended for one in self.plan.admitted),
            source=self.source,
            told=self.told,
            preflights=frozenset(self.telling.preflights),
            gates=self.suspecting.gates,
        )
        try:
            self.memory_now = self.memory.remember(
                lambda memory: self.suspecting.remember(
                    remember_run(memory, seen), self.telling.ended
                )
            )
        except MergequeueError as error:
            if error.problem != self._failed:
                self.telling.notice(f"the queue's memory could not be written: {error.problem}")
            self._failed = error.problem
            return
        self._written |= set(ended)

    def _has(self) -> tuple[int, int, int]:
        return len(self.verdicts), len(self.telling.ended), self.suspecting.count
