"""What is listed, in which order, and how each change stands, over a real remote."""

import pytest

from mergequeue.documents.changes import ClosedChange
from mergequeue.documents.provider import (
    CheckQuestion,
    DescribeQuestion,
    GreenQuestion,
    Repository,
)
from mergequeue.plaingit.reading import PlainGitReads
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import BAD_STATE, NO_BASE, MergequeueError, QueueError
from mergequeue.vocabulary.ids import BranchName, CommitId
from mergequeue.vocabulary.words import Mark, Method, ProviderMerges, StackMerge, StatusState
from tests.plaingit.world import MAIN, STATE, Machine, World

# --- listing -------------------------------------------------------------------------------------


def test_a_pushed_branch_is_a_queued_change(world: World, machine: Machine) -> None:
    head = world.queue("team/fix", {"a": "2\n"}, Method.MERGE, message="Fix it\n\nBecause.\n")
    [change] = machine.listed().changes
    assert (change.id, change.head, change.base) == ("team.fix", head, "main")
    assert (change.method, change.title) == (Method.MERGE, "Fix it")
    assert change.ref == "refs/heads/mq/merge/team/fix"
    assert change.branch == "mq/merge/team/fix"
    assert not change.fork
    assert not change.refused


def test_an_empty_queue_lists_nothing(machine: Machine) -> None:
    listing = machine.listed()
    assert (listing.changes, listing.merged, listing.unqueued, listing.closed) == ((), (), (), ())


def test_listing_writes_nothing(world: World, machine: Machine) -> None:
    world.queue("fix", {"a": "2\n"})
    before = world.playground.refs()
    machine.listed()
    assert world.playground.refs() == before


def test_other_branches_are_no_changes_queued_or_not(world: World, machine: Machine) -> None:
    for name in ("topic", "mq/fix", "mq/octopus/fix"):
        world.playground.branch(name, world.base)
    listing = machine.listed()
    assert (listing.changes, listing.unqueued) == ((), ())


def test_a_base_that_the_remote_lacks_is_refused(machine: Machine) -> None:
    with pytest.raises(MergequeueError) as caught:
        machine.reads.list_changes(Repository(base=BranchName("gone"), remote_url="u"))
    assert caught.value.code == NO_BASE.code


HOSTILE = ["$(id)", "a;b", "`id`", "it's", 'a"b', "größe", "${{x}}", "x" * 200, "\udcff", "a/-b"]


def test_hostile_names_are_listed_and_refused_and_hold_nobody_up(
    world: World, machine: Machine
) -> None:
    for name in HOSTILE:
        world.playground.run("update-ref", f"refs/heads/mq/squash/{name}", world.base)
    world.queue("fine", {"a": "2\n"})
    listing = machine.listed()
    assert [change.id for change in listing.changes if not change.refused] == ["a.-b", "fine"]
    assert len(listing.changes) == len(HOSTILE) + 1
    assert listing.model_validate_json(listing.model_dump_json(by_alias=True)) == listing


def test_names_of_one_id_are_refused_until_one_is_left(world: World, machine: Machine) -> None:
    world.queue("a.b", {"a": "2\n"})
    world.queue("a/b", {"b": "2\n"}, Method.MERGE)
    refused = machine.listed().changes
    assert all(change.refused for change in refused)
    for change in refused:
        machine.kick(change, code=Code.KICK_REFUSED)
    assert machine.ids() == []
    world.playground.delete_branch("mq/merge/a/b")
    assert machine.ids() == ["a.b"]


def test_a_head_without_a_date_refuses_that_change_alone(world: World, machine: Machine) -> None:
    tree = world.playground.tree({"a": "2\n"})
    raw = f"tree {tree}\nparent {world.base}\nauthor A <a> 1 +0000\ncommitter A <a> never\n\nOld\n"
    bad = world.playground.write(1, raw.encode())
    world.playground.branch("mq/squash/bad", bad)
    world.queue("fine", {"b": "2\n"})
    changes = {change.id: change for change in machine.listed().changes}
    assert "date" in changes["bad"].refused  # type: ignore[index]  # a plain text finds an id
    assert not changes["fine"].refused  # type: ignore[index]  # likewise


# --- order ---------------------------------------------------------------------------------------


def test_order_is_as_recorded_and_by_id_behind_that(world: World, machine: Machine) -> None:
    for name in ("late", "early"):
        world.queue(name, {name: "2\n"})
    machine.mark(Mark.QUEUED, "late")
    machine.mark(Mark.QUEUED, "early")
    for name in ("zebra", "ant"):
        world.queue(name, {name: "2\n"})
    assert machine.ids() == ["late", "early", "ant", "zebra"]


