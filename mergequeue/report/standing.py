"""Where every change of a base's queue stands at one moment: what `status` says and the page draws.

Of what the queue remembers, and of what the provider lists now (seed 2, Reading the queue):

    overview = overview_of(base, memory, days, at, listing)
    overview.standings["482"].said       # Queued, 2nd of 5, ready for the next batch
    overview.standings["482"].lands_at   # 14:05 UTC; None where nothing is known to go by
    overview.lines[0][0].changes         # the batch that lands next in the first line
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from mergequeue.documents.changes import Change
from mergequeue.documents.memory import Day, Entry, LandedFact, Pause
from mergequeue.documents.now import Batch, Now, Placed
from mergequeue.ports import Memory
from mergequeue.report.control import paused_sentence
from mergequeue.report.estimates import Typical, landing_times, typical_of
from mergequeue.report.stages import UNDER_WAY, Position, Standing, said_of
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, short
from mergequeue.vocabulary.words import Stage

GOES_ON = "the queue was resumed; the next run takes it in"
NOT_SEEN = "no run has seen it yet; the next one takes it in"
_NOT_PAUSED = UNDER_WAY | {Stage.REVIEW, Stage.STACKED, Stage.WAITING}
"""Stages that a pause leaves: a gate that runs goes on, and what a change lacks it still lacks."""
LATER = "it was queued after the run that goes on was planned; the next one takes it in"


@dataclass(frozen=True)
class BatchView:
    """Changes that one gate checks."""

    changes: tuple[ChangeId, ...]
    """In merge order."""
    stage: Stage
    """READY, CHECKING or LANDING."""
    since: datetime | None
    """Since when its gate may run; None where others are gated before it."""
    lands_at: datetime | None
    """When it should land; None where nothing landed lately to go by."""


@dataclass(frozen=True)
class Away:
    """A change that was turned away and not queued again since."""

    change: ChangeId
    title: str
    head: CommitId
    """The head that was turned away."""
    code: Code
    reason: str
    at: datetime
    first_queued_at: datetime


@dataclass(frozen=True)
class Overview:
    """A base's queue at one moment."""

    base: BranchName
    at: datetime
    """The moment that it is told for."""
    seen_at: datetime | None
    """When apply last looked; None where none ever has."""
    running: bool
    """Whether a run went on then."""
    source: str
    """The validation run that was followed then; empty where that was a directory."""
    base_commit: CommitId | None
    """The tip of the base that the lines start from."""
    pause: Pause | None
    lines: tuple[tuple[BatchView, ...], ...]
    """Changes that may meet, a line of batches each, what lands first in front."""
    standings: Mapping[ChangeId, Standing]
    """Every queued change, in queue order."""
    away: tuple[Away, ...]
    """Those turned away, the newest first."""
    landed: tuple[LandedFact, ...]
    """Those landed on the days that were given, the newest first."""
    typical: Typical


def overview_of(
    base: BranchName,
    memory: Memory,
    days: Sequence[Day],
    at: datetime,
    listing: Sequence[Change] | None = None,
) -> Overview:
    """Return the queue at the moment `at`; `days` are oldest first.

    `listing` is what the provider lists as queued now, in queue order: what is no longer in it is
    left out, and what no run has seen is told as such. Without it, the queue is as apply saw it.
    """
    seen = memory.now
    typical = typical_of(days)
    queued = _queued(seen, listing)
    lines = _lines(seen, queued)
    times: Mapping[ChangeId, datetime] = (
        landing_times(seen.model_copy(update={"lines": lines}), typical, at) if seen else {}
    )
    telling = _Telling(base, memory, lines, times, len(queued))
    return Overview(
        base=base,
        at=at,
        seen_at=seen.at if seen else None,
        running=seen.running if seen else False,
        source=seen.source if seen else "",
        base_commit=seen.base_commit if seen else None,
        pause=memory.pause,
        lines=tuple(tuple(_batch_view(batch, queued, times) for batch in line) for line in lines),
        standings={
            placed.id: telling.standing(number, placed)
            for number, placed in enumerate(queued.values(), start=1)
        },
        away=_away(memory, queued),
        landed=tuple(reversed([fact for day in days for fact in day.landed])),
        typical=typical,
    )


