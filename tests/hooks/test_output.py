"""What a hook prints is shown as text, and as nothing else (seed 1, Trust model)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.hooks.output import LINE_BYTES, Lines, shown_line, tagged


def read(*chunks: bytes) -> list[str]:
    lines = Lines()
    return [*(line for chunk in chunks for line in lines.feed(chunk)), *lines.end()]


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b"plain", "plain"),
        ("ü 日本".encode(), "ü 日本"),
        (b"a\tb", "a\tb"),
        (b"\x1b[2J\x1b]0;title\x07", r"\x1b[2J\x1b]0;title\x07"),
        (b"50%\r100%", r"50%\x0d100%"),
        (b"\xff\xfe", r"\xff\xfe"),
        ("\u202egnp".encode(), r"\u202egnp"),
        (b"##[add-mask]x ##[error]y", r"\x23#[add-mask]x \x23#[error]y"),
        ("#\u200b#[error]".encode(), r"#\u200b#[error]"),
        ("##\ufe0f[error]".encode(), "\\x23#\ufe0f[error]"),
        (b"# heading ## [link]", "# heading ## [link]"),
        (b"a\0b", r"a\x00b"),
    ],
)
def test_a_line_can_do_nothing_but_show(raw: bytes, shown: str) -> None:
    assert shown_line(raw) == shown


def test_lines_come_whole_however_the_bytes_arrive() -> None:
    assert read(b"one\ntw", b"o\r", b"\nthr", b"ee") == ["one", "two", "three"]
    assert read(b"\n\nx\n") == ["", "", "x"]
    assert read("ü".encode()[:1], "ü\n".encode()[1:]) == ["ü"]
    assert read() == []


def test_a_line_without_end_is_shown_in_pieces() -> None:
    pieces = read(*[b"x" * 10_000] * 10)
    assert "".join(pieces) == "x" * 100_000
    assert max(map(len, pieces)) <= LINE_BYTES


@given(st.lists(st.binary()))
def test_every_line_shown_starts_with_the_tag_and_is_one_line(chunks: list[bytes]) -> None:
    for line in read(*chunks):
        shown = tagged("1234 #5", line)
        assert shown.startswith("[1234 #5] ")
        assert len(shown.splitlines()) == 1
        assert "##[" not in shown
        assert shown.replace("\t", "").isprintable()


@given(st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="#"), min_size=1))
def test_plain_text_is_shown_as_it_is(text: str) -> None:
    assert read(text.encode()) == [text]
