"""An answer that lacks what the contract needs names its request and its field, holds the change
alone that it is about, and never reads as zero, false or an empty list (issue 5, Bad input).
"""

from collections.abc import Callable
from typing import Any

import pytest

from mergequeue.documents.provider import (
    Approval,
    ApprovalQuestion,
    CheckQuestion,
    DescribeQuestion,
    GreenQuestion,
    Repository,
)
from mergequeue.vocabulary.errors import BAD_ANSWER, MergequeueError
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.words import Mark
from tests.fakes.github.faults import Fault
from tests.fakes.github.story import GitHub
from tests.github.conftest import Provider

MAIN = BranchName("main")
REPOSITORY = Repository(base=MAIN, remote_url="x")
SQUASH = "merge-queue: squash"
_GONE = object()

Path = tuple[str | int, ...]


def put(value: object, *path: str | int) -> Callable[[Any], None]:
    """Return what puts a value at a path of an answer, or takes what is there away."""

    def change(answer: dict[str | int, Any]) -> None:
        place: Any = answer
        for key in path[:-1]:
            place = place[key]
        if value is _GONE:
            del place[path[-1]]
        else:
            place[path[-1]] = value

    return change


def three(github: GitHub) -> None:
    github.page_size = 100
    for name in "abc":
        pull = github.open_pull(
            name, {f"{name}.txt": "x\n"}, labels=(SQUASH, "merge-queue: queued")
        )
        github.approve(pull)


BAD_PULLS: list[tuple[object, Path, str]] = [
    (value, path, path[0])
    for path in [("draft",), ("title",), ("labels",), ("base",), ("state",), ("head", "ref")]
    for value in [_GONE, None, 7]
]
BAD_PULLS += [
    (_GONE, ("auto_merge",), "auto_merge"),
    ("squash", ("auto_merge",), "auto_merge"),
    ({"merge_method": "octopus"}, ("auto_merge",), "auto_merge"),
    (_GONE, ("head", "repo"), "head"),
    ([{}], ("labels",), "labels"),
    ([None], ("labels",), "labels"),
]


def test_one_pull_request_that_does_not_read_is_held_alone(
    github: GitHub, provider: Provider
) -> None:
    three(github)
    for value, path, named in BAD_PULLS:
        provider.said.clear()
        with provider.spoiled("/pulls?", put(value, 1, *path)):
            listing = provider.reads.list_changes(REPOSITORY)
        assert [change.id for change in listing.changes] == ["1", "3"], (value, path)
        assert [(one.id, one.mark) for one in listing.unqueued] == [("2", Mark.NONE)]
        (line,) = [line for line in provider.said if line.startswith("#2 is left alone")]
        assert f"GET /repos/acme/acme/pulls: in $[1]: $.{named}" in line


def test_one_that_names_neither_number_nor_head_fails_the_listing(
    github: GitHub, provider: Provider
) -> None:
    three(github)
    for path in [(1, "number"), (1, "head"), (1, "head", "sha")]:
        for value in [_GONE, None, "x"]:
            with (
                provider.spoiled("/pulls?", put(value, *path)),
                pytest.raises(MergequeueError, match="GET /repos/acme/acme/pulls") as caught,
            ):
                provider.reads.list_changes(REPOSITORY)
            assert caught.value.code == BAD_ANSWER.code


BAD_HISTORIES = [
    ("LABELED_EVENT], last: 100", put(None, "data", "repository", "p2", "timelineItems")),
    (
        "LABELED_EVENT], last: 100",
        put(_GONE, "data", "repository", "p2", "timelineItems", "pageInfo"),
    ),
    ("associatedPullRequests", put(_GONE, "data", "repository", "p2", "commits", "nodes")),
    ("associatedPullRequests", put(None, "data", "repository", "p2", "commits")),
]


def test_what_does_not_read_of_one_pull_request_holds_it_alone(
    github: GitHub, provider: Provider
) -> None:
    three(github)
    for part, change in BAD_HISTORIES:
        with provider.spoiled(part, change):
            listing = provider.reads.list_changes(REPOSITORY)
        assert [one.id for one in listing.changes] == ["1", "3"]
        assert [(one.id, one.mark) for one in listing.unqueued] == [("2", Mark.NONE)]


BAD_REVIEWS: list[Path] = [
    ("headRefOid",),
    ("state",),
    ("reviewDecision",),
    ("reviews",),
    ("reviews", "nodes"),
    ("reviews", "pageInfo"),
    ("reviews", "nodes", 0, "state"),
    ("reviews", "nodes", 0, "authorCanPushToRepository"),
    ("reviews", "nodes", 0, "submittedAt"),
    ("reviews", "nodes", 0, "author"),
    ("reviews", "nodes", 0, "commit"),
]


