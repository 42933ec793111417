"""Runs of the queue's own workflow: how far each is, which is whose turn, and starting one."""

from datetime import UTC, datetime

import pytest

from mergequeue.github.addresses import addresses_of, repo_named
from mergequeue.github.client import Client
from mergequeue.github.credentials import FixedToken
from mergequeue.github.dispatches import WorkflowRuns
from mergequeue.github.transport import Transport
from mergequeue.plan.runs import decide_dispatch, decide_planned
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.ids import BranchName
from tests.fakes.github.records import Token
from tests.fakes.github.runverbs import QUEUE, finish, report_job, start_run
from tests.fakes.github.story import GitHub
from tests.support.answering import PassingClock

MAIN = BranchName("main")
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def runs_of(github: GitHub, token: Token | None = None) -> WorkflowRuns:
    clock = PassingClock()
    environment = {"GITHUB_API_URL": github.api_url, "GITHUB_SERVER_URL": github.url}
    client = Client(
        Transport(clock),
        addresses_of(environment),
        FixedToken((token or github.reader).text),
        clock,
    )
    return WorkflowRuns(client, repo_named("acme/acme"))


def test_a_run_that_has_not_planned_will_see_an_event_and_one_that_ended_did_not(
    github: GitHub,
) -> None:
    run = start_run(github, event="workflow_dispatch")
    found = runs_of(github).list_runs(QUEUE, MAIN)
    assert [one.plan for one in found] == [None]
    assert not decide_dispatch(found, LONG_AGO)
    finish(github, None, run)
    assert decide_dispatch(runs_of(github).list_runs(QUEUE, MAIN), LONG_AGO)


def test_a_plan_is_found_by_its_name_in_a_called_workflow_too(github: GitHub) -> None:
    run = start_run(github, event="push")
    report_job(github, run, "other")
    report_job(github, run, "queue / plan", None)
    found = runs_of(github).read_run(str(run.id))
    assert decide_planned(found) is True
    assert found.plan is not None
    assert found.plan.status == "in_progress"


@pytest.mark.parametrize(
    ("event", "branch"), [("pull_request", "main"), ("schedule", "main"), ("push", "other")]
)
def test_a_run_that_apply_would_not_follow_sees_nothing(
    github: GitHub, event: str, branch: str
) -> None:
    github.commit("other", {"other": "1\n"})
    start_run(github, event=event, branch=branch)
    assert runs_of(github).list_runs(QUEUE, MAIN) == ()


def test_only_the_oldest_run_that_goes_on_has_its_turn(github: GitHub) -> None:
    workflow = ".github/workflows/queue-apply.yaml"
    start_run(github, QUEUE)  # of another workflow, and nobody's turn
    first, second = (start_run(github, workflow, "workflow_run") for _ in range(2))
    runs = runs_of(github)
    assert runs.are_older_over(str(first.id), MAIN)
    assert not runs.are_older_over(str(second.id), MAIN)
    finish(github, None, first)
    assert runs.are_older_over(str(second.id), MAIN)


@pytest.mark.parametrize("job", ["of main", "", None])
def test_an_older_run_that_may_merge_into_the_base_is_waited_for(
    github: GitHub, job: str | None
) -> None:
    second = behind(github, job)
    assert not runs_of(github).are_older_over(second, MAIN)


@pytest.mark.parametrize("job", ["of release/1", "of main2", "of Main"])
def test_one_that_merges_into_another_base_is_not(github: GitHub, job: str) -> None:
    second = behind(github, job)
    assert runs_of(github).are_older_over(second, MAIN)


def behind(github: GitHub, job: str | None) -> str:
    """Return a run behind one that merges, whose first job is called so; None for no job yet."""
    workflow = ".github/workflows/queue-apply.yaml"
    first, second = (start_run(github, workflow, "workflow_run") for _ in range(2))
    if job is not None:
        report_job(github, first, f"apply / wait for the plan {job}".rstrip())
        report_job(github, first, "apply / merge what is green", None)
    return str(second.id)


def test_a_run_is_started_on_the_base(github: GitHub) -> None:
    start_run(github)
    started: list[str] = []
    github.repository.on_dispatch = lambda run: started.append(run.branch)
    token = github.token("acme-queue[bot]", {"actions": "write"})
    runs_of(github, token).dispatch(QUEUE, MAIN)
    assert started == ["main"]
    github.explain("dispatched")


def test_a_workflow_that_is_not_there_is_an_error_that_names_it(github: GitHub) -> None:
    token = github.token("acme-queue[bot]", {"actions": "write"})
    runs = runs_of(github, token)
    with pytest.raises(MergequeueError, match=r"MQ1022.*nobody\.yaml"):
        runs.list_runs(".github/workflows/nobody.yaml", MAIN)
    with pytest.raises(MergequeueError, match=r"MQ1022.*nobody\.yaml"):
        runs.dispatch(".github/workflows/nobody.yaml", MAIN)
    github.explain("refused")
