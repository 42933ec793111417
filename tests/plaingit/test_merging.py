"""A merge is one push: the base, the branch and the records move together, or nothing does."""

import pytest

from mergequeue.plaingit.writing import PlainGitWrites
from mergequeue.vocabulary.errors import NO_COMMITTER, QueueError
from mergequeue.vocabulary.ids import CommitId
from mergequeue.vocabulary.words import Mark, Method
from tests.plaingit.world import MAIN, STATE, Machine, World


def facts(world: World, commit: str, form: str) -> str:
    return world.playground.run("show", "-s", f"--format={form}", commit).decode().strip()


def moved_base(world: World) -> CommitId:
    onto = world.playground.commit({"c": "2\n"}, parents=world.tip())
    return world.playground.branch("main", onto)


# --- the shape of each method --------------------------------------------------------------------


def test_a_squash_is_one_commit_by_the_heads_author_on_the_tip(
    world: World, machine: Machine
) -> None:
    head = world.queue("fix", {"a": "2\n"}, message="Fix a\n\nBecause.\n")
    tip = moved_base(world)
    assert machine.merge(machine.change("fix"), committer="The Bot <bot@example.invalid>").merged
    landed = world.tip()
    assert world.parents(landed) == [tip]
    assert world.playground.files(landed) == {b"a": b"2\n", b"b": b"1\n", b"c": b"2\n"}
    assert facts(world, landed, "%an <%ae> %at") == facts(world, head, "%an <%ae> %at")
    assert facts(world, landed, "%cn <%ce>") == "The Bot <bot@example.invalid>"
    assert world.playground.message(landed) == "Fix a\n\n* the change's own words\n"


def test_a_squash_whose_words_only_repeat_its_title_is_the_title(
    world: World, machine: Machine
) -> None:
    world.queue("fix", {"a": "2\n"}, message="Fix a\n")
    assert machine.merge(machine.change("fix"), message="* Fix a\n").merged
    assert world.playground.message(world.tip()) == "Fix a\n"


def test_a_merge_is_a_commit_of_the_tip_and_the_head(world: World, machine: Machine) -> None:
    head = world.queue("fix", {"a": "2\n"}, Method.MERGE, message="Fix a\n")
    tip = moved_base(world)
    assert machine.merge(machine.change("fix")).merged
    assert world.parents(world.tip()) == [tip, head]
    assert world.playground.message(world.tip()) == "Merge fix\n\nFix a\n"
    assert facts(world, world.tip(), "%cn") == "Operator"


def test_a_rebase_replays_each_commit_with_its_author_date_and_words(
    world: World, machine: Machine
) -> None:
    first = world.playground.commit(
        {"a": "2\n"},
        parents=world.base,
        message="One\n\nWhy.\n",
        author=("Ann", "ann@example.invalid"),
    )
    world.queue("fix", {"b": "2\n"}, Method.REBASE, on=first, message="Two\n")
    tip = moved_base(world)
    assert machine.merge(machine.change("fix")).merged
    top, below = world.playground.log("main")[:2]
    assert world.parents(top) == [below]
    assert world.parents(below) == [tip]
    assert facts(world, below, "%an %at %cn") == f"Ann {facts(world, first, '%at')} Operator"
    assert world.playground.message(below) == "One\n\nWhy.\n"
    assert world.playground.message(top) == "Two\n"
    assert world.playground.files(below)[b"a"] == b"2\n"
    assert world.playground.files(below)[b"b"] == b"1\n"


def test_a_rebase_leaves_merges_and_what_the_base_has_out(world: World, machine: Machine) -> None:
    first = world.playground.commit({"a": "2\n"}, parents=world.base, message="One\n")
    same = world.playground.commit({"c": "2\n"}, parents=first, message="The base has this\n")
    tip = moved_base(world)
    merged = world.playground.commit({"c": "2\n"}, parents=[same, tip], message="Merge main\n")
    world.queue("fix", {"b": "2\n"}, Method.REBASE, on=merged, message="Two\n")
    assert machine.merge(machine.change("fix")).merged
    messages = [world.playground.message(commit) for commit in world.playground.log("main")[:2]]
    assert messages == ["Two\n", "One\n"]
    assert world.parents(world.playground.log("main")[1]) == [tip]


def test_a_rebase_of_a_change_stacked_on_a_squashed_one_replays_its_own_commits(
    world: World, machine: Machine
) -> None:
    lower = world.queue("lower", {"a": "2\n"})
    world.queue("upper", {"b": "2\n"}, Method.REBASE, on=lower, message="Upper\n")
    assert machine.merge(machine.change("lower")).merged
    # What lower did was changed on the base since: replaying it would conflict.
    tip = world.playground.commit({"a": "9\n"}, parents=world.tip())
    world.playground.branch("main", tip)
    tree = world.playground.tree({"b": "2\n"}, start=tip)
    request = machine.request(machine.change("upper"), tree, stack_base=lower)
    assert machine.writes.merge_change(request).merged
    assert world.parents(world.tip()) == [tip]
    assert world.playground.files(world.tip()) == {b"a": b"9\n", b"b": b"2\n", b"c": b"1\n"}


