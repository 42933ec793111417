"""A part of the step: queued changes are told where they stand, in their status (seed 2).

What waits was told when it was found to wait. Of the others a few at a time are told, in the order
that they land in and once for each stage, while nothing else is to be done: each may cost a
request.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mergequeue.apply._telling import Telling
from mergequeue.apply.present import Told, told_of
from mergequeue.documents.changes import Listing
from mergequeue.documents.now import Placed
from mergequeue.ports import Clock, Memory, Merger, ReadsMemory, Waiting
from mergequeue.report.stages import standing_text
from mergequeue.report.standing import overview_of
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.limits import DAYS_GONE_BY, TOLD_AT_ONCE
from mergequeue.vocabulary.words import Stage


@dataclass
class Announcing:
    """Tells changes where they stand; one that cannot be told is a notice."""

    merger: Merger
    memory: ReadsMemory
    clock: Clock
    telling: Telling
    listing: Listing
    shown: bool
    """Whether people see a status, and one is posted."""
    told: dict[ChangeId, Told] = field(default_factory=dict)
    """What was told in this run, as it happens."""

    def tell_some(self, memory: Memory | None) -> None:
        """Tell those that stand elsewhere than they were last told, as far as `memory` has it."""
        if not self.shown or memory is None or memory.now is None:
            return
        news = [one for one in memory.now.changes if self._is_news(one)]
        if news:
            self._tell(memory, news[:TOLD_AT_ONCE])

    def _is_news(self, placed: Placed) -> bool:
        if placed.told or placed.stage is Stage.LANDING or placed.id in self.telling.endings:
            return False
        return self.told.get(placed.id) != told_of(placed)

    def _tell(self, memory: Memory, news: Sequence[Placed]) -> None:
        at = self.clock.now()
        self.told.update({one.id: told_of(one) for one in news})
        listed = {change.id: change for change in self.listing.changes}
        try:
            days = self.memory.days(DAYS_GONE_BY)
            standings = overview_of(self.telling.plan.base, memory, days, at).standings
            said = [
                Waiting(listed[one.id], one.head, standing_text(standings[one.id], at))
                for one in news
            ]
            self.merger.post_standing(said)
        except MergequeueError as error:
            names = ", ".join(one.id for one in news)
            self.telling.notice(f"{names} could not be told where it stands: {error.problem}")
