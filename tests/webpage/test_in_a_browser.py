"""The page in a real browser: what it says, to whom, on which screen, and what it never does."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page

from mergequeue.documents.memory import Pause
from mergequeue.report.stages import left_text
from mergequeue.report.web_view import WebView
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.words import Stage
from mergequeue.webpage.rendering import page_of
from tests.fakes.needs import NPM
from tests.webpage.conftest import Opens, Screen
from tests.webpage.queues import AT, TITLES, big_view, lately, minutes, view_of_queue

pytestmark = pytest.mark.slow

PHONE = Screen(360, 780, dark=True)
HOSTILE = (
    "</style></script><script>document.title='taken'</script>",
    '"><img src=x onerror="document.title=\'taken\'">',
    "{{ 7 * 7 }} {% for %} ${7}",
    "a" * 200,
    "right \u202e left \x1b[2J \u2028 end",
)
ROW = "#change-101"


def small(titles: Sequence[str] = TITLES, pause: Pause | None = None) -> WebView:
    return view_of_queue(
        [[[Stage.LANDING, Stage.LANDING], [Stage.CHECKING, Stage.CHECKING], [Stage.READY]]],
        [(Stage.REVIEW, Code.WAIT_NOT_APPROVED, "no approval at its head; approve it")],
        days=lately(5),
        stacked={102: 101},
        away=["The gate is red with it: `make check parser`."],
        titles=titles,
        pause=pause,
    )


def problems(page: Page, axe: str) -> list[str]:
    page.evaluate(f"() => {{ {axe} }}")
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found["violations"]]


@pytest.mark.network
@NPM
@pytest.mark.parametrize("screen", [Screen(), PHONE], ids=["light", "dark on a phone"])
def test_nothing_stands_in_the_way_of_a_screen_reader_or_of_weak_eyes(
    opens: Opens, axe: str, screen: Screen
) -> None:
    paused = Pause(reason="The release is cut", since=AT)
    assert problems(opens(small(pause=paused), screen), axe) == []
    assert problems(opens(view_of_queue(), screen), axe) == []


def test_a_screen_reader_is_told_lines_batches_changes_and_what_each_chart_shows(
    opens: Opens,
) -> None:
    page = opens(small())
    assert page.get_by_role("heading", level=1).inner_text() == "Merge queue of main"
    named = [each.inner_text() for each in page.get_by_role("heading", level=2).all()]
    assert named == ["Queue", "Turned away", "Landed lately", "Measures"]
    line = page.get_by_role("region", name="In line 5 changes")
    batches = line.locator("> ol > li")
    assert [each.get_by_role("listitem").count() for each in batches.all()] == [2, 2, 1]
    told = " ".join(batches.nth(0).inner_text().split())
    assert told.startswith("Batch of 2 landing since 22:31 1 101 Bump the lexer Landing squash ")
    charts = [each.get_attribute("aria-label") or "" for each in page.get_by_role("img").all()]
    assert len(charts) == 6
    assert charts[0].startswith("Queued and landed, 26 Nov to 30 Nov: queued between ")
    assert page.get_by_role("navigation", name="On this page").get_by_role("link").count() == 4
    assert page.get_by_role("table", name="Landed lately").count() == 1


def test_every_estimate_counts_down_in_the_words_that_status_says(opens: Opens) -> None:
    view = small()
    lands = view.lines[0].batches[2].changes[0].lands
    assert lands is not None
    page = opens(view)
    told = page.locator("#change-105 .when")
    for before in (timedelta(hours=3, minutes=7), timedelta(hours=1), minutes(59.2), minutes(0.4)):
        page.clock.set_fixed_time(lands - before)
        page.clock.run_for(5000)
        clock = f"{lands:%H:%M}"
        assert told.inner_text().split("\n") == [
            f"should land {left_text(lands, lands - before)}",
            f"({clock})",
        ]
    page.clock.set_fixed_time(lands + minutes(3))
    page.clock.run_for(5000)
    assert told.inner_text() == "should land any minute now"


def test_without_scripts_it_says_all_the_same_and_offers_no_search(opens: Opens) -> None:
    view = small()
    page = opens(view, Screen(scripts=False))
    change = view.lines[0].batches[2].changes[0]
    assert change.lands is not None
    assert change.left.startswith("in about ")
    assert f"should land {change.left}" in page.locator("#change-105").inner_text()
    assert f"({change.lands:%H:%M} UTC)" in page.locator("#change-105").inner_text()
    assert not page.get_by_role("searchbox").is_visible()


def test_a_change_is_found_by_its_number_or_a_word_and_the_count_is_announced(
    opens: Opens,
) -> None:
    page = opens(small())
    page.get_by_role("searchbox", name="Find").fill("LEXER bump")
    visible = page.locator("[data-find]:visible")
    assert visible.evaluate_all("all => all.map((one) => one.id)") == [
        "change-101",
        "change-106",
        "change-901",
    ]
    assert page.locator(".batch:visible").count() == 1
    assert page.get_by_role("status").inner_text() == "3 changes found"
    page.get_by_role("searchbox").fill("105")
    assert visible.count() == 1
    assert page.get_by_role("status").inner_text() == "1 change found"
    page.get_by_role("searchbox").fill("")
    assert visible.count() == 7
    assert page.locator(".batch:visible").count() == 3


def test_everything_can_be_reached_and_seen_with_the_keyboard_alone(opens: Opens) -> None:
    page = opens(small())
    page.keyboard.press("Tab")
    first = page.locator(":focus")
    assert (first.inner_text(), first.is_visible()) == ("Skip to the queue", True)
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.type") == "search"
    seen = []
    for _ in range(40):
        page.keyboard.press("Tab")
        at = page.evaluate(
            """() => {
              const one = document.activeElement, box = one.getBoundingClientRect();
              return [one.tagName, one.textContent.trim(), getComputedStyle(one).outlineStyle,
                      box.top >= 0 && box.bottom <= innerHeight || box.height > innerHeight];
            }"""
        )
        if at[0] == "BODY":
            break
        seen.append(at)
    assert ["A", "101"] in [at[:2] for at in seen]
    assert seen[-1][0] == "SUMMARY"
    assert {(outline, is_seen) for _, _, outline, is_seen in seen} == {("solid", True)}


def test_a_link_to_a_change_leads_to_it(opens: Opens) -> None:
    page = opens(big_view(60), anchor="#change-155")
    box = page.locator("#change-155").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 700


@pytest.mark.parametrize("width", [320, 390, 900])
def test_nothing_is_wider_than_the_screen(opens: Opens, width: int) -> None:
    view = small(titles=HOSTILE)
    page = opens(view, Screen(width))
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide == [width, width]


def test_it_is_dark_where_the_reader_wants_it_dark(opens: Opens) -> None:
    color = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    assert min(opens(view_of_queue()).evaluate(color)) > 200
    assert max(opens(view_of_queue(), Screen(dark=True)).evaluate(color)) < 60


def test_what_an_author_typed_is_text_and_runs_nothing(opens: Opens) -> None:
    page = opens(small(titles=HOSTILE))
    assert page.title() == "Merge queue of main in OWNER/REPO"
    shown = page.locator("body").inner_text()
    for title in HOSTILE[:4]:
        assert title in shown
    assert "right \\u202e left \\x1b[2J \\u2028 end" in shown
    assert page.locator("img").count() == 0


def test_a_script_that_got_into_it_all_the_same_would_not_run(
    tabs: dict[bool, Page], tmp_path: Path
) -> None:
    taken = page_of(small()).replace(
        b"<main>",
        b"<main><script>document.title='taken'</script><b style='color:red' onclick='x()'>b</b>"
        b"<img src='x' onerror=\"document.title='taken'\">",
    )
    path = tmp_path / "taken.html"
    path.write_bytes(taken)
    page = tabs[True]
    refused: list[str] = []
    page.once("console", lambda said: refused.append(said.text))
    page.goto(path.as_uri())
    assert page.title() == "Merge queue of main in OWNER/REPO"
    assert (
        page.locator("b[style]").evaluate("one => getComputedStyle(one).color") != "rgb(255, 0, 0)"
    )
    assert "Content Security Policy" in refused[0]


def test_it_reaches_for_nothing(opens: Opens) -> None:
    page = opens(small())
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.clock.run_for(60_000)
    assert asked == [page.url]


def test_links_lead_to_the_pull_requests_and_to_the_run(opens: Opens) -> None:
    page = opens(small())
    assert page.locator(f"{ROW} a").get_attribute("href") == (
        "https://github.com/OWNER/REPO/pull/101"
    )
    assert page.get_by_role("link", name="a run goes on").get_attribute("href") == (
        "https://github.com/OWNER/REPO/actions/runs/77"
    )
    local = opens(replace(small(), run="", url=""))
    assert local.get_by_role("link", name="a run goes on").count() == 0
