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
