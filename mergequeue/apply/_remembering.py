"""A part of the step: what a run adds to the memory, once for each burst of what happens."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mergequeue.apply._telling import Telling
from mergequeue.apply.present import Seen
from mergequeue.apply.remembering import remember_run
from mergequeue.documents.changes import Listing
from mergequeue.documents.plan import Plan
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import Clock, WritesMemory
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
    _written: set[ChangeId] = field(default_factory=set)
    _had: tuple[int, int] = (0, 0)

    def write_news(self) -> None:
        """Write it where a verdict came or a change ended since it was last written."""
        if self._had != (len(self.verdicts), len(self.telling.ended)):
            self.write(running=True)

    def write(self, *, running: bool) -> None:
        """Write it, where anything in it is new; a dry run writes nothing."""
        if self.telling.settings.dry_run:
            return
        self._had = len(self.verdicts), len(self.telling.ended)
        ended = {one.change: one for one in self.telling.ended}
        seen = Seen(
            plan=self.plan,
            listing=self.listing,
            at=self.clock.now(),
            verdicts=self.verdicts,
            ended=ended,
            remembered=frozenset(self._written),
            running=running and any(one.id not in ended for one in self.plan.admitted),
            source=self.source,
        )
        try:
            self.memory.remember(lambda memory: remember_run(memory, seen))
        except MergequeueError as error:
            self.telling.notice(f"the queue's memory could not be written: {error.problem}")
            return
        self._written |= set(ended)
