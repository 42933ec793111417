"""What is wrong with a runner or an input gives one annotation that says what to do, and no more.

Each is started as a runner starts a step (issue: bad input).
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.fakes.github.runrecords import Run
from tests.fakes.github.runverbs import QUEUE, finish, start_run
from tests.fakes.github.story import GitHub
from tests.github.queue import Queue, queue_of, run_here
from tests.github.test_applying_a_run import app_of
from tests.github.test_apps import keys
from tests.support.programs import Ran, environ

ROOT = Path(__file__).parents[2]
APP = {"MERGEQUEUE_APP_CLIENT_ID": "Iv23.queue", "MERGEQUEUE_APP_PRIVATE_KEY": keys()[0]}
RUN = {"MERGEQUEUE_INPUT_RUN": "acme/acme/runs/1", "MERGEQUEUE_INPUT_WORKFLOW": QUEUE}
JOB = {"GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": "acme/acme", "GITHUB_RUN_ID": "2"}
NOBODY = {
    **JOB,
    "GITHUB_API_URL": "http://127.0.0.1:9/",
    "GITHUB_SERVER_URL": "http://127.0.0.1:9/",
}


def annotation_of(ran: Ran) -> str:
    """Return the one annotation of a step that failed."""
    assert ran.status in {1, 2}, ran.err
    (line,) = [line for line in (ran.out + ran.err).splitlines() if "::error" in line]
    assert line.startswith("::error title=")
    return line


def step(folder: Path, name: str, given: Mapping[str, str]) -> Ran:
    """Run a step where there is no GitHub, and no repository."""
    return run_here(folder, "action", name, env={**NOBODY, **given})


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("apply", {**APP, "MERGEQUEUE_INPUT_WORKFLOW": QUEUE}, "Missing option '--run'"),
        ("apply", {**APP, **RUN, "MERGEQUEUE_INPUT_RUN": "acme/runs/"}, "OWNER/REPO/runs/<id>"),
        ("apply", {**APP, **RUN, "MERGEQUEUE_INPUT_DRY_RUN": "perhaps"}, "not a valid boolean"),
        ("apply", {**APP, **RUN, "MERGEQUEUE_INPUT_INTERVAL": "soon"}, "'soon' is not a valid"),
        ("plan", {"MERGEQUEUE_INPUT_BASE": "a b"}, "--base: not a name"),
        ("plan", {"MERGEQUEUE_INPUT_DEPTH": "0"}, "0 is not in the range"),
        ("plan", {"MERGEQUEUE_INPUT_CHANGE": "../x"}, "Give the number of a pull request"),
        ("plan", {"MERGEQUEUE_INPUT_SANDBOX": "none"}, "is not one of 'best-effort', 'required'"),
        ("validate", {}, "Missing option '--plans'"),
        ("validate", {"MERGEQUEUE_INPUT_PLANS": "/nowhere"}, "ACTIONS_RESULTS_URL"),
        ("dispatch", {**APP}, "Missing option '--workflow'"),
    ],
)
def test_a_wrong_input_says_which_one_and_what_it_takes(
    tmp_path: Path, name: str, given: Mapping[str, str], said: str
) -> None:
    ran = step(tmp_path, name, given)
    assert said in annotation_of(ran)
    assert len(ran.err.splitlines()) == 1


def test_a_wrong_input_names_the_page_that_lists_the_inputs(tmp_path: Path) -> None:
    ran = step(tmp_path, "plan", {"MERGEQUEUE_INPUT_DEPTH": "many"})
    assert "action-plan/README.md" in annotation_of(ran)


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("plan", {}, "MERGEQUEUE_TOKEN"),
        ("await", {"MERGEQUEUE_INPUT_RUN": "acme/acme/runs/1"}, "MERGEQUEUE_TOKEN"),
        ("describe", {}, "MERGEQUEUE_TOKEN"),
        ("apply", RUN, "MERGEQUEUE_APP_PRIVATE_KEY"),
        (
            "apply",
            {**RUN, **APP, "MERGEQUEUE_APP_PRIVATE_KEY": ""},
            "MERGEQUEUE_APP_PRIVATE_KEY is not set",
        ),
        (
            "apply",
            {**RUN, **APP, "MERGEQUEUE_APP_CLIENT_ID": ""},
            "MERGEQUEUE_APP_CLIENT_ID is not set",
        ),
        ("apply", {**RUN, "GITHUB_TOKEN": "ghs_ofTheJob"}, "MQ1018::"),
        ("apply", {**RUN, **APP, "MERGEQUEUE_APP_PRIVATE_KEY": "SHA256:k"}, "the whole .pem file"),
    ],
)
def test_a_missing_or_broken_secret_says_which_one(
    tmp_path: Path, name: str, given: Mapping[str, str], said: str
) -> None:
    assert said in annotation_of(step(tmp_path, name, given))


@pytest.fixture
def queue(github: GitHub, tmp_path: Path) -> Queue:
    return queue_of(github, tmp_path)


def apply(queue: Queue, run: Run, given: Mapping[str, str]) -> Ran:
    """Run apply's step over the fake GitHub, of a run of its own workflow."""
    own = start_run(queue.github, ".github/workflows/queue-apply.yaml", "workflow_run")
    named = {**RUN, "MERGEQUEUE_INPUT_RUN": f"acme/acme/runs/{run.id}"}
    job = {**JOB, "GITHUB_RUN_ID": str(own.id)}
    return queue._step({**job, **named, **given}, "action", "apply")


