"""Which commit reviews approve (facts 2.8 and 3.8, R1 to R6)."""

from mergequeue.github.reviews import Review, Reviewed, decide_reviews
from mergequeue.vocabulary.ids import CommitId
from tests.github.shapes import sha

HEAD, OLD = sha(1), sha(2)


def review(
    state: str = "APPROVED",
    by: str | None = "ann",
    at: CommitId | None = HEAD,
    when: int | None = 1,
    *,
    may_push: bool = True,
) -> Review:
    submitted = None if when is None else f"2026-11-30T12:00:{when:02}Z"
    return Review.of(state, submitted, by, at, may_push=may_push)


def decide(*reviews: Review, decision: str | None = None, required: int = 1) -> Reviewed:
    return decide_reviews(reviews, decision, required, HEAD)


def test_an_approval_at_the_commit_approves_it() -> None:
    assert decide(review()) == Reviewed(approved=True)


def test_no_approval_is_needed_where_no_rule_asks_for_one() -> None:
    assert decide(required=0).approved


def test_one_is_needed_where_github_decides_on_reviews_at_all() -> None:
    assert not decide(decision="APPROVED", required=0).approved


def test_the_latest_decisive_review_of_an_account_counts() -> None:
    assert not decide(review(when=1), review("DISMISSED", when=2)).approved
    assert decide(review("CHANGES_REQUESTED", when=1), review(when=2)).approved
    assert decide(review(when=1), review("COMMENTED", when=2)).approved
    assert decide(review(when=1), review("PENDING", when=None)).approved


def test_the_order_is_that_of_submission_and_a_login_has_no_case() -> None:
    assert not decide(review("CHANGES_REQUESTED", when=5), review(by="Ann", when=2)).approved


def test_reviews_of_accounts_that_cannot_push_or_are_gone_count_for_nothing() -> None:
    assert not decide(review(may_push=False)).approved
    assert not decide(review(by=None)).approved
    assert decide(review(), review("CHANGES_REQUESTED", by="bob", may_push=False)).approved


def test_what_github_says_still_blocks_when_nobodys_review_counts() -> None:
    assert not decide(review(), decision="CHANGES_REQUESTED").approved


def test_requested_changes_block_whatever_commit_they_were_given_on() -> None:
    found = decide(review(), review("CHANGES_REQUESTED", by="bob", at=OLD), required=1)
    assert found == Reviewed(approved=False, reason="bob requested changes")


def test_enough_approvals_are_not_enough_where_github_still_wants_one() -> None:
    assert not decide(review(), decision="REVIEW_REQUIRED").approved


def test_an_approval_of_another_commit_does_not_approve_this_one() -> None:
    found = decide(review(at=OLD))
    assert (found.approved, found.reason) == (False, "it has 0 of 1 approvals there")


def test_the_commit_that_approvals_stand_at_is_named_where_there_are_enough_of_them() -> None:
    assert decide(review(at=OLD)).at == OLD
    assert decide(review(at=OLD), required=2).at is None
    assert decide(review(at=OLD), review(by="bob", at=OLD), required=2).at == OLD
    assert decide(review(at=OLD), review("CHANGES_REQUESTED", by="bob")).at is None
    assert decide(review(at=None)).at is None
    assert decide(review()).at is None


def test_no_older_commit_stands_where_github_wants_more_than_approvals() -> None:
    assert decide(review(at=OLD), decision="REVIEW_REQUIRED").at is None
