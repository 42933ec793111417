"""Where the provider merges a stack as a whole, a validated run of one lands in one call (facts
3.12).
"""

import pytest

from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary.errors import PROVIDER_FAILED, MergequeueError
from mergequeue.vocabulary.words import (
    CheckState,
    EventKind,
    Mark,
    Method,
    ProviderMerges,
    StackMerge,
    StatusState,
)
from tests.support.applying import Queue, open_queue
from tests.support.forge import Knob
from tests.support.landings import LINES, edit, parents, pull, text
from tests.support.repositories import Playground
from tests.support.stack_forge import StackForge, declare_stack, make_stack_forge


@pytest.fixture
def forge(playground: Playground) -> StackForge:
    return make_stack_forge(playground)


def validated(queue: Queue, *, batch: int = 1) -> None:
    queue.plan(batch=batch)
    queue.judge(batches=batch > 1)


def applied(forge: StackForge) -> Queue:
    with open_queue(forge) as queue:
        validated(queue)
        assert queue.apply().failure is None
    return queue


def asked(forge: StackForge) -> list[list[str]]:
    """Return each call's changes, the top last."""
    return [
        [*(pin.id for pin in request.through), request.change.id]
        for request in forge.merge_requests
    ]


@pytest.mark.parametrize("method", [Method.SQUASH, Method.MERGE])
def test_a_stack_lands_in_one_call_through_its_top_with_a_pin_for_each_below(
    forge: StackForge, method: Method
) -> None:
    declare_stack(forge, method)
    heads = [forge.head(id_) for id_ in "123"]
    tip = forge.playground.tip("main")
    queue = applied(forge)
    assert queue.codes() == dict.fromkeys("123", "merged")
    (request,) = forge.merge_requests
    assert [pin.commit for pin in request.through] == heads[:2]
    assert (request.commit, request.message) == (heads[2], "* An edit\n")
    assert (text(forge, "a/one.txt"), text(forge, "a/three.txt")) == (LINES, "three\n")
    line = forge.playground.log("refs/heads/main")
    if method is Method.MERGE:
        assert parents(forge, line[0]) == [tip, heads[2]]
    else:
        assert line[3] == tip
    merged = queue.heard.of(EventKind.MERGED)
    assert [(event.change, event.commit) for event in merged] == list(
        zip("123", heads, strict=True)
    )
    assert [pull(forge, id_).mark for id_ in "123"] == [Mark.NONE] * 3


def test_every_member_turns_green_from_the_bottom_and_none_earlier(forge: StackForge) -> None:
    declare_stack(forge)
    applied(forge)
    assert [(post.change, post.state) for post in forge.posts] == [
        (id_, StatusState.SUCCESS) for id_ in "123"
    ]


def test_a_provider_that_does_not_say_so_is_asked_for_one_after_the_other(
    forge: StackForge,
) -> None:
    forge.stack_merge = StackMerge.SEQUENTIAL
    declare_stack(forge)
    assert applied(forge).codes() == dict.fromkeys("123", "merged")
    assert asked(forge) == [["1"], ["2"], ["3"]]


def test_a_dry_run_asks_for_nothing(forge: StackForge) -> None:
    declare_stack(forge)
    with open_queue(forge) as queue:
        validated(queue)
        queue.apply(dry_run=True)
    assert queue.codes() == dict.fromkeys("123", "merged")
    assert forge.merge_requests == []


def test_a_merge_that_the_queue_writes_is_nobodys_without_a_committer(forge: StackForge) -> None:
    forge.merges, forge.committer = ProviderMerges.EXACT, None
    declare_stack(forge)
    with open_queue(forge) as queue:
        validated(queue)
        queue.apply()
    assert queue.codes() == {"1": "WAIT_NO_COMMITTER", "2": "WAIT_BELOW", "3": "WAIT_BELOW"}
    assert forge.merge_requests == []


