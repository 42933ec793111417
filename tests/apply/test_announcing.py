"""Queued changes are told where they stand in their status, while nothing else is to be done."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from mergequeue.apply.run import Settings
from mergequeue.ports import Remembered
from mergequeue.vocabulary.errors import PROVIDER_FAILED
from mergequeue.vocabulary.limits import TOLD_AT_ONCE
from mergequeue.vocabulary.words import EventKind, StatusState
from tests.report.test_standing import TODAY
from tests.support.applying import Queue, open_queue
from tests.support.forge import Forge
from tests.support.landings import edit, make_forge
from tests.support.repositories import Playground


@pytest.fixture
def forge(playground: Playground) -> Forge:
    return make_forge(playground)


@pytest.fixture
def queue(forge: Forge) -> Iterator[Queue]:
    for number in ("1", "2", "3"):
        forge.open(number, edit(forge, f"a/{number}.txt", "new\n"))
    with open_queue(forge) as queue:
        queue.plan(depth=1, batch=2)
        yield queue


def follow(queue: Queue, *then: Callable[[], None]) -> None:
    """Apply a source to which each of `then` happens in turn while apply sleeps; then it ends."""
    queue.source.complete = False

    def finish() -> None:
        queue.source.complete = True

    queue.clock.while_asleep = [*then, finish]
    queue.apply()


def told(forge: Forge) -> list[tuple[str, str]]:
    posts = [post for post in forge.posts if not post.description.startswith("waiting: ")]
    return [(post.change, post.description) for post in posts if post.description != "merging"]


def test_each_is_told_its_stage_and_when_it_should_land(forge: Forge, queue: Queue) -> None:
    queue.memory.remember(lambda memory: Remembered(replace(memory, today=TODAY), ("before",)))
    follow(queue)
    soon = "; should land in about 10 min (00:10 UTC)"
    assert told(forge) == [
        ("1", f"In a batch of 2 being gated{soon}"),
        ("2", f"In a batch of 2 being gated{soon}"),
        (
            "3",
            "Queued, 3rd of 3, ready for the next batch; should land in about 20 min (00:20 UTC)",
        ),
    ]
    assert {post.state for post in forge.posts} == {StatusState.PENDING}
    assert [post.commit for post in forge.posts[:3]] == [forge.head(id_) for id_ in "123"]


def test_each_is_told_once_for_each_stage_whichever_run_tells_it(
    forge: Forge, queue: Queue
) -> None:
    queue.judge(batches=True)
    green = queue.source.verdicts
    queue.source.verdicts = []
    follow(queue, lambda: None, lambda: queue.source.verdicts.extend(green[:2]))
    assert told(forge) == [
        ("1", "In a batch of 2 being gated"),
        ("2", "In a batch of 2 being gated"),
        ("3", "Queued, 3rd of 3, ready for the next batch"),
        ("3", "Being gated"),
    ]
    queue.plan(depth=1, batch=2)
    follow(queue, lambda: None)
    assert told(forge)[4:] == [("3", "Being gated")]
    queue.plan(depth=1, batch=2)
    before = list(told(forge))
    queue.clock.while_asleep = []
    follow(queue)
    assert told(forge)[len(before) :] == [("3", "Being gated")]


def test_one_that_stands_where_an_earlier_run_told_it_is_not_told_again(
    forge: Forge, queue: Queue
) -> None:
    for _ in range(2):
        queue.source.complete = False
        queue.applier().run(Settings(base=forge.base), lambda: bool(queue.clock.slept))
        queue.clock.slept.clear()
    ready = ("3", "Queued, 3rd of 3, ready for the next batch")
    assert told(forge).count(ready) == 1
    assert told(forge).count(("1", "In a batch of 2 being gated")) == 2


def test_a_source_that_is_complete_is_applied_and_nobody_told(forge: Forge, queue: Queue) -> None:
    queue.judge(batches=True)
    queue.apply()
    assert told(forge) == []


def test_where_a_provider_shows_no_status_none_is_posted(forge: Forge, queue: Queue) -> None:
    forge.shows_status = False
    follow(queue)
    assert told(forge) == []


def test_a_few_are_told_at_a_time(forge: Forge) -> None:
    count = TOLD_AT_ONCE + 3
    for number in range(count):
        forge.open(f"{number:02}", edit(forge, f"a/{number}.txt", "new\n"))
    with open_queue(forge) as queue:
        queue.plan()
        seen: list[int] = []
        follow(queue, lambda: seen.append(len(told(forge))))
        assert (seen, len(told(forge))) == ([TOLD_AT_ONCE], count)


def test_one_that_cannot_be_told_is_a_notice_and_stops_nothing(forge: Forge, queue: Queue) -> None:
    def fail() -> None:
        raise PROVIDER_FAILED("no statuses today")

    forge.before["post_status 1 pending"] = [fail]
    queue.judge(batches=True)
    green, queue.source.verdicts = queue.source.verdicts, []
    follow(queue, lambda: queue.source.verdicts.extend(green))
    notices = [event.reason for event in queue.heard.of(EventKind.NOTICE)]
    assert any("no statuses today" in reason for reason in notices)
    assert set(queue.codes().values()) == {"merged"}
