"""When auto-merge may be asked for, when it fires, and what ends it."""

import pytest

from tests.fakes.client import Client, client
from tests.fakes.github.calls import Refused
from tests.fakes.github.story import GitHub

ENABLE = """mutation($id: ID!, $method: PullRequestMergeMethod) {
  enablePullRequestAutoMerge(input: {pullRequestId: $id, mergeMethod: $method}) {
    pullRequest { number autoMergeRequest { mergeMethod enabledBy { login } } }
  }
}"""
DISABLE = """mutation($id: ID!) {
  disablePullRequestAutoMerge(input: {pullRequestId: $id}) { pullRequest { number } }
}"""


def test_it_fires_when_the_last_required_check_is_green(github: GitHub, app: Client) -> None:
    github.require_checks("merge-queue", "build")
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.enable_auto_merge(pull, "squash", by="maintainer", title="Mine", message="Words")
    shown = app.get("pulls/1").json()["auto_merge"]
    assert (shown["merge_method"], shown["commit_title"]) == ("squash", "Mine")
    github.check(pull, "build", None)
    github.status(pull, "merge-queue")
    assert not pull.merged
    github.check(pull, "build")
    assert (pull.merged, pull.merged_by) == (True, "maintainer")
    made = github.repository.git.object(github.tip())
    assert (made.message, len(made.parents)) == ("Mine\n\nWords", 1)


def test_it_fires_on_the_last_review(github: GitHub) -> None:
    github.require_reviews(1)
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.enable_auto_merge(pull)
    github.request_changes(pull, by="maintainer")
    github.approve(pull, by="reviewer")
    assert not pull.merged
    github.approve(pull, by="maintainer")
    assert pull.merged


def test_a_check_of_another_app_does_not_count(github: GitHub) -> None:
    github.require_checks("merge-queue", app=github.app)
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.enable_auto_merge(pull)
    github.status(pull, "merge-queue", by="maintainer")
    assert not pull.merged
    github.status(pull, "merge-queue", by="acme-queue[bot]")
    assert pull.merged


@pytest.mark.parametrize("conclusion", ["success", "neutral", "skipped"])
def test_a_check_passes_as_github_says(github: GitHub, conclusion: str) -> None:
    github.require_checks("build")
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.enable_auto_merge(pull)
    github.check(pull, "build", conclusion)
    assert pull.merged


@pytest.mark.parametrize(
    "conclusion", ["failure", "cancelled", "timed_out", "action_required", "stale"]
)
def test_a_check_fails_as_github_says(github: GitHub, conclusion: str) -> None:
    github.require_checks("build")
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.enable_auto_merge(pull)
    github.check(pull, "build", conclusion)
    assert not pull.merged


def test_a_clean_pull_request_is_refused_it(github: GitHub, app: Client) -> None:
    github.require_checks("merge-queue")
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.status(pull, "merge-queue")
    answer = app.query(ENABLE, id=pull.node_id, method="SQUASH")
    assert answer["errors"][0]["message"] == "Pull request Pull request is in clean status"
    assert answer["data"] == {"enablePullRequestAutoMerge": None}
    assert github.wrote() == ["acme-queue[bot]: refused: auto-merge of #1 on by squash"]


def test_an_unstable_one_and_a_repository_without_it_are_refused_it(github: GitHub) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.status(pull, "lint", "failure")
    with pytest.raises(Refused, match="unstable status"):
        github.enable_auto_merge(pull)
    github.repository.settings.allow_auto_merge = False
    with pytest.raises(Refused, match="not allowed for this repository"):
        github.enable_auto_merge(pull)


def test_it_is_turned_on_and_off_over_graphql(github: GitHub, app: Client) -> None:
    github.require_checks("merge-queue")
    pull = github.open_pull("fix-it", {"a": "1\n"})
    answer = app.query(ENABLE, id=pull.node_id, method="REBASE")
    shown = answer["data"]["enablePullRequestAutoMerge"]["pullRequest"]["autoMergeRequest"]
    assert shown == {"mergeMethod": "REBASE", "enabledBy": {"login": "acme-queue"}}
    assert "errors" not in app.query(DISABLE, id=pull.node_id)
    assert pull.auto_merge is None
    again = app.query(DISABLE, id=pull.node_id)
    assert again["errors"][0]["message"] == "Can't disable auto-merge for this pull request."
    assert github.wrote() == [
        "acme-queue[bot]: auto-merge of #1 on by rebase",
        "acme-queue[bot]: auto-merge of #1 off",
        "acme-queue[bot]: refused: auto-merge of #1 off",
    ]


def test_a_job_that_reads_cannot_turn_it_off(github: GitHub, job: Client) -> None:
    github.require_checks("merge-queue")
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.enable_auto_merge(pull)
    (error,) = job.query(DISABLE, id=pull.node_id)["errors"]
    assert (error["type"], error["message"]) == (
        "FORBIDDEN",
        "Resource not accessible by integration",
    )
    assert pull.auto_merge is not None
    github.explain("github-actions.*refused: disablePullRequestAutoMerge")


def test_a_push_by_somebody_without_write_access_ends_it(github: GitHub) -> None:
    github.require_checks("merge-queue")
    fork = github.fork("outsider")
    pull = github.open_pull("fix-it", {"a": "1\n"}, author="outsider", fork=fork)
    github.enable_auto_merge(pull)
    github.push(pull, {"a": "2\n"}, by="outsider")
    assert pull.auto_merge is None
    assert [one.event for one in pull.timeline][-1] == "auto_merge_disabled"


def test_a_push_by_a_writer_keeps_it_and_another_base_ends_it(github: GitHub) -> None:
    github.require_checks("merge-queue")
    github.commit("release", {"r": "1\n"})
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.enable_auto_merge(pull)
    github.push(pull, {"a": "2\n"}, by="author")
    assert pull.auto_merge is not None
    github.retarget(pull, "release")
    assert pull.auto_merge is None


def test_closing_ends_it_and_labels_stay(github: GitHub) -> None:
    github.require_checks("merge-queue")
    pull = github.open_pull("fix-it", {"a": "1\n"}, labels=["merge-queue: squash"])
    github.enable_auto_merge(pull)
    github.close(pull)
    assert (pull.auto_merge, pull.labels) == (None, ["merge-queue: squash"])


def test_a_test_can_hold_it_back(github: GitHub) -> None:
    github.auto_merge_waits = True
    github.require_checks("merge-queue")
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.enable_auto_merge(pull)
    github.status(pull, "merge-queue")
    assert not pull.merged
    github.run_auto_merges()
    assert pull.merged


def test_one_that_conflicts_stays_open_with_it(github: GitHub) -> None:
    github.require_checks("merge-queue")
    pull = github.open_pull("fix-it", {"README.md": "mine\n"})
    github.enable_auto_merge(pull)
    github.commit("main", {"README.md": "theirs\n"})
    github.status(pull, "merge-queue")
    assert (pull.merged, pull.auto_merge is None) == (False, False)


def test_a_person_without_write_access_cannot_ask_for_it(github: GitHub) -> None:
    github.require_checks("merge-queue")
    pull = github.open_pull("fix-it", {"a": "1\n"})
    with client(github, github.token("outsider")) as outsider:
        (error,) = outsider.query(ENABLE, id=pull.node_id, method="SQUASH")["errors"]
    assert "does not have the correct permissions" in error["message"]
    github.explain("refused: enablePullRequestAutoMerge")
