"""Rows of text in columns, for a log as wide as it needs and for a terminal as wide as it is."""

import textwrap
from collections.abc import Sequence

from mergequeue.vocabulary.text import one_line

_NARROWEST = 24
"""What the last column needs at least: narrower than this, it starts on a line of its own."""
_INDENT = "    "


def column_lines(rows: Sequence[Sequence[str]], width: int | None) -> list[str]:
    """Return the rows, each cell but the last as wide as its column, and the last one folded.

    It is folded between words to `width`, and not at all where that is None. What does not print is
    escaped. Every row has as many cells as the first.
    """
    shown = [[one_line(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*(row[:-1] for row in shown), strict=True)]
    lines: list[str] = []
    for *cells, last in shown:
        start = "".join(f"{cell:<{wide}}  " for cell, wide in zip(cells, widths, strict=True))
        lines += _folded(start, last, width)
    return lines


def folded(text: str, width: int | None, indent: str = "") -> list[str]:
    """Return one paragraph as lines that start with `indent`, folded where a width is given."""
    return _folded(indent, one_line(text), width)


def _folded(start: str, text: str, width: int | None) -> list[str]:
    if width is None:
        return [f"{start}{text}".rstrip()]
    if width - len(start) < _NARROWEST and start.strip():
        return [*_folded(_INDENT, start.strip(), width), *(_folded(_INDENT * 2, text, width))]
    beneath = " " * len(start)
    lines = textwrap.wrap(
        text,
        max(width, len(start) + _NARROWEST),
        initial_indent=start,
        subsequent_indent=beneath,
        break_on_hyphens=False,
    )
    return [line.rstrip() for line in lines] or [start.rstrip()]