@dataclass(frozen=True)
class _Telling:
    """What a change's standing is told from, besides itself."""

    base: BranchName
    memory: Memory
    lines: Sequence[Sequence[Batch]]
    times: Mapping[ChangeId, datetime]
    count: int

    def standing(self, number: int, placed: Placed | Change) -> Standing:
        """Return where a queued change stands, which is the `number`th in queue order."""
        stage, code, reason, since = self._stage(placed)
        entry = self.memory.entries.get(placed.id)
        in_line, batch = _in_line(placed.id, self.lines)
        position = Position(number, self.count, in_line if len(self.lines) > 1 else None)
        below = placed.below if isinstance(placed, Placed) else None
        return Standing(
            change=placed.id,
            head=placed.head,
            method=placed.method,
            title=placed.title,
            below=below,
            priority=placed.priority,
            stage=stage,
            said=said_of(stage, position, base=self.base, batch=batch, below=below),
            position=position,
            batch=batch,
            since=since,
            code=code,
            reason=reason,
            queued_at=entry.queued_at if entry is not None and entry.queued else None,
            lands_at=self.times.get(placed.id) if stage is not Stage.PAUSED else None,
        )

    def _stage(self, placed: Placed | Change) -> tuple[Stage, Code | None, str, datetime | None]:
        pause = self.memory.pause
        if isinstance(placed, Change):
            seen = self.memory.now
            if placed.refused:
                return Stage.WAITING, None, placed.refused, None
            before = seen and next((one for one in seen.changes if one.id == placed.id), None)
            if pause is not None:
                return Stage.PAUSED, Code.WAIT_PAUSED, paused_sentence(pause), None
            return Stage.QUEUED, None, _moved(before.head) if before else NOT_SEEN, None
        if pause is not None and placed.stage not in _NOT_PAUSED:
            return Stage.PAUSED, Code.WAIT_PAUSED, paused_sentence(pause), pause.since
        if pause is None and placed.code is Code.WAIT_PAUSED:
            return Stage.QUEUED, None, GOES_ON, None
        return placed.stage, placed.code, placed.reason, placed.since


def _queued(seen: Now | None, listing: Sequence[Change] | None) -> dict[ChangeId, Placed | Change]:
    """Return what is queued, in queue order: as apply saw it, or as it is listed where that is
    news.
    """
    known = {placed.id: placed for placed in seen.changes} if seen else {}
    if listing is None:
        return dict(known)
    queued: dict[ChangeId, Placed | Change] = {}
    for change in listing:
        placed = known.get(change.id)
        as_seen = placed is not None and (placed.head, placed.method) == (
            change.head,
            change.method,
        )
        queued[change.id] = placed if placed is not None and as_seen else change
    return dict(sorted(queued.items(), key=lambda item: not _is_first(item[1])))


def _is_first(queued: Placed | Change) -> bool:
    """Whether a change goes before all that are not in the priority lane, as it was planned."""
    return isinstance(queued, Placed) and queued.priority


def _lines(
    seen: Now | None, queued: Mapping[ChangeId, Placed | Change]
) -> tuple[tuple[Batch, ...], ...]:
    """Return the lines without what is no longer queued as apply saw it."""
    lines = [[_kept(batch, queued) for batch in line] for line in (seen.lines if seen else ())]
    kept = [tuple(batch for batch in line if batch is not None) for line in lines]
    return tuple(line for line in kept if line)


def _kept(batch: Batch, queued: Mapping[ChangeId, Placed | Change]) -> Batch | None:
    left = tuple(id_ for id_ in batch.changes if isinstance(queued.get(id_), Placed))
    return batch.model_copy(update={"changes": left}) if left else None


def _batch_view(
    batch: Batch, queued: Mapping[ChangeId, Placed | Change], times: Mapping[ChangeId, datetime]
) -> BatchView:
    stages = {placed.stage for id_ in batch.changes if isinstance(placed := queued[id_], Placed)}
    stage = next((one for one in (Stage.CHECKING, Stage.LANDING) if one in stages), Stage.READY)
    return BatchView(batch.changes, stage, batch.since, times.get(batch.changes[0]))


def _in_line(id_: ChangeId, lines: Sequence[Sequence[Batch]]) -> tuple[int | None, int]:
    """Return a change's place in its line, counted from 1, and how many its batch holds."""
    for line in lines:
        ahead = 0
        for batch in line:
            if id_ in batch.changes:
                return ahead + batch.changes.index(id_) + 1, len(batch.changes)
            ahead += len(batch.changes)
    return None, 1


def _away(memory: Memory, queued: Mapping[ChangeId, Placed | Change]) -> tuple[Away, ...]:
    out = [entry for entry in memory.entries.values() if entry.id not in queued]
    away = [one for entry in out for one in _turned_away(entry)]
    return tuple(sorted(away, key=lambda one: one.at, reverse=True))


def _turned_away(entry: Entry) -> Iterator[Away]:
    how = entry.turned_away
    if how is not None:
        yield Away(
            change=entry.id,
            title=entry.title,
            head=how.commit,
            code=how.code,
            reason=how.reason,
            at=how.at,
            first_queued_at=entry.first_queued_at,
        )


def _moved(before: CommitId) -> str:
    return f"pushed since {short(before)} was looked at; the next run takes it"
