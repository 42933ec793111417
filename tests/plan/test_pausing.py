"""A paused queue: what is remembered of it, and what its plan says of every change."""

from datetime import UTC, datetime

import pytest

from mergequeue.documents.memory import Pause
from mergequeue.plan.pausing import paused, resumed
from mergequeue.ports import Memory
from mergequeue.vocabulary.codes import Code
from tests.plan.test_planner import FILES, codes, verdict
from tests.support.planning import PlanningQueue
from tests.support.repositories import Playground

PAUSE = Pause(
    reason="The release\nis being cut.", since=datetime(2030, 1, 2, 3, 4, tzinfo=UTC), by="me"
)


def test_a_pause_and_its_end_are_written_once_with_a_line_for_the_log() -> None:
    once = paused(Memory(), PAUSE)
    assert once.memory.pause == PAUSE
    assert once.lines == (
        "the queue is paused since 2030-01-02 03:04 UTC by me: The release\\x0ais being cut",
    )
    again = paused(
        once.memory, PAUSE.model_copy(update={"since": datetime(2031, 1, 1, tzinfo=UTC)})
    )
    assert (again.memory.pause, again.lines) == (PAUSE, ())
    over = resumed(once.memory, "you")
    assert (over.memory.pause, over.lines) == (None, ("the queue was resumed by you",))
    assert resumed(over.memory, "you").lines == ()


def test_another_reason_takes_the_place_of_the_first() -> None:
    other = PAUSE.model_copy(update={"reason": "The runners are down"})
    changed = paused(Memory(pause=PAUSE), other)
    assert changed.memory.pause == other
    assert changed.lines


@pytest.mark.parametrize("pause", [PAUSE, None], ids=["paused", "going on"])
def test_a_paused_queue_admits_nothing_and_every_change_says_why(
    playground: Playground, pause: Pause | None
) -> None:
    queue = PlanningQueue(playground, FILES)
    queue.add("1", {"parser/x": "1\n"})
    queue.add("2", {"web/x": "2\n"}, refused="Its title is bad.")
    memory = Memory(pause=pause)
    with queue.planner() as (planner, listing):
        plan = planner.plan(listing, depth=8, batch=1, memory=memory)
    if pause is None:
        assert codes(plan) == {"2": Code.KICK_REFUSED}
        assert [change.id for change in plan.admitted] == ["1"]
        return
    assert codes(plan) == dict.fromkeys("12", Code.WAIT_PAUSED)
    assert plan.admitted == ()
    assert queue.provider.asked == []
    assert verdict(plan, "1").reason == (
        "the queue is paused since 2030-01-02 03:04 UTC by me: The release\\x0ais being cut; "
        "it goes on once somebody resumes the queue"
    )
