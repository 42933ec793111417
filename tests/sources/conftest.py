from pathlib import Path

import pytest

from mergequeue.sources.directory import DirectorySink
from tests.support.verdicts import plan


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "verdicts"


@pytest.fixture
def sink(folder: Path) -> DirectorySink:
    sink = DirectorySink(folder)
    sink.begin(plan(), whole=True)
    return sink