def test_a_rebase_that_conflicts_on_the_way_is_not_made_and_names_the_commit(
    world: World, machine: Machine
) -> None:
    first = world.playground.commit({"c": "mine\n"}, parents=world.base, message="Clash\n")
    world.queue("fix", {"c": "2\n"}, Method.REBASE, on=first)
    tip = moved_base(world)
    change = machine.change("fix")
    answer = machine.writes.merge_change(
        machine.request(change, machine.workshop.reads.tree_of(tip))
    )
    assert not answer.merged
    assert first[:12] in answer.reason
    assert "Clash" in answer.reason
    assert "`c`" in answer.reason
    assert world.tip() == tip


def test_a_rebase_replays_no_commit_whose_conflicts_have_to_be_settled(
    world: World, machine: Machine
) -> None:
    start = world.playground.commit({"N.md": "# N\n"}, parents=world.base)
    first = world.playground.commit({"N.md": "# N\nmine\n"}, parents=start, message="Mine\n")
    world.queue("fix", {"c": "2\n"}, Method.REBASE, on=first)
    moved = world.playground.commit({"N.md": "# N\ntheirs\n"}, parents=start)
    world.playground.branch("main", moved)
    change = machine.change("fix")
    both = world.playground.tree({"N.md": "# N\ntheirs\nmine\n", "c": "2\n"}, start=moved)
    answer = machine.writes.merge_change(machine.request(change, both))
    assert not answer.merged
    assert first[:12] in answer.reason
    assert "`N.md`" in answer.reason
    assert world.tip() == moved


def test_a_rebase_that_gives_another_tree_than_the_gated_one_is_not_made(
    world: World, machine: Machine
) -> None:
    world.queue("fix", {"a": "2\n"}, Method.REBASE)
    change = machine.change("fix")
    wrong = machine.workshop.reads.tree_of(world.base)
    answer = machine.writes.merge_change(machine.request(change, wrong))
    assert not answer.merged
    assert "gated" in answer.reason
    assert world.tip() == world.base


def test_the_tree_is_the_one_that_was_handed_over(world: World, machine: Machine) -> None:
    world.queue("fix", {"a": "2\n"})
    tree = world.playground.tree({"handed": "over\n"})
    machine.workshop.repository.write(2, world.playground.repository[tree].read_raw())
    machine.workshop.repository.write(3, b"over\n")
    assert machine.writes.merge_change(machine.request(machine.change("fix"), tree)).merged
    assert world.playground.files(world.tip()) == {b"handed": b"over\n"}


# --- one push ------------------------------------------------------------------------------------


def test_a_merge_deletes_its_branch_and_its_records_and_is_remembered(
    world: World, machine: Machine
) -> None:
    head = world.queue("fix", {"a": "2\n"})
    machine.mark(Mark.QUEUED, "fix")
    assert machine.merge(machine.change("fix")).merged
    assert set(world.playground.refs()) == {"refs/heads/main", STATE}
    files = world.playground.files(world.playground.tip(STATE))
    assert set(files) == {b"merged.json"}
    assert head in files[b"merged.json"].decode()
    assert world.state_log()[0] == f"fix: merged {head[:12]} as {world.tip()[:12]}\n"
    assert machine.mark(Mark.NONE, "fix", head=head) == ()
    assert len(world.state_log()) == 2


@pytest.mark.parametrize("guarded", ["refs/heads/main", "refs/heads/mq/squash/fix", STATE])
def test_a_remote_that_refuses_one_of_the_three_moves_none(
    world: World, machine: Machine, guarded: str
) -> None:
    world.queue("fix", {"a": "2\n"})
    machine.mark(Mark.QUEUED, "fix")
    before = world.playground.refs()
    world.playground.hook("update", f'[ "$1" != "{guarded}" ] || {{ echo not yours >&2; exit 1; }}')
    answer = machine.merge(machine.change("fix"))
    assert not answer.merged
    assert "not yours" in answer.reason
    assert world.playground.refs() == before


def test_a_base_that_moved_is_not_merged_onto(world: World, machine: Machine) -> None:
    world.queue("fix", {"a": "2\n"})
    change = machine.change("fix")
    request = machine.request(change, machine.predicted(change))
    moved = moved_base(world)
    answer = machine.writes.merge_change(request)
    assert not answer.merged
    assert moved[:12] in answer.reason
    assert world.tip() == moved


