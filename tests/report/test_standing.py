"""Where every change of a queue stands, of what the queue remembers and what is listed now."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from mergequeue.documents.changes import Change
from mergequeue.documents.memory import Day, Entry, GateFact, GateOutcome, Pause, TurnedAway
from mergequeue.documents.now import Batch, Now, Placed
from mergequeue.ports import NOTHING_REMEMBERED, Memory
from mergequeue.report.stages import standing_text
from mergequeue.report.standing import NOT_SEEN, overview_of
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, ChangeId
from mergequeue.vocabulary.words import Method, Stage
from tests.report.test_estimates import gate, landed
from tests.support.graphs import commit_id
from tests.support.listings import queued

AT = datetime(2030, 1, 1, 12, tzinfo=UTC)
MAIN = BranchName("main")
PAUSE = Pause(reason="a release", since=AT - timedelta(hours=1), by="you")


def placed(id_: str, stage: Stage = Stage.READY, **more: object) -> Placed:
    given = {"id": id_, "head": commit_id(id_), "method": Method.SQUASH, "stage": stage}
    return Placed.model_validate({**given, "since": AT, **more})


def now(*changes: Placed, lines: tuple[tuple[Batch, ...], ...] = ()) -> Now:
    return Now(
        at=AT,
        base_commit=commit_id("base"),
        running=True,
        depth=1,
        lines=lines,
        changes=changes,
    )


def batch(*ids: str, started: bool = False) -> Batch:
    return Batch(changes=tuple(map(ChangeId, ids)), since=AT if started else None)


def entry(id_: str, **more: object) -> Entry:
    given = {"id": id_, "head": commit_id(id_), "first_queued_at": AT, "queued_at": AT}
    return Entry.model_validate({**given, "head_at": AT, **more})


def listed(*ids: str) -> list[Change]:
    return [queued(id_, id_) for id_ in ids]


QUEUE = Memory(
    entries={ChangeId("a"): entry("a", queued_at=AT - timedelta(minutes=7))},
    now=now(
        placed("a", Stage.CHECKING),
        placed("b", Stage.CHECKING),
        placed("c"),
        placed("w", Stage.WAITING, code=Code.WAIT_CHECKS, reason="they run"),
        lines=((batch("a", "b", started=True), batch("c")),),
    ),
)
TODAY = Day(
    day=date(2030, 1, 1),
    landed=landed("x", "y"),
    gates=(gate("x", minutes=10),),
)


def test_each_change_is_told_its_place_its_stage_and_when_it_should_land() -> None:
    overview = overview_of(MAIN, QUEUE, [TODAY], AT)
    said = {id_: standing_text(one, AT) for id_, one in overview.standings.items()}
    assert said == {
        "a": "In a batch of 2 being gated; should land in about 10 min (12:10 UTC)",
        "b": "In a batch of 2 being gated; should land in about 10 min (12:10 UTC)",
        "c": "Queued, 3rd of 4, ready for the next batch; should land in about 20 min (12:20 UTC)",
        "w": "Queued, 4th of 4, waiting: they run",
    }
    assert overview.standings[ChangeId("a")].queued_at == AT - timedelta(minutes=7)
    assert [fact.id for fact in overview.landed] == ["y", "x"]
    [[first, second]] = overview.lines
    assert (first.stage, first.lands_at) == (Stage.CHECKING, AT + timedelta(minutes=10))
    assert (second.changes, second.stage, second.since) == (("c",), Stage.READY, None)


def test_nothing_landed_to_go_by_leaves_the_times_out() -> None:
    overview = overview_of(MAIN, QUEUE, [], AT)
    assert [one.lands_at for one in overview.standings.values()] == [None] * 4
    assert standing_text(overview.standings[ChangeId("a")], AT) == "In a batch of 2 being gated"


def test_what_no_run_has_seen_is_told_as_such() -> None:
    new = overview_of(MAIN, NOTHING_REMEMBERED, [], AT, listed("n", "m"))
    assert [one.reason for one in new.standings.values()] == [NOT_SEEN] * 2
    assert (new.seen_at, new.running) == (None, False)
    later = overview_of(MAIN, QUEUE, [], AT, [*listed("a", "b", "c", "w"), queued("n", "n")])
    assert later.standings[ChangeId("n")].said == "Queued, 5th of 5"
    refused = overview_of(MAIN, QUEUE, [], AT, [queued("r", "r", refused="two branches")])
    assert refused.standings[ChangeId("r")].reason == "two branches"


def test_a_change_that_was_pushed_since_or_left_is_in_no_batch_any_more() -> None:
    listing = [queued("a", "another"), *listed("c")]
    overview = overview_of(MAIN, QUEUE, [TODAY], AT, listing)
    moved = overview.standings[ChangeId("a")]
    assert (moved.stage, moved.lands_at, moved.batch) == (Stage.QUEUED, None, 1)
    assert (
        moved.reason == f"pushed since {commit_id('a')[:12]} was looked at; the next run takes it"
    )
    assert set(overview.standings) == {"a", "c"}
    assert [[one.changes for one in line] for line in overview.lines] == [[("c",)]]


def test_with_several_lines_the_place_in_its_own_is_told_too() -> None:
    two = now(placed("a"), placed("b"), placed("c"), lines=((batch("a", "c"),), (batch("b"),)))
    standings = overview_of(MAIN, Memory(now=two), [], AT).standings
    assert [one.position.in_line for one in standings.values()] == [1, 1, 2]
    assert standings[ChangeId("c")].said.startswith("Queued, 3rd of 3 (2nd in line)")


def test_those_of_the_priority_lane_are_counted_first() -> None:
    first = Memory(now=now(placed("a"), placed("z", priority=True)))
    standings = overview_of(MAIN, first, [], AT, listed("a", "n", "z")).standings
    assert {id_: one.position.number for id_, one in standings.items()} == {"z": 1, "a": 2, "n": 3}


def test_a_pause_is_told_at_once_and_leaves_what_is_gated_and_what_a_change_lacks() -> None:
    paused = replace(QUEUE, pause=PAUSE)
    standings = overview_of(MAIN, paused, [TODAY], AT, listed("a", "c", "w", "n")).standings
    stages = [one.stage for one in standings.values()]
    assert stages == [Stage.CHECKING, Stage.PAUSED, Stage.WAITING, Stage.PAUSED]
    told = standing_text(standings[ChangeId("c")], AT)
    assert told == (
        "Queued, 2nd of 4: the queue is paused since 2030-01-01 11:00 UTC by you: a release"
    )


def test_the_end_of_a_pause_is_told_before_the_next_run_too() -> None:
    waited = placed("w", Stage.PAUSED, code=Code.WAIT_PAUSED, reason="the queue is paused")
    resumed = Memory(now=now(waited))
    told = overview_of(MAIN, resumed, [TODAY], AT, listed("w")).standings[ChangeId("w")]
    assert (told.stage, told.code) == (Stage.QUEUED, None)
    assert "paused" not in told.said + told.reason


def test_those_turned_away_are_told_until_they_are_queued_again() -> None:
    def away(id_: str, minutes: int) -> Entry:
        how = TurnedAway(
            code=Code.KICK_RED,
            reason="it is red",
            commit=commit_id(id_),
            at=AT - timedelta(minutes=minutes),
        )
        return entry(id_, queued=False, turned_away=how)

    entries = {ChangeId(one.id): one for one in (away("old", 9), away("new", 1), away("back", 5))}
    left = entry("left", queued=False)
    memory = Memory(entries={**entries, ChangeId("left"): left})
    overview = overview_of(MAIN, memory, [], AT, listed("back"))
    assert [one.change for one in overview.away] == ["new", "old"]
    assert (overview.away[0].code, overview.away[0].reason) == (Code.KICK_RED, "it is red")


def test_a_gate_that_was_red_is_no_time_to_go_by() -> None:
    red = GateFact.model_validate(
        {**gate("x", minutes=10).model_dump(), "outcome": GateOutcome.FAILED}
    )
    day = TODAY.model_copy(update={"gates": (red,)})
    assert overview_of(MAIN, QUEUE, [day], AT).typical.batch is None
