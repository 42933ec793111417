"""The fake is kept as the program is: small modules, each named in its docstring."""

import re
from pathlib import Path

from tests.fakes import github

FOLDER = Path(github.__file__).parent
MODULES = sorted(path for path in FOLDER.glob("*.py") if path.stem != "__init__")


def test_its_docstring_names_every_module() -> None:
    said = github.__doc__ or ""
    assert [one.stem for one in MODULES if not re.search(rf"\b{one.stem}\b", said)] == []


def test_no_module_is_longer_than_350_lines() -> None:
    lengths = {one.name: len(one.read_text("utf-8").splitlines()) for one in MODULES}
    assert {name: length for name, length in lengths.items() if length > 350} == {}


def test_none_of_it_is_the_program_under_test() -> None:
    imports = re.compile(r"^\s*(from|import) mergequeue\b", re.MULTILINE)
    assert [one.name for one in MODULES if imports.search(one.read_text("utf-8"))] == []
