"""What the page shows is what the queue remembers, in the words that `status` has for it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from mergequeue.documents.memory import Pause
from mergequeue.report.control import paused_sentence
from mergequeue.report.measures import AwayFor, report_of
from mergequeue.report.stages import left_text
from mergequeue.report.views import GitHubLinks
from mergequeue.report.web import SHOWN, web_view
from mergequeue.report.web_measures import DAYS, measures_shown
from mergequeue.report.web_view import Tone, WebView
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId, short
from mergequeue.vocabulary.words import Stage
from mergequeue.webpage.rendering import page_of
from tests.support.graphs import commit_id
from tests.webpage.queues import AT, lately, overview_of_queue, view_of_queue

LINES = [
    [[Stage.LANDING, Stage.LANDING], [Stage.CHECKING] * 3, [Stage.READY]],
    [[Stage.CHECKING]],
]
APART = [(Stage.REVIEW, Code.WAIT_NOT_APPROVED, "no approval at its head"), (Stage.AGAIN, None, "")]


def ids_of(view: WebView) -> list[list[list[str]]]:
    return [[[one.id for one in batch.changes] for batch in line.batches] for line in view.lines]


def test_every_queued_change_stands_once_in_its_line_and_batch_or_apart() -> None:
    view = view_of_queue(LINES, APART)
    assert ids_of(view) == [[["101", "102"], ["103", "104", "105"], ["106"]], [["107"]]]
    assert [one.id for one in view.apart] == ["108", "109"]
    assert [line.name for line in view.lines] == ["Line 1", "Line 2"]
    assert [line.about for line in view.lines] == ["6 changes", "1 change"]
    assert [batch.state for batch in view.lines[0].batches] == ["landing", "being gated", "ready"]


def test_a_change_says_where_it_stands_as_status_does_what_it_waits_for_and_when_it_lands() -> None:
    overview = overview_of_queue(LINES, APART, days=lately())
    view = web_view(overview, report_of(lately()), GitHubLinks("", ""))
    shown = [one for line in view.lines for batch in line.batches for one in batch.changes]
    for one in (*shown, *view.apart):
        told = overview.standings[ChangeId(one.id)]
        assert (one.says, one.why, one.code) == (told.said, told.reason, told.code or "")
        assert (one.lands, one.queued, one.since) == (told.lands_at, told.queued_at, told.since)
        assert one.left == (left_text(told.lands_at, AT) if told.lands_at else "")
        assert (one.head, one.place) == (short(told.head), str(told.position.number))
    assert {one.id: one.tone for one in shown}["101"] is Tone.GOOD
    assert [one.why for one in view.apart] == ["no approval at its head", ""]
    assert shown[0].lands is not None


@pytest.mark.parametrize("stage", Stage)
def test_every_stage_looks_like_something(stage: Stage) -> None:
    (change,) = view_of_queue([], [(stage, None, "")]).apart
    assert change.tone in Tone


def test_a_stack_is_joined_where_it_stands_on_the_change_right_before_it() -> None:
    view = view_of_queue(
        [[[Stage.READY] * 3], [[Stage.READY]]], stacked={102: 101, 103: 101, 104: 103}
    )
    assert [one.joined for one in view.lines[0].batches[0].changes] == [False, True, False]
    assert [one.below for one in view.lines[0].batches[0].changes] == ["", "101", "101"]
    assert not view.lines[1].batches[0].changes[0].joined


def test_what_is_in_the_priority_lane_says_so() -> None:
    (batch,) = view_of_queue([[[Stage.READY] * 2]], lane=[101]).lines[0].batches
    assert [one.lane for one in batch.changes] == ["priority", ""]
    page = page_of(view_of_queue([[[Stage.READY] * 2]], lane=[101])).decode()
    assert page.count('<span class="lane">priority</span>') == 1


def test_the_figures_at_the_top_are_those_of_the_queue() -> None:
    view = view_of_queue(LINES, APART, days=lately())
    told = {tile.name: (tile.value, tile.note) for tile in view.tiles}
    lands = [one.lands for line in view.lines for batch in line.batches for one in batch.changes]
    first = min(at for at in lands if at is not None)
    total = report_of(lately()).total
    assert total.median is not None
    assert told == {
        "In the queue": ("9", "in 2 lines"),
        "Being gated": ("4", "in 2 batches"),
        "Next lands": (left_text(first, AT), ""),
        "Landed today": ("2", "since midnight, UTC"),
        "From queued to landed": ("42 min", f"at the median, over {len(lately())} days"),
    }
    assert [tile.name for tile in view_of_queue().tiles] == [
        "In the queue",
        "Being gated",
        "Landed today",
    ]


def test_a_paused_queue_says_why_and_who_paused_it() -> None:
    assert view_of_queue().paused == ""
    pause = Pause(reason="The release\nis cut", since=AT, by="release-manager")
    view = view_of_queue(LINES, pause=pause)
    assert view.paused == paused_sentence(pause)
    assert view.paused.endswith("by release-manager: The release\\x0ais cut")
    assert view.lines[0].batches[2].changes[0].why == view.paused


def test_those_turned_away_stand_with_the_reason_the_newest_first() -> None:
    view = view_of_queue(away=["It conflicts with main.", "The gate is red.", "Old."])
    assert [(one.change.id, one.code, one.reason) for one in view.away] == sorted(
        ((one.change.id, one.code, one.reason) for one in view.away),
        key=lambda row: next(one.at for one in view.away if one.change.id == row[0]),
        reverse=True,
    )
    assert {(one.change.id, one.reason) for one in view.away} == {
        ("901", "It conflicts with main."),
        ("902", "The gate is red."),
        ("903", "Old."),
    }
    assert {one.more for one in view.away} == {""}
    here = view_of_queue(away=["Old."], links=GitHubLinks("", ""))
    assert [one.more for one in here.away] == ["mergequeue status 901"]
    assert view.away[0].change.head == short(commit_id(view.away[0].change.id))


def test_what_landed_stands_the_newest_first_with_how_long_it_took_and_with_how_many() -> None:
    view = view_of_queue(days=lately())
    assert len(view.landed) == SHOWN
    assert [one.at for one in view.landed] == sorted((one.at for one in view.landed), reverse=True)
    newest = view.landed[0]
    assert (newest.change.id, newest.commit) == ("113002", short(commit_id("113002 landed")))
    assert (newest.took, newest.together) == ("28 min", "1 other")
    assert view.landed[1].together == ""


def test_the_charts_and_the_table_go_up_to_today_through_days_on_which_nothing_happened() -> None:
    report = report_of(lately())
    shown = measures_shown(report, AT.date())
    days = [row[0] for row in shown.table.rows]
    assert days[0] == "2026-11-30"
    assert len(days) == len(set(days)) == 14
    assert "2026-11-27" not in {day.isoformat() for day in report.days}
    assert shown.table.rows[3] == ["2026-11-27", "0", "0", "-", "-", "0", "-", "0", "0", "0"]
    assert all(len(row) == len(shown.table.columns) for row in shown.table.rows)
    newest = dict(zip(shown.table.columns, shown.table.rows[0], strict=True))
    assert (newest["queued"], newest["landed"], newest["turned away"]) == ("3", "2", "1 gate")
    assert newest["passed on a retry"] == "1"
    late = measures_shown(report, AT.date() + timedelta(days=400))
    assert len(late.table.rows) == DAYS
    assert measures_shown(report_of([]), AT.date()).charts == []
    ahead = lately()[-1].model_copy(update={"day": AT.date().replace(year=9999)})
    assert measures_shown(report_of([*lately(), ahead]), AT.date()).table == shown.table
    assert measures_shown(report_of([ahead]), AT.date()).charts == []


def test_each_kind_of_turning_away_and_of_cancelling_is_a_series_of_its_own() -> None:
    charts = {chart.title: chart for chart in measures_shown(report_of(lately()), AT.date()).charts}
    assert [name for name, _ in charts["Turned away"].names] == list(AwayFor)
    assert [limit.text for limit in charts["Queued to landed, in minutes"].limits] == [
        "healthy median: under 30",
        "healthy 95th percentile: under 60",
    ]
    odd = charts["Gates cancelled and run again"]
    assert [name for name, _ in odd.names] == ["passed on a retry", "the base moved"]


def test_only_what_was_measured_is_called_healthy_or_not() -> None:
    assert view_of_queue().measures.health == []
    health = view_of_queue(days=lately()).measures.health
    assert [one.holds for one in health] == [False, False, False, True]


def test_what_does_not_print_is_escaped_and_an_address_is_only_the_providers() -> None:
    view = view_of_queue(LINES, titles=["a\u202eb\nc"], links=GitHubLinks("", ""))
    change = view.lines[0].batches[0].changes[0]
    assert (change.title, change.url) == ("a\\u202eb\\x0ac", "")
    assert (view.url, view.run) == ("", "")


def test_a_run_is_linked_while_it_goes_on() -> None:
    overview = overview_of_queue(LINES)
    links = GitHubLinks("https://github.com", "OWNER/REPO")
    report = report_of([])
    view = web_view(overview, report, links)
    assert (view.state, view.run) == (
        "a run goes on",
        "https://github.com/OWNER/REPO/actions/runs/77",
    )
    over = web_view(replace(overview, running=False), report, links)
    assert (over.state, over.run) == ("no run goes on", "")
    never = web_view(replace(overview, seen_at=None), report, links)
    assert never.state == "no run has looked at the queue yet"
    assert links.run("some/directory") == ""
    assert links.run("OWNER/REPO/runs/x") == ""