def test_one_change_whose_reviews_do_not_read_fails_alone(
    github: GitHub, provider: Provider
) -> None:
    three(github)
    listing = provider.reads.list_changes(REPOSITORY)
    questions = [ApprovalQuestion(change=one, commit=one.head) for one in listing.changes]
    for path in BAD_REVIEWS:
        for value in (_GONE, 7):
            spoil = put(value, "data", "repository", "p2", *path)
            with provider.spoiled("reviewDecision", spoil):
                answers = provider.reads.approvals_at(questions)
            assert [isinstance(one, Approval) for one in answers.values()] == [True, False, True]
            words = str(answers[listing.changes[1].id])
            place = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)
            assert f"GraphQL PullRequests: in $.data.repository.p2: ${place}" in words


def test_a_rule_that_does_not_say_how_many_approvals_it_wants_is_no_zero(
    github: GitHub, provider: Provider
) -> None:
    three(github)
    github.require_reviews(2)
    questions = [
        ApprovalQuestion(change=one, commit=one.head)
        for one in provider.reads.list_changes(REPOSITORY).changes
    ]
    for value in [_GONE, None, "3", -0.5]:
        spoil = put(value, 0, "parameters", "required_approving_review_count")
        with (
            provider.spoiled("/rules/branches/", spoil),
            pytest.raises(MergequeueError, match="required_approving_review_count") as caught,
        ):
            provider.reads.approvals_at(questions)
        assert "GET /repos/acme/acme/rules/branches/main" in caught.value.problem


BAD_CHECKS = [
    ("/rules/branches/", put(None, 0, "parameters", "required_status_checks")),
    ("/acme/branches/main", put(_GONE, "protection")),
    ("/status", put(_GONE, "statuses")),
    ("/status", put(None, "statuses")),
    ("/status", put("odd", "statuses", 0, "state")),
]


def test_checks_that_do_not_read_are_an_error_and_not_none(
    github: GitHub, provider: Provider
) -> None:
    three(github)
    github.require_checks("build")
    github.status(github.repository.pulls[1], "build", by="author")
    found = provider.reads.list_changes(REPOSITORY).changes[0]
    for part, change in BAD_CHECKS:
        with provider.spoiled(part, change), pytest.raises(MergequeueError) as caught:
            provider.reads.required_checks(CheckQuestion(change=found, commit=found.head))
        assert caught.value.code == BAD_ANSWER.code


BAD_GREENS = [
    put(None, "data", "repository", "pullRequests"),
    put(_GONE, "data", "repository", "pullRequests", "nodes"),
    put(_GONE, "data", "repository", "pullRequests", "pageInfo"),
    put(_GONE, "data", "repository", "pullRequests", "nodes", 0, "commits"),
    put(None, "data", "repository"),
]


def test_greens_that_do_not_read_are_an_error_and_not_none(
    github: GitHub, provider: Provider
) -> None:
    three(github)
    asked = GreenQuestion(base=MAIN, remote_url="x", context="merge-queue")
    for change in BAD_GREENS:
        with (
            provider.spoiled("query Greens", change),
            pytest.raises(MergequeueError) as caught,
        ):
            provider.reads.list_green(asked)
        assert caught.value.code == BAD_ANSWER.code


def test_a_search_that_is_not_complete_fails_the_listing(
    github: GitHub, provider: Provider
) -> None:
    three(github)
    github.search_is_incomplete = True
    with pytest.raises(MergequeueError, match="incomplete"):
        provider.reads.list_changes(REPOSITORY)


def test_settings_that_are_shown_in_part_are_an_error(provider: Provider) -> None:
    spoil = put(_GONE, "data", "repository", "rebaseMergeAllowed")
    with provider.spoiled("query Methods", spoil), pytest.raises(MergequeueError) as caught:
        provider.reads.describe(DescribeQuestion(base=MAIN, remote_url="x"))
    assert "rebaseMergeAllowed" in caught.value.problem


def test_a_read_that_is_refused_names_the_permission_that_it_needs(
    github: GitHub, provider: Provider
) -> None:
    for call, permission in [("/rules/branches/", "metadata: read"), ("/acme$", "metadata: read")]:
        github.faults.add(f"GET .*{call}", Fault.REFUSED, status=404)
        with pytest.raises(MergequeueError) as caught:
            provider.reads.describe(DescribeQuestion(base=MAIN, remote_url="x"))
        assert permission in caught.value.remedy
