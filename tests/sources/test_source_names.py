"""Which source of verdicts a name means (seed 1, Commands)."""

from pathlib import Path

import pytest

from mergequeue.sources.directory import DirectorySource
from mergequeue.sources.names import check_workflow, run_of
from mergequeue.vocabulary.errors import NO_SOURCE, USAGE, UsageError
from tests.support.verdicts import ALL


@pytest.mark.parametrize("text", ["https://x", "s3:bucket", "ab:", "a-b:c", "RUN:x", "runs:x"])
def test_a_scheme_that_is_not_run_is_refused_by_name(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        run_of(text)
    assert refused.value.code == NO_SOURCE.code
    assert text.partition(":")[0] in refused.value.problem


@pytest.mark.parametrize("run", ["acme/acme/runs/1", "x:y", " ", "7"])
def test_a_run_is_named_as_its_provider_names_it(run: str) -> None:
    assert run_of(f"run:{run}") == run


@pytest.mark.parametrize("text", ["", "run:"])
def test_an_empty_name_is_no_source(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        run_of(text)
    assert refused.value.code == NO_SOURCE.code


@pytest.mark.parametrize("text", ["./run:x", "x/run:y", "C:queue", "verdicts", ".", "ü:x", "1a:b"])
def test_anything_else_is_a_directory(text: str) -> None:
    assert run_of(text) is None


def test_a_run_needs_a_workflow_and_a_directory_takes_none() -> None:
    check_workflow("acme/acme/runs/1", ".github/workflows/queue.yaml")
    check_workflow(None, "")
    for run, workflow in (("acme/acme/runs/1", ""), (None, ".github/workflows/queue.yaml")):
        with pytest.raises(UsageError) as refused:
            check_workflow(run, workflow)
        assert refused.value.code == USAGE.code


@pytest.mark.parametrize("name", ["missing", "file"])
def test_a_missing_directory_is_no_source(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("x")
    source = DirectorySource(tmp_path / name)
    with pytest.raises(UsageError) as asked:
        source.plan()
    with pytest.raises(UsageError) as polled:
        source.poll(ALL)
    assert {asked.value.code, polled.value.code} == {NO_SOURCE.code}
