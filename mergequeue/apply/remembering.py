"""What a run adds to the queue's memory: entries, what happened by day, and the queue as it is now.

Pure edits, of what apply read itself and of what verdicts claim: a claim is counted and shown, and
lands nothing. Made again, of a memory that has it already, an edit changes nothing (seed 2, Reading
the queue, Measuring it).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from mergequeue.apply.present import Seen, present_of
from mergequeue.apply.ready import Ending
from mergequeue.apply.run import Ended
from mergequeue.documents.changes import Change
from mergequeue.documents.memory import (
    Day,
    Entry,
    GateFact,
    LandedFact,
    PreflightFact,
    QueuedFact,
    TurnedAway,
    TurnedAwayFact,
)
from mergequeue.documents.preflight import PreflightState
from mergequeue.documents.record import Record, repeated
from mergequeue.ports import Memory, Remembered
from mergequeue.report import remembering as words
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.limits import (
    CLAIM_BYTES,
    GATED_A_DAY,
    GATES_A_DAY,
    LONGEST_MS,
    PATH_BYTES_SHOWN,
    RETRIES_COUNTED,
    TITLE_BYTES,
)
from mergequeue.vocabulary.text import cut, one_line


def remember_run(memory: Memory, seen: Seen) -> Remembered:
    """Return the memory with all that a run has seen so far."""
    editing = _Editing(seen, dict(memory.entries), _day_at(memory.today, seen.at))
    lines = tuple(editing.lines())
    now = present_of(seen, memory.now)
    if now is not memory.now:
        lines += (words.present_line(now),)
    if not lines:
        return Remembered(memory)
    now = now.model_copy(update={"at": seen.at})
    kept = replace(memory, entries=editing.entries, today=editing.day, now=now)
    return Remembered(kept, lines)


def _day_at(today: Day | None, at: datetime) -> Day:
    """Return the day to add to; where the clock goes back, the newest there is."""
    if today is None or today.day < at.date():
        return Day(day=at.date())
    return today


@dataclass
class _Editing:
    """One edit under way."""

    seen: Seen
    entries: dict[ChangeId, Entry]
    day: Day

    def lines(self) -> Iterator[str]:
        """Make every edit, and yield what happened."""
        yield from self._gone()
        landed = {(fact.id, fact.head) for fact in self.day.landed}
        for change in self.seen.listing.changes:
            written = change.id in self.seen.remembered or (change.id, change.head) in landed
            if not written and not self._has_left(change):
                yield from self._listed(change)
                yield from self._ended(change)
        yield from self._gates()
        yield from self._preflights()

    def _gone(self) -> Iterator[str]:
        """Take out what left the queue between two runs, and forget it once it is not open."""
        queued = {change.id for change in self.seen.listing.changes}
        open_ = {change.id for change in self.seen.listing.unqueued}
        for id_, entry in list(self.entries.items()):
            if id_ in queued:
                continue
            if entry.queued:
                yield words.left_line(id_)
                self.entries[id_] = entry.model_copy(update={"queued": False})
            if id_ not in open_:
                del self.entries[id_]

    def _has_left(self, change: Change) -> bool:
        """Whether the memory has it already that a change left in this run without landing."""
        ended, entry = self.seen.ended.get(change.id), self.entries.get(change.id)
        if ended is None or entry is None or entry.queued:
            return False
        how = entry.turned_away
        away = how is not None and how.at >= self.seen.since and how.commit == change.head
        return away if ended.ending is Ending.KICKED else ended.code is Code.WAIT_WITHDRAWN

    def _listed(self, change: Change) -> Iterator[str]:
        """Queue a change that is new in the queue, or take note of its new head."""
        at, entry = self.seen.at, self.entries.get(change.id)
        title = cut(one_line(change.title), TITLE_BYTES)
        if entry is not None and entry.queued:
            if entry.head != change.head:
                yield words.moved_line(change.id, change.head)
                update = {"head": change.head, "head_at": at, "title": title, "preflights": ()}
                self.entries[change.id] = entry.model_copy(update=update)
            return
        out_since = entry.turned_away.at if entry is not None and entry.turned_away else None
        queued_at = _queued_at(change, at, out_since)
        yield words.queued_line(change.id, change.head)
        self._add(queued=QueuedFact(id=change.id, head=change.head, at=queued_at))
        new = Entry(
            id=change.id,
            head=change.head,
            title=title,
            first_queued_at=queued_at,
            queued_at=queued_at,
            head_at=at,
        )
        if entry is not None:
            kept = {"first_queued_at": entry.first_queued_at}
            same = {"head_at": entry.head_at, "preflights": entry.preflights}
            new = new.model_copy(update=kept | (same if entry.head == change.head else {}))
        self.entries[change.id] = new

    def _ended(self, change: Change) -> Iterator[str]:
        """Write down how a change left the queue, if it did."""
        ended = self.seen.ended.get(change.id)
        entry = self.entries[change.id]
        if ended is None:
            return
        if ended.ending is Ending.MERGED:
            yield words.landed_line(change.id, entry.head)
            self._add(landed=self._landed(change, entry, ended))
            del self.entries[change.id]
        elif ended.ending is Ending.KICKED and ended.code is not None:
            yield words.turned_away_line(change.id, ended.code)
            self._turn_away(entry, ended.code, ended.reason)
        elif ended.code is Code.WAIT_WITHDRAWN:
            yield words.left_line(change.id)
            self.entries[change.id] = entry.model_copy(update={"queued": False})

    def _landed(self, change: Change, entry: Entry, ended: Ended) -> LandedFact:
        verdict = self.seen.verdicts.get(change.id)
        return LandedFact(
            id=change.id,
            head=entry.head,
            title=entry.title,
            commit=ended.commit,
            method=change.method,
            first_queued_at=min(entry.first_queued_at, self.seen.at),
            at=self.seen.at,
            batch=len(verdict.batch) if verdict is not None and verdict.batch else 1,
        )

    def _turn_away(self, entry: Entry, code: Code, reason: str) -> None:
        at, said = self.seen.at, cut(one_line(reason), CLAIM_BYTES)
        tip = self.seen.plan.base_commit
        away = TurnedAway(code=code, reason=said, commit=entry.head, tip=tip, at=at)
        self._add(turned_away=TurnedAwayFact(id=entry.id, head=entry.head, code=code, at=at))
        self.entries[entry.id] = entry.model_copy(update={"queued": False, "turned_away": away})

    def _gates(self) -> Iterator[str]:
        """Count each run of a gate once, as far as it is of what the plan admitted."""
        admitted = {change.id for change in self.seen.plan.admitted}
        known = {_key(fact) for fact in self.day.gates}
        named = sum(len(fact.changes) for fact in self.day.gates)
        told = (record for verdict in self.seen.verdicts.values() for record in verdict.gates)
        for record in dict.fromkeys((*told, *self.seen.gates)):
            fact = GateFact(
                changes=record.changes,
                commit=record.commit,
                outcome=record.outcome,
                why=cut(one_line(record.why), PATH_BYTES_SHOWN),
                duration_ms=min(record.duration_ms, LONGEST_MS),
                retries=min(record.retries, RETRIES_COUNTED),
                at=self.seen.at,
            )
            is_batch = admitted.issuperset(fact.changes) and repeated(fact.changes) is None
            is_full = len(self.day.gates) >= GATES_A_DAY or named + len(fact.changes) > GATED_A_DAY
            if is_batch and _key(fact) not in known and not is_full:
                named += len(fact.changes)
                yield words.gate_line(fact)
                self._add(gates=fact)

    def _preflights(self) -> Iterator[str]:
        """Remember the pre-flights that passed at the head that a change is at."""
        planned = [(change, change.passed) for change in self.seen.plan.admitted]
        verdicts = (*self.seen.plan.verdicts, *self.seen.verdicts.values())
        for change, said in [*planned, *((one.change, one.preflights) for one in verdicts)]:
            id_, entry = change.id, self.entries.get(change.id)
            if entry is None or entry.head != change.head:
                continue
            passed = [one for one in said if one.state is PreflightState.PASSED]
            missing = self.seen.preflights - set(entry.preflights)
            new = list({one.name: one for one in passed if one.name in missing}.values())
            if not new:
                continue
            yield words.preflights_line(id_, [one.name for one in new])
            names = (*entry.preflights, *(one.name for one in new))
            self.entries[id_] = entry.model_copy(update={"preflights": names})
            longest = min(max(one.duration_ms for one in new), LONGEST_MS)
            if longest:
                self._add(
                    preflights=PreflightFact(
                        id=id_, head=entry.head, duration_ms=longest, at=self.seen.at
                    )
                )

    def _add(self, **facts: Record) -> None:
        """Add a fact to each named list of the day."""
        lists = {name: (*getattr(self.day, name), fact) for name, fact in facts.items()}
        self.day = self.day.model_copy(update=lists)


def _queued_at(change: Change, at: datetime, out_since: datetime | None) -> datetime:
    """Return when a change was queued: as the provider tells, unless that was before it was turned
    away, or is yet to come.
    """
    told = change.queued_at
    if told is None or told > at or (out_since is not None and told < out_since):
        return at
    return told


def _key(fact: GateFact) -> tuple[object, ...]:
    """Return what tells one run of a gate from another."""
    return fact.changes, fact.commit, fact.outcome, fact.duration_ms
