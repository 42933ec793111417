"""What a run adds to the memory: entries, what happened by day, and where every change stands."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.apply.present import Seen
from mergequeue.apply.ready import Ending
from mergequeue.apply.remembering import remember_run
from mergequeue.apply.run import Ended
from mergequeue.documents.changes import Change, Listing
from mergequeue.documents.gate import GateRecord
from mergequeue.documents.memory import Day, GateOutcome
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.preflight import Preflight, PreflightState
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import NOTHING_REMEMBERED, Memory
from mergequeue.report.measures import measures_of
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.limits import GATED_A_DAY, GATES_A_DAY, LONGEST_MS, RETRIES_COUNTED
from mergequeue.vocabulary.words import Stage
from tests.support.graphs import commit_id
from tests.support.planned import green, make_plan, planned

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
MERGED = (Ending.MERGED, None)
KICKED = (Ending.KICKED, Code.KICK_RED)
HOUR = timedelta(hours=1)


def seen(
    plan: Plan,
    at: datetime = NOON,
    *,
    since: datetime | None = None,
    listed: Sequence[Change] | None = None,
    open_: Sequence[str] = (),
    ended: Mapping[str, tuple[Ending, Code | None]] | None = None,
    verdicts: Sequence[Verdict] = (),
    remembered: Sequence[str] = (),
    running: bool = True,
    source: str = "",
) -> Seen:
    listing = Listing.model_validate(
        {
            "changes": [
                Change(**{name: getattr(one, name) for name in Change.model_fields})
                for one in (plan.admitted if listed is None else listed)
            ],
            "unqueued": [{"id": id_, "head": commit_id(f"head {id_}")} for id_ in open_],
        },
        strict=False,
    )
    return Seen(
        plan=plan,
        listing=listing,
        since=since or at,
        at=at,
        verdicts={verdict.change.id: verdict for verdict in verdicts},
        ended={
            ChangeId(id_): Ended(ChangeId(id_), ending, code, "said so")
            for id_, (ending, code) in (ended or {}).items()
        },
        remembered=frozenset(map(ChangeId, remembered)),
        running=running,
        source=source,
        told={},
        preflights=frozenset({"lint", "unit", "docs"}),
    )


def after(*runs: Seen, memory: Memory = NOTHING_REMEMBERED) -> Memory:
    for run in runs:
        memory = remember_run(memory, run).memory
    return memory


def today(memory: Memory) -> Day:
    assert memory.today is not None
    return memory.today


def stages(memory: Memory) -> dict[str, Stage]:
    assert memory.now is not None
    return {one.id: one.stage for one in memory.now.changes}


ONE = make_plan((planned("1"),))
MOVED = planned("1", head=commit_id("new head"))


def test_a_change_is_queued_when_it_is_first_seen_and_again_once_it_was_turned_away() -> None:
    first = after(seen(ONE))
    assert [fact.at for fact in today(first).queued] == [NOON]
    away = after(seen(ONE, NOON + HOUR, ended={"1": KICKED}), memory=first)
    entry = away.entries[ChangeId("1")]
    assert (entry.queued, entry.turned_away and entry.turned_away.code) == (False, Code.KICK_RED)
    assert [fact.code for fact in today(away).turned_away] == [Code.KICK_RED]
    again = after(seen(ONE, NOON + 2 * HOUR), memory=away).entries[ChangeId("1")]
    assert (again.queued, again.turned_away) == (True, None)
    assert (again.first_queued_at, again.queued_at) == (NOON, NOON + 2 * HOUR)


def test_a_change_counts_from_when_the_provider_says_that_it_was_queued() -> None:
    def queued(at: datetime) -> PlannedChange:
        return planned("1", queued_at=at)

    told = after(seen(ONE, listed=[queued(NOON - HOUR)]))
    entry = told.entries[ChangeId("1")]
    assert (entry.first_queued_at, entry.queued_at, entry.head_at) == (
        NOON - HOUR,
        NOON - HOUR,
        NOON,
    )
    assert [fact.at for fact in today(told).queued] == [NOON - HOUR]
    yet_to_come = after(seen(ONE, listed=[queued(NOON + HOUR)]))
    assert yet_to_come.entries[ChangeId("1")].queued_at == NOON
    away = after(seen(ONE, NOON + HOUR, ended={"1": KICKED}), memory=told)
    stale = after(seen(ONE, NOON + 2 * HOUR, listed=[queued(NOON - HOUR)]), memory=away)
    assert stale.entries[ChangeId("1")].queued_at == NOON + 2 * HOUR
    assert stale.entries[ChangeId("1")].first_queued_at == NOON - HOUR


def test_a_new_head_of_a_queued_change_keeps_its_time_and_no_pre_flight() -> None:
    passed = green("1", preflights=(Preflight(name="lint", state=PreflightState.PASSED),))
    first = after(seen(ONE, verdicts=[passed]))
    assert first.entries[ChangeId("1")].preflights == ("lint",)
    moved = after(seen(ONE, NOON + HOUR, listed=[MOVED]), memory=first)
    entry = moved.entries[ChangeId("1")]
    assert (entry.queued_at, entry.head_at) == (NOON, NOON + HOUR)
    assert (entry.head, entry.preflights) == (commit_id("new head"), ())
    assert len(today(moved).queued) == 1


def test_what_landed_is_counted_from_when_it_was_first_queued_and_has_no_entry_left() -> None:
    twice = after(
        seen(ONE),
        seen(ONE, NOON + HOUR, ended={"1": KICKED}),
        seen(ONE, NOON + 3 * HOUR, verdicts=[green("1")], ended={"1": MERGED}),
    )
    [fact] = today(twice).landed
    assert (fact.first_queued_at, fact.at, fact.batch) == (NOON, NOON + 3 * HOUR, 1)
    assert twice.entries == {}
    assert stages(twice) == {}


def test_what_left_the_queue_keeps_its_first_time_while_it_is_open_and_is_forgotten_then() -> None:
    first = after(seen(ONE))
    left = after(seen(ONE, ended={"1": (Ending.WAITS, Code.WAIT_WITHDRAWN)}), memory=first)
    assert not left.entries[ChangeId("1")].queued
    assert stages(left) == {}
    empty = make_plan()
    unqueued = after(seen(empty, NOON + HOUR, open_=["1"]), memory=first)
    assert not unqueued.entries[ChangeId("1")].queued
    back = after(seen(ONE, NOON + 2 * HOUR), memory=unqueued)
    assert back.entries[ChangeId("1")].first_queued_at == NOON
    assert after(seen(empty, NOON + HOUR), memory=first).entries == {}


def test_what_is_written_says_when_it_was_even_where_the_queue_is_as_it_was() -> None:
    empty = after(seen(ONE), seen(ONE, ended={"1": MERGED}, running=False))
    two = make_plan((planned("2"),))
    later = after(seen(two, NOON + HOUR, ended={"2": MERGED}, running=False), memory=empty)
    assert later.now is not None
    assert later.now.at == NOON + HOUR


def test_a_landing_is_told_once_however_often_it_is_seen() -> None:
    landed = seen(ONE, verdicts=[green("1")], ended={"1": MERGED})
    memory = after(landed)
    again = remember_run(memory, landed)
    assert (again.lines, again.memory) == ((), memory)
    tomorrow = seen(
        ONE, NOON + 24 * HOUR, verdicts=[green("1")], ended={"1": MERGED}, remembered=["1"]
    )
    assert after(tomorrow, memory=memory).today == memory.today


def test_a_day_begins_with_the_first_thing_of_it_and_none_comes_back() -> None:
    memory = after(seen(ONE))
    next_day = after(seen(make_plan((planned("2"),)), NOON + 24 * HOUR), memory=memory)
    assert (today(next_day).day.day, [fact.id for fact in today(next_day).queued]) == (2, ["2"])
    earlier = after(seen(make_plan((planned("3"),)), NOON), memory=next_day)
    assert (today(earlier).day.day, len(today(earlier).queued)) == (2, 2)


def record(
    outcome: GateOutcome, *changes: str, took: int = 7, why: str = "it is\nred"
) -> GateRecord:
    return GateRecord(
        changes=tuple(map(ChangeId, changes)),
        commit=commit_id("gated"),
        outcome=outcome,
        duration_ms=took,
        why=why,
    )


def test_a_gate_that_stands_in_several_verdicts_ran_once() -> None:
    plan = make_plan((planned("1"), planned("2", "1")))
    red = record(GateOutcome.FAILED, "1", "2")
    half = record(GateOutcome.PASSED, "1")
    again = record(GateOutcome.PASSED, "1", took=9)
    verdicts = [green("1", gates=(red, half)), green("2", "1", gates=(red, again))]
    memory = after(seen(plan, verdicts=verdicts), seen(plan, NOON + HOUR, verdicts=verdicts))
    ran = [(fact.outcome, fact.duration_ms) for fact in today(memory).gates]
    assert sorted(ran) == [("failed", 7), ("passed", 7), ("passed", 9)]
    assert today(memory).gates[0].why == "it is\\x0ared"


def test_a_gate_of_changes_that_no_verdict_is_on_is_counted_as_well() -> None:
    dropped = replace(seen(ONE), gates=(record(GateOutcome.CANCELLED, "1", why="it moved"),))
    (fact,) = today(after(dropped, dropped)).gates
    assert (fact.outcome, fact.why) == (GateOutcome.CANCELLED, "it moved")


def test_a_gate_of_changes_that_were_not_planned_is_no_gate() -> None:
    strange = record(GateOutcome.PASSED, "1", "nobody")
    assert today(after(seen(ONE, verdicts=[green("1", gates=(strange,))]))).gates == ()


def test_what_verdicts_claim_of_gates_has_an_end() -> None:
    ages = record(GateOutcome.PASSED, "1", took=10**30)
    memory = after(seen(ONE, verdicts=[green("1", gates=(ages,))]))
    assert [fact.duration_ms for fact in today(memory).gates] == [LONGEST_MS]
    many = tuple(record(GateOutcome.PASSED, "1", took=n) for n in range(GATES_A_DAY + 9))
    run = seen(ONE, verdicts=[green("1", gates=many)])
    once = remember_run(NOTHING_REMEMBERED, run)
    assert len(today(once.memory).gates) == GATES_A_DAY
    assert remember_run(once.memory, run).lines == ()
    endless = tuple(f"c{n}" for n in range(99))
    plan = make_plan(tuple(planned(id_) for id_ in endless))
    long = seen(plan, verdicts=[green("c0", gates=(record(GateOutcome.PASSED, *endless),))])
    [line] = [one for one in remember_run(NOTHING_REMEMBERED, long).lines if "gate of" in one]
    assert line.startswith("gate of c0, c1, c2, c3, c4 and 94 more at")


def test_what_verdicts_claim_makes_no_file_that_is_too_large_to_be_read() -> None:
    twice = record(GateOutcome.PASSED, "1", "1")
    often = record(GateOutcome.PASSED, "1").model_copy(update={"retries": 10**30})
    memory = after(seen(ONE, verdicts=[green("1", gates=(twice, often))]))
    assert [fact.retries for fact in today(memory).gates] == [RETRIES_COUNTED]

    ids = [f"c{number:04}" for number in range(1000)]
    plan = make_plan(tuple(planned(id_) for id_ in ids))
    gates = tuple(record(GateOutcome.PASSED, *ids, took=n) for n in range(99))
    full = after(seen(plan, verdicts=[green("c0000", gates=gates)]))
    assert len(today(full).gates) == GATED_A_DAY // len(ids)

    names = [*("lint" for _ in range(9)), *(f"x{number}" for number in range(9))]
    passed = tuple(Preflight(name=name, state=PreflightState.PASSED) for name in names)
    memory = after(seen(ONE, verdicts=[green("1", preflights=passed)]))
    assert memory.entries[ChangeId("1")].preflights == ("lint",)


def test_pre_flights_count_at_the_head_that_they_passed_at_and_the_longest_is_gone_by() -> None:
    passed = tuple(
        Preflight(name=name, state=PreflightState.PASSED, duration_ms=took)
        for name, took in (("lint", 5), ("unit", 9))
    )
    failed = Preflight(name="docs", state=PreflightState.FAILED, duration_ms=99)
    run = seen(ONE, verdicts=[green("1", preflights=(*passed, failed))])
    memory = after(run, run)
    assert memory.entries[ChangeId("1")].preflights == ("lint", "unit")
    assert [fact.duration_ms for fact in today(memory).preflights] == [9]
    moved = seen(ONE, listed=[MOVED], verdicts=[green("1", preflights=passed)])
    assert after(moved).entries[ChangeId("1")].preflights == ()


# --- simulated queues ----------------------------------------------------------------------------


class Model:
    """A queue that is only counted: of one run after the other, and of what happens between."""

    def __init__(self) -> None:
        self.names = map(str, count(1))
        self.first: dict[str, datetime] = {}
        self.queue: list[str] = []
        self.out: list[str] = []
        self.inside: set[str] = set()
        self.queued = self.away = 0
        self.took: list[timedelta] = []

    def between(self, what: str) -> None:
        if what == "comes":
            self.queue.append(next(self.names))
        elif what == "again" and self.out:
            self.queue.append(self.out.pop(0))
        elif what == "leaves" and self.queue:
            self.out.append(self.queue.pop())

    def begin(self, at: datetime) -> None:
        for id_ in self.queue:
            self.first.setdefault(id_, at)
        self.queued += len(set(self.queue) - self.inside)
        self.inside = set(self.queue)

    def ends(self, what: str, at: datetime) -> dict[str, tuple[Ending, Code | None]]:
        if what not in {"lands", "kicked", "waits"} or not self.queue:
            return {}
        id_ = self.queue.pop(0)
        if what == "waits":
            self.queue.append(id_)
            return {id_: (Ending.WAITS, Code.WAIT_BEHIND)}
        self.inside.discard(id_)
        if what == "lands":
            self.took.append(at - self.first[id_])
            return {id_: MERGED}
        self.away += 1
        self.out.append(id_)
        return {id_: KICKED}


def line_of(ids: Sequence[str]) -> Plan:
    changes: list[PlannedChange] = []
    for id_ in ids:
        changes.append(planned(id_, *(one.id for one in changes)))
    return make_plan(*([tuple(changes)] if changes else []))


WHAT = st.sampled_from(["lands", "kicked", "waits", "leaves", "comes", "comes", "again"])


@given(st.lists(st.lists(WHAT, max_size=12), min_size=1, max_size=25))
def test_simulated_queues_are_counted_as_the_model_counts_them(runs: list[list[str]]) -> None:
    model, memory = Model(), NOTHING_REMEMBERED
    days: dict[date, Day] = {}
    for number, happens in enumerate(runs):
        at, later = NOON + number * 7 * HOUR, NOON + number * 7 * HOUR + HOUR
        for what in happens:
            model.between(what)
        model.begin(at)
        plan, open_ = line_of(model.queue), list(model.out)
        memory = after(seen(plan, at, open_=open_), memory=memory)
        days[today(memory).day] = today(memory)
        ended: dict[str, tuple[Ending, Code | None]] = {}
        for what in happens:
            ended |= model.ends(what, later)
        done = seen(plan, later, since=at, open_=open_, ended=ended, running=False)
        memory = after(done, done, memory=memory)
        days[today(memory).day] = today(memory)
        assert set(stages(memory)) == set(model.queue)
    measures = measures_of(list(days.values()))
    assert (measures.queued, measures.away) == (model.queued, model.away)
    spans = [fact.at - fact.first_queued_at for day in days.values() for fact in day.landed]
    assert sorted(spans) == sorted(model.took)


@pytest.mark.parametrize("running", [True, False])
def test_an_edit_of_what_is_known_changes_nothing(running: bool) -> None:  # noqa: FBT001 (what differs)
    plan = make_plan((planned("1"), planned("2", "1"), planned("3", "1", "2")))
    run = seen(
        plan,
        verdicts=[green("1"), green("2", "1")],
        ended={"1": MERGED, "2": KICKED},
        running=running,
    )
    once = remember_run(NOTHING_REMEMBERED, run)
    assert once.lines
    assert remember_run(once.memory, run).lines == ()
