"""docs/rules.md has a row for every code and every error."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from mergequeue.vocabulary import errors
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import KINDS, ErrorKind
from tests.house.rules import Module

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/rules.md").read_text("utf-8")

NAMES = {name: kind.code for name, kind in vars(errors).items() if isinstance(kind, ErrorKind)}


def raisers_in(node: ast.AST, inside: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield each error that is made in a module, by its code, and the function that makes it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Name):
            code = NAMES.get(child.func.id)
            if code is not None:
                yield code, ".".join(inside)
        named = (child.name,) if isinstance(child, ast.FunctionDef | ast.ClassDef) else ()
        yield from raisers_in(child, (*inside, *named))


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
        assert re.search(r"`mergequeue/[\w/]+\.py:[\w.]+`", decided)
        assert re.search(r"`tests/[\w/]+/test_\w+\.py:test_\w+`", held)


def test_every_function_that_makes_an_error_is_in_its_row() -> None:
    made = {
        (code, f"`{path.relative_to(ROOT)}:{function}`")
        for path in sorted((ROOT / "mergequeue").rglob("*.py"))
        for code, function in raisers_in(ast.parse(path.read_text("utf-8")))
    }
    assert len(made) > len(KINDS)
    assert {(code, where) for code, where in made if where not in rows_of(code)[0][1]} == set()


def test_every_code_is_given_by_something() -> None:
    given = {
        name.rpartition(".")[2]
        for path in sorted((ROOT / "mergequeue").rglob("*.py"))
        if path.parent.name not in {"report", "vocabulary"} and path.name != "marks.py"
        for _, name in Module(str(path), path.read_text("utf-8")).names
        if name.startswith("mergequeue.vocabulary.codes.Code.")
    }
    assert given == set(Code)