def test_a_run_waits_for_the_verdict_of_each_member_while_more_may_come(
    forge: StackForge,
) -> None:
    declare_stack(forge)
    with open_queue(forge) as queue:
        validated(queue)
        late: list[Verdict] = [queue.source.verdicts.pop()]
        queue.source.complete = False

        def arrives() -> None:
            assert forge.merge_requests == []
            queue.source.verdicts += late
            queue.source.complete = True

        queue.clock.while_asleep.append(arrives)
        queue.apply()
    assert asked(forge) == [["1", "2", "3"]]


def test_one_without_a_verdict_at_the_end_cuts_the_run(forge: StackForge) -> None:
    declare_stack(forge)
    with open_queue(forge) as queue:
        validated(queue)
        queue.source.verdicts.pop()
        queue.apply()
    assert asked(forge) == [["1", "2"]]
    assert queue.codes() == {"1": "merged", "2": "merged", "3": "WAIT_BEHIND"}


def test_a_red_member_cuts_the_run_and_those_above_wait(forge: StackForge) -> None:
    _, _, three = declare_stack(forge)
    four = forge.open("4", edit(forge, "a/four.txt", "4\n", on=forge.head("3")), parent=three.id)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge(red={"3"})
        queue.apply()
    assert asked(forge) == [["1", "2"]]
    assert queue.codes() == {
        "1": "merged",
        "2": "merged",
        "3": "KICK_RED",
        four.id: "WAIT_BELOW",
    }


def test_a_member_that_waits_cuts_the_run_and_those_above_wait(forge: StackForge) -> None:
    declare_stack(forge)
    with open_queue(forge) as queue:
        validated(queue)
        pull(forge, "2").approved_at = set()
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "WAIT_NOT_APPROVED", "3": "WAIT_BELOW"}
    assert asked(forge) == [["1"]]


def test_a_member_withdrawn_right_before_the_merge_cuts_the_run(forge: StackForge) -> None:
    declare_stack(forge)
    forge.before["approvals_at 3"] = [
        lambda: None,
        lambda: None,
        lambda: setattr(pull(forge, "3"), "queued", False),
    ]
    assert applied(forge).codes() == {"1": "merged", "2": "merged", "3": "WAIT_WITHDRAWN"}
    assert asked(forge) == [["1", "2"]]


def test_a_batch_that_is_cut_merges_nothing_of_it(forge: StackForge) -> None:
    declare_stack(forge)
    with open_queue(forge) as queue:
        validated(queue, batch=3)
        pull(forge, "3").approved_at = set()
        queue.apply()
    assert queue.codes() == {
        "1": "WAIT_REVALIDATE",
        "2": "WAIT_REVALIDATE",
        "3": "WAIT_NOT_APPROVED",
    }
    assert forge.merge_requests == []


def test_a_whole_batch_lands_in_one_call(forge: StackForge) -> None:
    declare_stack(forge)
    with open_queue(forge) as queue:
        validated(queue, batch=3)
        queue.apply()
    assert asked(forge) == [["1", "2", "3"]]


def test_a_base_that_moved_since_makes_every_member_wait(forge: StackForge) -> None:
    declare_stack(forge)
    forge.before["required_checks 3"] = [
        lambda: None,
        lambda: forge.push_to_base({"outside": "moved\n"}),
    ]
    assert applied(forge).codes() == dict.fromkeys("123", "WAIT_REVALIDATE")
    assert forge.merge_requests == []
    assert StatusState.SUCCESS not in {post.state for post in forge.posts}


def test_a_base_that_moved_elsewhere_before_is_merged_onto(forge: StackForge) -> None:
    declare_stack(forge)
    with open_queue(forge) as queue:
        validated(queue)
        forge.push_to_base({"outside": "moved\n"})
        queue.apply()
    assert asked(forge) == [["1", "2", "3"]]
    assert text(forge, "outside") == "moved\n"


def test_a_bottom_on_a_squashed_change_would_bring_lines_back_and_goes_alone(
    forge: StackForge,
) -> None:
    declare_stack(forge)
    forge.merge_by_hand("1")
    pull(forge, "2").parent = None
    assert applied(forge).codes() == dict.fromkeys("23", "merged")
    assert asked(forge) == [["2"], ["3"]]
    assert text(forge, "a/one.txt") == LINES


