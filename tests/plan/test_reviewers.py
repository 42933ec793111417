"""What required reviewers make of a change (seed 2, Pre-flights: its gates)."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.documents.config import ReviewersTable
from mergequeue.documents.memory import Entry
from mergequeue.documents.provider import Approval
from mergequeue.documents.review import Review
from mergequeue.plan.admission import AsItIs, decide_as_it_is
from mergequeue.plan.reviewers import Lacks, Since, approvers_of, decide_reviewed, since_of
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.words import Decision, Method, ReviewState
from tests.support.graphs import commit_id
from tests.support.listings import TIP, queued

HEAD, OLDER = commit_id("head"), commit_id("older")
START = datetime(2026, 11, 30, 12, tzinfo=UTC)
WAIT = timedelta(minutes=30)
ONE = ReviewersTable(required=("octocat",), wait=WAIT)
TEAM = "@acme/security"
APPROVED, REQUESTED, COMMENTED, DISMISSED = (
    ReviewState.APPROVED,
    ReviewState.CHANGES_REQUESTED,
    ReviewState.COMMENTED,
    ReviewState.DISMISSED,
)


def review(
    state: ReviewState,
    by: str = "octocat",
    minute: int = 1,
    *,
    commit: str = HEAD,
    stands_for: tuple[str, ...] | None = None,
    collaborator: bool = True,
) -> Review:
    """Return a review; by default it is the required reviewer's."""
    own = (by,) if by == "octocat" else ()
    return Review.model_validate(
        {
            "by": by,
            "state": state,
            "commit": commit,
            "at": START + timedelta(minutes=minute),
            "stands_for": own if stands_for is None else stands_for,
            "collaborator": collaborator,
        }
    )


def answer(*reviews: Review, unread: dict[str, str] | None = None, **more: object) -> Approval:
    """Return how a change stands with these reviews."""
    fields: dict[str, object] = {
        "approved": True,
        "head": HEAD,
        "base": BranchName("main"),
        "method": Method.SQUASH,
        "queued": True,
        "shared_with": (),
        "reviews": reviews,
        "unread": unread or {},
    }
    return Approval.model_validate(fields | more)


def after(minutes: float, *, requeued: float = 0) -> Since:
    """Return the time since its head came, and since it was queued again."""
    return Since(START + timedelta(minutes=minutes), START + timedelta(minutes=requeued), START)


def decided(
    *reviews: Review, asked: ReviewersTable = ONE, since: Since | None = None
) -> Lacks | None:
    """Return what is decided of a head with these reviews, early on unless said."""
    return decide_reviewed(asked, answer(*reviews), {HEAD}, since or after(2))


def code(lacks: Lacks | None) -> Code | None:
    """Return the code of a lack; None where there is none."""
    return None if lacks is None else lacks.code


def test_a_change_waits_for_each_required_reviewers_review_of_its_head() -> None:
    both = ReviewersTable(required=("octocat", TEAM))
    member = review(APPROVED, "hubot", stands_for=(TEAM,))

    assert code(decided()) is Code.WAIT_REVIEW
    assert code(decided(review(APPROVED, commit=OLDER))) is Code.WAIT_REVIEW
    assert code(decided(review(APPROVED, "hubot"))) is Code.WAIT_REVIEW
    assert code(decided(review(APPROVED), asked=both)) is Code.WAIT_REVIEW
    assert decided(review(APPROVED)) is None
    assert decided(review(APPROVED), member, asked=both) is None


def test_a_base_without_required_reviewers_asks_for_none() -> None:
    assert decided(review(REQUESTED), asked=ReviewersTable()) is None


def test_a_review_of_a_commit_that_the_head_only_brings_the_base_into_is_one_of_the_head() -> None:
    older = answer(review(APPROVED, commit=OLDER))
    assert decide_reviewed(ONE, older, {HEAD, OLDER}, after(2)) is None


def test_one_that_asks_for_changes_has_it_handed_back_and_says_who() -> None:
    lacks = decided(review(REQUESTED))

    assert lacks == Lacks(Code.KICK_REVIEW, f"`octocat` asks for changes to `{HEAD[:12]}`.")
    assert code(decided(review(REQUESTED, commit=OLDER))) is Code.WAIT_REVIEW


def test_a_member_who_asks_for_changes_speaks_for_the_team_whoever_else_of_it_approves() -> None:
    asked = ReviewersTable(required=(TEAM,))
    against = review(REQUESTED, "hubot", 2, stands_for=(TEAM,))
    other = review(APPROVED, "monalisa", 3, stands_for=(TEAM,))

    for reviews in ([against], [against, other]):
        lacks = decided(*reviews, asked=asked)
        assert lacks is not None
        assert lacks.code is Code.KICK_REVIEW
        assert "`hubot`, for `@acme/security`, asks for changes" in lacks.reason


def test_the_newest_review_of_an_account_counts_and_a_comment_takes_nothing_back() -> None:
    assert decided(review(REQUESTED, minute=1), review(APPROVED, minute=2)) is None
    assert decided(review(APPROVED, minute=1), review(COMMENTED, minute=2)) is None
    again = decided(review(APPROVED, minute=1), review(REQUESTED, minute=2))
    assert code(again) is Code.KICK_REVIEW
    still = decided(review(REQUESTED, minute=1), review(COMMENTED, minute=2))
    assert code(still) is Code.KICK_REVIEW
    assert code(decided(review(DISMISSED))) is Code.WAIT_REVIEW


def test_a_comment_is_an_answer_of_those_alone_who_only_comment() -> None:
    comments = ONE.model_copy(update={"comments": ("octocat",)})

    assert code(decided(review(COMMENTED))) is Code.WAIT_REVIEW
    assert decided(review(COMMENTED), asked=comments) is None


