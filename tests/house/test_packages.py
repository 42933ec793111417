"""A newcomer finds every module: a package names its own, and docs/design.md each step's parts."""

import ast
import re
from pathlib import Path

import pytest

from tests.house.rules import STAGES

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "mergequeue"
DESIGN = (ROOT / "docs/design.md").read_text("utf-8")

ONE_WORD_SAYS_IT = {"commands", "documents", "report", "vocabulary"}
"""Packages whose modules are one for each subcommand, document, text or list of words."""


def packages() -> list[Path]:
    return [path for path in sorted(PACKAGE.iterdir()) if (path / "__init__.py").is_file()]


@pytest.mark.parametrize("package", packages(), ids=lambda path: path.name)
def test_a_packages_docstring_names_every_module_in_it(package: Path) -> None:
    said = ast.get_docstring(ast.parse((package / "__init__.py").read_text("utf-8"))) or ""
    assert said
    modules = {path.stem for path in package.glob("*.py")} - {"__init__"}
    if package.name not in ONE_WORD_SAYS_IT:
        assert {name for name in modules if not re.search(rf"\b{name}\b", said)} == set()


def test_the_design_has_a_row_for_every_package() -> None:
    rows = set(re.findall(r"^\| `(\w+)/` \|", DESIGN, re.MULTILINE))
    assert rows == {path.name for path in packages()} - {"commands"}


def test_the_design_has_a_row_for_every_part_of_a_step() -> None:
    rows = set(re.findall(r"^\| `(\w+/_\w+)` \|", DESIGN, re.MULTILINE))
    parts = {path for stage in STAGES for path in (PACKAGE / stage).glob("_[a-z]*.py")}
    assert rows == {f"{path.parent.name}/{path.stem}" for path in parts}