def test_a_member_whose_checks_have_to_run_again_has_the_stack_go_one_by_one(
    forge: StackForge,
) -> None:
    forge.required = ("build",)
    declare_stack(forge)
    forge.checks[(forge.head("3"), "build")] = CheckState.FAILURE
    with open_queue(forge) as queue:
        validated(queue)
        forge.push_to_base({"outside": "moved\n"})
        queue.apply()
    assert asked(forge)[0] == ["1"]
    assert queue.code("3") == "WAIT_CHECKS"


@pytest.mark.parametrize("knob", [Knob.SAYS_NO, Knob.FAILS])
def test_a_refused_call_leaves_every_member_waiting_and_none_green(
    forge: StackForge, knob: Knob
) -> None:
    _, _, top = declare_stack(forge)
    forge.knobs[top.id] = [knob]
    assert applied(forge).codes() == dict.fromkeys("123", "WAIT_PROVIDER_REFUSED")
    assert asked(forge) == [["1", "2", "3"]]
    assert forge.list_green_now() == []


@pytest.mark.parametrize("knob", [Knob.SAYS_NO_BUT_MERGES, Knob.FAILS_AFTER_MERGING])
def test_what_the_base_carries_is_merged_whatever_the_answer(forge: StackForge, knob: Knob) -> None:
    _, _, top = declare_stack(forge)
    forge.knobs[top.id] = [knob]
    assert applied(forge).codes() == dict.fromkeys("123", "merged")
    assert len(forge.merge_requests) == 1


@pytest.mark.parametrize("method", [Method.SQUASH, Method.MERGE])
def test_a_stack_merged_in_part_tells_that_part_sets_the_rest_back_and_stops(
    forge: StackForge, method: Method
) -> None:
    declare_stack(forge, method)
    forge.merges_only = 2
    with open_queue(forge) as queue:
        validated(queue)
        with pytest.raises(MergequeueError) as stopped:
            queue.apply()
    assert stopped.value.code == "MQ3011"
    assert "the stack 1, 2, 3 was to merge in one call" in stopped.value.problem
    assert [event.change for event in queue.heard.of(EventKind.MERGED)] == ["1", "2"]
    assert forge.statuses[forge.head("3")][0] is StatusState.PENDING
    assert forge.list_green_now() == []


@pytest.mark.parametrize(
    ("knob", "code", "told"),
    [
        (Knob.WRONG_TREE, "MQ3011", ["1", "2"]),
        (Knob.WRONG_SHAPE, "MQ3012", ["1", "2", "3"]),
        (Knob.SAYS_YES, "MQ3011", []),
        (Knob.BASE_MOVES_AND_MERGES, "MQ3011", []),
    ],
)
def test_a_base_that_is_not_as_predicted_stops_all(
    forge: StackForge, knob: Knob, code: str, told: list[str]
) -> None:
    _, _, top = declare_stack(forge)
    forge.knobs[top.id] = [knob]
    with open_queue(forge) as queue:
        validated(queue)
        with pytest.raises(MergequeueError) as stopped:
            queue.apply()
    assert stopped.value.code == code
    assert [event.change for event in queue.heard.of(EventKind.MERGED)] == told
    assert forge.list_green_now() == []


def test_a_success_that_cannot_be_posted_sets_those_beneath_back_and_stops(
    forge: StackForge,
) -> None:
    def refuse() -> None:
        raise PROVIDER_FAILED("403 Resource not accessible by integration")

    def refuse_the_last() -> None:
        for id_ in "12":
            forge.statuses[forge.head(id_)] = (StatusState.SUCCESS, "posted one by one")
        refuse()

    declare_stack(forge)
    forge.before["post_status 3 success"] = [refuse_the_last]
    forge.before["post_status 1 pending"] = [refuse, refuse]
    with open_queue(forge) as queue:
        validated(queue)
        with pytest.raises(MergequeueError) as stopped:
            queue.apply()
    assert stopped.value.code == "MQ3013"
    assert forge.merge_requests == []
    assert forge.list_green_now() == ["1"]  # It could not be set back, and no other stayed green.