def test_one_who_never_answers_has_it_handed_back_once_the_wait_is_over() -> None:
    assert code(decided(since=after(29))) is Code.WAIT_REVIEW
    lacks = decided(since=after(30))

    assert lacks == Lacks(
        Code.KICK_REVIEW,
        f"It lacks a review of `{HEAD[:12]}` by `octocat`, and has waited 30 minutes for it.",
    )


def test_a_change_queued_again_waits_anew_and_so_does_one_that_nobody_remembers() -> None:
    assert code(decided(since=after(40, requeued=35))) is Code.WAIT_REVIEW
    assert code(decided(since=after(65, requeued=35))) is Code.KICK_REVIEW
    assert code(decided(since=Since(START + timedelta(days=9)))) is Code.WAIT_REVIEW


def test_an_approval_given_since_stands_in_for_one_who_asked_for_changes() -> None:
    against = review(REQUESTED, minute=2)

    assert code(decided(review(APPROVED, "hubot", 1), against)) is Code.KICK_REVIEW
    assert decided(against, review(APPROVED, "hubot", 3)) is None
    stranger = review(APPROVED, "hubot", 3, collaborator=False)
    assert code(decided(against, stranger)) is Code.KICK_REVIEW


def test_nobody_stands_in_for_one_who_never_answered_whatever_is_remembered() -> None:
    for since in (after(40, requeued=35), after(99), Since()):
        lacks = decided(review(APPROVED, "hubot", 60), since=since)
        assert lacks is not None


def test_a_required_reviewer_stands_in_for_no_other() -> None:
    both = ReviewersTable(required=("octocat", "hubot"), wait=WAIT)
    hubot = review(APPROVED, "hubot", 31, stands_for=("hubot",))

    assert code(decided(review(REQUESTED), hubot, asked=both)) is Code.KICK_REVIEW


@pytest.mark.parametrize("minutes", [2, 99])
def test_what_this_credential_cannot_tell_is_left_to_the_one_that_merges(minutes: int) -> None:
    asked = ReviewersTable(required=(TEAM,), wait=WAIT)
    hidden = {TEAM: "its members are not shown"}
    somebody = answer(review(APPROVED, "hubot"), unread=hidden)
    against = answer(review(REQUESTED, "hubot"), unread=hidden)

    may_be = decide_reviewed(asked, somebody, {HEAD}, after(minutes))
    assert may_be is not None
    assert may_be.untold
    assert TEAM in may_be.reason
    # Nobody approved it, so the team did not; but whose request this is, is not known.
    assert code(decide_reviewed(asked, against, {HEAD}, after(minutes))) is Code.WAIT_REVIEW
    nobody = decide_reviewed(asked, answer(unread=hidden), {HEAD}, after(minutes))
    assert code(nobody) is (Code.WAIT_REVIEW if minutes < 30 else Code.KICK_REVIEW)


def test_a_provider_that_tells_of_no_reviews_makes_changes_wait_and_blames_nobody() -> None:
    lacks = decide_reviewed(ONE, answer(reviews=None), {HEAD}, after(99))
    assert code(lacks) is Code.WAIT_REVIEW


def test_the_time_a_head_waits_is_what_the_queue_remembers_of_that_very_head() -> None:
    entry = Entry(
        id=queued("1", "a").id,
        head=HEAD,
        first_queued_at=START,
        queued_at=START + timedelta(minutes=5),
        head_at=START + timedelta(minutes=9),
    )
    now = START + timedelta(hours=1)

    assert since_of(entry, HEAD, now) == Since(now, entry.queued_at, entry.head_at)
    assert since_of(entry, OLDER, now) == since_of(None, HEAD, now) == Since(now)


def test_who_approves_a_head_is_told_in_the_order_in_which_they_did() -> None:
    told = answer(
        review(APPROVED, "hubot", 3),
        review(APPROVED, "monalisa", 2),
        review(APPROVED, "older", 1, commit=OLDER),
        review(APPROVED, "octocat", 1),
        review(REQUESTED, "octocat", 4),
    )
    assert approvers_of(told, {HEAD}) == ("monalisa", "hubot")
    assert approvers_of(answer(reviews=None), {HEAD}) == ()


def test_a_request_for_changes_is_told_before_that_it_is_not_approved() -> None:
    change = queued("1", "a")
    lacks = Lacks(Code.KICK_REVIEW, "`octocat` asks for changes.")
    facts = AsItIs(
        change,
        answer(approved=False, head=change.head),
        change.head,
        readable=True,
        lacks=lacks,
    )

    decision = decide_as_it_is(facts, (Method.SQUASH,), TIP)

    assert decision is not None
    assert (decision.decision, decision.code) == (Decision.KICK, Code.KICK_REVIEW)
    assert decision.report.startswith(lacks.reason)


_REVIEWS = st.lists(
    st.builds(
        review,
        st.sampled_from(list(ReviewState)),
        st.sampled_from(["octocat", "hubot", "monalisa"]),
        st.integers(1, 60),
        commit=st.sampled_from([HEAD, OLDER]),
        collaborator=st.booleans(),
    ),
    max_size=6,
)


@given(_REVIEWS, st.integers(1, 90))
def test_no_change_goes_on_without_an_approval_of_its_head(
    reviews: list[Review], minutes: int
) -> None:
    lacks = decided(*reviews, since=after(minutes))

    at_head = [one for one in reviews if one.commit == HEAD]
    if lacks is None:
        assert any(one.state is APPROVED for one in at_head)
        assert any(one.by == "octocat" for one in at_head)
    elif lacks.code is Code.KICK_REVIEW:
        asked = any(one.state is REQUESTED and one.by == "octocat" for one in at_head)
        assert asked or minutes >= 30
