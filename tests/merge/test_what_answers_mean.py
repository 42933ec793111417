"""What became of a merge is read from the base, whatever the provider answers (DESIGN, Rulings 9;
CASES, C and D).
"""

import pytest

from mergequeue.vocabulary.errors import PROVIDER_FAILED, STATUS_FAILED, MergequeueError
from mergequeue.vocabulary.words import EventKind, Mark, Method, StatusState
from tests.support.applying import Queue, open_queue
from tests.support.forge import Forge, Knob
from tests.support.landings import edit, make_forge, pull, stack, text
from tests.support.repositories import Playground


@pytest.fixture
def forge(playground: Playground) -> Forge:
    forge = make_forge(playground)
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    return forge


def applied(forge: Forge, *knobs: Knob) -> Queue:
    forge.knobs[pull(forge, "1").id] = list(knobs)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    return queue


@pytest.mark.parametrize("knobs", [(), (Knob.MERGES_ITSELF,)])
def test_a_merge_is_told_with_what_was_handed_over_and_where_it_is(
    forge: Forge, knobs: tuple[Knob, ...]
) -> None:
    head = forge.head("1")
    [told] = applied(forge, *knobs).heard.of(EventKind.MERGED)
    assert told.commit == head
    assert told.reason == f"on main as {forge.playground.tip('main')[:12]}"


def test_two_hundred_with_merged_false_is_not_merged_and_keeps_its_place(forge: Forge) -> None:
    queue = applied(forge, Knob.SAYS_NO)
    assert queue.codes() == {"1": "WAIT_PROVIDER_REFUSED"}
    assert "Pull Request is not mergeable" in queue.ended["1"].reason
    assert [post.state for post in forge.posts] == [
        StatusState.SUCCESS,
        StatusState.PENDING,
        StatusState.PENDING,
    ]
    assert pull(forge, "1").queued


def test_a_refused_merge_is_asked_for_once_a_run(forge: Forge) -> None:
    forge.refusals[pull(forge, "1").id] = "conversation must be resolved"
    queue = applied(forge)
    assert queue.codes() == {"1": "WAIT_PROVIDER_REFUSED"}
    assert len(forge.merge_requests) == 1
    assert "conversation must be resolved" in forge.statuses[forge.head("1")][1]


def test_an_answer_that_says_no_while_the_base_carries_the_tree_is_merged(forge: Forge) -> None:
    queue = applied(forge, Knob.SAYS_NO_BUT_MERGES)
    assert queue.codes() == {"1": "merged"}
    assert queue.heard.of(EventKind.MERGED)[0].by_provider is True


def test_a_merge_that_the_provider_made_on_its_own_is_told_as_its_own(forge: Forge) -> None:
    queue = applied(forge, Knob.MERGES_ITSELF)
    assert queue.heard.of(EventKind.MERGED)[0].by_provider is True


def test_a_call_that_fails_after_it_merged_is_merged_and_not_asked_again(forge: Forge) -> None:
    queue = applied(forge, Knob.FAILS_AFTER_MERGING)
    assert queue.codes() == {"1": "merged"}
    assert len(forge.merge_requests) == 1
    assert pull(forge, "1").mark is Mark.NONE


def test_a_call_that_fails_with_the_base_unmoved_is_asked_once_more_with_the_same_pin(
    forge: Forge,
) -> None:
    queue = applied(forge, Knob.FAILS)
    assert queue.codes() == {"1": "merged"}
    first, second = forge.merge_requests
    assert first == second


def test_a_call_that_fails_twice_waits(forge: Forge) -> None:
    queue = applied(forge, Knob.FAILS, Knob.FAILS)
    assert queue.codes() == {"1": "WAIT_PROVIDER_REFUSED"}
    assert forge.statuses[forge.head("1")][0] is StatusState.PENDING


def test_a_base_that_moved_first_is_validated_again_and_never_a_kick(forge: Forge) -> None:
    queue = applied(forge, Knob.BASE_MOVES)
    assert queue.codes() == {"1": "WAIT_REVALIDATE"}
    assert forge.statuses[forge.head("1")][0] is StatusState.PENDING


@pytest.mark.parametrize(
    ("knob", "code"),
    [
        (Knob.BASE_MOVES_AND_MERGES, "MQ3011"),
        (Knob.WRONG_TREE, "MQ3011"),
        (Knob.SAYS_YES, "MQ3011"),
        (Knob.WRONG_SHAPE, "MQ3012"),
    ],
)
def test_a_base_that_is_not_as_predicted_stops_all(forge: Forge, knob: Knob, code: str) -> None:
    forge.open("2", edit(forge, "b/new.txt", "new\n"))
    forge.knobs[pull(forge, "1").id] = [knob]
    with open_queue(forge, units=("a", "b")) as queue:
        queue.plan()
        queue.judge()
        with pytest.raises(MergequeueError) as stopped:
            queue.apply()
    assert stopped.value.code == code
    assert [request.change.id for request in forge.merge_requests] == ["1"]
    assert forge.list_green_now() == []


