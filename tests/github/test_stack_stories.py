"""A stack from the label on its top to the merged base, in one call, through the program's own
steps over the fake GitHub (facts 3.12; CASES, F).
"""

from pathlib import Path

import pytest

from tests.fakes.github.faults import Fault
from tests.fakes.github.records import Pull
from tests.fakes.github.story import GitHub
from tests.github.queue import Queue, queue_of

SQUASH, MERGE = "merge-queue: squash", "merge-queue: merge"
TEXT = "a\nb\nc\nd\ne\n"
TEXTS = ["A\nb\nc\nd\ne\n", "A\nB\nc\nd\ne\n", "A\nB\nC\nd\ne\n"]


@pytest.fixture
def queue(github: GitHub, tmp_path: Path) -> Queue:
    return queue_of(github, tmp_path)


def stack(github: GitHub, texts: list[str] = TEXTS, label: str = SQUASH) -> list[Pull]:
    pulls: list[Pull] = []
    base = "main"
    for number, text in enumerate(texts, start=1):
        name = f"layer-{number}"
        pulls.append(github.open_pull(name, {"one/text": text}, base=base))
        base = name
    github.stack(*pulls)
    github.label(pulls[-1], label)
    return pulls


def calls(github: GitHub) -> int:
    return sum("merge in the background" in one for one in github.wrote())


def states(github: GitHub, pulls: list[Pull]) -> list[str]:
    return [github.repository.statuses[pull.head_sha][-1].state for pull in pulls]


@pytest.mark.parametrize("label", [SQUASH, MERGE])
def test_a_stack_of_three_lands_in_one_call(github: GitHub, queue: Queue, label: str) -> None:
    pulls = stack(github, label=label)
    began = github.tip("main")
    queue.round()
    assert queue.became() == dict.fromkeys("123", "merged")
    assert calls(github) == 1
    assert github.files()["one/text"] == TEXTS[-1]
    assert [pull.labels for pull in pulls] == [[], [], []]
    made = {pull.merge_commit for pull in pulls}
    assert len(made) == (3 if label == SQUASH else 1)
    top = github.repository.git.object(github.tip("main"))
    if label == MERGE:
        assert [str(parent) for parent in top.parent_ids] == [began, pulls[-1].head_sha]


def test_a_red_member_cuts_the_run(github: GitHub, queue: Queue) -> None:
    pulls = stack(github, [*TEXTS[:2], "A\nB\nbug\nd\ne\n"])
    queue.round()
    assert queue.became() == {"1": "merged", "2": "merged", "3": "KICK_RED"}
    assert [pull.merged for pull in pulls] == [True, True, False]
    assert calls(github) == 1


def test_a_member_that_moved_merges_neither_itself_nor_those_above(
    github: GitHub, queue: Queue
) -> None:
    pulls = stack(github)
    queue.plan()
    queue.validate()
    github.push(pulls[1], {"one/more": "more\n"})
    queue.apply()
    assert queue.became() == {"1": "merged", "2": "WAIT_HEAD_MOVED", "3": "WAIT_BELOW"}
    assert [pull.merged for pull in pulls] == [True, False, False]
    github.wrote()


def test_a_base_that_moved_elsewhere_before_is_merged_onto(github: GitHub, queue: Queue) -> None:
    pulls = stack(github)
    queue.plan()
    queue.validate()
    github.commit("main", {"rest/text": "moved\n"}, by="admin")
    queue.apply()
    assert queue.became() == dict.fromkeys("123", "merged")
    assert github.files()["rest/text"] == "moved\n"
    assert all(pull.merged for pull in pulls)
    assert calls(github) == 1


def test_a_merge_that_github_fails_leaves_all_waiting_and_none_green(
    github: GitHub, queue: Queue
) -> None:
    pulls = stack(github)
    github.async_merge_failure = "Something went wrong"
    queue.round()
    assert queue.became() == dict.fromkeys("123", "WAIT_PROVIDER_REFUSED")
    assert states(github, pulls) == ["pending"] * 3
    github.async_merge_failure = None
    queue.round()
    assert queue.became() == dict.fromkeys("123", "merged")
    github.wrote()


def test_a_status_that_cannot_be_posted_leaves_none_green(github: GitHub, queue: Queue) -> None:
    pulls = stack(github)
    queue.plan()
    queue.validate()
    github.faults.add(f"POST .*/statuses/{pulls[1].head_sha}", Fault.REFUSED, times=9, status=422)
    ran = queue.apply()
    assert "MQ3013" in ran.err
    assert [pull.merged for pull in pulls] == [False] * 3
    assert states(github, pulls[:1]) == ["pending"]
    assert pulls[1].head_sha not in github.repository.statuses
    github.wrote()


def test_a_lost_answer_is_a_stack_that_merged(github: GitHub, queue: Queue) -> None:
    pulls = stack(github)
    github.faults.add("PUT .*/merge-async", Fault.DONE_AND_LOST, times=1)
    queue.round()
    assert queue.became() == dict.fromkeys("123", "merged")
    assert all(pull.merged for pull in pulls)
    github.wrote()