def test_changes_recorded_in_one_go_keep_the_order_they_were_listed_in(
    world: World, machine: Machine
) -> None:
    for name in ("c", "a", "b"):
        world.queue(name, {name: "2\n"})
    listed = machine.ids()
    machine.mark(Mark.QUEUED, "c", "b", "a")
    assert machine.ids() == listed == ["a", "b", "c"]


def test_a_push_keeps_the_place(world: World, machine: Machine) -> None:
    for name in ("b", "a"):
        world.queue(name, {name: "2\n"})
        machine.mark(Mark.QUEUED, name)
    world.queue("b", {"b": "3\n"})
    assert machine.ids() == ["b", "a"]


def test_two_machines_see_the_same_queue(world: World, machine: Machine) -> None:
    for name in ("b", "a", "c"):
        world.queue(name, {name: "2\n"})
        machine.mark(Mark.QUEUED, name)
    machine.kick(machine.change("a"))
    assert world.machine().listed() == machine.listed()


# --- each change as it is now --------------------------------------------------------------------


def test_a_branch_that_is_there_is_queued_and_needs_no_approval(
    world: World, machine: Machine
) -> None:
    world.queue("fix", {"a": "2\n"})
    approval = machine.approval(machine.change("fix"))
    assert (approval.approved, approval.queued, approval.shared_with) == (True, True, ())


def test_a_deleted_branch_is_withdrawn(world: World, machine: Machine) -> None:
    head = world.queue("fix", {"a": "2\n"})
    change = machine.change("fix")
    world.playground.delete_branch("mq/squash/fix")
    approval = machine.approval(change)
    assert (approval.queued, approval.head) == (False, head)
    assert "mq/squash/fix" in approval.reason


def test_a_push_shows_as_another_head(world: World, machine: Machine) -> None:
    world.queue("fix", {"a": "2\n"})
    change = machine.change("fix")
    moved = world.queue("fix", {"a": "3\n"})
    approval = machine.approval(change)
    assert (approval.queued, approval.head) == (True, moved)


def test_a_branch_under_another_method_shows_as_another_method(
    world: World, machine: Machine
) -> None:
    head = world.queue("fix", {"a": "2\n"})
    change = machine.change("fix")
    world.playground.delete_branch("mq/squash/fix")
    world.playground.branch("mq/merge/fix", head)
    approval = machine.approval(change)
    assert (approval.queued, approval.method) == (True, Method.MERGE)


def test_a_second_branch_of_one_id_takes_both_out(world: World, machine: Machine) -> None:
    head = world.queue("fix", {"a": "2\n"})
    change = machine.change("fix")
    world.playground.branch("mq/merge/fix", head)
    approval = machine.approval(change)
    assert not approval.queued
    assert "mq/merge/fix" in approval.reason


def test_a_change_that_merged_says_as_what(world: World, machine: Machine) -> None:
    world.queue("fix", {"a": "2\n"})
    change = machine.change("fix")
    assert machine.merge(change).merged
    approval = machine.approval(change)
    assert not approval.queued
    assert world.tip()[:12] in approval.reason


# --- stacks on what merged -----------------------------------------------------------------------


def test_a_change_stacked_on_a_squashed_one_finds_what_merged(
    world: World, machine: Machine
) -> None:
    lower = world.queue("lower", {"a": "2\n"})
    world.queue("upper", {"b": "2\n"}, on=lower)
    world.queue("alone", {"c": "2\n"})
    assert machine.merge(machine.change("lower")).merged
    [merged] = machine.listed().merged
    assert (merged.id, merged.head, merged.commit) == ("lower", lower, world.tip())
    assert merged.method is Method.SQUASH
    world.playground.delete_branch("mq/squash/upper")
    assert machine.listed().merged == ()


def test_a_change_merged_with_a_merge_commit_is_no_stack_base(
    world: World, machine: Machine
) -> None:
    lower = world.queue("lower", {"a": "2\n"}, Method.MERGE)
    world.queue("upper", {"b": "2\n"}, Method.MERGE, on=lower)
    assert machine.merge(machine.change("lower")).merged
    assert machine.listed().merged == ()


def test_a_merge_that_was_taken_back_from_the_base_is_not_listed(
    world: World, machine: Machine
) -> None:
    lower = world.queue("lower", {"a": "2\n"})
    world.queue("upper", {"b": "2\n"}, on=lower)
    assert machine.merge(machine.change("lower")).merged
    world.playground.branch("main", world.base)
    assert machine.listed().merged == ()


