"""Checks of any name at a head, as the fake GitHub has them, and running them again (CASES E)."""

from datetime import timedelta

import pytest

from mergequeue.documents.changes import Change
from mergequeue.documents.preflight import (
    NamedCheck,
    NamedChecksQuestion,
    NamedState,
    RerunRequest,
)
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId
from mergequeue.vocabulary.words import Method
from tests.fakes.github.faults import Fault
from tests.fakes.github.records import Pull
from tests.fakes.github.runrecords import Run
from tests.fakes.github.runverbs import finish, report_job, rerun, start_run
from tests.fakes.github.story import GitHub
from tests.github.conftest import Provider

CI = ".github/workflows/ci.yaml"
PASSED, FAILED, RUNNING = NamedState.PASSED, NamedState.FAILED, NamedState.RUNNING
CANCELLED, MISSING = NamedState.CANCELLED, NamedState.MISSING


@pytest.fixture
def pull(github: GitHub) -> Pull:
    return github.open_pull("a", {"a": "x\n"})


def change_of(pull: Pull) -> Change:
    return Change(
        id=ChangeId(str(pull.number)),
        head=CommitId(pull.head_sha),
        base=BranchName("main"),
        method=Method.SQUASH,
    )


def read(provider: Provider, pull: Pull, *names: str) -> tuple[NamedCheck, ...]:
    change = change_of(pull)
    found = provider.reads.named_checks([NamedChecksQuestion(change=change, names=names)])
    checks = found[change.id]
    assert not isinstance(checks, str), checks
    return checks


def run_of(github: GitHub, pull: Pull, *, over: bool = True, **jobs: str | None) -> Run:
    run = start_run(github, CI, "pull_request", branch="a", sha=pull.head_sha)
    for name, conclusion in jobs.items():
        report_job(github, run, name, conclusion)
    if over:
        finish(github, None, run)
    return run


def again(provider: Provider, pull: Pull, *checks: NamedCheck) -> dict[ChangeId, str]:
    commit = CommitId(pull.head_sha)
    number = ChangeId(str(pull.number))
    requests = [RerunRequest(change=number, commit=commit, check=check) for check in checks]
    return dict(provider.writes.rerun_checks(requests))


@pytest.mark.parametrize(
    ("conclusion", "state"),
    [
        ("success", PASSED),
        ("neutral", PASSED),
        ("skipped", PASSED),
        ("failure", FAILED),
        ("timed_out", FAILED),
        ("cancelled", CANCELLED),
        ("action_required", RUNNING),
        (None, RUNNING),
    ],
)
def test_each_conclusion_counts_as_one_thing(
    github: GitHub, provider: Provider, pull: Pull, conclusion: str | None, state: NamedState
) -> None:
    run = run_of(github, pull, build=conclusion)
    (check,) = read(provider, pull, "build")
    assert (check.state, check.again, check.id) == (state, False, str(run.id))
    assert (check.ended_at is None) is (state is RUNNING)


def test_the_newest_run_counts_and_one_that_is_run_again_says_so(
    github: GitHub, provider: Provider, pull: Pull
) -> None:
    run_of(github, pull, build="success")
    run = run_of(github, pull, build="failure")
    assert read(provider, pull, "build")[0].state is FAILED
    rerun(github, None, run, only_failed=True)
    (check,) = read(provider, pull, "build")
    assert (check.state, check.again, check.id) == (RUNNING, True, "")


def test_one_whose_run_goes_on_is_not_run_again_yet(
    github: GitHub, provider: Provider, pull: Pull
) -> None:
    run_of(github, pull, over=False, build="failure", test=None)
    (check,) = read(provider, pull, "build")
    assert (check.state, check.id, check.reason) == (
        FAILED,
        "",
        "the run that it is of has not ended",
    )


def test_a_status_and_another_apps_check_run_are_read_and_run_again_by_nobody_here(
    github: GitHub, provider: Provider, pull: Pull
) -> None:
    other = github.add_app("other-ci", {"checks": "write"})
    github.status(pull, "lint", "failure", by="author")
    github.check(pull, "scan", "failure", app=other)
    assert github.reader.permissions is not None
    github.reader.permissions["checks"] = "read"
    lint, scan = read(provider, pull, "lint", "scan")
    assert (lint.state, lint.id) == (FAILED, "")
    assert "whoever posted it" in lint.reason
    assert (scan.state, scan.id, scan.reason) == (FAILED, "", "another app reported it")
    assert lint.ended_at is not None
    assert scan.ended_at is not None


def test_what_nothing_reports_is_missing_and_the_likeliest_names_are_told(
    github: GitHub, provider: Provider, pull: Pull
) -> None:
    run_of(github, pull, builds="success", other="success")
    (check,) = read(provider, pull, "build")
    assert (check.state, check.id) == (MISSING, "")
    assert check.reason == "nothing reports it at the head; reported are builds, other"


def test_what_a_run_under_way_may_yet_report_is_awaited(
    github: GitHub, provider: Provider, pull: Pull
) -> None:
    run_of(github, pull, over=False)
    (check,) = read(provider, pull, "build")
    assert (check.state, check.reason.split(",")[0]) == (
        RUNNING,
        "nothing has reported it at the head yet",
    )


def test_how_long_one_took_that_passed_is_told(
    github: GitHub, provider: Provider, pull: Pull
) -> None:
    job = run_of(github, pull, build="success").jobs[0]
    github.clock.advance(minutes=3)
    job.completed_at = github.clock.text()
    (check,) = read(provider, pull, "build")
    assert check.duration_ms == timedelta(minutes=3, seconds=1) // timedelta(milliseconds=1)


def test_what_github_does_not_tell_of_one_change_is_that_ones_alone(
    github: GitHub, provider: Provider, pull: Pull
) -> None:
    other = github.open_pull("b", {"b": "x\n"})
    github.faults.add("GET .*/actions/runs", Fault.REFUSED, status=404)
    questions = [
        NamedChecksQuestion(change=change_of(one), names=("build",)) for one in (pull, other)
    ]
    found = provider.reads.named_checks(questions)
    assert "404" in str(found[change_of(pull).id])
    assert not isinstance(found[change_of(other).id], str)


def test_a_run_is_asked_for_once_whatever_jobs_of_it_have_to_run_again(
    github: GitHub, provider: Provider, pull: Pull
) -> None:
    run = run_of(github, pull, build="failure", test="cancelled", lint="success")
    checks = read(provider, pull, "build", "test")
    assert again(provider, pull, *checks) == {}
    assert [job.name for job in run.jobs if job.attempt == 2] == ["build", "test"]
    github.wrote(f"ran the failed jobs of {run.id} again")
    assert [check.state for check in read(provider, pull, "build", "test", "lint")] == [
        RUNNING,
        RUNNING,
        PASSED,
    ]


def test_a_right_that_is_missing_is_told_and_stops_nothing(
    github: GitHub, provider: Provider, pull: Pull
) -> None:
    run_of(github, pull, build="failure")
    assert github.rerunner.permissions is not None
    github.rerunner.permissions["actions"] = "read"
    problems = again(provider, pull, *read(provider, pull, "build"))
    (why,) = problems.values()
    assert "403" in why
    github.wrote()


def test_a_run_that_somebody_else_has_run_again_meanwhile_is_told_and_stops_nothing(
    github: GitHub, provider: Provider, pull: Pull
) -> None:
    run = run_of(github, pull, build="failure")
    checks = read(provider, pull, "build")
    rerun(github, None, run)
    (why,) = again(provider, pull, *checks).values()
    assert "already running" in why
    github.wrote()
