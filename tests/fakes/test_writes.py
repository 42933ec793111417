"""What a test wrote is read as sentences, and what it leaves unread fails it."""

import threading
from pathlib import Path

import pytest
import requests

from tests.fakes.client import Client
from tests.fakes.github.story import GitHub


def test_a_write_that_no_assertion_took_fails_the_test(github: GitHub, app: Client) -> None:
    github.open_pull("fix-it", {"a": "1\n"})
    app.ask("POST", "issues/1/comments", json={"body": "Hello"})
    with pytest.raises(AssertionError, match="comment on #1"):
        github.verify()
    github.explain("comment on #1")
    github.verify()


def test_a_refused_write_is_one_too(github: GitHub, job: Client) -> None:
    github.open_pull("fix-it", {"a": "1\n"})
    job.ask("POST", "issues/1/comments", json={"body": "Hello"})
    assert github.wrote() == [
        "github-actions[bot]: refused 403: POST /repos/acme/acme/issues/1/comments"
    ]


def test_writes_are_told_in_order_and_once(github: GitHub, app: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    app.ask("POST", "issues/1/labels", json={"labels": ["blue"]})
    app.ask("POST", f"statuses/{pull.head_sha}", json={"state": "pending", "context": "q"})
    app.ask("DELETE", "issues/1/labels/blue")
    assert github.wrote("label") == [
        "acme-queue[bot]: label 'blue' put on #1",
        "acme-queue[bot]: label 'blue' taken off #1",
    ]
    assert github.wrote() == ["acme-queue[bot]: status q is pending on #1"]
    assert github.wrote() == []


def test_to_explain_what_was_never_written_fails(github: GitHub) -> None:
    with pytest.raises(AssertionError, match="nothing was written like 'merge'"):
        github.explain("merge")


def test_what_a_verb_of_the_story_does_is_no_write(github: GitHub) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"}, labels=["blue"])
    github.comment(pull, "Hello")
    github.approve(pull)
    github.merge(pull)
    assert github.wrote() == []


def test_every_request_is_counted_with_who_asked(github: GitHub, app: Client, job: Client) -> None:
    app.get("pulls")
    job.query("{ viewer { login } }")
    job.get("pulls/7")
    assert [(one.operation, one.login, one.status) for one in github.log.requests] == [
        ("GET /repos/{owner}/{repo}/pulls", "acme-queue[bot]", 200),
        ("query", "github-actions[bot]", 200),
        ("GET /repos/{owner}/{repo}/pulls/{pull_number}", "github-actions[bot]", 404),
    ]


def test_nothing_of_a_fake_is_left_when_it_stops(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    fake = GitHub(tmp_path).start()
    with requests.Session() as keeps_its_connection:
        assert keeps_its_connection.get(f"{fake.api_url}/meta", timeout=60).ok
        fake.stop()
        left = set(threading.enumerate()) - before
        for thread in left:
            thread.join(60)
        assert [one for one in left if one.is_alive()] == []