def test_a_key_of_another_app_says_that_the_key_and_the_id_do_not_belong_together(
    github: GitHub, queue: Queue
) -> None:
    given = app_of(github)
    github.app.public_key = None
    line = annotation_of(apply(queue, start_run(github), given))
    assert "its client id and key belong together" in line


def test_an_app_that_is_not_installed_says_so(github: GitHub, queue: Queue) -> None:
    github.not_installed.add(github.app.id)
    line = annotation_of(apply(queue, start_run(github), app_of(github)))
    assert "See that the app is installed on the repository" in line


def test_a_forks_run_is_not_followed(github: GitHub, queue: Queue) -> None:
    fork = github.fork("outsider")
    github.commit("main", {"more": "1\n"}, by="outsider", on=fork)
    run = start_run(github, event="pull_request", head=fork)
    finish(github, None, run)
    line = annotation_of(apply(queue, run, app_of(github)))
    assert line.startswith("::error title=MQ3027::")
    github.explain("lent a token")


def test_an_old_git_says_which_one_is_needed(queue: Queue, tmp_path: Path) -> None:
    old = tmp_path / "old" / "git"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho git version 2.25.1\n")
    old.chmod(0o755)
    path = f"{old.parent}:{os.environ['PATH']}"
    given = {**NOBODY, "GITHUB_TOKEN": "x", "PATH": path}
    ran = run_here(queue.clone, "action", "plan", env=given)
    assert "Install git 2.39 or later" in annotation_of(ran)


_BROKEN = """
import click
from mergequeue import cli
cli.group.add_command(click.Command("broken", callback=lambda: 1 // 0))
raise SystemExit(cli.status_of(["broken"]))
"""


def test_what_nobody_foresaw_is_one_annotation_below_its_lines(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-c", _BROKEN],
        cwd=tmp_path,
        env=environ(**NOBODY),
        capture_output=True,
        text=True,
        check=False,
    )
    ran = Ran(done.returncode, done.stdout, done.stderr)
    assert "Please report the lines above" in annotation_of(ran)
    assert ran.err.splitlines()[-1] == annotation_of(ran)
    assert "ZeroDivisionError" in ran.err


def starting(tmp_path: Path, **environment: str) -> Ran:
    """Start bin/mergequeue of a copy of the project as a runner does."""
    project = tmp_path / "project"
    shutil.copytree(ROOT / "bin", project / "bin")
    shutil.copy(ROOT / "requirements.lock", project)
    ran = subprocess.run(
        [project / "bin" / "mergequeue", "action", "plan"],
        cwd=tmp_path,
        env={**environ(**NOBODY), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def test_an_old_python_says_which_one_is_needed(tmp_path: Path) -> None:
    folder = tmp_path / "old"
    folder.mkdir()
    for name in ("python3", "python3.11", "python3.12", "python3.13"):
        (folder / name).write_text("#!/bin/sh\nexit 1\n")
        (folder / name).chmod(0o755)
    ran = starting(tmp_path, PATH=f"{folder}:{os.environ['PATH']}")
    assert annotation_of(ran).endswith(
        "::no Python 3.11 or newer was found; install one and put it on PATH as python3."
    )


@pytest.mark.slow
def test_packages_that_cannot_be_installed_are_one_annotation_below_what_pip_says(
    tmp_path: Path,
) -> None:
    ran = starting(tmp_path, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(tmp_path))
    assert "the packages of requirements.lock could not be installed" in annotation_of(ran)


def test_outside_of_actions_nothing_is_written_for_a_runner(tmp_path: Path) -> None:
    ran = starting(tmp_path, GITHUB_ACTIONS="", MERGEQUEUE_ENVIRONMENTS="/proc/nowhere")
    assert ran.status == 2
    assert "::error" not in ran.err
    assert "set MERGEQUEUE_ENVIRONMENTS" in ran.err
