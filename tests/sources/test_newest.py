"""Which of a run's plans a job validates."""

from pathlib import Path

import pytest

from mergequeue.sources.newest import newest_plan
from mergequeue.vocabulary.errors import NO_SOURCE, MergequeueError


def planned(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).mkdir(parents=True)
        (folder / name / "plan.json").write_text("{}")
    return folder


def test_it_is_that_of_the_newest_attempt_that_planned(tmp_path: Path) -> None:
    folder = planned(
        tmp_path, "mergequeue-plan", "mergequeue-plan@2", "mergequeue-plan@10", "mergequeue-plan@9"
    )
    assert newest_plan(folder) == folder / "mergequeue-plan@10"


def test_what_is_no_plan_is_left_alone(tmp_path: Path) -> None:
    folder = planned(
        tmp_path, "mergequeue-plan", "mergequeue-verdict-1@7", "mergequeue-plan@0", "plan@9"
    )
    assert newest_plan(folder) == folder / "mergequeue-plan"


def test_a_single_artifact_lies_in_the_folder_itself(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text("{}")
    assert newest_plan(tmp_path) == tmp_path


@pytest.mark.parametrize("name", ["nowhere", "mergequeue-verdict-1", ""])
def test_without_a_plan_it_says_which_job_to_look_at(tmp_path: Path, name: str) -> None:
    if name.startswith("merge"):
        planned(tmp_path, name)
    with pytest.raises(MergequeueError) as caught:
        newest_plan(tmp_path / "nowhere" if name == "nowhere" else tmp_path)
    assert caught.value.code == NO_SOURCE.code
    assert "action-plan" in caught.value.remedy
