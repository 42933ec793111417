"""A change as it is now, over the fake GitHub (facts 1.6, 6.7; CASES C)."""

import pytest

from mergequeue.documents.changes import Change
from mergequeue.documents.provider import Approval, ApprovalQuestion
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId
from mergequeue.vocabulary.words import Method
from tests.fakes.github.records import Pull
from tests.fakes.github.story import GitHub
from tests.github.conftest import Provider

SQUASH, REBASE = "merge-queue: squash", "merge-queue: rebase"


def opened(github: GitHub, name: str = "a", **more: object) -> Pull:
    return github.open_pull(name, {f"{name}.txt": f"{name}\n"}, **more)  # type: ignore[arg-type]  # the story's own words


def question(pull: Pull, commit: str = "", method: Method = Method.SQUASH) -> ApprovalQuestion:
    change = Change(
        id=ChangeId(str(pull.number)),
        head=CommitId(pull.head_sha),
        base=BranchName("main"),
        method=method,
        repo="acme/acme",
    )
    return ApprovalQuestion(change=change, commit=CommitId(commit or pull.head_sha))


def ask(provider: Provider, pull: Pull, commit: str = "") -> Approval:
    (answer,) = provider.reads.approvals_at([question(pull, commit)]).values()
    assert isinstance(answer, Approval), answer
    return answer


def test_a_queued_and_approved_pull_request_is_all_of_that(
    github: GitHub, provider: Provider
) -> None:
    github.require_reviews(1)
    pull = opened(github)
    github.label(pull, SQUASH)
    github.approve(pull)
    assert ask(provider, pull) == Approval(
        approved=True,
        head=CommitId(pull.head_sha),
        base=BranchName("main"),
        method=Method.SQUASH,
        queued=True,
        shared_with=(),
    )


def test_an_approval_of_an_older_commit_is_named_and_does_not_count(
    github: GitHub, provider: Provider
) -> None:
    github.require_reviews(1)
    pull = opened(github)
    github.label(pull, SQUASH)
    github.approve(pull)
    old = pull.head_sha
    github.push(pull, {"more.txt": "more\n"})
    answer = ask(provider, pull)
    assert (answer.approved, answer.head, answer.approved_commit) == (False, pull.head_sha, old)
    assert ask(provider, pull, old).approved


def test_reviews_are_read_to_the_oldest_page(github: GitHub, provider: Provider) -> None:
    github.require_reviews(1)
    pull = opened(github)
    github.label(pull, SQUASH)
    github.approve(pull)
    for _ in range(5):
        github.review(pull, "COMMENTED", by="maintainer")
    assert ask(provider, pull).approved


def test_a_review_by_someone_who_cannot_push_does_not_count(
    github: GitHub, provider: Provider
) -> None:
    github.require_reviews(1)
    pull = opened(github)
    github.label(pull, SQUASH)
    github.approve(pull, by="reader")
    assert ask(provider, pull).reason == "it has 0 of 1 approvals there"


def test_a_head_that_moved_is_reported(github: GitHub, provider: Provider) -> None:
    pull = opened(github)
    github.label(pull, SQUASH)
    asked = question(pull)
    github.push(pull, {"more.txt": "more\n"})
    (answer,) = provider.reads.approvals_at([asked]).values()
    assert isinstance(answer, Approval)
    assert answer.head == pull.head_sha != asked.change.head


def test_a_closed_pull_request_is_withdrawn_whatever_it_shows(
    github: GitHub, provider: Provider
) -> None:
    pull = opened(github)
    github.label(pull, SQUASH)
    github.close(pull)
    answer = ask(provider, pull)
    assert (answer.queued, answer.reason) == (False, "it is closed")


def test_one_that_closes_while_it_is_read_is_withdrawn(github: GitHub, provider: Provider) -> None:
    pull = opened(github)
    github.label(pull, SQUASH)
    provider.when_asked("POST", "/graphql", 2, lambda: github.close(pull))
    assert not ask(provider, pull).queued


def test_a_merged_pull_request_says_so(github: GitHub, provider: Provider) -> None:
    pull = opened(github)
    github.label(pull, SQUASH)
    github.merge(pull)
    answer = ask(provider, pull)
    assert (answer.queued, answer.reason) == (False, "it has merged")


def test_the_one_who_set_the_label_is_proven_again(github: GitHub, provider: Provider) -> None:
    pull = opened(github)
    github.label(pull, SQUASH)
    assert ask(provider, pull).queued
    github.unlabel(pull, SQUASH)
    github.label(pull, SQUASH, by="reader")
    answer = ask(provider, pull)
    assert not answer.queued
    assert answer.reason == "reader set 'merge-queue: squash' and has no write access"


def test_auto_merge_that_was_taken_off_is_withdrawn_with_a_reason(
    github: GitHub, provider: Provider
) -> None:
    github.require_checks("merge-queue", app=github.app)
    pull = opened(github)
    github.enable_auto_merge(pull)
    github.disable_auto_merge(pull)
    answer = ask(provider, pull)
    assert not answer.queued
    assert answer.reason.startswith("neither auto-merge nor a label of the queue is on any more")


def test_a_draft_is_withdrawn(github: GitHub, provider: Provider) -> None:
    pull = opened(github, draft=True, labels=(SQUASH,))
    assert ask(provider, pull).reason == "it is a draft"


def test_the_method_and_the_base_are_those_of_now(github: GitHub, provider: Provider) -> None:
    github.commit("release", {"r": "r\n"})
    pull = opened(github, labels=(REBASE,))
    github.retarget(pull, "release")
    answer = ask(provider, pull)
    assert (answer.method, answer.base) == (Method.REBASE, "release")


def test_other_open_pull_requests_of_the_same_branch_are_named(
    github: GitHub, provider: Provider
) -> None:
    github.commit("release", {"r": "r\n"})
    pull = opened(github, labels=(SQUASH,))
    other = github.open_pull("a", None, base="release")
    assert ask(provider, pull).shared_with == (str(other.number),)


def test_a_member_of_a_stack_merges_into_the_stacks_base(
    github: GitHub, provider: Provider
) -> None:
    lower = opened(github, "a")
    upper = opened(github, "b", base="a")
    github.stack(lower, upper)
    github.label(upper, SQUASH)
    for pull in (lower, upper):
        answer = ask(provider, pull)
        assert (answer.queued, answer.base) == (True, "main")


def test_many_are_asked_about_at_once_and_each_gets_its_own_answer(
    github: GitHub, provider: Provider
) -> None:
    github.require_reviews(1)
    pulls = [opened(github, name, labels=(SQUASH,)) for name in "abcde"]
    for pull in pulls[1:]:
        github.approve(pull)
    github.close(pulls[4])
    answers = provider.reads.approvals_at([question(pull) for pull in pulls])
    stands = [(one.approved, one.queued) for one in answers.values() if isinstance(one, Approval)]
    assert stands == [(False, True), *[(True, True)] * 3, (True, False)]


@pytest.mark.parametrize("others", [0, 4])
def test_one_that_github_does_not_have_fails_alone(
    github: GitHub, provider: Provider, others: int
) -> None:
    pulls = [opened(github, f"t{n}", labels=(SQUASH,)) for n in range(others + 1)]
    strange = Pull(**{**vars(pulls[0]), "number": 99})
    answers = provider.reads.approvals_at([question(pull) for pull in (*pulls, strange)])
    assert isinstance(answers[ChangeId("99")], str)
    assert all(isinstance(answers[ChangeId(str(pull.number))], Approval) for pull in pulls)
