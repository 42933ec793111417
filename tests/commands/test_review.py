"""Required reviewers over a plain repository: `mergequeue review`, and what becomes of a change."""

import pytest

from tests.github.queue import run_here
from tests.support.programs import CONFIGURATION, Project, Ran, environ, make_project
from tests.support.repositories import Playground

JANE, BOT = "Jane Doe <jane@example.invalid>", "Review Bot <bot@example.invalid>"
REVIEWERS = """
[reviewers]
required = ["jane@example.invalid", "Review Bot <bot@example.invalid>"]
"""


@pytest.fixture
def project(playground: Playground) -> Project:
    return make_project(playground, {"mergequeue.toml": CONFIGURATION + REVIEWERS})


def here(project: Project, *words: str) -> Ran:
    """Run a command in this process."""
    return run_here(project.clone, *words, env=environ())


def run(project: Project, *words: str) -> str:
    """Run the queue; return the code of what became of the one change, or its ending."""
    ran = here(project, "run", "--committer", "Q <q@example.invalid>", *words)
    event = ran.last()["it"]
    return str(event.get("code") or event["kind"])


def said(project: Project, *words: str) -> str:
    """Return what a command says that has to succeed."""
    ran = here(project, *words)
    assert ran.status == 0, ran.err
    return ran.err


def refused(project: Project, *words: str) -> str:
    """Return what a command says that is the caller's mistake."""
    ran = here(project, *words)
    assert ran.status == 2
    return ran.err


def test_a_change_goes_back_where_a_reviewer_objects_and_lands_once_another_stands_in(
    project: Project,
) -> None:
    head = project.queue("it", {"one/text": "A\nb\nc\nd\ne\n"})
    assert run(project) == "WAIT_REVIEW"

    said(project, "review", "it", "--approve", "--as", BOT, "--commit", head[:9])
    words = ("--request-changes", "--message", "No `tests`.\nAdd some.", "--as", JANE)
    said(project, "review", "it", *words)
    assert run(project) == "KICK_REVIEW"
    shown = here(project, "status", "it").out
    assert "Jane Doe" in shown
    assert "No `tests`." in shown
    assert project.landed()[b"one/text"].startswith(b"a")

    again = refused(project, "requeue", "it")
    assert "would be kicked back again" in again
    assert "review it again" in again

    said(project, "review", "it", "--approve", "--as", "Other <other@example.invalid>")
    said(project, "requeue", "it")
    assert run(project) == "merged"
    assert project.landed()[b"one/text"].startswith(b"A")


def test_a_review_that_says_too_little_is_refused(project: Project) -> None:
    project.queue("it", {"one/text": "A\nb\nc\nd\ne\n"})

    assert "neither --approve" in refused(project, "review", "it", "--as", JANE)
    assert "nothing names who reviews" in refused(project, "review", "it", "--approve")
    wrong = refused(project, "review", "it", "--approve", "--as", JANE, "--commit", "HEAD")
    assert "--commit is no commit" in wrong


def test_one_that_never_answers_turns_a_change_away_and_waits_anew_once_it_is_queued_again(
    project: Project,
) -> None:
    project.queue("it", {"one/text": "A\nb\nc\nd\ne\n"})
    assert run(project) == "WAIT_REVIEW"
    assert "--review-wait" in refused(project, "run", "--review-wait", "30")

    code = "WAIT_REVIEW"
    while code == "WAIT_REVIEW":  # Until a second has passed since the first run.
        code = run(project, "--review-wait", "1s")
    assert code == "KICK_REVIEW"
    said(project, "requeue", "it")
    assert run(project) == "WAIT_REVIEW"