def test_a_base_that_moves_during_the_push_is_not_merged_onto(
    world: World, machine: Machine
) -> None:
    world.queue("fix", {"a": "2\n"})
    change = machine.change("fix")
    answer = machine.meddled(before=lambda: moved_base(world)).merge(change)
    assert not answer.merged
    assert world.tip()[:12] in answer.reason
    assert world.playground.files(world.tip())[b"a"] == b"1\n"
    assert "refs/heads/mq/squash/fix" in world.playground.refs()


def test_a_branch_that_moves_during_the_push_is_not_merged(world: World, machine: Machine) -> None:
    world.queue("fix", {"a": "2\n"})
    change = machine.change("fix")
    answer = machine.meddled(before=lambda: world.queue("fix", {"a": "3\n"})).merge(change)
    assert not answer.merged
    assert world.playground.tip("mq/squash/fix")[:12] in answer.reason
    assert world.tip() == world.base


def test_a_branch_that_is_deleted_during_the_push_is_not_merged(
    world: World, machine: Machine
) -> None:
    world.queue("fix", {"a": "2\n"})
    change = machine.change("fix")
    withdraw = lambda: world.playground.delete_branch("mq/squash/fix")  # noqa: E731 (it is said once)
    answer = machine.meddled(before=withdraw).merge(change)
    assert not answer.merged
    assert "gone" in answer.reason
    assert world.tip() == world.base
    assert "refs/heads/mq/squash/fix" not in world.playground.refs()


def test_another_writer_of_the_records_only_delays_a_merge(world: World, machine: Machine) -> None:
    world.queue("fix", {"a": "2\n"})
    world.queue("other", {"b": "2\n"})
    change = machine.change("fix")
    elsewhere = world.machine()
    meddled = machine.meddled(before=lambda: elsewhere.mark(Mark.QUEUED, "other"))
    assert meddled.merge(change).merged
    assert world.playground.files(world.tip())[b"a"] == b"2\n"
    assert machine.ids() == ["other"]
    assert len(world.state_log()) == 2


def test_a_kick_back_that_comes_first_stops_the_merge(world: World, machine: Machine) -> None:
    world.queue("fix", {"a": "2\n"})
    change = machine.change("fix")
    elsewhere = world.machine()
    answer = machine.meddled(before=lambda: elsewhere.kick(change)).merge(change)
    assert not answer.merged
    assert "KICK_RED" in answer.reason
    assert world.tip() == world.base


def test_a_merge_whose_answer_was_lost_is_told_as_what_it_was(
    world: World, machine: Machine
) -> None:
    world.queue("fix", {"a": "2\n"})

    def lost() -> None:
        raise QueueError("MQ3001", "the connection broke", "try again")

    assert machine.meddled(after=lost).merge(machine.change("fix")).merged
    assert world.playground.files(world.tip())[b"a"] == b"2\n"
    assert len(world.state_log()) == 1


def test_a_merge_that_never_arrived_is_an_error_and_leaves_all_as_it_was(
    world: World, machine: Machine
) -> None:
    world.queue("fix", {"a": "2\n"})
    before = world.playground.refs()

    def broken() -> None:
        raise QueueError("MQ3001", "the connection broke", "try again")

    with pytest.raises(QueueError, match="the connection broke"):
        machine.meddled(before=broken).merge(machine.change("fix"))
    assert world.playground.refs() == before
    assert machine.merge(machine.change("fix")).merged


def test_a_method_that_changed_is_not_merged_by_the_old_one(world: World, machine: Machine) -> None:
    head = world.queue("fix", {"a": "2\n"})
    change = machine.change("fix")
    world.playground.delete_branch("mq/squash/fix")
    world.playground.branch("mq/merge/fix", head)
    answer = machine.merge(change)
    assert not answer.merged
    assert "merge" in answer.reason
    assert world.tip() == world.base


def test_nobody_to_commit_is_an_error_that_says_so(world: World, machine: Machine) -> None:
    world.queue("fix", {"a": "2\n"})
    change = machine.change("fix")
    nobody = PlainGitWrites(machine.hands, base=MAIN, user=None)
    request = machine.request(change, machine.predicted(change))
    for who in ("", "no address"):
        asked = request.model_copy(update={"committer": who})
        with pytest.raises(QueueError) as caught:
            nobody.merge_change(asked)
        assert caught.value.code == NO_COMMITTER.code
    assert world.tip() == world.base


def test_a_name_with_a_dash_in_it_merges_and_goes(world: World, machine: Machine) -> None:
    head = world.playground.commit({"a": "2\n"}, parents=world.base)
    world.playground.run("update-ref", "refs/heads/mq/squash/a/-b", head)
    assert machine.merge(machine.change("a.-b")).merged
    assert set(world.playground.refs()) == {"refs/heads/main", STATE}
