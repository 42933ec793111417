"""When a run writes the queue's memory, and that nothing hangs on it."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest

from mergequeue.ports import NOTHING_REMEMBERED, Memory, Remembered
from mergequeue.vocabulary.errors import PROVIDER_FAILED, UNEXPECTED_TREE, QueueError
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import EventKind, Stage
from tests.support.applying import FixedClock, Queue, open_queue
from tests.support.forge import Forge, Knob
from tests.support.landings import edit, make_forge
from tests.support.remembered import InMemory
from tests.support.repositories import Playground


@pytest.fixture
def forge(playground: Playground) -> Forge:
    forge = make_forge(playground)
    for number in "123":
        forge.open(number, edit(forge, f"a/{number}.txt", "new\n"))
    return forge


@pytest.fixture
def queue(forge: Forge) -> Iterator[Queue]:
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        yield queue


def stages(memory: Memory) -> dict[str, Stage]:
    assert memory.now is not None
    return {one.id: one.stage for one in memory.now.changes}


def test_a_source_that_is_complete_is_remembered_in_one_write(queue: Queue) -> None:
    queue.apply()
    assert queue.memory.writes == 1
    memory = queue.memory.recall()
    assert memory.today is not None
    assert [fact.id for fact in memory.today.landed] == ["1", "2", "3"]
    commits = [fact.commit for fact in memory.today.landed]
    assert commits == [queue.forge.pulls[ChangeId(id_)].landed for id_ in "123"]
    assert (memory.entries, stages(memory)) == ({}, {})


def test_what_comes_in_one_burst_is_one_write(queue: Queue) -> None:
    verdicts, queue.source.verdicts = queue.source.verdicts, []
    queue.source.complete = False
    seen: list[tuple[int, dict[str, Stage]]] = []

    def look() -> None:
        seen.append((queue.memory.writes, stages(queue.memory.recall())))

    def two() -> None:
        look()
        queue.source.verdicts += verdicts[:2]

    def last() -> None:
        look()
        queue.source.verdicts += verdicts[2:]
        queue.source.complete = True

    queue.clock.while_asleep = [two, look, last]
    queue.apply()
    gated = Stage.CHECKING
    assert seen == [
        (1, {"1": gated, "2": gated, "3": gated}),
        (2, {"3": gated}),
        (2, {"3": gated}),
    ]
    assert (queue.memory.writes, stages(queue.memory.recall())) == (3, {})


class Nightly(FixedClock):
    """A clock by which every sleep lasts a day."""

    def now(self) -> datetime:
        return super().now() + timedelta(days=len(self.slept))


def test_a_run_that_goes_on_past_midnight_counts_nothing_twice(queue: Queue) -> None:
    verdicts, queue.source.verdicts = queue.source.verdicts, []
    queue.source.complete = False
    queue.clock = Nightly()

    def two() -> None:
        queue.source.verdicts += verdicts[:2]

    def last() -> None:
        queue.source.verdicts += verdicts[2:]
        queue.source.complete = True

    queue.clock.while_asleep = [two, last]
    queue.apply()
    landed = [[fact.id for fact in day.landed] for day in queue.memory.days(9)]
    assert landed == [[], ["1", "2"], ["3"]]
    assert [len(day.queued) for day in queue.memory.days(9)] == [3, 0, 0]


def test_a_run_that_is_told_again_what_it_did_writes_nothing(queue: Queue) -> None:
    queue.apply()
    queue.source = queue.source.again()
    queue.apply()
    assert queue.memory.writes == 1


def test_a_dry_run_writes_nothing(queue: Queue) -> None:
    queue.apply(dry_run=True)
    assert queue.memory.recall() == NOTHING_REMEMBERED


def test_a_run_that_ends_in_an_error_is_remembered_as_over(forge: Forge, queue: Queue) -> None:
    forge.knobs[ChangeId("2")] = [Knob.WRONG_TREE]
    with pytest.raises(QueueError) as stopped:
        queue.apply()
    assert stopped.value.code == UNEXPECTED_TREE.code
    memory = queue.memory.recall()
    assert memory.now is not None
    assert not memory.now.running
    assert memory.today is not None
    assert [fact.id for fact in memory.today.landed] == ["1"]
    assert stages(memory) == {"2": Stage.READY, "3": Stage.READY}


class Refusing(InMemory):
    """A memory that the remote takes no write of."""

    def remember(self, edit: Callable[[Memory], Remembered]) -> Memory:
        edit(self.recall())
        raise PROVIDER_FAILED("not today")


def test_a_memory_that_cannot_be_written_is_a_notice_and_stops_nothing(queue: Queue) -> None:
    queue.memory = Refusing()
    queue.source.complete = False

    def finish() -> None:
        queue.source.complete = True

    queue.clock.while_asleep = [finish]
    queue.apply()
    assert set(queue.codes().values()) == {"merged"}
    notices = [event.reason for event in queue.heard.of(EventKind.NOTICE)]
    assert notices == ["the queue's memory could not be written: not today"]
