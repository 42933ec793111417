"""Where the provider merges batches whole, one lands in one call, each change in the shape of its
own method (seed 2, Landing).
"""

from collections.abc import Callable

import pytest

from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.words import CheckState, EventKind, Mark, StatusState
from tests.support.applying import Queue, open_queue
from tests.support.batch_forge import BatchForge, asked, make_batch_forge, open_batch
from tests.support.forge import Knob
from tests.support.landings import edit, parents, pull, text
from tests.support.repositories import Playground


@pytest.fixture
def forge(playground: Playground) -> BatchForge:
    forge = make_batch_forge(playground)
    open_batch(forge)
    return forge


def validated(queue: Queue, batch: int = 3) -> None:
    queue.plan(batch=batch)
    queue.judge(batches=True)


def applied(forge: BatchForge) -> Queue:
    with open_queue(forge) as queue:
        validated(queue)
        assert queue.apply().failure is None
    return queue


def test_each_change_of_a_batch_lands_by_its_own_method_in_one_call(forge: BatchForge) -> None:
    tip, two = forge.playground.tip("main"), forge.head("2")
    queue = applied(forge)
    assert queue.codes() == dict.fromkeys("1234", "merged")
    assert asked(forge) == [["1", "2", "3"], ["4"]]
    line = forge.playground.run("rev-list", "--first-parent", "refs/heads/main").decode().split()
    fourth, third, half, second, first = line[:5]
    assert parents(forge, pull(forge, "1").landed or tip) == [tip]
    assert [pull(forge, id_).landed for id_ in "1234"] == [first, second, third, fourth]
    assert parents(forge, pull(forge, "2").landed or tip) == [first, two]
    assert parents(forge, pull(forge, "3").landed or tip) == [half]
    assert [text(forge, f"a/{id_}.txt") for id_ in "1234"] == [f"{id_}\n" for id_ in "1234"]
    merged = queue.heard.of(EventKind.MERGED)
    assert [event.change for event in merged] == list("1234")
    assert [queue.ended[id_].commit for id_ in "1234"] == [first, second, third, fourth]
    assert [pull(forge, id_).mark for id_ in "1234"] == [Mark.NONE] * 4


def test_every_member_turns_green_from_the_bottom_and_none_earlier(forge: BatchForge) -> None:
    applied(forge)
    assert [(post.change, post.state) for post in forge.posts] == [
        (id_, StatusState.SUCCESS) for id_ in "1234"
    ]


def test_every_member_is_read_again_before_any_is_green(forge: BatchForge) -> None:
    with open_queue(forge) as queue:
        validated(queue)
        forge.calls.clear()
        queue.apply()
    calls = forge.calls[: forge.calls.index("post_status 1 success")]
    for id_ in "123":
        assert calls.count(f"approvals_at {id_}") == 2


def test_a_member_that_moved_drops_its_batch_and_those_above(forge: BatchForge) -> None:
    with open_queue(forge) as queue:
        validated(queue, batch=2)
        forge.push("2", edit(forge, "a/2.txt", "two\n"))
        queue.apply()
    assert queue.codes() == {
        "1": "WAIT_REVALIDATE",
        "2": "WAIT_HEAD_MOVED",
        "3": "WAIT_BEHIND",
        "4": "WAIT_BEHIND",
    }
    assert forge.merge_requests == []


def withdraw(forge: BatchForge) -> None:
    pull(forge, "2").queued = False


def retarget(forge: BatchForge) -> None:
    pull(forge, "2").base = "elsewhere"


def push(forge: BatchForge) -> None:
    forge.push("2", edit(forge, "a/2.txt", "two\n"))


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (withdraw, "WAIT_WITHDRAWN"),
        (retarget, "WAIT_RETARGET"),
        (push, "WAIT_HEAD_MOVED"),
    ],
)
def test_a_member_that_moves_right_before_the_merge_keeps_all_of_its_batch(
    forge: BatchForge, act: Callable[[BatchForge], None], code: str
) -> None:
    forge.before["approvals_at 2"] = [lambda: None, lambda: act(forge)]
    assert applied(forge).codes() == {
        "1": "WAIT_REVALIDATE",
        "2": code,
        "3": "WAIT_BEHIND",
        "4": "WAIT_BEHIND",
    }
    assert forge.merge_requests == []
    assert StatusState.SUCCESS not in {post.state for post in forge.posts}


def test_a_base_that_moves_right_before_the_merge_keeps_all_of_its_batch(
    forge: BatchForge,
) -> None:
    forge.before["required_checks 3"] = [
        lambda: None,
        lambda: forge.push_to_base({"outside": "moved\n"}),
    ]
    codes = applied(forge).codes()
    assert codes == {**dict.fromkeys("123", "WAIT_REVALIDATE"), "4": "WAIT_BEHIND"}
    assert forge.merge_requests == []


def test_a_base_that_moved_elsewhere_before_is_merged_onto(forge: BatchForge) -> None:
    with open_queue(forge) as queue:
        validated(queue)
        forge.push_to_base({"outside": "moved\n"})
        queue.apply()
    assert asked(forge) == [["1", "2", "3"], ["4"]]
    assert text(forge, "outside") == "moved\n"


