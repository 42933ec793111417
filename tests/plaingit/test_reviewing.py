"""Reviews as the records of a plain-git queue keep them."""

from datetime import UTC, datetime

import pytest

from mergequeue.documents.provider import Approval, ApprovalQuestion
from mergequeue.documents.review import Review
from mergequeue.plaingit.intents import intents_of
from mergequeue.plaingit.reviewing import Given, reviewed
from mergequeue.plaingit.state import State
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import NO_SUCH_CHANGE, USAGE, MergequeueError
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import ChangeId, CommitId, RefName
from mergequeue.vocabulary.words import Mark, ReviewState
from tests.plaingit.world import STATE, Machine, World

JANE = Identity("Jane Doe", "Jane@example.invalid")
AUTHOR = Identity("Somebody", "Author@example.invalid")
FIX = ChangeId("fix")
REQUIRED = ("jane@example.invalid", "Jane Doe <jane@example.invalid>", "jane")


def given(state: ReviewState = ReviewState.APPROVED, by: Identity = JANE, **more: str) -> Given:
    return Given(by, state, **more)


def told(machine: Machine, reviewers: tuple[str, ...] = REQUIRED) -> Approval:
    """Return how the change stands, where these reviewers are required."""
    change = machine.change("fix")
    question = ApprovalQuestion(change=change, commit=change.head, reviewers=reviewers)
    answer = machine.reads.approvals_at([question])[FIX]
    assert isinstance(answer, Approval)
    return answer


def test_a_review_is_told_to_every_machine_with_whom_it_counts_for(
    world: World, machine: Machine
) -> None:
    head = world.queue("fix", {"a": "2\n"})
    machine.mark(Mark.QUEUED, "fix")

    reviewed = machine.writes.review(FIX, given(remark="Good."))

    answer = told(world.machine())
    assert answer.reviews is not None
    (review,) = answer.reviews
    assert reviewed == review.commit == head
    assert (review.by, review.state, review.remark) == (
        str(JANE),
        ReviewState.APPROVED,
        "Good.",
    )
    assert review.stands_for == REQUIRED[:2]
    assert review.collaborator
    assert answer.approved
    assert machine.approval(machine.change("fix")).reviews is None
    assert world.state_log()[0] == f"fix: {JANE} approved {head[:12]}\n"


def test_the_newest_review_of_each_is_kept_and_the_log_has_them_all(
    world: World, machine: Machine
) -> None:
    world.queue("fix", {"a": "2\n"})
    other = Identity("jane doe", "jane@example.invalid")
    machine.writes.review(FIX, given(ReviewState.CHANGES_REQUESTED))
    machine.writes.review(FIX, given(by=Identity("Other", "other@example.invalid")))
    machine.writes.review(FIX, given(by=other))

    reviews = told(machine).reviews or ()

    assert [(one.by, one.state) for one in reviews] == [
        ("Other <other@example.invalid>", ReviewState.APPROVED),
        (str(other), ReviewState.APPROVED),
    ]
    assert [line.split()[1:4] for line in world.state_log()][-1][0] == "Jane"


def test_a_review_outlives_a_kick_back_and_goes_with_the_change(
    world: World, machine: Machine
) -> None:
    world.queue("fix", {"a": "2\n"})
    machine.writes.review(FIX, given())
    machine.kick(machine.change("fix"))
    machine.writes.requeue(FIX)
    assert told(machine).reviews

    machine.merge(machine.change("fix"))
    world.queue("fix", {"b": "2\n"}, on=world.tip())
    assert told(machine).reviews == ()


def test_as_many_reviews_are_kept_as_the_limit_says() -> None:
    intent = intents_of({RefName("refs/heads/mq/squash/fix"): CommitId("a" * 40)})[0]
    state = State()
    for number in range(limits.REVIEWS_REMEMBERED + 1):
        review = Review(
            by=f"R{number} <r{number}@example.invalid>",
            state=ReviewState.APPROVED,
            commit=intent.head,
            at=datetime(2030, 1, 1, tzinfo=UTC),
        )
        state = reviewed(state, intent, review).state
    kept = state.changes[FIX].reviews
    assert len(kept) == limits.REVIEWS_REMEMBERED
    assert kept[0].by.startswith("R1 ")


@pytest.mark.parametrize("by", ["own", "moved", "none"])
def test_a_review_of_ones_own_head_of_another_head_or_of_nothing_is_refused(
    world: World, machine: Machine, by: str
) -> None:
    world.queue("fix", {"a": "2\n"})
    asked = {
        "own": (FIX, given(by=AUTHOR)),
        "moved": (FIX, given(commit="0" * 12)),
        "none": (ChangeId("none"), given()),
    }

    with pytest.raises(MergequeueError) as raised:
        machine.writes.review(*asked[by])

    assert raised.value.code == (NO_SUCH_CHANGE if by == "none" else USAGE).code
    assert "fix" in raised.value.problem or by == "none"
    assert STATE not in world.playground.refs()
