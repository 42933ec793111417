"""What fills the templates, without a browser."""

import pytest

from mergequeue.vocabulary.text import code_span
from mergequeue.webpage.rendering import page_of
from tests.webpage.queues import view_of_queue


@pytest.mark.parametrize("code", ["make check", "a`b", "``", "`", "<b>", " x", "a ``` b `"])
def test_a_code_span_in_a_reason_looks_like_code(code: str) -> None:
    page = page_of(view_of_queue(away=[f"It is {code_span(code)} & red"])).decode()
    shown = code.replace("<", "&lt;").replace(">", "&gt;")
    assert f"It is <code>{shown}</code> &amp; red" in page


@pytest.mark.parametrize("text", ["a ` b", "``", "` ``", "no <code>"])
def test_backticks_that_hold_nothing_stay_as_they_are(text: str) -> None:
    page = page_of(view_of_queue(away=[text])).decode()
    assert f">{text.replace('<', '&lt;').replace('>', '&gt;')}</p>" in page


def test_the_same_view_is_the_same_page() -> None:
    assert page_of(view_of_queue()) == page_of(view_of_queue())
