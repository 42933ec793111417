"""Pre-flights as a person of GitHub meets them: the pull request's own checks (seed 2)."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.fakes.github.records import Pull
from tests.fakes.github.runrecords import Run
from tests.fakes.github.runverbs import finish, report_job, start_run
from tests.fakes.github.story import GitHub
from tests.github.queue import PROJECT, Queue, queue_of
from tests.github.test_applying_a_run import app_of

CI = ".github/workflows/ci.yaml"
TABLE = '\n[preflight.test]\ncheck = "test"\n'


@pytest.fixture
def queue(github: GitHub, tmp_path: Path) -> Queue:
    queue = queue_of(github, tmp_path)
    github.app.permissions["actions"] = "write"  # as its registration asks for
    with_table = {"mergequeue.toml": PROJECT["mergequeue.toml"] + TABLE}
    github.commit("main", with_table, "Pre-flights", by="admin")
    queue.app = app_of(github)
    return queue


def queued(
    github: GitHub,
    name: str = "topic",
    file: str = "one/new",
    *,
    ran_before: str | None = None,
) -> Pull:
    pull = github.open_pull(name, {file: "new\n"})
    if ran_before is not None:
        ran(github, pull, ran_before)
    github.enable_auto_merge(pull)
    return pull


def only_run(github: GitHub) -> Run:
    (run,) = github.repository.runs.values()
    return run


def ran(github: GitHub, pull: Pull, conclusion: str | None) -> Run:
    """Let a run of the pull request's own workflow report the check."""
    run = start_run(github, CI, "pull_request", branch=pull.head, sha=pull.head_sha)
    report_job(github, run, "test", conclusion)
    if conclusion is not None:
        finish(github, None, run)
    return run


def shown(github: GitHub, pull: Pull) -> str:
    status = github.repository.statuses[pull.head_sha][-1]
    return f"{status.state}: {status.description}"


def test_what_failed_on_an_older_base_is_run_again_and_lands_once_it_passes(
    github: GitHub, queue: Queue
) -> None:
    pull = queued(github, ran_before="failure")
    run = only_run(github)
    github.commit("main", {"two/new": "moved\n"}, "Moved", by="admin")
    queue.round()
    assert queue.became() == {"1": "WAIT_PREFLIGHT"}
    assert [(job.attempt, job.status) for job in run.jobs] == [(1, "completed"), (2, "queued")]
    lent = [token.permissions for token in github.tokens.values() if token is not github.rerunner]
    assert {"actions": "write", "metadata": "read"} in lent
    assert not any(
        {"actions": "write", "contents": "write"}.items() <= (permissions or {}).items()
        for permissions in lent
    )
    github.explain(f"ran the failed jobs of {run.id} again")
    assert shown(github, pull).startswith("pending: waiting: its pre-flight test runs again")

    report_job(github, run, "test", "success")
    finish(github, None, run)
    queue.round()
    assert queue.became() == {"1": "merged"}
    github.wrote()


def test_a_failure_since_it_was_queued_hands_it_back_and_holds_up_none_behind_it(
    github: GitHub, queue: Queue
) -> None:
    pull, other = queued(github), queued(github, "other", "one/other")
    run = ran(github, pull, None)
    ran(github, other, "success")
    github.commit("main", {"two/new": "moved\n"}, "Moved", by="admin")
    queue.round()
    assert queue.became() == {"1": "WAIT_PREFLIGHT", "2": "merged"}

    github.clock.now = datetime.now(UTC)
    report_job(github, run, "test", "failure")
    finish(github, None, run)
    queue.round()
    assert queue.became() == {"1": "KICK_PREFLIGHT"}
    assert pull.auto_merge is None
    (comment,) = pull.comments
    assert "The pre-flight test fails with it." in comment.body.replace("`", "")
    assert "mend what fails" in comment.body
    github.wrote()


def test_without_the_right_to_run_it_again_the_change_says_so(github: GitHub, queue: Queue) -> None:
    github.app.permissions["actions"] = "read"
    queued(github, ran_before="cancelled")
    run = only_run(github)
    ran_ok = queue.round()
    assert (ran_ok.status, queue.became()) == (0, {"1": "WAIT_PREFLIGHT"})
    assert len(run.jobs) == 1
    event = ran_ok.last()["1"]
    assert "could not be run again" in str(event["reason"])
    assert "actions: write" in str(event["reason"])
    github.wrote()
