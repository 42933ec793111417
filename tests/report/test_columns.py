"""Rows in columns, as long as they are or as wide as a terminal is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.report.columns import column_lines, folded

ROWS = [("one", "merged", "as 0123"), ("longer", "waits", "for a change that is ahead of it")]


def test_without_a_width_a_row_is_a_line() -> None:
    assert column_lines(ROWS, None) == [
        "one     merged  as 0123",
        "longer  waits   for a change that is ahead of it",
    ]


def test_the_last_column_is_folded_beneath_itself() -> None:
    assert column_lines(ROWS, 40) == [
        "one     merged  as 0123",
        "longer  waits   for a change that is",
        "                ahead of it",
    ]


def test_where_the_last_column_has_no_room_it_stands_beneath() -> None:
    assert column_lines(ROWS, 30) == [
        "    one     merged",
        "        as 0123",
        "    longer  waits",
        "        for a change that is",
        "        ahead of it",
    ]


def test_an_empty_cell_leaves_no_spaces_at_an_end() -> None:
    assert column_lines([("a", "")], None) == ["a"]
    assert column_lines([("a", "")], 80) == ["a"]
    assert folded("", 80, "  ") == [""]


@given(
    st.lists(st.tuples(st.text(max_size=20), st.text(max_size=200)), min_size=1, max_size=3),
    st.one_of(st.none(), st.integers(min_value=40, max_value=120)),
)
def test_whatever_is_in_it_every_line_shows_text_and_ends_in_no_space(
    rows: list[tuple[str, str]], width: int | None
) -> None:
    lines = column_lines(rows, width)
    assert all(line.isprintable() and line == line.rstrip() for line in lines)
    assert len(lines) == len(rows) or width is not None


@pytest.mark.parametrize("width", [40, 80])
def test_words_that_fit_keep_within_the_width(width: int) -> None:
    rows = [("name", "word " * 60), ("another name", "word " * 60)]
    assert max(map(len, column_lines(rows, width))) <= width
