"""Every kind of error is raised somewhere in the program, and some test names it."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from mergequeue.vocabulary import errors
from mergequeue.vocabulary.errors import KINDS, ErrorKind
from tests.house.rules import Module, words_of

ROOT = Path(__file__).parents[2]
TABLE = "mergequeue/vocabulary/errors.py"

NAMES = {kind.code: name for name, kind in vars(errors).items() if isinstance(kind, ErrorKind)}


def words_in(folder: str, besides: Iterable[str] = ()) -> dict[str, set[str]]:
    """Return what each module says, imports and docstrings aside."""
    found = {}
    for path in sorted((ROOT / folder).rglob("*.py")):
        name = str(path.relative_to(ROOT))
        if name not in besides:
            module = Module(name, path.read_text("utf-8"))
            imported = {line for line, _, _ in module.imports}
            found[name] = {word for line, word in words_of(module) if line not in imported}
    return found


PROGRAM = words_in("mergequeue", besides=[TABLE])
TESTS = words_in("tests", besides=["tests/vocabulary/test_errors.py"])


@pytest.mark.parametrize("code", KINDS)
def test_a_kind_of_error_is_raised_and_some_test_names_it(code: str) -> None:
    assert [path for path, words in PROGRAM.items() if NAMES[code] in words]
    assert [path for path, words in TESTS.items() if words & {NAMES[code], code}]


def test_a_kind_that_nothing_raises_is_seen_as_such() -> None:
    assert [path for path, words in PROGRAM.items() if "NO_SUCH_KIND" in words] == []
    assert any("NO_GATE" in words for words in PROGRAM.values())
