"""A table that says which code keeps a promise, and which test holds it, names both as they are.

A cell holds `package/module.py:function`, `package.module:Class.method` or
`tests/x/test_y.py: test_name`, one or several of them, each in a code span or not.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [path for path in (ROOT / "docs").glob("*.md") if path.name != "design.md"]

_ROW = re.compile(r"^\s*\|(.*)\|\s*$")
_NAMED = re.compile(
    r"(?P<module>[A-Za-z_][\w./]*?(?:\.py|\.\w+|/\w+)):\s?(?P<name>[A-Za-z_]\w*(?:\.\w+)*)"
)
_FOLDERS = ("bench", "docs", "mergequeue", "tests")


def names_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield the modules and names that the rows of a text's tables hold."""
    for line in text.splitlines():
        row = _ROW.match(line)
        for found in _NAMED.finditer(row[1] if row else ""):
            if re.split(r"[./]", found["module"])[0] in _FOLDERS:
                yield found["module"], found["name"]


@cache
def defined_in(path: Path) -> frozenset[str]:
    """Return the functions, classes and constants of a module, those of a class after its name."""
    found: set[str] = set()
    waiting: list[tuple[str, ast.AST]] = [("", ast.parse(path.read_text(encoding="utf-8")))]
    while waiting:
        prefix, node = waiting.pop()
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.add(prefix + inner.name)
                waiting.append((f"{prefix}{inner.name}.", inner))
            targets = inner.targets if isinstance(inner, ast.Assign) else []
            targets = [inner.target] if isinstance(inner, ast.AnnAssign) else targets
            found |= {prefix + each.id for each in targets if isinstance(each, ast.Name)}
    return frozenset(found)


def is_missing(module: str, name: str) -> bool:
    path = ROOT / (module if module.endswith(".py") else f"{module.replace('.', '/')}.py")
    return not path.is_file() or name not in defined_in(path)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_what_a_table_names_is_there(document: Path) -> None:
    named = list(names_in(document.read_text(encoding="utf-8")))
    assert [f"{module}:{name}" for module, name in named if is_missing(module, name)] == []


THREATS = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")
ATTACKS = sorted(path.name for path in (ROOT / "tests" / "attacks").glob("test_*.py"))


def promises(text: str) -> dict[str, list[str]]:
    """Return the rows of the threat model's tables by the sentence that they stand under."""
    found: dict[str, list[str]] = {}
    _, _, rest = text.partition("## What holds, and where")
    for section in rest.partition("\n## ")[0].split("\n### ")[1:]:
        sentence, _, table = section.partition("\n")
        found[sentence] = [line for line in table.splitlines() if line.startswith("| ")][2:]
    return found


def attacks_on(sentence: str) -> str:
    """Return the file that holds the attacks on a sentence."""
    return f"test_{re.sub(r'[^a-z]+', '_', sentence.lower().replace(chr(39), ''))}.py"


def test_every_sentence_of_the_threat_model_has_its_attacks_and_no_attack_is_on_none() -> None:
    assert sorted(map(attacks_on, promises(THREATS))) == ATTACKS


@pytest.mark.parametrize("sentence", promises(THREATS))
def test_a_sentence_of_the_threat_model_names_code_and_tests_its_attacks_among_them(
    sentence: str,
) -> None:
    rows = promises(THREATS)[sentence]
    assert rows
    named = [[module for module, _ in names_in(row)] for row in rows]
    for row, modules in zip(rows, named, strict=True):
        assert any(module.startswith("tests/") for module in modules), row
        code = [module for module in modules if module.startswith("mergequeue/")]
        workflows = re.findall(r"`(\.github/workflows/[\w-]+\.yaml)`", row)
        assert code or workflows, row
        assert [path for path in workflows if not (ROOT / path).is_file()] == []
    assert f"tests/attacks/{attacks_on(sentence)}" in {module for row in named for module in row}


@pytest.mark.parametrize(
    ("row", "named"),
    [
        (
            "| `mergequeue/apply/trust.py:decide_plan` |",
            ("mergequeue/apply/trust.py", "decide_plan"),
        ),
        ("| mergequeue.apply.trust:Filed |", ("mergequeue.apply.trust", "Filed")),
        ("| `tests/x/test_y.py: test_z` |", ("tests/x/test_y.py", "test_z")),
    ],
)
def test_each_form_of_a_name_is_read(row: str, named: tuple[str, str]) -> None:
    assert list(names_in(row)) == [named]


def test_what_is_no_name_or_in_no_table_is_passed_over() -> None:
    assert list(names_in("| see https://example.invalid/a.py:b and 10:30 |")) == []
    assert list(names_in("mergequeue/apply/trust.py:nothing")) == []


def test_what_is_not_there_is_missing() -> None:
    assert is_missing("mergequeue/apply/trust.py", "no_such_function")
    assert is_missing("mergequeue/no_such_module.py", "decide_plan")
    assert not is_missing("mergequeue/apply/applier.py", "Applier.run")
