"""The same facts from REST, where the host or the token has no GraphQL (issue 5, Listing)."""

from collections.abc import Iterator
from contextlib import contextmanager

from mergequeue.documents.provider import (
    ApprovalQuestion,
    GreenQuestion,
    Repository,
)
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.words import Mark
from tests.fakes.github.faults import Fault
from tests.fakes.github.story import GitHub
from tests.github.conftest import Provider
from tests.github.test_writing import mark, post

MAIN = BranchName("main")
REPOSITORY = Repository(base=MAIN, remote_url="x")
SQUASH = "merge-queue: squash"


@contextmanager
def without_graphql(github: GitHub) -> Iterator[None]:
    github.faults.add("POST /graphql", Fault.REFUSED, times=1000, status=404)
    yield
    assert github.faults.met
    github.faults.clear()


def test_the_listing_is_the_same_but_for_when_each_was_queued(
    github: GitHub, provider: Provider
) -> None:
    lower = github.open_pull("lower", {"a": "a\n"})
    merged = github.open_pull("merged", {"b": "b\n"})
    upper = github.open_pull("upper", {"c": "c\n"}, base="lower")
    github.label(upper, SQUASH)
    github.merge(lower, "squash")
    github.retarget(upper, "main")
    github.merge(merged, "merge")
    github.label(github.open_pull("d", {"d": "d\n"}), SQUASH, by="reader")
    gone = github.open_pull("e", {"e": "e\n"}, labels=("merge-queue: queued",))
    github.close(gone)
    for name in "fghi":
        github.label(github.open_pull(name, {name: "x\n"}), SQUASH, by="maintainer")
    by_graphql = provider.reads.list_changes(REPOSITORY)
    with without_graphql(github):
        by_rest = provider.reads.list_changes(REPOSITORY)
    timeless = [one.model_copy(update={"queued_at": None}) for one in by_graphql.changes]
    assert by_rest == by_graphql.model_copy(update={"changes": tuple(timeless)})
    assert [one.id for one in by_graphql.merged] == ["1"]
    assert len(by_graphql.changes) == 5


def test_changes_as_they_are_now_are_the_same(github: GitHub, provider: Provider) -> None:
    github.require_reviews(1)
    pulls = [github.open_pull(name, {name: "x\n"}, labels=(SQUASH,)) for name in "abcde"]
    github.approve(pulls[0])
    github.approve(pulls[1], by="reader")
    github.request_changes(pulls[2])
    github.approve(pulls[3])
    github.push(pulls[3], {"more": "x\n"})
    changes = provider.reads.list_changes(REPOSITORY).changes
    for some, reviewers in ((changes, ()), (changes, ("reader", "x")), (changes[:1], ())):
        questions = [
            ApprovalQuestion(change=one, commit=one.head, reviewers=reviewers, described=True)
            for one in some
        ]
        by_graphql = provider.reads.approvals_at(questions)
        with without_graphql(github):
            assert provider.reads.approvals_at(questions) == by_graphql


def test_what_is_green_is_the_same(github: GitHub, provider: Provider) -> None:
    pulls = [github.open_pull(name, {name: "x\n"}) for name in "abc"]
    github.status(pulls[1], "merge-queue")
    asked = GreenQuestion(base=MAIN, remote_url="x", context="merge-queue")
    by_graphql = provider.reads.list_green(asked)
    assert [one.id for one in by_graphql] == ["2"]
    with without_graphql(github):
        assert provider.reads.list_green(asked) == by_graphql


def test_statuses_and_marks_are_written_all_the_same(github: GitHub, provider: Provider) -> None:
    pulls = [github.open_pull(name, {name: "x\n"}) for name in "ab"]
    with without_graphql(github):
        provider.writes.post_status([post(pull) for pull in pulls])
        assert provider.writes.mark([mark(pull, Mark.QUEUED) for pull in pulls]) == ()
    assert all(pull.labels == ["merge-queue: queued"] for pull in pulls)
    assert len(github.wrote("status merge-queue is pending")) == 2
    github.wrote()
