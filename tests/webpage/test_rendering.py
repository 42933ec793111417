"""What fills the templates, without a browser."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.text import code_span
from mergequeue.vocabulary.words import Stage
from mergequeue.webpage.rendering import page_of
from tests.webpage.queues import AT, lately, view_of_queue

BATCH = st.lists(
    st.sampled_from([Stage.READY, Stage.CHECKING, Stage.LANDING]), min_size=1, max_size=4
)
LINES = st.lists(st.lists(BATCH, min_size=1, max_size=4), max_size=4)
APART = st.lists(st.tuples(st.sampled_from(Stage), st.sampled_from([None, *Code]), st.text()))
EMPTY = {"br", "circle", "input", "line", "meta", "polyline", "rect"}


class Elements(HTMLParser):
    """The elements of a page: which are open, and every id."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in EMPTY:
            assert self.open.pop() == tag


@settings(max_examples=40)
@given(
    LINES,
    APART,
    st.lists(st.text(), max_size=3),
    st.lists(st.text(), min_size=1),
    st.integers(0, 9),
)
def test_every_change_stands_once_on_a_well_formed_page_whatever_is_queued_and_typed(
    lines: list[list[list[Stage]]],
    apart: list[tuple[Stage, Code | None, str]],
    away: list[str],
    titles: list[str],
    days: int,
) -> None:
    view = view_of_queue(lines, apart, away=away, titles=titles, days=lately(days))
    elements = Elements()
    elements.feed(page_of(view).decode())
    elements.close()
    queued = sum(len(batch) for line in lines for batch in line) + len(apart)
    assert elements.open == []
    assert len(elements.ids) == len(set(elements.ids))
    assert sorted(id_ for id_ in elements.ids if id_.startswith("change-")) == [
        *(f"change-{101 + number}" for number in range(queued)),
        *(f"change-{901 + number}" for number in range(len(away))),
    ]


@pytest.mark.parametrize("code", ["make check", "a`b", "``", "`", "<b>", " x", "a ``` b `"])
def test_a_code_span_in_a_reason_looks_like_code(code: str) -> None:
    page = page_of(view_of_queue(away=[f"It is {code_span(code)} & red"])).decode()
    shown = code.replace("<", "&lt;").replace(">", "&gt;")
    assert f"It is <code>{shown}</code> &amp; red" in page


@pytest.mark.parametrize("text", ["a ` b", "``", "` ``", "no <code>"])
def test_backticks_that_hold_nothing_stay_as_they_are(text: str) -> None:
    page = page_of(view_of_queue(away=[text])).decode()
    assert f">{text.replace('<', '&lt;').replace('>', '&gt;')}</p>" in page


def test_a_moment_is_one_that_a_browser_reads_whatever_its_year() -> None:
    for year in (1, 2026, 9999):
        page = page_of(replace(view_of_queue(), written=AT.replace(year=year))).decode()
        assert f'<time datetime="{year:04}-11-30T22:40:00Z" data-ago>' in page


def test_the_same_view_is_the_same_page() -> None:
    assert page_of(view_of_queue()) == page_of(view_of_queue())
