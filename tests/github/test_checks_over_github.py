"""Required checks as the fake GitHub has them: jobs, statuses and check runs, in pages of two."""

from mergequeue.documents.changes import Change
from mergequeue.documents.provider import Check, CheckQuestion
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId
from mergequeue.vocabulary.words import CheckState, Method
from tests.fakes.github.records import Pull
from tests.fakes.github.runverbs import report_job, start_run
from tests.fakes.github.story import GitHub
from tests.github.conftest import Provider

CI = ".github/workflows/ci.yaml"
SUCCESS, PENDING, FAILURE = CheckState.SUCCESS, CheckState.PENDING, CheckState.FAILURE


def checks(provider: Provider, pull: Pull) -> dict[str, CheckState]:
    return {check.name: check.state for check in read(provider, pull)}


def read(provider: Provider, pull: Pull) -> tuple[Check, ...]:
    change = Change(
        id=ChangeId(str(pull.number)),
        head=CommitId(pull.head_sha),
        base=BranchName("main"),
        method=Method.SQUASH,
    )
    return provider.reads.required_checks(CheckQuestion(change=change, commit=change.head))


def opened(github: GitHub) -> Pull:
    return github.open_pull("a", {"a": "x\n"})


def test_the_queues_own_status_is_no_check_to_wait_for(github: GitHub, provider: Provider) -> None:
    github.require_checks("merge-queue", app=github.app)
    assert read(provider, opened(github)) == ()


def test_jobs_count_from_the_newest_run_of_each_workflow(
    github: GitHub, provider: Provider
) -> None:
    github.require_checks("build", "lint", "gone", app=github.actions)
    pull = opened(github)
    runs: list[tuple[str, dict[str, str | None]]] = [
        (CI, {"build": "failure", "gone": "success"}),
        (CI, {"other-1": "success", "other-2": "success", "build": "success"}),
        (".github/workflows/lint.yaml", {"lint": None}),
    ]
    for workflow, jobs in runs:
        run = start_run(github, workflow, "pull_request", branch="a", sha=pull.head_sha)
        for name, conclusion in jobs.items():
            report_job(github, run, name, conclusion)
    assert checks(provider, pull) == {"build": SUCCESS, "lint": PENDING, "gone": PENDING}


def test_a_check_that_is_run_again_is_pending_until_it_ends(
    github: GitHub, provider: Provider
) -> None:
    github.require_checks("build")
    pull = opened(github)
    for conclusion, state in [("failure", FAILURE), (None, PENDING), ("success", SUCCESS)]:
        run = start_run(github, CI, "pull_request", branch="a", sha=pull.head_sha)
        report_job(github, run, "build", conclusion)
        assert checks(provider, pull) == {"build": state}


def test_a_run_that_ended_without_a_job_reported_nothing(
    github: GitHub, provider: Provider
) -> None:
    github.require_checks("build")
    pull = opened(github)
    start_run(github, CI, "pull_request", branch="a", sha=pull.head_sha)
    (check,) = read(provider, pull)
    assert (check.state, check.reason) == (PENDING, "nothing has reported it there")


def test_a_red_status_on_the_second_page_is_seen(github: GitHub, provider: Provider) -> None:
    contexts = ("a", "b", "c", "d", "e")
    github.require_checks(*contexts)
    pull = opened(github)
    for context in contexts:
        github.status(pull, context, "failure" if context == "a" else "success", by="author")
    found = checks(provider, pull)
    assert found == dict.fromkeys(contexts, SUCCESS) | {"a": FAILURE}


def test_classic_protection_requires_checks_in_both_of_its_forms(
    github: GitHub, provider: Provider
) -> None:
    pull = opened(github)
    protection = github.protect()
    protection.checks = [("build", None), ("deploy", 77)]
    github.status(pull, "build", by="author")
    assert checks(provider, pull) == {"build": SUCCESS, "deploy": PENDING}
    protection.older_form = True
    assert checks(provider, pull)["build"] is SUCCESS


def test_check_runs_count_where_the_token_may_read_them(github: GitHub, provider: Provider) -> None:
    other = github.add_app("other-ci", {"checks": "write"})
    github.require_checks("scan", app=other)
    pull = opened(github)
    github.check(pull, "scan", app=other)
    assert checks(provider, pull) == {"scan": PENDING}
    assert github.reader.permissions is not None
    github.reader.permissions["checks"] = "read"
    assert checks(provider, pull) == {"scan": SUCCESS}
