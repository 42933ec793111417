"""A suspicion is a hint: whatever a job says of whom it suspects, gates alone blame and merge."""

import pytest

from mergequeue.documents.provider import Pin
from mergequeue.documents.suspects import Suspicion
from mergequeue.vocabulary.ids import ChangeId
from tests.support.applying import Queue, open_queue
from tests.support.forge import Forge
from tests.support.landings import edit, make_forge
from tests.support.repositories import Playground


@pytest.fixture
def forge(playground: Playground) -> Forge:
    forge = make_forge(playground)
    for name in "12":
        forge.open(name, edit(forge, f"a/{name}.txt", f"{name}\n"))
    return forge


def says(queue: Queue, *suspects: str, at: str = "", under: str = "") -> None:
    """Let the validation that the queue follows suspect these, at the head of another change."""
    plan = queue.source.document
    assert plan is not None
    pins = [Pin(id=ChangeId(one), commit=queue.forge.head(at or one)) for one in suspects]
    queue.source.suspicions = (
        Suspicion(
            base_commit=plan.base_commit,
            job=ChangeId("2"),
            changes=tuple(pins),
            under=tuple(map(ChangeId, under.split())),
        ),
    )


def test_an_innocent_change_that_a_job_suspects_is_gated_first_and_merges(forge: Forge) -> None:
    with open_queue(forge) as queue:
        queue.plan(batch=4)
        says(queue, "1", "2")
        queue.apply()
        assert queue.codes() == {"1": "WAIT_BEHIND", "2": "WAIT_BEHIND"}
        assert queue.plan(batch=4).suspects == (("1", "2"),)
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "merged"}
    assert forge.kicks == []


@pytest.mark.parametrize(
    ("suspects", "more"),
    [
        pytest.param("1", {"at": "2"}, id="at another head"),
        pytest.param("2 1", {}, id="in another order"),
        pytest.param("9", {"at": "1"}, id="of another queue"),
        pytest.param("2", {"under": "1"}, id="on what has not landed"),
    ],
)
def test_a_suspicion_that_the_plan_does_not_bear_out_is_forgotten(
    forge: Forge, suspects: str, more: dict[str, str]
) -> None:
    with open_queue(forge) as queue:
        queue.plan(batch=4)
        says(queue, *suspects.split(), **more)
        queue.apply()
        assert queue.memory.recall().hints.suspects == ()
        assert queue.plan(batch=4).suspects == ()


def test_a_suspicion_takes_nothing_from_a_green_verdict(forge: Forge) -> None:
    with open_queue(forge) as queue:
        queue.plan(batch=4)
        queue.judge()
        says(queue, "1", "2")
        queue.apply()
        assert queue.memory.recall().hints.suspects == ()
    assert queue.codes() == {"1": "merged", "2": "merged"}
