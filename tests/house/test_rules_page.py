"""docs/rules.md has a row for every code and every error, and says what gives none of them."""

import re
from pathlib import Path

import pytest

from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import KINDS
from tests.house.rules import Module

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/rules.md").read_text("utf-8")

GIVEN_BY_NOTHING = {Code.KICK_REGENERATION}
"""This version regenerates no files."""


def rows_of(name: str) -> list[list[str]]:
    """Return the cells of the rows that start with a name."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in PAGE.splitlines()
        if line.startswith(f"| `{name}` |")
    ]


@pytest.mark.parametrize("code", [*Code, *KINDS])
def test_a_code_has_who_decides_it_and_a_test(code: str) -> None:
    rows = rows_of(code)
    assert rows
    for *_, decided, held in rows:
        if code in GIVEN_BY_NOTHING:
            assert (decided, held) == ("", "")
        else:
            assert re.search(r"`mergequeue/[\w/]+\.py:[\w.]+`", decided)
            assert re.search(r"`tests/[\w/]+/test_\w+\.py:test_\w+`", held)


def test_a_code_that_nothing_gives_is_given_by_nothing() -> None:
    given = {
        name.rpartition(".")[2]
        for path in sorted((ROOT / "mergequeue").rglob("*.py"))
        if path.parent.name not in {"report", "vocabulary"} and path.name != "marks.py"
        for _, name in Module(str(path), path.read_text("utf-8")).names
        if name.startswith("mergequeue.vocabulary.codes.Code.")
    }
    assert given == set(Code) - GIVEN_BY_NOTHING