def test_a_base_that_changed_what_one_member_changes_keeps_all_of_its_batch(
    forge: BatchForge,
) -> None:
    with open_queue(forge) as queue:
        validated(queue)
        forge.push_to_base({"a/3.txt": "by hand\n"})
        queue.apply()
    assert queue.codes() == {**dict.fromkeys("123", "WAIT_REVALIDATE"), "4": "WAIT_BEHIND"}
    assert forge.merge_requests == []


def test_a_member_that_the_base_has_already_goes_on_without_it(forge: BatchForge) -> None:
    with open_queue(forge) as queue:
        validated(queue)
        forge.merge_by_hand("1")
        queue.apply()
    assert queue.codes() == dict.fromkeys("1234", "merged")
    assert asked(forge) == [["2", "3"], ["4"]]


def test_a_batch_of_a_stack_lands_in_one_call_too(playground: Playground) -> None:
    forge = make_batch_forge(playground)
    one = edit(forge, "a/x.txt", "1\n")
    two = edit(forge, "a/x.txt", "1\n2\n", on=one)
    forge.open("1", one)
    forge.open("2", two)
    forge.open("3", edit(forge, "a/y.txt", "y\n", on=two))
    assert applied(forge).codes() == dict.fromkeys("123", "merged")
    assert asked(forge) == [["1", "2", "3"]]
    assert text(forge, "a/x.txt") == "1\n2\n"


def test_a_member_whose_checks_have_to_run_again_keeps_all_of_its_batch(
    forge: BatchForge,
) -> None:
    forge.required = ("build",)
    forge.checks[forge.head("2"), "build"] = CheckState.FAILURE
    with open_queue(forge) as queue:
        validated(queue)
        forge.push_to_base({"outside": "moved\n"})
        queue.apply()
    assert queue.codes() == {
        "1": "WAIT_REVALIDATE",
        "2": "WAIT_CHECKS",
        "3": "WAIT_BEHIND",
        "4": "WAIT_BEHIND",
    }
    assert forge.merge_requests == []
    files = forge.playground.files(forge.head("2"))
    assert files[b"outside"] == b"moved\n"
    assert b"a/1.txt" not in files, "only the base is brought in"


def test_nobody_to_commit_keeps_all_of_a_batch(forge: BatchForge) -> None:
    forge.committer = None
    with open_queue(forge) as queue:
        validated(queue)
        queue.apply()
    assert queue.code("1") == "WAIT_NO_COMMITTER"
    assert forge.merge_requests == []


@pytest.mark.parametrize("knob", [Knob.SAYS_NO, Knob.FAILS])
def test_a_refused_call_leaves_every_member_waiting_and_none_green(
    forge: BatchForge, knob: Knob
) -> None:
    forge.knobs[pull(forge, "3").id] = [knob]
    codes = applied(forge).codes()
    assert codes == {**dict.fromkeys("123", "WAIT_PROVIDER_REFUSED"), "4": "WAIT_BEHIND"}
    assert asked(forge) == [["1", "2", "3"]]
    assert forge.list_green_now() == []


@pytest.mark.parametrize("knob", [Knob.SAYS_NO_BUT_MERGES, Knob.FAILS_AFTER_MERGING])
def test_what_the_base_carries_is_merged_whatever_the_answer(forge: BatchForge, knob: Knob) -> None:
    forge.knobs[pull(forge, "3").id] = [knob]
    assert applied(forge).codes() == dict.fromkeys("1234", "merged")


def test_a_batch_merged_in_part_tells_that_part_sets_the_rest_back_and_stops(
    forge: BatchForge,
) -> None:
    forge.merges_only = 2
    with open_queue(forge) as queue:
        validated(queue)
        with pytest.raises(MergequeueError) as stopped:
            queue.apply()
    assert stopped.value.code == "MQ3011"
    assert "the batch 1, 2, 3 was to merge in one call" in stopped.value.problem
    assert [event.change for event in queue.heard.of(EventKind.MERGED)] == ["1", "2"]
    assert forge.statuses[forge.head("3")][0] is StatusState.PENDING
    assert forge.list_green_now() == []


@pytest.mark.parametrize(
    ("knob", "code"), [(Knob.WRONG_TREE, "MQ3011"), (Knob.WRONG_SHAPE, "MQ3012")]
)
def test_a_base_that_is_not_as_predicted_stops_all(
    forge: BatchForge, knob: Knob, code: str
) -> None:
    forge.knobs[pull(forge, "3").id] = [knob]
    with open_queue(forge) as queue:
        validated(queue)
        with pytest.raises(MergequeueError) as stopped:
            queue.apply()
    assert stopped.value.code == code
    assert forge.list_green_now() == []
    assert not pull(forge, "4").landed


def test_a_dry_run_asks_for_nothing(forge: BatchForge) -> None:
    with open_queue(forge) as queue:
        validated(queue)
        queue.apply(dry_run=True)
    assert queue.codes() == dict.fromkeys("1234", "merged")
    assert forge.merge_requests == []
