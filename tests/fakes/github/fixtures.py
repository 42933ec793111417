"""The fixture that a test asks for. tests/conftest.py hands it to every test."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.fakes.github.story import GitHub


@pytest.fixture
def github(tmp_path: Path) -> Iterator["GitHub"]:
    """A GitHub of the test's own, which fails it for what is wrong at its end (see the package)."""
    # Imported here, so that only a process that runs such a test pays for the imports.
    from tests.fakes.github.story import GitHub  # noqa: PLC0415

    fake = GitHub(tmp_path / "github").start()
    try:
        yield fake
        fake.verify()
    finally:
        fake.stop()
