"""The two workflows, run for real by act: what they do from a queued pull request to main."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.actions.acting import Runner, add_the_queue, call_the_queue, requested, wait_for
from tests.fakes.github.records import Pull
from tests.fakes.github.runverbs import finish, report_job, start_run
from tests.fakes.github.story import GitHub
from tests.fakes.needs import NPM
from tests.github.person import gh

pytestmark = [pytest.mark.slow, pytest.mark.network, NPM]

FILES = {
    "mergequeue.toml": """
[queue]
gate = "sh gate.sh"
rest = "rest"
[unit.one]
paths = ["one/**"]
[unit.two]
paths = ["two/**"]
""",
    "gate.sh": 'for unit; do test ! -e "$unit/broken" || exit 1; done\n',
    "one/text": "1\n",
    "two/text": "2\n",
}
APPLY = ".github/workflows/queue-apply.yaml"


@pytest.fixture
def app(github: GitHub, app_keys: tuple[str, str]) -> str:
    """The private key of the queue's app."""
    private, github.app.public_key = app_keys
    github.app.permissions["actions"] = "write"  # as its registration asks for
    return private


@pytest.fixture
def hosting(github: GitHub, tmp_path: Path, app: str) -> str:
    """The app's private key, on a GitHub whose repository hosts the queue."""
    add_the_queue(github, tmp_path / "repository", FILES)
    github.require_checks("merge-queue", app=github.app)
    return app


@pytest.fixture
def calling(github: GitHub, runner: Runner, tmp_path: Path) -> Runner:
    """What runs the workflows of a repository that calls the queue's in another one."""
    called = call_the_queue(github, tmp_path / "repositories", FILES)
    github.require_checks("merge-queue", app=github.app)
    return replace(runner, called=called)


def queue(github: GitHub, folder: Path, pull: Pull) -> None:
    gh(github, folder, "pr", "merge", str(pull.number), "--auto", "--squash")
    assert github.wrote("auto-merge of") == [
        f"maintainer: auto-merge of #{pull.number} on by squash"
    ]


def test_called_from_another_repository_green_changes_merge_while_the_run_goes_on_and_a_red_one_goes_back(  # noqa: E501 (the sentence it keeps)
    github: GitHub, calling: Runner, tmp_path: Path, app: str
) -> None:
    good = github.open_pull("good", {"one/new": "new\n"})
    bad = github.open_pull("bad", {"two/broken": "yes\n"})
    for pull in (good, bad):
        queue(github, tmp_path / "shell", pull)

    run = start_run(github, event="workflow_dispatch")
    validating = calling.act(run, "workflow_dispatch")
    report_job(github, run, "queue / plan", None)
    applying = calling.act(
        start_run(github, APPLY, "workflow_run"),
        "workflow_run",
        payload=requested(github, run),
        secrets={"MERGEQUEUE_APP_PRIVATE_KEY": app},
        variables={"MERGEQUEUE_APP_CLIENT_ID": github.app.client_id},
    )
    validated = wait_for(validating)
    finish(github, None, run)
    applied = wait_for(applying)

    assert validated.jobs == {
        "plan": "success",
        "validate #1": "success",
        "validate #2": "success",
    }, validated.text
    assert applied.jobs == {
        "wait for the plan of main": "success",
        "merge what is green": "success",
    }, applied.text
    assert {artifact.name for artifact in run.artifacts} == {
        "mergequeue-plan",
        "mergequeue-verdict-1",
        "mergequeue-verdict-2",
    }
    tip = github.repository.git.tip("main") or ""
    assert github.repository.git.read(tip, "one/new") == b"new\n"
    assert github.repository.git.read(tip, "two/broken") is None
    assert (good.merged, bad.merged, bad.auto_merge) == (True, False, None)
    (comment,) = bad.comments
    assert "the gate is red" in comment.body
    assert "gh pr merge 2 --auto --squash" in comment.body
    assert app.splitlines()[1] not in validated.text + applied.text
    assert "::warning title=2 goes back to its author::" in applied.text
    github.explain(".")


def test_with_nothing_queued_nothing_is_validated_and_the_run_is_green(
    github: GitHub, runner: Runner, hosting: str
) -> None:
    assert hosting
    acted = wait_for(runner.act(start_run(github, event="push"), "push"))
    assert acted.jobs == {"plan": "success"}, acted.text
    assert "Nothing is queued for `main`." in acted.text
    github.explain("artifact mergequeue-plan")


def test_a_pull_requests_event_says_that_there_is_intent_and_is_answered_by_a_run_on_main(
    github: GitHub, runner: Runner, tmp_path: Path, hosting: str
) -> None:
    pull = github.open_pull("good", {"one/new": "new\n"})
    queue(github, tmp_path / "shell", pull)
    told = {
        "action": "auto_merge_enabled",
        "pull_request": {
            "auto_merge": {"merge_method": "squash"},
            "base": {"ref": "main"},
            "labels": [],
        },
    }
    run = start_run(github, event="pull_request", branch="good")
    intent = wait_for(runner.act(run, "pull_request", payload=told))
    assert intent.jobs == {"merge intent": "success"}, intent.text
    finish(github, None, run)

    answered = wait_for(
        runner.act(
            start_run(github, APPLY, "workflow_run"),
            "workflow_run",
            payload=requested(github, run, "completed"),
            secrets={"MERGEQUEUE_APP_PRIVATE_KEY": hosting},
            variables={"MERGEQUEUE_APP_CLIENT_ID": github.app.client_id},
        )
    )
    assert answered.jobs == {"answer an event": "success"}, answered.text
    assert github.wrote("dispatched") == [
        "acme-queue[bot]: dispatched .github/workflows/queue.yaml on main"
    ]
    github.explain("lent a token")


def test_without_the_apps_key_one_annotation_says_what_is_missing_and_the_job_fails(
    github: GitHub, runner: Runner, hosting: str
) -> None:
    assert hosting
    run = start_run(github, event="workflow_dispatch")
    report_job(github, run, "queue / plan", None)
    acted = wait_for(
        runner.act(
            start_run(github, APPLY, "workflow_run"),
            "workflow_run",
            payload=requested(github, run),
            variables={"MERGEQUEUE_APP_CLIENT_ID": github.app.client_id},
        )
    )
    assert acted.jobs["merge what is green"] == "failure", acted.text
    (line,) = [line for line in acted.text.splitlines() if "::error" in line]
    assert "MERGEQUEUE_APP_PRIVATE_KEY is not set" in line