def test_a_success_that_cannot_be_posted_stops_all_with_nothing_merged(forge: Forge) -> None:
    def refuse() -> None:
        raise PROVIDER_FAILED("403 Resource not accessible by integration")

    forge.open("2", edit(forge, "b/new.txt", "new\n"))
    forge.before["post_status 1 success"] = [refuse]
    with open_queue(forge, units=("a", "b")) as queue:
        queue.plan()
        queue.judge()
        with pytest.raises(MergequeueError) as stopped:
            queue.apply()
    assert stopped.value.code == STATUS_FAILED.code
    assert "403" in stopped.value.problem
    assert forge.merge_requests == []
    assert forge.list_green_now() == []


def test_an_intent_withdrawn_right_before_the_merge_stops_it(forge: Forge) -> None:
    def withdraw() -> None:
        pull(forge, "1").queued = False

    forge.before["approvals_at 1"] = [lambda: None, lambda: None, withdraw]
    queue = applied(forge)
    assert queue.codes() == {"1": "WAIT_WITHDRAWN"}
    assert forge.merge_requests == []
    assert forge.kicks == []
    assert pull(forge, "1").mark is Mark.NONE


def test_an_intent_withdrawn_while_the_provider_merged_waits_for_being_queued(forge: Forge) -> None:
    def withdraw() -> None:
        pull(forge, "1").queued = False

    forge.before["merge_change 1"] = [withdraw]
    forge.refusals[pull(forge, "1").id] = "auto-merge is off"
    assert applied(forge).codes() == {"1": "WAIT_WITHDRAWN"}


def test_a_head_that_moved_right_before_the_merge_never_turns_green(forge: Forge) -> None:
    moved = edit(forge, "a/new.txt", "other\n")
    forge.before["approvals_at 1"] = [
        lambda: None,
        lambda: None,
        lambda: forge.push("1", moved),
    ]
    queue = applied(forge)
    assert queue.codes() == {"1": "WAIT_HEAD_MOVED"}
    assert [(post.commit, post.state) for post in forge.posts] == [(moved, StatusState.PENDING)]


def test_a_head_that_moved_before_it_was_looked_at_has_no_status_posted_on_the_old_one(
    forge: Forge,
) -> None:
    old, moved = forge.head("1"), edit(forge, "a/new.txt", "other\n")
    forge.before["approvals_at 1"] = [lambda: None, lambda: forge.push("1", moved)]
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "WAIT_HEAD_MOVED"}
    assert old not in forge.statuses


def test_a_base_that_moved_since_the_prediction_is_seen_before_the_status_turns_green(
    forge: Forge,
) -> None:
    forge.before["approvals_at 1"] = [
        lambda: None,
        lambda: None,
        lambda: forge.push_to_base({"b/two.txt": "moved\n"}),
    ]
    queue = applied(forge)
    assert queue.codes() == {"1": "WAIT_REVALIDATE"}
    assert forge.merge_requests == []
    assert StatusState.SUCCESS not in [post.state for post in forge.posts]


@pytest.mark.parametrize("method", [Method.SQUASH, Method.MERGE])
def test_a_change_that_somebody_merged_while_the_queue_worked_counts_as_merged(
    playground: Playground, method: Method
) -> None:
    forge = make_forge(playground)
    stack(forge, method)
    forge.before["approvals_at 1"] = [lambda: None, lambda: None, lambda: forge.merge_by_hand("1")]
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "merged", "3": "merged"}
    assert queue.heard.of(EventKind.MERGED)[0].by_provider is True
    assert text(forge, "a/three.txt") == "three\n"


@pytest.mark.parametrize("times", [1, 2])
def test_the_queues_own_push_is_looked_for_once_more_and_blamed_on_nobody(
    playground: Playground, times: int
) -> None:
    forge = make_forge(playground)
    _, two, _ = stack(forge)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        forge.late[two.id] = [None, *[forge.head("2")] * times]
        queue.apply()
    assert queue.code("2") == ("merged" if times == 1 else "WAIT_HEAD_MOVED")
    assert forge.kicks == []


def test_another_partition_goes_on_when_one_change_is_refused(forge: Forge) -> None:
    forge.open("2", edit(forge, "a/more.txt", "more\n"))
    forge.open("3", edit(forge, "b/new.txt", "new\n"))
    forge.refusals[pull(forge, "1").id] = "422 Validation Failed"
    with open_queue(forge, units=("a", "b")) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "WAIT_PROVIDER_REFUSED", "2": "WAIT_BEHIND", "3": "merged"}


def test_a_restack_by_the_provider_after_a_merge_makes_the_upper_change_wait(
    playground: Playground,
) -> None:
    forge = make_forge(playground)
    _, two, _ = stack(forge)
    same = forge.playground.commit({}, parents=forge.head("2"), message="Restacked\n")
    forge.before["mark 1 none"] = [lambda: forge.push("2", same)]
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "WAIT_HEAD_MOVED", "3": "WAIT_BELOW"}
    assert forge.statuses[forge.head(two.id)][0] is StatusState.PENDING
