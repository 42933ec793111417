"""Seed 1, Trust model: apply follows only the base's own validation (MQ3027; facts F1, 57, 58).

Whoever may open a pull request may write the copy of the workflow that its events run, and such a
run can upload any plan and any verdict.
"""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest

from mergequeue.apply.origin import decide_run
from mergequeue.documents.provider import RunOrigin
from mergequeue.vocabulary.errors import UNTRUSTED_RUN, MergequeueError
from mergequeue.vocabulary.ids import BranchName
from tests.fakes.github.runrecords import Run
from tests.fakes.github.runverbs import QUEUE, start_run
from tests.fakes.github.story import GitHub
from tests.support.runs import asked_for, follow, upload_plan, upload_verdict
from tests.support.verdicts import ALL, plan, verdict

MAIN = BranchName("main")


def refusal(github: GitHub, run: Run, folder: Path) -> str:
    """Return why a run with a plan and a verdict is refused, having seen that none was fetched."""
    upload_plan(github, run, plan())
    upload_verdict(github, run, verdict("1"))
    followed = follow(github, run, folder / "run")
    with pytest.raises(MergequeueError) as asked:
        followed.source.plan()
    with pytest.raises(MergequeueError) as polled:
        followed.source.poll(ALL)
    assert {asked.value.code, polled.value.code} == {UNTRUSTED_RUN.code}
    assert list(followed.folder.iterdir()) == []
    assert asked_for(github, "archive_format") == asked_for(github, "blob") == []
    return polled.value.problem


@pytest.mark.parametrize("event", ["push", "workflow_dispatch"])
def test_the_bases_own_run_is_followed(github: GitHub, tmp_path: Path, event: str) -> None:
    run = start_run(github, event=event)
    upload_plan(github, run, plan())
    assert follow(github, run, tmp_path / "x").source.plan() == plan()


@pytest.mark.parametrize(
    "event",
    [
        "pull_request",
        "pull_request_target",
        "pull_request_review",
        "schedule",
        "workflow_run",
        "repository_dispatch",
        "issue_comment",
        "merge_group",
        "workflow_call",
    ],
)
def test_a_run_that_another_event_started_is_refused_with_nothing_fetched(
    github: GitHub, tmp_path: Path, event: str
) -> None:
    assert event in refusal(github, start_run(github, event=event), tmp_path)


def test_a_forks_run_is_refused_even_of_a_branch_called_as_the_base(
    github: GitHub, tmp_path: Path
) -> None:
    run = start_run(github, head=github.fork("outsider"))
    assert "outsider/acme" in refusal(github, run, tmp_path)


def test_a_run_of_a_fork_that_is_gone_is_refused(github: GitHub, tmp_path: Path) -> None:
    fork = github.fork("outsider")
    run = start_run(github, head=fork)
    github.delete_fork(fork)
    assert "a repository that is gone" in refusal(github, run, tmp_path)


def test_another_branchs_run_is_refused(github: GitHub, tmp_path: Path) -> None:
    github.commit("fix", {"a": "1"})
    assert "ran on fix" in refusal(github, start_run(github, branch="fix"), tmp_path)


@pytest.mark.parametrize(
    "path",
    [
        ".github/workflows/other.yaml",
        ".github/workflows/queue.yml",
        "queue.yaml",
        ".github/workflows/queue.yaml@fix",
        ".github/workflows/queue.yaml@refs/heads/fix",
        ".github/workflows/Queue.yaml",
    ],
)
def test_another_definitions_run_is_refused(github: GitHub, tmp_path: Path, path: str) -> None:
    run = start_run(github, workflow=path.partition("@")[0], path=path)
    assert path in refusal(github, run, tmp_path)


@pytest.mark.parametrize("path", [QUEUE, f"{QUEUE}@main", f"{QUEUE}@refs/heads/main"])
def test_github_may_name_the_branch_behind_the_file(
    github: GitHub, tmp_path: Path, path: str
) -> None:
    run = start_run(github, path=path)
    upload_plan(github, run, plan())
    assert follow(github, run, tmp_path / "x").source.plan() == plan()


def test_a_run_is_looked_at_again_at_every_listing(github: GitHub, tmp_path: Path) -> None:
    run = start_run(github)
    upload_plan(github, run, plan())
    followed = follow(github, run, tmp_path / "x")
    assert followed.source.plan() == plan()
    upload_verdict(github, run, verdict("1"))
    run.event = "pull_request"
    with pytest.raises(MergequeueError) as caught:
        followed.source.poll(ALL)
    assert caught.value.code == UNTRUSTED_RUN.code


# --- the decision itself -------------------------------------------------------------------------

TRUSTED = RunOrigin(
    repo="acme/acme",
    head_repo="acme/acme",
    head_branch="main",
    event="push",
    branch_event=True,
    definition=QUEUE,
)
WRONG: Mapping[str, object] = {
    "head_repo": "outsider/acme",
    "branch_event": False,
    "head_branch": "fix",
    "definition": "other.yaml",
}
"""One wrong value of each, in the order in which they are looked at."""


def test_a_run_with_nothing_wrong_is_followed() -> None:
    assert decide_run(TRUSTED, MAIN, QUEUE) == ""


@pytest.mark.parametrize("name", WRONG)
def test_each_of_the_four_alone_refuses_a_run(name: str) -> None:
    assert decide_run(TRUSTED.model_copy(update={name: WRONG[name]}), MAIN, QUEUE)


def test_whose_commit_it_ran_is_told_before_anything_else() -> None:
    words = [
        decide_run(TRUSTED.model_copy(update=dict(list(WRONG.items())[at:])), MAIN, QUEUE)
        for at in range(len(WRONG))
    ]
    assert all(one != other for one, other in pairwise(words))
    assert "outsider/acme" in words[0]
