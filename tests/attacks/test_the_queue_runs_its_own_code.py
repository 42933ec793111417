"""What a change could put in the place of the queue's code is refused before a line of it runs."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.programs import Project, make_project, run_program
from tests.support.repositories import Playground


@pytest.fixture
def project(playground: Playground) -> Project:
    return make_project(playground)


def planted(folder: Path, mark: Path) -> str:
    """Write a provider that leaves a mark when it is loaded, and return its name."""
    path = folder / "provider.py"
    path.write_text(f"open({str(mark)!r}, 'w').close()\nclass Planted: pass\n")
    return f"{path}:Planted"


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("apply", "verdicts"), id="apply"),
        pytest.param(("run", "--gate", "true"), id="run"),
        pytest.param(("run", "--gate", "true", "--watch"), id="watch"),
    ],
)
def test_a_provider_in_the_checkout_runs_with_no_command_that_writes(
    project: Project, words: tuple[str, ...]
) -> None:
    mark = project.playground.folder / "it-ran"
    ran = run_program(project.clone, *words, "--provider", planted(project.clone, mark))
    assert (ran.status, mark.exists()) == (2, False)
    assert "MQ1013" in ran.err
    assert "is reached through the checkout" in ran.err


def _beside(project: Project) -> Path:
    linked = project.playground.folder / "linked"
    project.playground.run("worktree", "add", "--quiet", str(linked), cwd=project.clone)
    return linked


@pytest.mark.parametrize(
    "stand",
    [
        pytest.param(lambda project: project.clone / "one", id="a folder in the work tree"),
        pytest.param(lambda project: project.clone / ".git", id="the repository itself"),
        pytest.param(_beside, id="another work tree"),
    ],
)
def test_wherever_the_command_is_started_every_work_tree_is_the_checkout(
    project: Project, stand: Callable[[Project], Path]
) -> None:
    mark = project.playground.folder / "it-ran"
    name = planted(project.clone, mark)
    ran = run_program(stand(project), "apply", "verdicts", "--provider", name)
    assert (ran.status, mark.exists()) == (2, False)
    assert "is reached through the checkout" in ran.err


WORKFLOWS = Path(__file__).parents[2] / ".github" / "workflows"


def jobs_that_check_out_the_base() -> list[tuple[str, list[dict[str, Any]]]]:
    found = []
    for path in sorted(WORKFLOWS.glob("reusable-queue*.yaml")):
        for name, job in yaml.safe_load(path.read_text())["jobs"].items():
            checkouts = [step["with"] for step in job["steps"] if "checkout@" in str(step)]
            if any("path" not in given for given in checkouts):
                found.append((name, job["steps"]))
    return found


@pytest.mark.parametrize(
    ("name", "steps"),
    jobs_that_check_out_the_base(),
    ids=lambda one: one if isinstance(one, str) else "",
)
@pytest.mark.parametrize("taken", ["nothing", "folder", "file", "link", "link to nothing"])
def test_a_base_that_holds_something_in_the_place_of_the_queues_code_stops_the_job(
    tmp_path: Path, name: str, steps: list[dict[str, Any]], taken: str
) -> None:
    base, guard, own = steps[:3]
    assert "path" not in base["with"], name
    assert own["with"]["path"] == ".mergequeue"
    place = tmp_path / ".mergequeue"
    match taken:
        case "folder":
            place.mkdir()
        case "file":
            place.touch()
        case "link":
            place.symlink_to(tmp_path.parent)
        case "link to nothing":
            place.symlink_to("nowhere")
        case _:
            assert taken == "nothing"
    ran = subprocess.run(
        ["bash", "-e", "-c", guard["run"]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == (0 if taken == "nothing" else 1)
    assert ran.stdout.count("::error") == ran.returncode


def test_every_job_that_checks_out_the_base_is_looked_at() -> None:
    looked_at = {name for name, _ in jobs_that_check_out_the_base()}
    assert looked_at == {"plan", "validate", "apply", "control", "keep"}
