"""How the queue did, by day: the numbers, the table and the document."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.documents.memory import (
    Day,
    GateFact,
    GateOutcome,
    LandedFact,
    QueuedFact,
    TurnedAwayFact,
)
from mergequeue.documents.reading import read_document, write_document
from mergequeue.documents.stats import Stats
from mergequeue.report.measures import AwayFor, Measures, health_of, measures_of, report_of
from mergequeue.report.stats import NOTHING_MEASURED, stats_lines, stats_of
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, ChangeId
from mergequeue.vocabulary.words import Method
from tests.support.graphs import commit_id

AT = datetime(2030, 1, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
MAIN = BranchName("main")


def landed(*minutes: int) -> tuple[LandedFact, ...]:
    return tuple(
        LandedFact(
            id=ChangeId(f"l{n}"),
            head=commit_id(f"l{n}"),
            method=Method.SQUASH,
            first_queued_at=AT,
            at=AT + took * MINUTE,
        )
        for n, took in enumerate(minutes)
    )


def gate(
    outcome: GateOutcome, minutes: int = 1, *, of: str = "a", why: str = "", retries: int = 0
) -> GateFact:
    return GateFact(
        changes=(ChangeId(of),) if of else (),
        commit=commit_id(of),
        outcome=outcome,
        why=why,
        duration_ms=minutes * 60_000,
        retries=retries,
        at=AT,
    )


def away(*codes: Code) -> tuple[TurnedAwayFact, ...]:
    return tuple(
        TurnedAwayFact(id=ChangeId("t"), head=commit_id("t"), code=code, at=AT) for code in codes
    )


def queued(count: int) -> tuple[QueuedFact, ...]:
    return (QueuedFact(id=ChangeId("q"), head=commit_id("q"), at=AT),) * count


FULL = Day(
    day=date(2030, 1, 1),
    queued=queued(20),
    landed=landed(10, 20, 90),
    turned_away=away(Code.KICK_RED, Code.KICK_CONFLICT, Code.KICK_REFUSED, Code.KICK_REGENERATION),
    gates=(
        gate(GateOutcome.PASSED, 4),
        gate(GateOutcome.PASSED, 5, retries=2, why="run again for 'reset'"),
        gate(GateOutcome.FAILED, 2),
        gate(GateOutcome.FAILED, 3, of=""),
        gate(GateOutcome.CANCELLED, 1, why="a left"),
        gate(GateOutcome.CANCELLED, 1, why="the base moved"),
        gate(GateOutcome.CANCELLED, 1, why="the base moved"),
    ),
)


def test_a_day_is_counted() -> None:
    measures = measures_of([FULL])
    assert (measures.queued, measures.landed) == (20, 3)
    assert (measures.median, measures.slow) == (20 * MINUTE, 90 * MINUTE)
    assert {kind: n for kind, n in measures.turned_away.items() if n} == {
        AwayFor.CONFLICT: 1,
        AwayFor.GATE: 1,
        AwayFor.OTHER: 2,
    }
    assert (measures.gates_passed, measures.gates_ended) == (2, 3)
    assert (measures.gate_time, measures.retried) == (17 * MINUTE, 1)
    assert measures.retried_for == {"run again for 'reset'": 1}
    assert list(measures.cancelled.items()) == [("the base moved", 2), ("a left", 1)]
    assert (measures.away_percent, round(measures.passed_percent or 0)) == (20.0, 67)


def test_every_kind_of_kick_back_is_counted_as_what_it_is() -> None:
    kinds = {code: AwayFor.OTHER for code in Code if code.is_kick} | {
        Code.KICK_CONFLICT: AwayFor.CONFLICT,
        Code.KICK_RED: AwayFor.GATE,
        Code.KICK_PREFLIGHT: AwayFor.PREFLIGHT,
        Code.KICK_REVIEW: AwayFor.REVIEW,
        Code.KICK_LANDING: AwayFor.LANDING,
    }
    for code, kind in kinds.items():
        measures = measures_of([FULL.model_copy(update={"turned_away": away(code)})])
        assert {name for name, count in measures.turned_away.items() if count} == {kind}


def test_a_day_without_anything_measures_nothing() -> None:
    empty = measures_of([])
    assert (empty.median, empty.slow, empty.away_percent, empty.passed_percent) == (None,) * 4
    assert [one.holds for one in health_of(empty)] == [None] * 4
    assert stats_lines(report_of([]), None) == [NOTHING_MEASURED]


@given(st.lists(st.integers(0, 500), min_size=1, max_size=60))
def test_95_of_100_land_no_later_than_the_95th_percentile(minutes: list[int]) -> None:
    slow = measures_of([FULL.model_copy(update={"landed": landed(*minutes)})]).slow
    assert slow is not None
    times = [took * MINUTE for took in minutes]
    assert slow in times
    assert sum(time <= slow for time in times) >= 0.95 * len(times)
    assert sum(time < slow for time in times) < 0.95 * len(times)


@pytest.mark.parametrize(
    ("measures", "holds"),
    [
        (
            Measures(
                queued=100,
                median=29 * MINUTE,
                slow=59 * MINUTE,
                turned_away={AwayFor.GATE: 5},
                gates_passed=81,
                gates_ended=100,
            ),
            [True] * 4,
        ),
        (
            Measures(
                queued=100,
                median=30 * MINUTE,
                slow=60 * MINUTE,
                turned_away={AwayFor.GATE: 6},
                gates_passed=80,
                gates_ended=100,
            ),
            [False] * 4,
        ),
    ],
)
def test_a_queue_is_healthy_within_the_bounds_and_not_at_them(
    measures: Measures, holds: list[bool]
) -> None:
    assert [one.holds for one in health_of(measures)] == holds


def test_the_table_has_a_row_a_day_and_one_for_all_and_says_how_healthy_that_is() -> None:
    other = Day(day=date(2030, 1, 2), queued=queued(1))
    lines = stats_lines(report_of([FULL, other]), None)
    assert lines[:4] == [
        (
            "day         queued  landed  median  95th    turned away  batches passed  gates ran"
            "  on a retry"
        ),
        "2030-01-01  20      3       20 min  90 min  4            2 of 3          17 min     1",
        "2030-01-02  1       0       -       -       0            0 of 0          0.0 min    0",
        "all         21      3       20 min  90 min  4            2 of 3          17 min     1",
    ]
    assert "turned away: 1 conflict; 1 gate; 2 other" in lines
    assert "gates cancelled: 2 the base moved; 1 a left" in lines
    assert "passed on a retry: 1 run again for 'reset'" in lines
    assert lines[-4:] == [
        "yes  20 min  queued to landed under 30 min at the median",
        "no   90 min  queued to landed under 60 min at the 95th percentile",
        "no   19 %    at most 5 % turned away",
        "no   67 %    over 80 % of batches passing",
    ]


def test_the_document_says_the_same_and_reads_back() -> None:
    stats = stats_of(MAIN, report_of([FULL]))
    assert read_document(write_document(stats), Stats, "it") == stats
    assert (stats.total.median_seconds, stats.total.p95_seconds) == (1200, 5400)
    assert (stats.total.gate_seconds, stats.total.turned_away["gate"]) == (1020, 1)
    assert [day.day for day in stats.days] == [date(2030, 1, 1)]
    assert [one.holds for one in stats.health] == [True, False, False, False]
