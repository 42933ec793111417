"""A pause while apply runs: from the next change on nothing merges, and all that waits says why."""

import pytest

from mergequeue.apply.outcomes import Wait
from mergequeue.apply.pausing import decide_shown
from mergequeue.documents.memory import Pause
from mergequeue.plan.pausing import paused, resumed
from mergequeue.ports import Memory, WritesMemory
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import GIT_FAILED
from mergequeue.vocabulary.words import StatusState
from tests.plan.test_pausing import PAUSE
from tests.support.applying import Queue, open_queue
from tests.support.forge import Forge
from tests.support.landings import edit, make_forge
from tests.support.repositories import Playground


@pytest.fixture
def forge(playground: Playground) -> Forge:
    forge = make_forge(playground)
    for id_ in ("1", "2", "3"):
        forge.open(id_, edit(forge, f"a/{id_}.txt", f"{id_}\n"))
    return forge


def pause(queue: Queue) -> None:
    queue.memory.remember(lambda memory: paused(memory, PAUSE))


class PausesAfter:
    """A forge whose queue somebody pauses as soon as it has merged a change."""

    def __init__(self, queue: Queue, port: object) -> None:
        self._queue = queue
        self._port = port

    def __getattr__(self, name: str) -> object:
        if name == "merge_change":
            return self._merge
        return getattr(self._port, name)

    def _merge(self, request: object) -> object:
        answer = self._queue.forge.merge_change(request)  # type: ignore[arg-type]  # as it was given
        pause(self._queue)
        return answer


def test_what_is_green_does_not_merge_while_the_queue_is_paused(forge: Forge) -> None:
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge(red=["3"])
        pause(queue)
        queue.apply()
    assert queue.codes() == {"1": "WAIT_PAUSED", "2": "WAIT_PAUSED", "3": "KICK_RED"}
    assert forge.merge_requests == []
    state, description = forge.statuses[forge.head("1")]
    assert state is StatusState.PENDING
    assert "paused since 2030-01-02 03:04 UTC by me" in description


def test_a_pause_in_the_middle_holds_from_the_next_change_on(forge: Forge) -> None:
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply(lambda port: PausesAfter(queue, port) if port is queue.forge else port)
    assert queue.codes() == {"1": "merged", "2": "WAIT_PAUSED", "3": "WAIT_PAUSED"}


@pytest.mark.parametrize("batch", [1, 3])
def test_a_batch_waits_whole_and_a_dry_run_says_so_too(forge: Forge, batch: int) -> None:
    with open_queue(forge) as queue:
        queue.plan(batch=batch)
        queue.judge(batches=True)
        pause(queue)
        queue.apply(dry_run=True)
        assert queue.codes() == dict.fromkeys("123", "WAIT_PAUSED")
        queue.source = queue.source.again()
        queue.apply()
        assert queue.codes() == dict.fromkeys("123", "WAIT_PAUSED")
        queue.memory.remember(lambda memory: resumed(memory, "me"))
        queue.source = queue.source.again()
        queue.apply()
    assert queue.codes() == dict.fromkeys("123", "merged")


def test_what_no_verdict_came_for_says_so_too(forge: Forge) -> None:
    with open_queue(forge) as queue:
        queue.plan()
        pause(queue)
        queue.apply()
    assert queue.codes() == dict.fromkeys("123", "WAIT_PAUSED")


class CannotSay:
    """A memory that says once that nothing is paused, and then does not answer."""

    def __init__(self, port: WritesMemory) -> None:
        self._port = port
        self._left = 1

    def recall(self) -> Memory:
        if not self._left:
            raise GIT_FAILED("the remote does not answer")
        self._left -= 1
        return self._port.recall()

    def __getattr__(self, name: str) -> object:
        return getattr(self._port, name)


def test_a_queue_that_cannot_be_asked_whether_it_is_paused_merges_nothing(forge: Forge) -> None:
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        result = queue.apply(lambda port: CannotSay(queue.memory) if port is queue.memory else port)
    assert forge.merge_requests == []
    assert "the remote does not answer" in str(result.failure)


def test_what_waits_for_a_next_run_waits_for_the_end_of_the_pause_and_nothing_else_does() -> None:
    shown = {code for code in Code if code.is_wait and _shown(code, PAUSE) != Wait(code, "why")}
    assert shown == {
        Code.WAIT_BEHIND,
        Code.WAIT_REVALIDATE,
        Code.WAIT_BELOW,
        Code.WAIT_CONFLICT_AHEAD,
    }
    assert {_shown(code, PAUSE).code for code in shown} == {Code.WAIT_PAUSED}
    assert all(_shown(code, None) == Wait(code, "why") for code in shown)


def _shown(code: Code, pause: Pause | None) -> Wait:
    return decide_shown(Wait(code, "why"), pause)
