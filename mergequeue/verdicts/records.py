"""Every run of a gate, for the verdicts that it says something of (seed 2, Measuring it)."""

from collections.abc import Iterable

from mergequeue.documents.gate import GateRecord
from mergequeue.documents.memory import GateOutcome
from mergequeue.ports import GateEnd, GateResult
from mergequeue.report import validating
from mergequeue.verdicts.bases import Question
from mergequeue.verdicts.line import Batch
from mergequeue.vocabulary.ids import ChangeId, CommitId

_OUTCOMES = {
    GateResult.GREEN: GateOutcome.PASSED,
    GateResult.RED: GateOutcome.FAILED,
    GateResult.CANCELLED: GateOutcome.CANCELLED,
}


class GateRecords:
    """What the gates of a run came to, as they ended."""

    def __init__(self) -> None:
        """Start with none."""
        self._of: dict[ChangeId, list[GateRecord]] = {}
        self._bases: dict[Question, GateRecord] = {}
        self._cancelled: dict[Batch, str] = {}

    def cancelled(self, batch: Batch, why: str) -> None:
        """Keep why a batch's gate is cancelled, before it has ended."""
        self._cancelled[batch] = why

    def add(self, batch: Batch, gated: Question, end: GateEnd) -> None:
        """Keep how a batch's gate ended, for each of its members; green, it answers for its commit
        as well.
        """
        why = self._cancelled.get(batch, "") if end.result is GateResult.CANCELLED else ""
        record = record_of(batch.members, gated.commit, end, why)
        for member in batch.members:
            self._of.setdefault(member, []).append(record)
        if end.result is GateResult.GREEN:
            self._bases.setdefault(gated, record)

    def add_base(self, question: Question, end: GateEnd) -> None:
        """Keep how the gate ended on a commit as it stands."""
        self._bases[question] = record_of((), question.commit, end)

    def among(self, changes: Iterable[ChangeId]) -> tuple[GateRecord, ...]:
        """Return every run on one of these changes, each once."""
        found = (record for change in changes for record in self._of.get(change, ()))
        return tuple(dict.fromkeys(found))

    def of(self, change: ChangeId, asked: Question | None) -> tuple[GateRecord, ...]:
        """Return the runs that led to what is decided of a change, and what was asked of a commit
        as it stands before anybody was blamed.
        """
        found = tuple(self._of.get(change, ()))
        base = self._bases.get(asked) if asked is not None else None
        return found if base is None else (*found, base)


def record_of(
    changes: tuple[ChangeId, ...], commit: CommitId, end: GateEnd, why: str = ""
) -> GateRecord:
    """Return one run of a gate as a record."""
    again = validating.retried_for(end.again) if end.retries else ""
    return GateRecord(
        changes=changes,
        commit=commit,
        outcome=_OUTCOMES[end.result],
        duration_ms=end.duration_ms,
        retries=end.retries,
        limit=end.limit,
        limit_used_ms=end.longest_ms if end.limit is not None else 0,
        why=validating.gate_why(why or end.summary, again),
    )
