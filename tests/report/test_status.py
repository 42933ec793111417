"""What `status` tells of a queue, and of one change of it."""

from dataclasses import replace
from datetime import timedelta

from mergequeue.documents.changes import MergedChange
from mergequeue.documents.memory import TurnedAway
from mergequeue.documents.provider import KickBack, Reproduction
from mergequeue.ports import NOTHING_REMEMBERED, Memory
from mergequeue.report.standing import Overview, overview_of
from mergequeue.report.status import (
    away_lines,
    change_lines,
    landed_lines,
    merged_lines,
    queue_lines,
)
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Method, Stage
from tests.report.test_standing import (
    AT,
    MAIN,
    PAUSE,
    QUEUE,
    TODAY,
    batch,
    entry,
    listed,
    now,
    placed,
)
from tests.support.graphs import commit_id
from tests.support.listings import queued

RED = TurnedAway(
    code=Code.KICK_RED,
    reason="it is red",
    commit=commit_id("red"),
    at=AT - timedelta(minutes=3),
)
AWAY = replace(QUEUE, entries={ChangeId("red"): entry("red", queued=False, turned_away=RED)})
KICK = KickBack(
    change=queued("red", "red").model_copy(update={"affected": ("parser", "web")}),
    commit=commit_id("red"),
    code=Code.KICK_RED,
    report="The gate is red with it.\n\nMend it.\n",
    claim="exit status 2 \x1b[2J",
    reproduce=Reproduction(gate="make check"),
)


PUSH_TO = "(push to mq/merge/<name>, mq/squash/<name>, mq/rebase/<name>)"


def row(place: str, id_: str, said: str) -> str:
    return f"{place:<5}  {id_:<6}  {commit_id(id_)[:12]}  {said}"


def facts(lines: list[str]) -> dict[str, str]:
    """Return the lines of one change, by what each is about."""
    return dict(line.split(maxsplit=1) for line in lines if line)


def one(id_: str, overview: Overview) -> dict[str, str]:
    return facts(change_lines(overview, overview.standings[ChangeId(id_)], None))


def test_the_queue_is_a_table_with_those_turned_away_and_the_newest_landed_beneath() -> None:
    lines = queue_lines(overview_of(MAIN, AWAY, [TODAY], AT), None, strays=["mq/sqash/x"])
    ten, twenty = (f"; should land in about {n} min (12:{n} UTC)" for n in (10, 20))
    assert lines == [
        "main: 4 queued, 2 being gated or landing; a run is at work, as of 12:00 UTC",
        "",
        "place  change  head          where it stands",
        row("1", "a", f"In a batch of 2 being gated{ten}"),
        row("2", "b", f"In a batch of 2 being gated{ten}"),
        row("3", "c", f"Queued, 3rd of 4, ready for the next batch{twenty}"),
        row("4", "w", "Queued, 4th of 4, waiting: they run"),
        row("-", "red", "Kicked back, KICK_RED: it is red"),
        "",
        f"landed  y  {commit_id('y')[:12]}, 12:00 UTC",
        f"landed  x  {commit_id('x')[:12]}, 12:00 UTC",
        "",
        f"queues nothing, since it names no merge method: `mq/sqash/x` {PUSH_TO}",
    ]


def test_an_empty_queue_that_never_ran_says_so() -> None:
    lines = queue_lines(overview_of(MAIN, NOTHING_REMEMBERED, [], AT, []), 80)
    assert lines == ["main: nothing is queued; no run has looked at it yet"]


def test_a_pause_stands_above_all() -> None:
    lines = queue_lines(overview_of(MAIN, replace(QUEUE, pause=PAUSE), [], AT), None)
    assert lines[1] == "The queue is paused since 2030-01-01 11:00 UTC by you: a release."


def test_a_kick_back_that_the_providers_records_have_alone_is_shown_too() -> None:
    lines = queue_lines(overview_of(MAIN, QUEUE, [], AT), None, kicks=[KICK])
    [line] = [line for line in lines if line.startswith("-")]
    assert "Kicked back, KICK_RED: The gate is red with it. Its verdict says: exit status" in line


def test_a_change_of_the_priority_lane_is_told_so() -> None:
    assert QUEUE.now is not None
    first, *rest = QUEUE.now.changes
    marked = [first.model_copy(update={"priority": True}), *rest]
    now_ = QUEUE.now.model_copy(update={"changes": tuple(marked)})
    overview = overview_of(MAIN, replace(QUEUE, now=now_), [TODAY], AT)
    assert one("a", overview)["lane"].startswith("in the priority lane")
    assert "lane" not in one("c", overview)


def test_a_queued_change_is_told_its_place_what_is_ahead_of_it_and_when_it_should_land() -> None:
    overview = overview_of(MAIN, QUEUE, [TODAY], AT)
    assert one("c", overview) == {
        "change": "c",
        "head": commit_id("c"),
        "method": "squash",
        "stands": "Queued, 3rd of 4, ready for the next batch",
        "when": "should land in about 20 min (12:20 UTC)",
        "place": "3rd of 4",
        "ahead": "a, b",
        "queue": "a run is at work, as of 12:00 UTC",
    }
    first = one("a", overview)
    assert (first["batch"], first["ahead"]) == (
        "together with b",
        "nothing: it lands first in its line",
    )
    assert first["queued"] == "11:53 UTC"


def test_a_change_that_waits_says_for_what_and_one_without_a_time_why_it_has_none() -> None:
    overview = overview_of(MAIN, QUEUE, [], AT)
    assert one("w", overview)["waits"] == "they run"
    assert "when" not in one("w", overview)
    assert one("c", overview)["when"] == "not known yet: nothing landed lately to go by"


def test_a_change_that_was_turned_away_is_told_with_the_report_its_author_reads() -> None:
    overview = overview_of(MAIN, AWAY, [], AT)
    lines = away_lines(overview, overview.away[0], KICK, None)
    assert facts(lines[:5])["stands"] == "Kicked back, KICK_RED: it is red"
    assert facts(lines[:5])["since"] == "11:57 UTC"
    start = lines.index("The gate is red with it.")
    assert lines[start : start + 3] == ["The gate is red with it.", "", "Mend it."]
    assert 'Its verdict says: `"exit status 2 \\x1b[2J"`' in lines
    assert lines[-1] == "The gate was `make check`, with the units behind it: parser web"
    alone = away_lines(overview, None, KICK, None)
    assert facts(alone[:4])["head"] == commit_id("red")


def test_a_landed_change_says_what_it_became_and_when() -> None:
    overview = overview_of(MAIN, QUEUE, [TODAY], AT)
    fact = overview.landed[0].model_copy(update={"commit": commit_id("on main")})
    told = facts(landed_lines(overview, fact, None))
    assert (told["stands"], told["since"]) == (f"Landed as {commit_id('on main')}", "12:00 UTC")
    merge = MergedChange(
        id=ChangeId("m"), head=commit_id("m"), commit=commit_id("landed"), method=Method.SQUASH
    )
    assert facts(merged_lines(merge, None))["stands"] == f"Landed as {commit_id('landed')}"


def test_a_long_line_names_what_is_ahead_as_far_as_it_has_room() -> None:
    ids = [f"c{number}" for number in range(60)]
    line = tuple(batch(id_) for id_ in ids)
    many = Memory(now=now(*(placed(id_, Stage.READY) for id_ in ids), lines=(line,)))
    overview = overview_of(MAIN, many, [], AT, listed(*ids))
    assert one("c59", overview)["ahead"].endswith(", c48, c49 and 9 more")
