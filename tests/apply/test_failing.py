"""What passed its gate and fails to land three times in a row leaves the queue, and nobody is
blamed (seed 2, Landing).
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.apply.failing import Failure, decide_failed, remember_failure, times_of
from mergequeue.apply.outcomes import Kick
from mergequeue.documents.provider import Pin
from mergequeue.ports import NOTHING_REMEMBERED, Memory
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import PROVIDER_FAILED
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import CheckState, EventKind
from tests.support.applying import Queue, open_queue
from tests.support.batch_forge import asked, make_batch_forge, open_batch
from tests.support.graphs import commit_id
from tests.support.landings import edit, make_forge, pull
from tests.support.repositories import Playground

WORDS = "the remote's hook says `no` @everyone"


def failure(tip: str = "tip", *heads: str) -> Failure:
    pins = tuple(Pin(id=ChangeId(head[0]), commit=commit_id(head)) for head in heads or ("a",))
    return Failure(commit_id(tip), pins, "no")


@given(
    st.lists(st.tuples(st.sampled_from(["t", "u"]), st.sampled_from(["a", "b", "a2"])), max_size=12)
)
def test_only_the_same_heads_on_the_same_tip_count_and_the_third_time_is_the_last(
    failures: list[tuple[str, str]],
) -> None:
    memory: Memory = NOTHING_REMEMBERED
    counts: dict[tuple[str, str], int] = {}
    for tip, head in failures:
        failed = failure(tip, head)
        counts = {key: count for key, count in counts.items() if key[0] == tip}
        counts[tip, head] = counts.get((tip, head), 0) + 1
        times = times_of(memory, failed)
        assert times == counts[tip, head]
        assert (decide_failed(failed, times) is not None) is (times == 3)
        remembered = remember_failure(memory, failed)
        assert len(remembered.lines) == 1
        memory = remembered.memory
        if times == 3:
            del counts[tip, head]
    assert {(one.tip, one.changes[0].commit): one.count for one in memory.hints.landings} == {
        (commit_id(tip), commit_id(head)): count for (tip, head), count in counts.items()
    }


def test_a_batch_is_told_so_of_all_its_members_with_the_last_error_as_text() -> None:
    kick = decide_failed(failure("tip", "a", "b"), 3)
    assert isinstance(kick, Kick)
    assert kick.code is Code.KICK_LANDING
    assert kick.detail.startswith(
        "Its batch passed its checks, but failed to land 3 times in a row"
    )
    assert kick.detail.endswith("`no`.")


def again(queue: Queue, *, batch: int = 1) -> None:
    """Validate and apply anew, as the next run on another machine does."""
    queue.plan(batch=batch)
    queue.judge(batches=True)
    queue.apply()


def test_the_third_time_in_a_row_it_leaves_the_queue_whatever_was_restarted(
    playground: Playground,
) -> None:
    forge = make_forge(playground)
    forge.open("1", edit(forge, "a/1.txt", "1\n"))
    forge.refusals[pull(forge, "1").id] = WORDS
    with open_queue(forge) as queue:
        for _ in range(2):
            again(queue)
            assert queue.code("1") == "WAIT_PROVIDER_REFUSED"
        again(queue)
    assert queue.code("1") == "KICK_LANDING"
    (kick,) = forge.kicks
    assert "it is not its author's fault" in kick.report
    assert "failed to land 3 times in a row" in kick.report
    assert f"the last time with ``the provider refused the merge: {WORDS}``." in kick.report
    assert not pull(forge, "1").queued


def test_queued_again_it_is_tried_three_times_again(playground: Playground) -> None:
    forge = make_forge(playground)
    forge.open("1", edit(forge, "a/1.txt", "1\n"))
    forge.refusals[pull(forge, "1").id] = WORDS
    with open_queue(forge) as queue:
        for _ in range(3):
            again(queue)
        pull(forge, "1").queued = True
        again(queue)
        assert queue.code("1") == "WAIT_PROVIDER_REFUSED"
        del forge.refusals[pull(forge, "1").id]
        again(queue)
    assert queue.code("1") == "merged"


@pytest.mark.parametrize("moves", ["the base", "its head"])
def test_a_base_or_a_head_that_moves_between_begins_the_count_anew(
    playground: Playground, moves: str
) -> None:
    forge = make_forge(playground)
    forge.open("1", edit(forge, "a/1.txt", "1\n"))
    forge.refusals[pull(forge, "1").id] = WORDS
    with open_queue(forge) as queue:
        for _ in range(2):
            again(queue)
        if moves == "the base":
            forge.push_to_base({"outside": "moved\n"})
        else:
            forge.push("1", edit(forge, "a/1.txt", "one\n"))
        for _ in range(2):
            again(queue)
            assert queue.code("1") == "WAIT_PROVIDER_REFUSED"
        again(queue)
    assert queue.code("1") == "KICK_LANDING"


def test_a_batch_that_merges_in_one_call_leaves_whole(playground: Playground) -> None:
    forge = make_batch_forge(playground)
    open_batch(forge)
    forge.refusals[pull(forge, "3").id] = WORDS
    with open_queue(forge) as queue:
        for _ in range(2):
            again(queue, batch=3)
        again(queue, batch=3)
    assert asked(forge) == [["1", "2", "3"]] * 3
    assert queue.codes() == {**dict.fromkeys("123", "KICK_LANDING"), "4": "WAIT_BEHIND"}
    assert all("Its batch passed its checks" in kick.report for kick in forge.kicks)
    assert len(queue.memory.log) == len([line for line in queue.memory.log if line]) >= 3


def test_a_batch_that_merges_member_by_member_loses_only_the_one_that_is_refused(
    playground: Playground,
) -> None:
    forge = make_forge(playground)
    open_batch(forge)
    forge.refusals[pull(forge, "1").id] = WORDS
    with open_queue(forge) as queue:
        for _ in range(3):
            again(queue, batch=3)
    assert queue.codes() == {"1": "KICK_LANDING", **dict.fromkeys("234", "WAIT_BEHIND")}


def test_a_landing_that_something_else_explains_is_not_counted(playground: Playground) -> None:
    forge = make_forge(playground)
    forge.required = ("build",)
    forge.open("1", edit(forge, "a/1.txt", "1\n"))
    forge.refusals[pull(forge, "1").id] = WORDS
    build = (forge.head("1"), "build")
    with open_queue(forge) as queue:
        for _ in range(2):
            again(queue)
        forge.before["required_checks 1"] = [
            lambda: None,
            lambda: forge.checks.update({build: CheckState.PENDING}),
        ]
        again(queue)
        assert queue.code("1") == "WAIT_CHECKS"
        del forge.checks[build]
        again(queue)
    assert queue.code("1") == "KICK_LANDING", "the third that nothing explains"


def test_what_cannot_be_remembered_waits_and_says_so(playground: Playground) -> None:
    forge = make_forge(playground)
    forge.open("1", edit(forge, "a/1.txt", "1\n"))
    forge.refusals[pull(forge, "1").id] = WORDS
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.memory.refuses = PROVIDER_FAILED("the remote is full")
        queue.apply()
    assert queue.code("1") == "WAIT_PROVIDER_REFUSED"
    notices = [event.reason for event in queue.heard.of(EventKind.NOTICE)]
    assert any("could not be remembered: the remote is full" in one for one in notices)
