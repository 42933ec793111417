"""A part of the step: what try runs came to, each shown once."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mergequeue.apply._telling import Telling
from mergequeue.apply.tried import decide_reported, is_of_try
from mergequeue.documents.changes import Listing
from mergequeue.documents.plan import Plan
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import Poll, ProviderWrites
from mergequeue.report.trying import not_reported, tried, try_failed
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.ids import ChangeId


@dataclass
class Tries:
    """Reports try runs; what fails there is a notice, and keeps nobody of the queue."""

    writes: ProviderWrites
    telling: Telling
    plan: Plan
    listing: Listing
    _told: set[ChangeId] = field(default_factory=set)

    def settle_planned(self) -> None:
        """Report those that planning decided."""
        self._report(self.plan.untried)

    def take(self, poll: Poll) -> tuple[Verdict, ...]:
        """Report the try runs that a source tells of, and return the verdicts on all else."""
        self._report([one for one in poll.verdicts if is_of_try(self.plan, one.change.id)])
        return tuple(one for one in poll.verdicts if not is_of_try(self.plan, one.change.id))

    def _report(self, verdicts: Sequence[Verdict]) -> None:
        for verdict in verdicts:
            if verdict.change.id not in self._told:
                self._told.add(verdict.change.id)
                self._show(verdict)

    def _show(self, verdict: Verdict) -> None:
        id_ = verdict.change.id
        if self.telling.settings.dry_run:
            self.telling.notice(tried(verdict), id_)
            return
        report = decide_reported(self.plan, self.listing, verdict, self.telling.source)
        if report is None:
            self.telling.notice(not_reported(id_), id_)
            return
        self.telling.notice(tried(verdict), id_)
        try:
            self.writes.report_try(report)
        except MergequeueError as error:
            self.telling.notice(try_failed(error.problem), id_)
