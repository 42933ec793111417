"""A well-known client for Python against the fake."""

from collections.abc import Iterator

import pytest
from github import Auth, GithubException
from github import Github as PyGithub
from github.Repository import Repository

from tests.fakes.github.story import GitHub


@pytest.fixture
def repository(github: GitHub) -> Iterator[Repository]:
    auth = Auth.Token(github.token("maintainer").text)
    with PyGithub(
        auth=auth,
        base_url=github.api_url,
        retry=None,
        seconds_between_requests=None,
        seconds_between_writes=None,
    ) as client:
        yield client.get_repo("acme/acme")


def test_pull_requests_are_listed_to_the_last_page(github: GitHub, repository: Repository) -> None:
    for name in ("one", "two", "three"):
        github.open_pull(name, {name: "1\n"}, labels=["blue"])
    pulls = list(repository.get_pulls(state="open", sort="created", direction="asc"))
    assert [(one.number, one.head.ref, one.user.login) for one in pulls] == [
        (1, "one", "author"),
        (2, "two", "author"),
        (3, "three", "author"),
    ]
    assert [one.name for one in pulls[0].labels] == ["blue"]


def test_statuses_labels_and_comments(github: GitHub, repository: Repository) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    commit = repository.get_commit(pull.head_sha)
    commit.create_status("failure", description="Red", context="merge-queue")
    assert commit.get_combined_status().state == "failure"
    shown = repository.get_pull(1)
    shown.add_to_labels("blue")
    shown.create_issue_comment("Hello")
    assert [one.name for one in shown.get_labels()] == ["blue"]
    shown.remove_from_labels("blue")
    repository.create_label("green", "00ff00", "Go")
    with pytest.raises(GithubException) as refused:
        repository.create_label("green", "00ff00")
    assert refused.value.status == 422
    assert github.wrote() == [
        "maintainer: status merge-queue is failure on #1",
        "maintainer: label 'blue' put on #1",
        "maintainer: comment on #1",
        "maintainer: label 'blue' taken off #1",
        "maintainer: label 'green' made",
        "maintainer: refused 422: label 'green' made",
    ]


def test_auto_merge_and_a_merge(github: GitHub, repository: Repository) -> None:
    github.require_checks("merge-queue")
    pull = github.open_pull("fix-it", {"a": "1\n"})
    shown = repository.get_pull(1)
    shown.enable_automerge(merge_method="SQUASH")
    assert repository.get_pull(1).raw_data["auto_merge"]["merge_method"] == "squash"
    shown.disable_automerge()
    assert repository.get_pull(1).raw_data["auto_merge"] is None
    with pytest.raises(GithubException) as refused:
        shown.merge(sha=pull.head_sha, merge_method="squash")
    assert refused.value.status == 405
    github.status(pull, "merge-queue")
    done = shown.merge(sha=pull.head_sha, merge_method="squash", commit_title="Mine")
    assert (done.merged, done.sha) == (True, github.tip())
    assert repository.get_pull(1).merged_by.login == "maintainer"
    assert github.wrote() == [
        "maintainer: auto-merge of #1 on by squash",
        "maintainer: auto-merge of #1 off",
        "maintainer: refused 405: merge of #1 by squash",
        "maintainer: merge of #1 by squash",
    ]


def test_runs_and_check_runs_are_read(github: GitHub, repository: Repository) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.check(pull, "build", "neutral")
    runs = list(repository.get_commit(pull.head_sha).get_check_runs())
    assert [(one.name, one.conclusion) for one in runs] == [("build", "neutral")]
    github.approve(pull)
    (review,) = repository.get_pull(1).get_reviews()
    assert (review.state, review.user.login, review.commit_id) == (
        "APPROVED",
        "reviewer",
        pull.head_sha,
    )
    assert repository.get_collaborator_permission("author") == "write"
    assert repository.get_branch("main").protected is False
