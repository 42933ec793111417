"""Marks, statuses and kick-backs: recorded once, in a history that says what happened."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from mergequeue.documents.provider import MarkRequest, RetargetRequest, StatusPost
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import (
    NO_SUCH_CHANGE,
    PROVIDER_FAILED,
    STATE_MOVED,
    MergequeueError,
    QueueError,
)
from mergequeue.vocabulary.identity import QUEUE
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.limits import PATHS_SHOWN, STATE_ROUNDS
from mergequeue.vocabulary.words import STATUS_CONTEXT, Mark, Method, StatusState
from tests.plaingit.world import MAIN, STATE, Machine, World


def record(world: World, id_: str) -> dict[str, object]:
    files = world.playground.files(world.playground.tip(STATE))
    found: dict[str, object] = json.loads(files[f"changes/{id_}.json".encode()])
    return found


def recorded(world: World) -> set[str]:
    files = world.playground.files(world.playground.tip(STATE))
    names = {path.decode() for path in files if path.startswith(b"changes/")}
    return {name.removeprefix("changes/").removesuffix(".json") for name in names}


# --- marks and statuses --------------------------------------------------------------------------


def test_marks_of_many_changes_are_one_push_and_one_entry(world: World, machine: Machine) -> None:
    for name in ("a", "b", "c"):
        world.queue(name, {name: "2\n"})
    assert machine.mark(Mark.QUEUED, "a", "b", "c") == ()
    assert world.state_log() == ["a: queued, and 2 more\n\na: queued\nb: queued\nc: queued\n"]
    assert [record(world, id_)["place"] for id_ in ("a", "b", "c")] == [1, 2, 3]


def test_statuses_of_many_changes_are_one_push(world: World, machine: Machine) -> None:
    posts = [
        StatusPost(
            change=ChangeId(name),
            commit=world.queue(name, {name: "2\n"}),
            context=STATUS_CONTEXT,
            state=StatusState.PENDING,
            description=f"waiting: {name}",
        )
        for name in ("a", "b")
    ]
    machine.writes.post_status(posts)
    assert len(world.state_log()) == 1
    assert "waiting: a" in world.state_log()[0]
    status = record(world, "b")["status"]
    assert isinstance(status, dict)
    assert status["description"] == "waiting: b"


def test_the_audit_log_is_the_queues_own_and_dated_by_the_clock(
    world: World, machine: Machine
) -> None:
    world.queue("a", {"a": "2\n"})
    machine.mark(Mark.QUEUED, "a")
    said = world.playground.run("log", "--format=%an <%ae>|%cn <%ce>|%ad", STATE).decode().strip()
    who, committer, date = said.split("|")
    assert who == committer == str(QUEUE)
    assert date.endswith("2030 +0000")


def test_nothing_new_writes_nothing(world: World, machine: Machine) -> None:
    head = world.queue("a", {"a": "2\n"})
    machine.writes.post_status([])
    assert machine.writes.mark([]) == ()
    assert STATE not in world.playground.refs()
    machine.mark(Mark.QUEUED, "a")
    machine.post("a", head)
    machine.kick(machine.change("a"))
    before = world.playground.tip(STATE)
    machine.post("a", head)
    machine.mark(Mark.KICKED_BACK, "a")
    assert world.playground.tip(STATE) == before


def test_the_records_hold_no_other_branch_of_anybody(world: World, machine: Machine) -> None:
    world.queue("a", {"a": "2\n"})
    before = world.playground.refs()
    machine.mark(Mark.QUEUED, "a")
    after = world.playground.refs()
    assert {name: tip for name, tip in after.items() if name != STATE} == before


def test_what_has_no_branch_is_not_recorded(world: World, machine: Machine) -> None:
    machine.post("gone", world.base)
    problems = machine.mark(Mark.QUEUED, "gone")
    assert len(problems) == 1
    assert "gone" in problems[0]
    assert STATE not in world.playground.refs()


def test_pointing_a_change_at_the_base_that_all_target_is_done_already(
    world: World, machine: Machine
) -> None:
    world.queue("a", {"a": "2\n"})
    before = world.playground.refs()
    machine.writes.retarget(RetargetRequest(change=ChangeId("a"), base=MAIN))
    assert world.playground.refs() == before


def test_a_branch_that_the_base_carries_is_deleted_when_its_change_leaves(
    world: World, machine: Machine
) -> None:
    world.playground.branch("mq/merge/done", world.base)
    head = world.queue("open", {"a": "2\n"})
    machine.mark(Mark.NONE, "done", head=world.base)
    machine.mark(Mark.NONE, "open", head=head)
    assert "refs/heads/mq/merge/done" not in world.playground.refs()
    assert "refs/heads/mq/squash/open" in world.playground.refs()


def test_a_branch_that_moved_on_is_not_deleted(world: World, machine: Machine) -> None:
    world.playground.branch("mq/merge/done", world.base)
    older = world.playground.commit({"x": "1\n"})
    machine.mark(Mark.NONE, "done", head=older)
    assert "refs/heads/mq/merge/done" in world.playground.refs()


# --- kick-backs ----------------------------------------------------------------------------------


def test_a_kick_back_keeps_the_branch_and_takes_the_change_out(
    world: World, machine: Machine
) -> None:
    head = world.queue("a", {"a": "2\n"})
    machine.mark(Mark.QUEUED, "a")
    change = machine.change("a")
    machine.kick(change, claim="exit 1 ``` \x1b[31m")
    machine.mark(Mark.KICKED_BACK, "a", head=head)
    assert world.playground.tip("mq/squash/a") == head
    listing = machine.listed()
    assert listing.changes == ()
    [unqueued] = listing.unqueued
    assert (unqueued.id, unqueued.head, unqueued.mark) == ("a", head, Mark.KICKED_BACK)
    approval = machine.approval(change)
    assert not approval.queued
    assert "KICK_RED" in approval.reason
    kick = record(world, "a")["kick"]
    assert isinstance(kick, dict)
    assert kick["report"] == "It is red."
    assert kick["claim"] == "exit 1 ``` \x1b[31m"


def test_what_an_author_reads_is_in_the_records(world: World, machine: Machine) -> None:
    head = world.queue("a", {"a": "2\n"})
    world.queue("b", {"b": "2\n"})
    machine.mark(Mark.QUEUED, "a")
    machine.post("a", head, StatusState.FAILURE)
    machine.kick(machine.change("a"))
    first, second = machine.reads.records(MAIN).entries
    assert (first.intent.id, first.state, first.kicked) == ("b", None, False)
    assert (second.intent.id, second.kicked) == ("a", True)
    assert second.state is not None
    assert second.state.kick is not None
    assert second.state.kick.code is Code.KICK_RED
    assert second.state.status is not None
    assert second.state.status.state is StatusState.FAILURE


def test_a_new_push_queues_it_again_behind_the_others(world: World, machine: Machine) -> None:
    for name in ("a", "b"):
        world.queue(name, {name: "2\n"})
    machine.mark(Mark.QUEUED, "a", "b")
    machine.kick(machine.change("a"))
    world.queue("a", {"a": "3\n"})
    assert machine.ids() == ["b", "a"]
    assert machine.mark(Mark.QUEUED, "a") == ()
    assert record(world, "a")["kick"] is None
    assert record(world, "a")["place"] == 3


def test_another_method_at_the_same_commit_queues_it_again(world: World, machine: Machine) -> None:
    head = world.queue("a", {"a": "2\n"}, Method.REBASE)
    machine.kick(machine.change("a"))
    world.playground.delete_branch("mq/rebase/a")
    world.playground.branch("mq/squash/a", head)
    assert machine.ids() == ["a"]


def test_a_kick_back_of_a_head_that_moved_meanwhile_is_not_recorded(
    world: World, machine: Machine
) -> None:
    world.queue("a", {"a": "2\n"})
    machine.mark(Mark.QUEUED, "a")
    old = machine.change("a")
    world.queue("a", {"a": "3\n"})
    machine.kick(old)
    assert machine.ids() == ["a"]
    assert record(world, "a")["kick"] is None


def test_marking_as_queued_what_was_kicked_back_is_told_and_changes_nothing(
    world: World, machine: Machine
) -> None:
    world.queue("a", {"a": "2\n"})
    machine.kick(machine.change("a"))
    [problem] = machine.mark(Mark.QUEUED, "a")
    assert "kicked back" in problem
    assert machine.mark(Mark.NONE, "a") == ()
    assert machine.ids() == []


def test_a_kick_back_records_only_as_many_files_as_are_shown(
    world: World, machine: Machine
) -> None:
    world.queue("a", {"a": "2\n"})
    paths = tuple(f"file{number}" for number in range(5000))
    machine.kick(machine.change("a"), paths=paths, with_=paths)
    kick = record(world, "a")["kick"]
    assert isinstance(kick, dict)
    assert len(kick["paths"]) == len(kick["with"]) == PATHS_SHOWN


def test_a_person_can_queue_it_again_as_it_stands(world: World, machine: Machine) -> None:
    for name in ("a", "b"):
        world.queue(name, {name: "2\n"})
    machine.mark(Mark.QUEUED, "a", "b")
    machine.kick(machine.change("a"))
    assert machine.writes.requeue(ChangeId("a")) is True
    assert machine.ids() == ["b", "a"]
    assert "by hand" in world.state_log()[0]
    assert machine.writes.requeue(ChangeId("a")) is False


def test_a_change_that_is_not_there_cannot_be_queued_again(machine: Machine) -> None:
    with pytest.raises(MergequeueError) as caught:
        machine.writes.requeue(ChangeId("gone"))
    assert caught.value.code == NO_SUCH_CHANGE.code


def test_a_mark_of_a_kick_back_that_a_person_undid_is_told(world: World, machine: Machine) -> None:
    world.queue("a", {"a": "2\n"})
    machine.kick(machine.change("a"))
    machine.writes.requeue(ChangeId("a"))
    [problem] = machine.mark(Mark.KICKED_BACK, "a")
    assert "again" in problem
    assert machine.ids() == ["a"]


# --- others who write ----------------------------------------------------------------------------


def test_a_writer_that_came_second_writes_on_top_of_the_first(
    world: World, machine: Machine
) -> None:
    for name in ("a", "b"):
        world.queue(name, {name: "2\n"})
    other = world.machine()
    machine.mark(Mark.QUEUED, "b")
    machine.meddled(before=lambda: other.mark(Mark.QUEUED, "a")).kick(machine.change("b"))
    assert recorded(world) == {"a", "b"}
    assert record(world, "a")["mark"] == "queued"
    assert machine.ids() == ["a"]
    assert len(world.state_log()) == 3


def test_two_that_queue_at_once_give_each_change_a_place_of_its_own(
    world: World, machine: Machine
) -> None:
    for name in ("a", "b"):
        world.queue(name, {name: "2\n"})
    other = world.machine()
    machine.meddled(before=lambda: other.mark(Mark.QUEUED, "b")).mark(Mark.QUEUED, "a")
    assert machine.ids() == other.ids() == ["b", "a"]


def test_a_writer_that_others_come_before_again_and_again_gives_up(
    world: World, machine: Machine
) -> None:
    head = world.queue("a", {"a": "2\n"})
    other = world.machine()

    def come_first() -> None:
        places = len(world.state_log()) if STATE in world.playground.refs() else 0
        other.post("a", head, StatusState.PENDING if places % 2 else StatusState.SUCCESS)

    with pytest.raises(QueueError) as caught:
        machine.meddled(before=come_first, times=STATE_ROUNDS).mark(Mark.QUEUED, "a")
    assert caught.value.code == STATE_MOVED.code
    assert len(world.state_log()) == STATE_ROUNDS
    assert machine.mark(Mark.QUEUED, "a") == ()


def test_writers_at_the_very_same_time_lose_nothing_of_each_other(
    world: World, machine: Machine
) -> None:
    machines = [machine, world.machine(), world.machine()]
    names = [[f"{letter}{number}" for number in range(2)] for letter in "abc"]
    for name in (name for own in names for name in own):
        world.queue(name, {name: "2\n"})
    start = threading.Barrier(len(machines))

    def write(number: int) -> None:
        start.wait()
        for name in names[number]:
            assert machines[number].mark(Mark.QUEUED, name) == ()

    with ThreadPoolExecutor(len(machines)) as pool:
        list(pool.map(write, range(len(machines))))
    assert recorded(world) == {name for own in names for name in own}
    places = {record(world, name)["place"] for own in names for name in own}
    assert places == {1, 2, 3, 4, 5, 6}
    assert len(world.state_log()) == 6


def test_a_push_whose_answer_was_lost_counts_once(world: World, machine: Machine) -> None:
    world.queue("a", {"a": "2\n"})

    def lost() -> None:
        raise QueueError("MQ3001", "the connection broke", "try again")

    assert machine.meddled(after=lost).mark(Mark.QUEUED, "a") == ()
    assert len(world.state_log()) == 1


def test_a_push_that_never_arrived_is_an_error_and_can_be_made_again(
    world: World, machine: Machine
) -> None:
    world.queue("a", {"a": "2\n"})

    def broken() -> None:
        raise QueueError("MQ3001", "the connection broke", "try again")

    with pytest.raises(QueueError, match="the connection broke"):
        machine.meddled(before=broken).mark(Mark.QUEUED, "a")
    assert STATE not in world.playground.refs()
    assert machine.mark(Mark.QUEUED, "a") == ()
    assert record(world, "a")["mark"] == "queued"


def test_a_remote_that_refuses_records_is_an_error_in_its_own_words(
    world: World, machine: Machine
) -> None:
    world.queue("a", {"a": "2\n"})
    world.playground.hook("pre-receive", "echo the records are closed >&2; exit 1")
    with pytest.raises(QueueError) as caught:
        machine.mark(Mark.QUEUED, "a")
    assert caught.value.code == PROVIDER_FAILED.code
    assert "the records are closed" in caught.value.problem


def test_a_hostile_name_is_kicked_back_once_and_stays_out(world: World, machine: Machine) -> None:
    for name in ("$(id)", "\udcff", "größe", "x" * 200):
        world.playground.run("update-ref", f"refs/heads/mq/squash/{name}", world.base)
    refused = machine.listed().changes
    assert len(refused) == 4
    for change in refused:
        machine.kick(change, code=Code.KICK_REFUSED)
    marks = [MarkRequest(change=change.id, mark=Mark.KICKED_BACK) for change in refused]
    assert machine.writes.mark(marks) == ()
    assert machine.ids() == []
    assert len(world.machine().listed().unqueued) == 4


def test_the_place_of_a_commit_in_the_history_is_that_of_the_write(
    world: World, machine: Machine
) -> None:
    head = world.queue("a", {"a": "2\n"})
    machine.mark(Mark.QUEUED, "a")
    machine.post("a", head, StatusState.PENDING)
    machine.kick(machine.change("a"))
    said = [message.partition(":")[2].split()[0] for message in world.state_log()]
    assert said == ["kicked", "status", "queued"]
    first = CommitId(world.playground.log(STATE)[-1])
    assert world.parents(first) == []
