"""When a change should land."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from mergequeue.documents.memory import Day, GateFact, GateOutcome, LandedFact, PreflightFact
from mergequeue.documents.now import Batch, Now, Placed
from mergequeue.report.estimates import LATELY, Typical, landing_times, line_times, typical_of
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Method, Stage
from tests.support.graphs import commit_id

AT = datetime(2030, 1, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
TEN = Typical(batch=10 * MINUTE)


def landed(*ids: str) -> tuple[LandedFact, ...]:
    return tuple(
        LandedFact(
            id=ChangeId(id_),
            head=commit_id(id_),
            method=Method.SQUASH,
            first_queued_at=AT,
            at=AT,
        )
        for id_ in ids
    )


def gate(*ids: str, minutes: float, outcome: GateOutcome = GateOutcome.PASSED) -> GateFact:
    return GateFact(
        changes=tuple(map(ChangeId, ids)),
        commit=commit_id("+".join(ids)),
        outcome=outcome,
        duration_ms=int(minutes * 60_000),
        at=AT,
    )


def day(*facts: GateFact, landings: Sequence[LandedFact] = (), number: int = 1) -> Day:
    return Day(day=date(2030, 1, number), gates=facts, landed=tuple(landings))


def placed(id_: str, stage: Stage, minutes_ago: float = 0) -> Placed:
    return Placed(
        id=ChangeId(id_),
        head=commit_id(id_),
        method=Method.SQUASH,
        stage=stage,
        since=AT - minutes_ago * MINUTE,
    )


def now(*changes: Placed, lines: Sequence[Sequence[Batch]] = (), depth: int = 1) -> Now:
    return Now(
        at=AT,
        base_commit=commit_id("base"),
        running=True,
        depth=depth,
        lines=tuple(tuple(line) for line in lines),
        changes=changes,
    )


def batch(*ids: str, started: float | None = None) -> Batch:
    since = None if started is None else AT - started * MINUTE
    return Batch(changes=tuple(map(ChangeId, ids)), since=since)


def test_with_no_batch_landed_to_go_by_nothing_is_said() -> None:
    assert typical_of([]) == Typical()
    failed = day(
        gate("a", minutes=1, outcome=GateOutcome.FAILED),
        gate(minutes=2),
        gate("gone", minutes=3),
        landings=landed("a"),
    )
    assert typical_of([failed]) == Typical()
    one = now(placed("a", Stage.CHECKING), lines=[[batch("a", started=1)]])
    assert landing_times(one, Typical(), AT) == {}


def test_a_batch_takes_the_median_of_those_that_landed_lately() -> None:
    old = [gate(f"o{n}", minutes=99) for n in range(LATELY)]
    new = [gate(f"n{n}", minutes=minutes) for n, minutes in enumerate([1, 5, 9] * LATELY)]
    ids = [*(f"o{n}" for n in range(LATELY)), *(f"n{n}" for n in range(3 * LATELY))]
    days = [day(*old), day(*new, landings=landed(*ids), number=2)]
    assert typical_of(days).batch == 5 * MINUTE


def test_the_pre_flights_take_the_median_of_those_that_passed_lately() -> None:
    passed = [
        PreflightFact(id=ChangeId("a"), head=commit_id("a"), duration_ms=60_000 * n, at=AT)
        for n in (1, 2, 9)
    ]
    days = [Day(day=date(2030, 1, 1), preflights=tuple(passed))]
    assert typical_of(days).preflight == 2 * MINUTE


def test_a_change_in_a_batch_lands_a_batchs_time_after_its_gate_might_start() -> None:
    seen = now(
        placed("a", Stage.CHECKING),
        placed("b", Stage.READY),
        lines=[[batch("a", started=4), batch("b")]],
    )
    assert landing_times(seen, TEN, AT) == {"a": AT + 6 * MINUTE, "b": AT + 16 * MINUTE}


def test_nothing_lands_before_what_it_stands_on() -> None:
    line = [batch("a", started=1), batch("b", started=5)]
    assert list(line_times(line, 2, 10 * MINUTE, AT)) == [AT + 9 * MINUTE] * 2


def test_one_that_runs_its_pre_flights_lands_after_them_and_after_what_is_gated_ahead() -> None:
    checking, line = placed("a", Stage.CHECKING), [[batch("a", started=4)]]
    soon = placed("p", Stage.PREFLIGHT, minutes_ago=8)
    late = placed("q", Stage.AGAIN, minutes_ago=1)
    typical = Typical(batch=10 * MINUTE, preflight=9 * MINUTE)
    times = landing_times(now(checking, soon, late, lines=line), typical, AT)
    assert times[ChangeId("p")] == AT + 6 * MINUTE + 10 * MINUTE
    assert times[ChangeId("q")] == AT + 8 * MINUTE + 10 * MINUTE
    alone = landing_times(now(late), TEN, AT)
    assert alone == {"q": AT + 9 * MINUTE + 10 * MINUTE}


def test_what_waits_for_a_person_has_no_time() -> None:
    waiting = [placed(stage, stage) for stage in (Stage.REVIEW, Stage.WAITING, Stage.STACKED)]
    assert landing_times(now(*waiting), TEN, AT) == {}


def simulated(started: Sequence[int], count: int, depth: int, takes: int) -> list[int]:
    """Return the minute that each batch lands in, of a line that is played minute by minute."""
    starts: list[int | None] = [-ago for ago in started] + [None] * (count - len(started))
    landed: list[int | None] = [None] * count
    minute = 0
    while None in landed:
        for n, start in enumerate(starts):
            beneath = n == 0 or landed[n - 1] is not None
            if landed[n] is None and start is not None and beneath and start + takes <= minute:
                landed[n] = minute
        flying = sum(
            1
            for began, ended in zip(starts, landed, strict=True)
            if began is not None and ended is None
        )
        for n, start in enumerate(starts):
            if start is None and flying < depth:
                starts[n], flying = minute, flying + 1
        minute += 1
    return [one for one in landed if one is not None]


@given(
    count=st.integers(1, 9),
    depth=st.integers(1, 4),
    takes=st.integers(1, 12),
    ago=st.lists(st.integers(0, 11), max_size=4),
)
def test_a_line_lands_as_it_does_when_it_is_played(
    count: int, depth: int, takes: int, ago: list[int]
) -> None:
    started = sorted(ago, reverse=True)[: min(depth, count)]
    started = [min(one, takes) for one in started]
    line = [batch(f"c{n}", started=one) for n, one in enumerate(started)]
    line += [batch(f"c{n}") for n in range(len(started), count)]
    times = [(time - AT) // MINUTE for time in line_times(line, depth, takes * MINUTE, AT)]
    assert times == simulated(started, count, depth, takes)
