"""The memory in a remote: every edit is one commit under a lease, and its log is the audit log."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from mergequeue.documents.memory import Day, Pause
from mergequeue.memory.files import files_of
from mergequeue.memory.keeping import RemoteMemory, RemoteMemoryReads
from mergequeue.ports import NOTHING_REMEMBERED, GitPushes, Memory, Remembered
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import PROVIDER_FAILED, STATE_MOVED, QueueError
from mergequeue.vocabulary.words import Mark
from tests.plaingit.world import MAIN, STATE, Machine, Meddled, World, make_world
from tests.support.repositories import Content, Playground

FIRST = date(2030, 1, 1)


@pytest.fixture
def world(playground: Playground) -> Iterator[World]:
    yield from make_world(playground)


@pytest.fixture
def machine(world: World) -> Machine:
    return world.machine()


def memory_at(machine: Machine, pushes: GitPushes | None = None) -> RemoteMemory:
    hands = machine.hands
    return RemoteMemory(hands.reads, hands.builds, pushes or hands.pushes, hands.clock, MAIN)


def paused(reason: str) -> Callable[[Memory], Remembered]:
    pause = Pause(reason=reason, since=datetime(2030, 1, 1, tzinfo=UTC))

    def edit(memory: Memory) -> Remembered:
        if memory.pause is not None:
            return Remembered(memory)
        return Remembered(replace(memory, pause=pause), (f"paused: {reason}",))

    return edit


def on(day: date) -> Callable[[Memory], Remembered]:
    return lambda memory: Remembered(replace(memory, today=Day(day=day)), (f"began {day}",))


def test_what_one_machine_remembers_another_recalls(world: World, machine: Machine) -> None:
    assert memory_at(machine).recall() == NOTHING_REMEMBERED
    kept = memory_at(machine).remember(paused("a release"))
    assert kept.pause is not None
    other = world.machine()
    assert RemoteMemoryReads(other.hands.reads, MAIN).recall() == kept
    assert world.state_log() == ["paused: a release\n"]


def test_an_edit_without_a_line_writes_nothing(world: World, machine: Machine) -> None:
    memory_at(machine).remember(paused("one"))
    before = world.playground.tip(STATE)
    memory_at(machine).remember(paused("two"))
    assert world.playground.tip(STATE) == before


def test_the_providers_records_and_the_memory_leave_each_other_alone(
    world: World, machine: Machine
) -> None:
    world.queue("a", {"a": "2\n"})
    machine.mark(Mark.QUEUED, "a")
    memory_at(machine).remember(paused("a release"))
    world.queue("b", {"b": "2\n"})
    machine.mark(Mark.QUEUED, "b")
    assert machine.ids() == ["a", "b"]
    assert [entry.state is not None for entry in machine.reads.records(MAIN).entries] == [True] * 2
    assert memory_at(machine).recall().pause is not None
    memory_at(machine).remember(lambda memory: Remembered(replace(memory, pause=None), ("on",)))
    names = set(world.playground.files(world.playground.tip(STATE)))
    assert names == {b"changes/a.json", b"changes/b.json", b"merged.json"}


def test_an_edit_is_made_anew_where_another_writer_came_first(
    world: World, machine: Machine
) -> None:
    memory = memory_at(machine)
    memory.recall()
    memory_at(world.machine()).remember(on(FIRST))
    kept = memory.remember(paused("a release"))
    assert (kept.pause is not None, kept.today) == (True, Day(day=FIRST))


def test_where_others_come_first_again_and_again_it_gives_up(
    world: World, machine: Machine
) -> None:
    other = memory_at(world.machine())
    days = iter(range(99))
    interrupted = Meddled(
        machine.workshop,
        lambda: other.remember(on(FIRST + timedelta(days=next(days)))),
        lambda: None,
        limits.STATE_ROUNDS,
    )
    with pytest.raises(QueueError) as caught:
        memory_at(machine, interrupted).remember(paused("a release"))
    assert caught.value.code == STATE_MOVED.code


def test_a_remote_that_refuses_is_quoted(world: World, machine: Machine) -> None:
    world.playground.hook("pre-receive", "echo not here >&2; exit 1")
    with pytest.raises(QueueError, match="not here") as caught:
        memory_at(machine).remember(paused("a release"))
    assert caught.value.code == PROVIDER_FAILED.code


def test_only_the_newest_days_are_kept(world: World, machine: Machine) -> None:
    memory = memory_at(machine)
    days = [FIRST + timedelta(days=number) for number in range(limits.DAYS_REMEMBERED)]
    files: dict[str | bytes, Content] = {
        path: raw for day in days for path, raw in files_of(Memory(today=Day(day=day))).items()
    }
    world.playground.branch(STATE.removeprefix("refs/heads/"), world.playground.commit(files))
    assert [day.day for day in memory.days(999)] == days
    memory.remember(on(FIRST + timedelta(days=1000)))
    assert [day.day for day in memory.days(999)] == [*days[1:], FIRST + timedelta(days=1000)]
    assert [day.day for day in memory.days(2)] == [days[-1], FIRST + timedelta(days=1000)]
    assert memory.recall().today == Day(day=FIRST + timedelta(days=1000))


def test_a_new_week_starts_a_history_of_its_own_and_keeps_the_one_before(
    world: World, machine: Machine
) -> None:
    memory = memory_at(machine)
    memory.remember(paused("a release"))
    old = world.playground.tip(STATE)
    machine.hands.clock.sleep(8 * 24 * 3600)
    memory.remember(on(FIRST))
    [log] = [name for name in world.playground.refs() if name.startswith("refs/mergequeue/log/")]
    assert log == f"refs/mergequeue/log/main/2030-W01-{old[:12]}"
    assert world.playground.tip(log) == old
    [message] = world.state_log()
    assert message == f"began {FIRST}\n\nWhat happened before is kept as {log}\n"
    assert world.machine().reads.records(MAIN).entries == ()
    assert memory_at(world.machine()).recall().pause is not None
    machine.hands.clock.sleep(8 * 24 * 3600)
    world.queue("a", {"a": "2\n"})
    machine.mark(Mark.QUEUED, "a")
    assert len([name for name in world.playground.refs() if "/log/" in name]) == 2
    assert len(world.state_log()) == 1
    assert memory_at(machine).recall().pause is not None
