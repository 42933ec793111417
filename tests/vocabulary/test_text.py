"""What authors typed is shown as text: on a line, in a code span, in a block; never as markup.

A Markdown parser says what a reader sees; it comes with rich.
"""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from mergequeue.vocabulary.ids import RepoPath
from mergequeue.vocabulary.text import (
    code_block,
    code_span,
    cut,
    is_plain,
    one_line,
    path_text,
    quoted,
)

HOSTILE = {
    "a line break": ("a\nb", "a\\x0ab"),
    "a carriage return": ("a\rb", "a\\x0db"),
    "a terminal's escape": ("\x1b[31mred", "\\x1b[31mred"),
    "NUL": ("\0", "\\x00"),
    "a tab": ("a\tb", "a\\x09b"),
    "delete": ("\x7f", "\\x7f"),
    "a control beyond ASCII": ("\x9b31m", "\\x9b31m"),
    "a line separator": ("a\u2028b\u2029c", "a\\u2028b\\u2029c"),
    "a direction override": ("\u202egpj.exe", "\\u202egpj.exe"),
    "isolates": ("\u2066a\u2069", "\\u2066a\\u2069"),
    "a mark of no width": ("a\u200bb\ufeff", "a\\u200bb\\ufeff"),
    "a tag beyond 16 bits": ("\U000e0041", "\\U000e0041"),
    "half a character": ("\ud800", "\\ud800"),
    "a space that does not break": ("a\xa0b", "a\\xa0b"),
}
PLAIN = ["", "plain", "äöü 山 🙂", "a b", "`<b>|*_", '"quoted"', "back\\slash"]
ticks = st.lists(st.sampled_from(["`", "``", "```", "a", " ", "\n", "~~~", "<b>", "\\"])).map(
    "".join
)
texts = st.text() | ticks
any_text = st.text(st.characters(codec=None))


@pytest.mark.parametrize(("text", "shown"), HOSTILE.values(), ids=HOSTILE)
def test_what_does_not_print_is_escaped_on_one_line(text: str, shown: str) -> None:
    assert one_line(text) == shown
    assert quoted(text) == f'"{shown}"'
    assert not is_plain(text)


@pytest.mark.parametrize("text", PLAIN)
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert is_plain(text)
    assert one_line(text) == quoted(text) == text


def test_in_quotes_a_quote_and_a_backslash_are_escaped_too() -> None:
    assert quoted('a"b\\c\n') == '"a\\"b\\\\c\\x0a"'


@given(any_text)
def test_one_line_never_holds_a_control_a_break_or_a_direction_mark(text: str) -> None:
    shown = one_line(text)
    assert shown.isprintable()
    assert len(shown.splitlines()) <= 1
    assert one_line(shown) == shown
    assert quoted(text).isprintable()


PATHS = {
    "plain": (b"src/a b.py", "src/a b.py"),
    "UTF-8": ("ä/山".encode(), "ä/山"),
    "Latin-1": (b"\xe4/x", '"\\xe4/x"'),
    "half a character": (b"\xc3", '"\\xc3"'),
    "a surrogate in UTF-8": (b"\xed\xa0\x80", '"\\xed\\xa0\\x80"'),
    "a line break": (b"a\nb", '"a\\x0ab"'),
    "a quote among other bytes": (b'"\\\xff', '"\\"\\\\\\xff"'),
    "a direction override": ("\u202e".encode(), '"\\u202e"'),
}


@pytest.mark.parametrize(("path", "shown"), PATHS.values(), ids=PATHS)
def test_a_path_is_shown_itself_or_quoted(path: bytes, shown: str) -> None:
    assert path_text(RepoPath(path)) == shown


@given(st.binary() | st.text().map(str.encode))
def test_a_path_of_any_bytes_is_one_plain_line(path: bytes) -> None:
    assert path_text(RepoPath(path)).isprintable()


# --- Markdown ------------------------------------------------------------------------------------


def parsed(markdown: str) -> list[Token]:
    return MarkdownIt("commonmark").parse(markdown)


def test_a_fence_is_as_short_as_it_can_be() -> None:
    assert code_span("a") == "`a`"
    assert code_span("a`b") == "``a`b``"
    assert code_span("`a") == "`` `a ``"
    assert code_block("a``b", 9) == "```\na``b\n```"
    assert code_block("```", 9) == "````\n```\n````"


@given(texts)
@example("`")
@example("``` a")
@example(" a ")
@example("a`")
@example("\\`")
def test_a_code_span_shows_the_text_and_nothing_else(text: str) -> None:
    inline = [token for token in parsed(f"In {code_span(text)} too.") if token.type == "inline"]
    children = inline[0].children or []
    assert [token.type for token in children] == ["text", "code_inline", "text"]
    before, span, behind = (token.content for token in children)
    assert (before, behind) == ("In ", " too.")
    if text.strip(" "):
        assert span == quoted(text)
    else:  # Markdown keeps a span of spaces as it is
        assert span.strip(" ") == ""


@given(texts, st.integers(0, 60))
@example("```\nout", 60)
@example("`````", 5)
@example("a\n```", 60)
@example("\r", 1)
def test_a_code_block_shows_the_text_and_is_never_closed_by_it(text: str, limit: int) -> None:
    block, behind = parsed(f"{code_block(text, limit)}\n# Behind")[:2]
    assert (block.type, behind.type) == ("fence", "heading_open")
    shown = cut(text, limit).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    assert block.content == f"{shown}\n"


@given(texts, st.integers(3, 9))
def test_the_fence_is_longer_than_any_run_inside(text: str, run: int) -> None:
    fence, *_ = code_block(text + "`" * run, 10_000).split("\n")
    assert set(fence) == {"`"}
    assert fence not in text
    assert len(fence) > run


# --- limits --------------------------------------------------------------------------------------


@given(any_text, st.integers(0, 30))
@example("abcdef", 0)
@example("abcdef", 1)
@example("abcdef", 2)
@example("éééééé", 4)
@example("🙂🙂", 7)
def test_a_text_is_never_longer_than_its_limit_and_whole_in_each_character(
    text: str, limit: int
) -> None:
    shown = cut(text, limit)
    whole = text.encode(errors="replace").decode()
    assert len(shown.encode()) <= limit
    if len(whole.encode()) <= limit:
        assert shown == whole
    else:
        kept = shown.removesuffix("..."[:limit])
        assert kept != shown or limit == 0
        assert whole.startswith(kept)
        # Not one character more had room.
        assert len(whole[: len(kept) + 1].encode()) > limit - 3


def test_a_cut_is_shown() -> None:
    assert cut("abcdefgh", 8) == "abcdefgh"
    assert cut("abcdefghi", 8) == "abcde..."
    assert cut("ééééé", 9) == "ééé..."
