"""Batches over the fake GitHub, which merges one pull request a call: member by member, from the
bottom (seed 2, Landing; docs/reference/configuration.md, Batches).
"""

from pathlib import Path

import pytest

from tests.fakes.github.faults import Fault
from tests.fakes.github.records import Method, Pull
from tests.fakes.github.story import GitHub
from tests.github.queue import Queue, queue_of
from tests.support.programs import CONFIGURATION

METHODS: tuple[Method, ...] = ("squash", "merge", "rebase")


@pytest.fixture
def queue(github: GitHub, tmp_path: Path) -> Queue:
    queue = queue_of(github, tmp_path)
    batches = CONFIGURATION.replace("[queue]\n", "[queue]\nbatch = 3\n")
    github.commit("main", {"mergequeue.toml": batches}, by="admin")
    return queue


def open_three(github: GitHub) -> list[Pull]:
    """Queue three pull requests of one line, each by another method."""
    pulls = [
        github.open_pull(f"topic-{number}", {f"one/{number}": f"{number}\n"})
        for number in range(1, 4)
    ]
    for pull, method in zip(pulls, METHODS, strict=True):
        github.label(pull, f"merge-queue: {method}")
    return pulls


def gated(queue: Queue) -> list[list[str]]:
    """Return what each gate of the last validation checked."""
    return [event["changes"] for event in queue.validated.events if event["kind"] == "gate"]


def test_a_member_that_moved_keeps_all_of_its_batch_from_merging(
    github: GitHub, queue: Queue
) -> None:
    pulls = open_three(github)
    queue.plan()
    queue.validate()
    github.push(pulls[2], {"one/more": "more\n"})
    queue.apply()
    assert queue.became() == {
        "1": "WAIT_REVALIDATE",
        "2": "WAIT_REVALIDATE",
        "3": "WAIT_HEAD_MOVED",
    }
    assert [pull.merged for pull in pulls] == [False] * 3
    github.wrote()


def test_a_batch_lands_member_by_member_and_what_is_refused_is_gated_anew_with_those_above(
    github: GitHub, queue: Queue
) -> None:
    pulls = open_three(github)
    queue.plan()
    queue.validate()
    assert gated(queue) == [["1", "2", "3"]]
    github.faults.add("PUT .*/pulls/2/merge", Fault.REFUSED, times=9, status=405, message="Not now")
    queue.apply()
    assert queue.became() == {"1": "merged", "2": "WAIT_PROVIDER_REFUSED", "3": "WAIT_BEHIND"}
    assert [pull.merged for pull in pulls] == [True, False, False]
    github.faults.clear()
    queue.round()
    assert gated(queue) == [["2", "3"]]
    assert queue.became() == dict.fromkeys("23", "merged")
    second = github.repository.git.object(pulls[1].merge_commit or "")
    assert [str(one) for one in second.parent_ids] == [pulls[0].merge_commit, pulls[1].head_sha]
    files = github.files()
    assert [files[f"one/{number}"] for number in "123"] == ["1\n", "2\n", "3\n"]
    github.wrote()


def test_a_batch_that_github_knows_as_one_stack_lands_in_one_call(
    github: GitHub, queue: Queue
) -> None:
    one = github.open_pull("layer-1", {"one/1": "1\n"})
    two = github.open_pull("layer-2", {"one/2": "2\n"}, base="layer-1")
    github.stack(one, two)
    github.label(two, "merge-queue: squash")
    queue.round()
    assert gated(queue) == [["1", "2"]]
    assert queue.became() == dict.fromkeys("12", "merged")
    assert sum("merge in the background" in wrote for wrote in github.wrote()) == 1
