"""Required reviewers, as apply reads them itself (seed 2, Pre-flights; issue 7)."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from mergequeue.documents.config import Configuration, ReviewersTable
from mergequeue.documents.memory import Entry
from mergequeue.documents.review import Review
from mergequeue.ports import Memory, Remembered
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Decision, ProviderMerges, ReviewState, StackMerge
from tests.support.applying import NOW, Queue, open_queue
from tests.support.forge import Forge
from tests.support.landings import edit, make_forge, pull
from tests.support.repositories import Playground

REVIEWED = Configuration(reviewers=ReviewersTable(required=("octocat",)))
APPROVED, REQUESTED = ReviewState.APPROVED, ReviewState.CHANGES_REQUESTED


@pytest.fixture
def forge(playground: Playground) -> Forge:
    forge = make_forge(playground)
    for id_ in ("1", "2"):
        forge.open(id_, edit(forge, f"{id_}/file.txt", f"{id_}\n"))
        review(forge, id_, APPROVED)
    return forge


def review(forge: Forge, id_: str, state: ReviewState) -> None:
    """Have the required reviewer review a head, later than whatever came before."""
    change = pull(forge, id_)
    at = NOW + timedelta(minutes=len(change.reviews))
    change.reviews.append(
        Review(
            by="octocat",
            state=state,
            commit=forge.head(id_),
            at=at,
            stands_for=("octocat",),
            collaborator=True,
        )
    )


def reviewed(queue: Queue) -> Queue:
    """Return a queue whose base requires the reviewer."""
    queue.configuration = REVIEWED
    return queue


def remember(queue: Queue, id_: str, minutes: int) -> None:
    """Have the queue remember that a change has waited so long."""
    at = NOW - timedelta(minutes=minutes)
    head = queue.forge.head(id_)
    entry = Entry(id=ChangeId(id_), head=head, first_queued_at=at, queued_at=at, head_at=at)
    queue.memory.remember(lambda _: Remembered(Memory(entries={entry.id: entry}), ("seen",)))


def test_a_change_without_its_review_waits_and_holds_up_none_behind_it(forge: Forge) -> None:
    pull(forge, "1").reviews.clear()

    with open_queue(forge) as made:
        queue = reviewed(made)
        queue.plan()
        queue.judge()
        queue.apply()

    assert queue.codes() == {"1": "WAIT_REVIEW", "2": "merged"}
    assert "a review of" in queue.ended["1"].reason
    assert "by octocat; it goes on once they have reviewed it" in queue.ended["1"].reason


@pytest.mark.parametrize("reads", [0, 1])
def test_a_review_that_goes_before_the_merge_stops_it(forge: Forge, reads: int) -> None:
    asks: list[Callable[[], object]] = [lambda: None] * reads
    asks.append(lambda: review(forge, "1", REQUESTED))

    with open_queue(forge) as made:
        queue = reviewed(made)
        queue.plan()
        queue.judge()
        forge.before["approvals_at 1"] = asks
        queue.apply()

    # Before its candidate is built again it is handed back, and right before its merge it waits.
    assert queue.code("1") == ("WAIT_REVALIDATE" if reads else "KICK_REVIEW")
    assert "1" not in [request.change.id for request in forge.merge_requests]


def test_one_dismissed_right_before_the_merge_is_waited_for_again(forge: Forge) -> None:
    with open_queue(forge) as made:
        queue = reviewed(made)
        queue.plan()
        queue.judge()
        forge.before["approvals_at 1"] = [
            lambda: None,
            lambda: review(forge, "1", ReviewState.DISMISSED),
        ]
        queue.apply()

    assert queue.code("1") == "WAIT_REVIEW"


def test_a_batch_of_which_one_lacks_its_review_by_then_merges_none_of_it(forge: Forge) -> None:
    forge.batch_merge, forge.merges = StackMerge.ATOMIC, ProviderMerges.EXACT
    forge.open("3", edit(forge, "1/more.txt", "3\n"))
    review(forge, "3", APPROVED)

    with open_queue(forge) as made:
        queue = reviewed(made)
        queue.plan(batch=3)
        queue.judge(batches=True)
        forge.before["approvals_at 3"] = [
            lambda: None,
            lambda: review(forge, "3", ReviewState.DISMISSED),
        ]
        queue.apply()

    assert queue.code("3") == "WAIT_REVIEW"
    assert forge.merge_requests == []


def test_one_that_asks_for_changes_has_it_handed_back_in_the_queues_own_words(
    forge: Forge,
) -> None:
    review(forge, "1", REQUESTED)

    with open_queue(forge) as made:
        queue = reviewed(made)
        queue.plan()
        queue.judge()
        queue.apply()

    assert queue.codes() == {"1": "KICK_REVIEW", "2": "merged"}
    (kick,) = forge.kicks
    assert kick.report.startswith(f"`octocat` asks for changes to `{forge.head('1')[:12]}`.\n")
    assert "Settle that by a push, or by a review of its head" in kick.report


def test_one_who_never_answers_has_it_handed_back_once_it_waited_that_long(forge: Forge) -> None:
    pull(forge, "1").reviews.clear()

    with open_queue(forge) as made:
        queue = reviewed(made)
        remember(queue, "1", minutes=29)
        queue.plan()
        queue.apply()
        early = queue.code("1")
        remember(queue, "1", minutes=30)
        queue.plan()
        queue.apply()

    assert (early, queue.code("1")) == ("WAIT_REVIEW", "KICK_REVIEW")
    assert "has waited 30 minutes for it" in forge.kicks[0].report


def test_nobody_is_blamed_for_a_review_on_the_plans_word_alone(forge: Forge) -> None:
    review(forge, "1", REQUESTED)

    with open_queue(forge) as made:
        queue = reviewed(made)
        plan = queue.plan()
        assert [(v.decision, v.code) for v in plan.verdicts] == [(Decision.KICK, Code.KICK_REVIEW)]
        review(forge, "1", APPROVED)
        queue.judge()
        queue.apply()

    assert queue.codes() == {"1": "WAIT_REVALIDATE", "2": "merged"}
    assert forge.kicks == []


def test_one_who_asked_for_changes_since_it_was_planned_has_it_handed_back(forge: Forge) -> None:
    pull(forge, "1").reviews.clear()

    with open_queue(forge) as made:
        queue = reviewed(made)
        queue.plan()
        review(forge, "1", REQUESTED)
        queue.apply()

    assert queue.code("1") == "KICK_REVIEW"


def test_each_that_waits_for_a_review_is_asked_about_once(forge: Forge) -> None:
    for id_ in ("1", "2"):
        pull(forge, id_).reviews.clear()

    with open_queue(forge) as made:
        queue = reviewed(made)
        queue.plan()
        forge.calls.clear()
        queue.apply()

    asked = [call for call in forge.calls if call.startswith("approvals_at")]
    assert asked == ["approvals_at 1", "approvals_at 2"]
    assert queue.codes() == dict.fromkeys("12", "WAIT_REVIEW")