def test_a_new_change_may_bear_the_name_of_a_merged_one(world: World, machine: Machine) -> None:
    lower = world.queue("fix", {"a": "2\n"})
    world.queue("upper", {"b": "2\n"}, on=lower)
    assert machine.merge(machine.change("fix")).merged
    world.queue("fix", {"c": "2\n"})
    listing = machine.listed()
    assert [change.id for change in listing.changes] == ["fix", "upper"]
    [merged] = listing.merged
    assert merged.head == lower
    assert merged.id.startswith("merged-")


# --- what there is no branch for -----------------------------------------------------------------


def test_records_without_a_branch_are_closed_until_they_are_cleared(
    world: World, machine: Machine
) -> None:
    world.queue("fix", {"a": "2\n"})
    machine.mark(Mark.QUEUED, "fix")
    world.playground.delete_branch("mq/squash/fix")
    assert machine.listed().closed == (ClosedChange.model_validate_json('{"id": "fix"}'),)
    assert machine.mark(Mark.NONE, "fix") == ()
    assert machine.listed().closed == ()


# --- the rest ------------------------------------------------------------------------------------


def test_green_is_a_success_on_the_head_that_the_branch_has(world: World, machine: Machine) -> None:
    head = world.queue("fix", {"a": "2\n"})
    question = GreenQuestion(base=MAIN, remote_url="u", context="merge-queue")
    other = GreenQuestion(base=MAIN, remote_url="u", context="something-else")
    assert machine.reads.list_green(question) == ()
    machine.post("fix", head)
    assert [green.head for green in machine.reads.list_green(question)] == [head]
    assert machine.reads.list_green(other) == ()
    world.queue("fix", {"a": "3\n"})
    assert machine.reads.list_green(question) == ()
    machine.post("fix", machine.change("fix").head, StatusState.PENDING)
    assert machine.reads.list_green(question) == ()


def test_it_describes_itself(machine: Machine) -> None:
    described = machine.reads.describe(DescribeQuestion(base=MAIN, remote_url="u"))
    assert described.merges is ProviderMerges.EXACT
    assert described.stack_merge is StackMerge.SEQUENTIAL
    assert described.methods == tuple(Method)
    assert (described.linear_stacks, described.required_approvals) == (False, 0)
    assert described.queue_label == "mq/"
    assert described.committer is not None
    assert described.committer.name == "Operator"
    assert described.setup is None


def test_its_setup_says_how_to_queue_and_what_to_protect(machine: Machine) -> None:
    asked = DescribeQuestion(
        base=MAIN, remote_url="u", status_context="merge-queue", setup_steps=True
    )
    setup = machine.reads.describe(asked).setup
    assert setup is not None
    assert setup.required_checks == ()
    assert [step.command for step in setup.steps if step.command] == [
        "git push origin HEAD:mq/squash/<name>",
        "git push origin --delete mq/squash/<name>",
    ]
    assert "refs/mergequeue/" in setup.steps[-1].title


def test_who_has_no_name_in_git_has_none_here(machine: Machine) -> None:
    reads = PlainGitReads(machine.workshop.reads, remote="origin", user=None)
    assert reads.describe(DescribeQuestion(base=MAIN, remote_url="u")).committer is None


def test_a_plain_repository_requires_no_check(world: World, machine: Machine) -> None:
    head = world.queue("fix", {"a": "2\n"})
    question = CheckQuestion(change=machine.change("fix"), commit=head)
    assert machine.reads.required_checks(question) == ()


def test_the_reading_side_has_no_way_to_write(machine: Machine) -> None:
    for function in ("post_status", "retarget", "merge_change", "kick_back", "mark", "requeue"):
        assert not hasattr(machine.reads, function)


@pytest.mark.parametrize("content", ["{", '{"schema": "mergequeue.state/v2"}'])
def test_records_that_do_not_read_stop_everything_and_are_named(
    world: World, machine: Machine, content: str
) -> None:
    head = world.queue("fix", {"a": "2\n"})
    broken = world.playground.commit({"changes/fix.json": content})
    world.playground.branch(STATE, broken)
    for act in (machine.listed, lambda: machine.post("fix", head)):
        with pytest.raises(QueueError) as caught:
            act()
        assert caught.value.code == BAD_STATE.code
        assert "changes/fix.json" in caught.value.problem
        assert STATE in caught.value.problem
    assert world.playground.tip(STATE) == CommitId(broken)
