"""Checks that the base requires besides the queue's own (seed 1; facts A14 to A16; CASES, E)."""

import pytest

from mergequeue.vocabulary.words import CheckState, Method, StatusState
from tests.support.applying import Queue, open_queue
from tests.support.forge import Forge
from tests.support.landings import edit, make_forge, parents, pull, stack
from tests.support.repositories import Playground


@pytest.fixture
def forge(playground: Playground) -> Forge:
    forge = make_forge(playground)
    forge.required = ("build", "docs")
    return forge


def validated(queue: Queue) -> None:
    queue.plan()
    queue.judge()


def test_running_checks_are_waited_for_and_named(forge: Forge) -> None:
    head = edit(forge, "a/new.txt", "new\n")
    forge.open("1", head)
    forge.checks[head, "docs"] = CheckState.PENDING
    with open_queue(forge) as queue:
        validated(queue)
        queue.apply()
    assert queue.codes() == {"1": "WAIT_CHECKS"}
    assert "docs" in queue.ended["1"].reason
    assert "build" not in queue.ended["1"].reason
    assert forge.merge_requests == []


def test_a_red_check_on_a_head_that_carries_the_tip_is_the_authors(forge: Forge) -> None:
    head = edit(forge, "a/new.txt", "new\n")
    forge.open("1", head)
    forge.checks[head, "build"] = CheckState.FAILURE
    forge.checks[head, "docs"] = CheckState.PENDING
    with open_queue(forge) as queue:
        validated(queue)
        queue.apply()
    assert queue.codes() == {"1": "KICK_RED"}
    assert "`build`" in forge.kicks[0].report


def test_a_red_check_on_an_older_base_runs_again_on_one_update_commit_a_tip(forge: Forge) -> None:
    head = edit(forge, "a/new.txt", "new\n")
    forge.open("1", head)
    forge.checks[head, "build"] = CheckState.FAILURE
    tip = forge.push_to_base({"b/two.txt": "mended\n"})
    with open_queue(forge) as queue:
        validated(queue)
        queue.apply()
        assert queue.codes() == {"1": "WAIT_CHECKS"}
        updated = forge.head("1")
        assert parents(forge, updated) == [head, tip]
        assert forge.statuses[updated][0] is StatusState.PENDING
        assert forge.merge_requests == []
        # Running there, they are waited for; red there, they are the author's.
        forge.checks[updated, "build"] = CheckState.PENDING
        validated(queue)
        queue.apply()
        assert (queue.code("1"), forge.head("1")) == ("WAIT_CHECKS", updated)
        forge.checks[updated, "build"] = CheckState.FAILURE
        validated(queue)
        queue.apply()
    assert (queue.code("1"), forge.head("1")) == ("KICK_RED", updated)


def test_once_they_pass_on_the_update_commit_it_merges(forge: Forge) -> None:
    head = edit(forge, "a/new.txt", "new\n")
    forge.open("1", head)
    forge.checks[head, "build"] = CheckState.FAILURE
    forge.push_to_base({"b/two.txt": "mended\n"})
    with open_queue(forge) as queue:
        for _ in range(2):
            validated(queue)
            queue.apply()
    assert queue.codes() == {"1": "merged"}


@pytest.mark.parametrize("unpushable", ["rebase", "no branch"])
def test_a_stale_red_check_that_nothing_can_run_again_is_handed_back(
    forge: Forge, unpushable: str
) -> None:
    head = edit(forge, "a/new.txt", "new\n")
    method = Method.REBASE if unpushable == "rebase" else Method.SQUASH
    forge.open("1", head, method=method, can_be_pushed_to=unpushable == "rebase")
    forge.checks[head, "build"] = CheckState.FAILURE
    forge.push_to_base({"b/two.txt": "mended\n"})
    with open_queue(forge) as queue:
        validated(queue)
        queue.apply()
    assert queue.codes() == {"1": "KICK_REFUSED"}
    assert "`build`" in forge.kicks[0].report
    assert forge.head("1") == head


def test_a_check_that_starts_again_right_before_the_merge_stops_it(forge: Forge) -> None:
    head = edit(forge, "a/new.txt", "new\n")
    forge.open("1", head)

    def run_again() -> None:
        forge.checks[head, "build"] = CheckState.PENDING

    forge.before["required_checks 1"] = [lambda: None, run_again]
    with open_queue(forge) as queue:
        validated(queue)
        queue.apply()
    assert queue.codes() == {"1": "WAIT_CHECKS"}
    assert [post.state for post in forge.posts] == [StatusState.PENDING]


def test_the_queues_own_status_among_the_required_ones_is_not_waited_for(forge: Forge) -> None:
    forge.required = ("merge-queue-docs",)
    head = edit(forge, "a/new.txt", "new\n")
    forge.open("1", head)
    with open_queue(forge) as queue:
        validated(queue)
        queue.apply()
        assert queue.codes() == {"1": "merged"}
        forge.open("2", other := edit(forge, "a/more.txt", "more\n"))
        forge.checks[other, "merge-queue-docs"] = CheckState.PENDING
        validated(queue)
        queue.apply()
    assert queue.codes() == {"2": "WAIT_CHECKS"}


def test_an_update_commit_with_checks_of_its_own_waits_for_them_green_on_nothing(
    forge: Forge,
) -> None:
    _, two, _ = stack(forge)

    def checks_start() -> None:
        for name in forge.required:
            forge.checks[forge.head("2"), name] = CheckState.PENDING

    forge.before["required_checks 2"] = [lambda: None, checks_start]
    with open_queue(forge) as queue:
        validated(queue)
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "WAIT_CHECKS", "3": "WAIT_BELOW"}
    assert forge.statuses[forge.head("2")][0] is StatusState.PENDING
    assert pull(forge, "2") is two
