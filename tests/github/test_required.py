"""Whose reviews are the required reviewers', over the fake GitHub: people, bots and teams."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from mergequeue.documents.provider import Approval
from mergequeue.vocabulary.ids import CommitId
from mergequeue.vocabulary.words import ReviewState
from tests.fakes.github.records import Pull
from tests.fakes.github.story import WRITER, GitHub
from tests.github.conftest import Provider, provider_of
from tests.github.queue import Queue, queue_of
from tests.github.test_applying_a_run import app_of
from tests.github.test_approving import SQUASH, opened, question
from tests.support.programs import CONFIGURATION

TEAM = "@acme/security"
REQUESTED = ReviewState.CHANGES_REQUESTED


@pytest.fixture
def pull(github: GitHub) -> Pull:
    github.add_team("acme/security", "maintainer", "reader")
    made = opened(github)
    github.label(made, SQUASH)
    return made


def told(provider: Provider, pull: Pull, *reviewers: str) -> Approval:
    """Return how a pull request stands where these are the required reviewers."""
    asked = question(pull).model_copy(update={"reviewers": reviewers})
    (answer,) = provider.reads.approvals_at([asked]).values()
    assert isinstance(answer, Approval), answer
    return answer


def who(answer: Approval) -> Sequence[tuple[str, tuple[str, ...], bool]]:
    """Return who reviewed, for whom, and whether as somebody who may push."""
    return [(one.by, one.stands_for, one.collaborator) for one in answer.reviews or ()]


def may_read_members(github: GitHub) -> Provider:
    """Return the provider with a token that is shown the members of teams."""
    permissions = {**WRITER, "members": "read"}
    github.reader = github.token("acme-queue[bot]", permissions, repositories=["acme/acme"])
    return provider_of(github)


def test_a_review_counts_for_its_author_and_for_the_teams_that_they_are_in(
    github: GitHub, pull: Pull
) -> None:
    github.approve(pull, by="reviewer")
    github.request_changes(pull, by="reader")
    github.add_user("checker[bot]", "write", kind="Bot")
    github.review(pull, "COMMENTED", by="checker[bot]")

    answer = told(may_read_members(github), pull, "Reviewer", TEAM, "checker[bot]")

    assert who(answer) == [
        ("reviewer", ("Reviewer",), True),
        ("reader", (TEAM,), False),
        ("checker[bot]", ("checker[bot]",), False),
    ]
    assert answer.reviews is not None
    assert [one.state for one in answer.reviews] == [
        ReviewState.APPROVED,
        REQUESTED,
        ReviewState.COMMENTED,
    ]
    assert {one.commit for one in answer.reviews} == {CommitId(pull.head_sha)}
    assert answer.unread == {}


def test_a_team_of_more_than_a_page_is_read_to_its_end_and_once_for_all(
    github: GitHub, pull: Pull
) -> None:
    crowd = [f"member{number}" for number in range(7)]
    for login in crowd:
        github.add_user(login)
    github.add_team("acme/crowd", *crowd, "reviewer")
    other = opened(github, "b")
    for one in (pull, other):
        github.approve(one)
    provider = may_read_members(github)
    asked = [
        question(one).model_copy(update={"reviewers": ("acme/crowd",)}) for one in (pull, other)
    ]

    answers = provider.reads.approvals_at(asked)

    for answer in answers.values():
        assert isinstance(answer, Approval)
        assert who(answer) == [("reviewer", ("acme/crowd",), True)]
    pages = [sent for sent in provider.reading.sent if "/teams/crowd/members" in sent]
    assert len(pages) == len(set(pages)) > 1


@pytest.mark.parametrize(
    ("team", "why"),
    [
        pytest.param(TEAM, "GitHub shows no members", id="the job's token may not"),
        pytest.param("@acme/../x", "is no team", id="no name of a team"),
    ],
)
def test_a_team_whose_members_are_not_shown_is_told_of_with_the_reason(
    provider: Provider, github: GitHub, pull: Pull, team: str, why: str
) -> None:
    github.approve(pull)

    answer = told(provider, pull, team)

    assert who(answer) == [("reviewer", (), True)]
    assert list(answer.unread) == [team]
    assert why in answer.unread[team]


def test_a_team_is_not_asked_about_before_somebody_has_reviewed(
    provider: Provider, pull: Pull
) -> None:
    answer = told(provider, pull, TEAM)

    assert (answer.reviews, answer.unread) == ((), {})
    assert not [sent for sent in provider.reading.sent if "/teams/" in sent]


def test_a_base_without_required_reviewers_is_told_of_no_reviews(
    provider: Provider, github: GitHub, pull: Pull
) -> None:
    github.approve(pull)
    assert told(provider, pull).reviews is None


# --- from the review to the merged base ----------------------------------------------------------


@pytest.fixture
def queue(github: GitHub, tmp_path: Path) -> Queue:
    made = queue_of(github, tmp_path)
    reviewers = f'\n[reviewers]\nrequired = ["reviewer", "{TEAM}"]\n'
    github.commit("main", {"mergequeue.toml": CONFIGURATION + reviewers}, "Reviewers", by="admin")
    github.add_team("acme/security", "reader")
    made.app = app_of(github)
    return made


def test_a_pull_request_waits_for_its_reviewers_and_lands_once_the_app_sees_them_all(
    github: GitHub, queue: Queue
) -> None:
    pull = github.open_pull("topic", {"one/new": "new\n"})
    github.label(pull, SQUASH)
    github.approve(pull, by="reviewer")
    # The plan's token cannot tell whose approval it is, and the app that merges may not either.
    queue.round()
    assert queue.became() == {"1": "WAIT_REVIEW"}
    assert "cannot be told" in queue.last.err
    assert "GitHub lends no token with members: read" in queue.last.err

    github.app.permissions["members"] = "read"
    queue.round()
    assert queue.became() == {"1": "WAIT_REVIEW"}
    assert "a review of" in queue.last.err

    github.approve(pull, by="reader")
    queue.round()
    assert queue.became() == {"1": "merged"}
    github.wrote()


def test_one_of_a_team_who_asks_for_changes_has_it_handed_back_until_that_is_settled(
    github: GitHub, queue: Queue
) -> None:
    github.app.permissions["members"] = "read"
    pull = github.open_pull("topic", {"one/new": "new\n"})
    github.label(pull, SQUASH)
    github.approve(pull, by="reviewer")
    github.request_changes(pull, by="reader")

    for _ in range(2):
        queue.round()
        assert queue.became() == {"1": "KICK_REVIEW"}
        (*_, comment) = pull.comments
        assert comment.body.startswith("`reader`, for `@acme/security`, asks for changes")
        assert SQUASH not in pull.labels
        github.label(pull, SQUASH)

    github.approve(pull, by="maintainer")
    queue.round()
    assert queue.became() == {"1": "merged"}
    github.wrote()
