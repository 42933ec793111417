"""A provider's file that a change could write: it is refused before a line of it runs."""

from collections.abc import Callable
from pathlib import Path

import pytest

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
