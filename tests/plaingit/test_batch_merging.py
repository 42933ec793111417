"""A batch is one push: the base, every branch and the records move together, or nothing does."""

import pytest

from mergequeue.documents.provider import MergeAnswer, MergeMember, MergeRequest
from mergequeue.git.merges import GitMerges
from mergequeue.ports import ThreeWay
from mergequeue.vocabulary.errors import QueueError
from mergequeue.vocabulary.ids import CommitId
from mergequeue.vocabulary.words import Mark, Method
from tests.plaingit.world import MAIN, STATE, Machine, World

NAMES = ("a", "b", "c")


@pytest.fixture
def queued(world: World, machine: Machine) -> list[CommitId]:
    """Three changes of three methods, the last with two commits."""
    first = world.playground.commit({"c": "half\n"}, parents=world.base, message="Half\n")
    heads = [
        world.queue("a", {"a": "2\n"}),
        world.queue("b", {"b": "2\n"}, Method.MERGE),
        world.queue("c", {"c": "2\n"}, Method.REBASE, on=first, message="Whole\n"),
    ]
    machine.mark(Mark.QUEUED, *NAMES)
    return heads


def request_of(
    world: World, machine: Machine, *names: str, stack_base: CommitId | None = None
) -> MergeRequest:
    """Return the call that merges some changes, each with the tree that it is to leave."""
    members: list[MergeMember] = []
    reads = machine.workshop.reads
    onto = reads.fetch_branch(MAIN)
    tree = reads.tree_of(onto)
    for name in names:
        change = machine.change(name)
        base = stack_base if members and stack_base else world.base
        [made] = GitMerges(machine.workshop).merge_by_paths([ThreeWay(tree, change.head, base)])
        assert made.tree is not None
        tree = made.tree
        message = "* the change's own words"
        members.append(MergeMember(change=change, commit=change.head, tree=tree, message=message))
    top = members.pop()
    return MergeRequest(
        **{**dict(top), "stack_base": stack_base}, onto=onto, through=tuple(members)
    )


def own_line(world: World) -> list[CommitId]:
    line = world.playground.run("rev-list", "--first-parent", "refs/heads/main")
    return [CommitId(commit) for commit in line.decode().split()]


def merge(world: World, machine: Machine, *names: str) -> MergeAnswer:
    return machine.writes.merge_change(request_of(world, machine, *names))


def test_each_change_of_a_batch_is_on_the_base_in_the_shape_of_its_own_method(
    world: World, machine: Machine, queued: list[CommitId]
) -> None:
    assert merge(world, machine, *NAMES).merged
    top, half, merged, squashed = own_line(world)[:4]
    assert [world.playground.message(one) for one in (top, half)] == ["Whole\n", "Half\n"]
    assert world.parents(half) == [merged]
    assert world.parents(merged) == [squashed, queued[1]]
    assert world.parents(squashed) == [world.base]
    assert world.playground.files(squashed) == {b"a": b"2\n", b"b": b"1\n", b"c": b"1\n"}
    assert world.playground.files(top) == {b"a": b"2\n", b"b": b"2\n", b"c": b"2\n"}


def test_a_batch_is_one_push_of_the_base_its_branches_and_its_records(
    world: World, machine: Machine, queued: list[CommitId]
) -> None:
    assert merge(world, machine, *NAMES).merged
    assert set(world.playground.refs()) == {"refs/heads/main", STATE}
    assert set(world.playground.files(world.playground.tip(STATE))) == {b"merged.json"}
    assert len(world.state_log()) == 2
    told = world.state_log()[0].splitlines()
    landed = [*own_line(world)[2:4][::-1], world.tip()]
    for name, head, commit in zip(NAMES, queued, landed, strict=True):
        assert f"{name}: merged {head[:12]} as {commit[:12]}" in told


@pytest.mark.parametrize("guarded", ["refs/heads/main", "refs/heads/mq/merge/b", STATE])
def test_a_remote_that_refuses_any_of_it_moves_none(
    world: World, machine: Machine, queued: list[CommitId], guarded: str
) -> None:
    before = world.playground.refs()
    world.playground.hook("update", f'[ "$1" != "{guarded}" ] || {{ echo not yours >&2; exit 1; }}')
    answer = merge(world, machine, *NAMES)
    assert not answer.merged
    assert "not yours" in answer.reason
    assert world.playground.refs() == before
    assert queued


def test_a_member_that_moves_during_the_push_keeps_every_other_from_merging(
    world: World, machine: Machine, queued: list[CommitId]
) -> None:
    meddled = machine.meddled(before=lambda: world.queue("a", {"a": "3\n"}))
    answer = merge(world, meddled, *NAMES)
    assert not answer.merged
    assert queued[0][:12] in answer.reason
    assert world.tip() == world.base
    assert "refs/heads/mq/rebase/c" in world.playground.refs()


def test_a_member_that_is_kicked_back_or_gone_keeps_every_other_from_merging(
    world: World, machine: Machine, queued: list[CommitId]
) -> None:
    request = request_of(world, machine, *NAMES)
    world.machine().kick(machine.change("b"))
    kicked = machine.writes.merge_change(request)
    assert not kicked.merged
    assert "KICK_RED" in kicked.reason
    world.playground.delete_branch("mq/squash/a")
    gone = machine.writes.merge_change(request)
    assert not gone.merged
    assert "gone" in gone.reason
    assert world.tip() == world.base
    assert queued


def test_a_member_whose_replay_gives_another_tree_keeps_every_other_from_merging(
    world: World, machine: Machine, queued: list[CommitId]
) -> None:
    request = request_of(world, machine, *NAMES)
    wrong = machine.workshop.reads.tree_of(world.base)
    answer = machine.writes.merge_change(request.model_copy(update={"tree": wrong}))
    assert not answer.merged
    assert "gated" in answer.reason
    assert world.tip() == world.base
    assert queued


def test_a_batch_whose_answer_was_lost_is_told_as_what_it_was(
    world: World, machine: Machine, queued: list[CommitId]
) -> None:
    def lost() -> None:
        raise QueueError("MQ3001", "the connection broke", "try again")

    assert merge(world, machine.meddled(after=lost), *NAMES).merged
    assert len(world.state_log()) == 2
    assert queued


def test_a_rebase_on_a_squashed_member_of_its_batch_replays_its_own_commits(
    world: World, machine: Machine
) -> None:
    lower = world.queue("a", {"a": "2\n"})
    world.queue("b", {"b": "2\n"}, Method.REBASE, on=lower, message="Upper\n")
    request = request_of(world, machine, "a", "b", stack_base=lower)
    assert machine.writes.merge_change(request).merged
    top, below = world.playground.log("main")[:2]
    assert (world.playground.message(top), world.parents(below)) == ("Upper\n", [world.base])
