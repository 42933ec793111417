"""Which source of verdicts a name means (seed 1, Commands)."""

from pathlib import Path

import pytest

from mergequeue.sources.directory import DirectorySink, DirectorySource, source_of
from mergequeue.vocabulary.errors import NO_SOURCE, UsageError
from tests.support.verdicts import plan


@pytest.mark.parametrize("text", ["run:acme/acme/runs/1", "https://x", "s3:bucket", "ab:", "a-b:c"])
def test_a_scheme_is_refused_by_name(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError) as refused:
        source_of(text, tmp_path)
    assert refused.value.code == NO_SOURCE.code
    assert "this version follows directories" in refused.value.problem


@pytest.mark.parametrize("text", ["./run:x", "x/run:y", "C:queue", "verdicts", ".", "ü:x"])
def test_anything_else_is_a_directory(tmp_path: Path, text: str) -> None:
    (tmp_path / text).mkdir(parents=True, exist_ok=True)
    DirectorySink(tmp_path / text).begin(plan(), whole=True)
    assert source_of(text, tmp_path).plan() == plan()


@pytest.mark.parametrize("ask", [DirectorySource.plan, DirectorySource.poll])
def test_a_missing_directory_is_no_source(tmp_path: Path, ask: object) -> None:
    assert callable(ask)
    (tmp_path / "file").write_text("x")
    for name in ("missing", "file"):
        with pytest.raises(UsageError) as refused:
            ask(source_of(name, tmp_path))
        assert refused.value.code == NO_SOURCE.code


def test_an_empty_name_is_no_source(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        source_of("", tmp_path)
    assert refused.value.code == NO_SOURCE.code
