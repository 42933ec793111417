"""A batch merges when every member is green on one chain, and not before (DESIGN, Rulings 5)."""

import pytest

from mergequeue.vocabulary.words import CheckState
from tests.support.applying import Queue, open_queue
from tests.support.forge import Forge
from tests.support.landings import edit, make_forge, pull
from tests.support.repositories import Playground


@pytest.fixture
def forge(playground: Playground) -> Forge:
    forge = make_forge(playground)
    for id_ in ("1", "2", "3", "4"):
        forge.open(id_, edit(forge, f"a/{id_}.txt", f"{id_}\n"))
    return forge


def validated(queue: Queue) -> None:
    queue.plan(batch=3)
    queue.judge(batches=True)


def test_a_green_batch_merges_change_by_change(forge: Forge) -> None:
    with open_queue(forge) as queue:
        validated(queue)
        assert [verdict.batch for verdict in queue.source.verdicts] == [("1", "2", "3")] * 3 + [
            ("4",)
        ]
        queue.apply()
    assert queue.codes() == dict.fromkeys("1234", "merged")
    assert [request.change.id for request in forge.merge_requests] == ["1", "2", "3", "4"]


def test_a_batch_waits_for_its_last_verdict(forge: Forge) -> None:
    with open_queue(forge) as queue:
        validated(queue)
        del queue.source.verdicts[2]
        queue.apply()
    assert queue.codes() == dict.fromkeys("1234", "WAIT_BEHIND")
    assert forge.merge_requests == []


def test_a_batch_with_a_member_that_cannot_merge_now_merges_none_of_it(forge: Forge) -> None:
    with open_queue(forge) as queue:
        validated(queue)
        pull(forge, "2").queued = False
        queue.apply()
    assert queue.codes() == {
        "1": "WAIT_REVALIDATE",
        "2": "WAIT_WITHDRAWN",
        "3": "WAIT_BEHIND",
        "4": "WAIT_BEHIND",
    }
    assert forge.merge_requests == []


def test_a_batch_with_a_red_check_at_its_top_merges_none_of_it(forge: Forge) -> None:
    forge.required = ("build",)
    forge.checks[forge.head("3"), "build"] = CheckState.FAILURE
    with open_queue(forge) as queue:
        validated(queue)
        queue.apply()
    assert queue.codes() == {
        "1": "WAIT_REVALIDATE",
        "2": "WAIT_REVALIDATE",
        "3": "KICK_RED",
        "4": "WAIT_BEHIND",
    }


@pytest.mark.parametrize("part", ["gated_commit", "onto", "batch"])
def test_a_batch_that_is_no_one_chain_merges_none_of_it(forge: Forge, part: str) -> None:
    with open_queue(forge) as queue:
        validated(queue)
        first, second, *rest = queue.source.verdicts
        forged = {"gated_commit": first.candidate_commit, "onto": first.onto, "batch": ("2",)}
        changed = second.model_copy(update={part: forged[part]})
        queue.source.verdicts = [first, changed, *rest]
        queue.apply()
    assert queue.code("1") == "WAIT_REVALIDATE"
    assert forge.merge_requests == []


def test_a_batch_that_an_earlier_run_began_is_finished(forge: Forge) -> None:
    with open_queue(forge) as queue:
        validated(queue)
        forge.merge_by_hand("1")
        queue.apply()
    assert queue.codes() == dict.fromkeys("1234", "merged")
    assert [request.change.id for request in forge.merge_requests] == ["2", "3", "4"]


def test_nothing_of_a_batch_merges_before_all_of_it_is_found_to_merge(forge: Forge) -> None:
    with open_queue(forge) as queue:
        validated(queue)
        forge.push_to_base({"a/3.txt": "by hand\n"})
        queue.apply()
    assert queue.codes() == {**dict.fromkeys("123", "WAIT_REVALIDATE"), "4": "WAIT_BEHIND"}
    assert forge.merge_requests == []


def test_a_member_whose_checks_have_to_run_again_keeps_all_of_its_batch(forge: Forge) -> None:
    forge.required = ("build",)
    forge.checks[forge.head("2"), "build"] = CheckState.FAILURE
    with open_queue(forge) as queue:
        validated(queue)
        forge.push_to_base({"outside": "moved\n"})
        queue.apply()
    assert queue.code("2") == "WAIT_CHECKS"
    assert forge.merge_requests == []
    files = forge.playground.files(forge.head("2"))
    assert files[b"outside"] == b"moved\n"
    assert b"a/1.txt" not in files, "only the base is brought in"


def test_a_member_that_moves_while_its_batch_lands_stops_it_there(forge: Forge) -> None:
    forge.before["merge_change 1"] = [lambda: setattr(pull(forge, "2"), "queued", False)]
    with open_queue(forge) as queue:
        validated(queue)
        queue.apply()
    assert queue.codes() == {
        "1": "merged",
        "2": "WAIT_WITHDRAWN",
        "3": "WAIT_BEHIND",
        "4": "WAIT_BEHIND",
    }
    assert [request.change.id for request in forge.merge_requests] == ["1"]


def test_a_member_that_targets_the_branch_of_the_one_beneath_is_pointed_at_the_base_in_its_turn(
    playground: Playground,
) -> None:
    forge = make_forge(playground)
    one = edit(forge, "a/1.txt", "1\n")
    forge.open("1", one)
    forge.open("2", edit(forge, "a/2.txt", "2\n", on=one), parent="1", base="topic-1")
    with open_queue(forge) as queue:
        queue.plan(batch=2)
        queue.judge(batches=True)
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "merged"}
    at = forge.calls.index
    assert at("merge_change 1") < at("retarget 2") < at("merge_change 2")


def test_a_member_on_the_branch_beneath_that_nobody_approved_keeps_all_of_its_batch(
    playground: Playground,
) -> None:
    forge = make_forge(playground)
    one = edit(forge, "a/1.txt", "1\n")
    forge.open("1", one)
    forge.open("2", edit(forge, "a/2.txt", "2\n", on=one), parent="1", base="topic-1")
    with open_queue(forge) as queue:
        queue.plan(batch=2)
        queue.judge(batches=True)
        pull(forge, "2").approved_at = set()
        queue.apply()
    assert queue.codes() == {"1": "WAIT_REVALIDATE", "2": "WAIT_NOT_APPROVED"}
    assert forge.merge_requests == []
    assert forge.retargets == []
