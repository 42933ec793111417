"""From listing to landing, over a provider that merges by itself."""

import pygit2
import pytest

from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.words import EventKind, Mark, Method, ProviderMerges, StatusState
from tests.support.applying import NOW, open_queue
from tests.support.forge import Forge
from tests.support.landings import LINES, edit, make_forge, parents, pull, stack, text
from tests.support.repositories import Playground


@pytest.fixture
def forge(playground: Playground) -> Forge:
    return make_forge(playground)


@pytest.mark.parametrize("method", Method)
def test_a_green_change_lands_by_its_method(forge: Forge, method: Method) -> None:
    head = edit(forge, "a/new.txt", "new\n")
    tip = edit(forge, "b/two.txt", "moved\n")
    forge.open("1", head, method=method)
    forge.playground.branch("main", tip)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        assert queue.apply().failure is None
    assert queue.codes() == {"1": "merged"}
    assert (text(forge, "a/new.txt"), text(forge, "b/two.txt")) == ("new\n", "moved\n")
    landed = forge.playground.tip("main")
    assert parents(forge, landed) == ([tip, head] if method is Method.MERGE else [tip])


def test_the_status_is_green_on_the_commit_that_merges_and_on_no_other(forge: Forge) -> None:
    head = edit(forge, "a/new.txt", "new\n")
    forge.open("1", head)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    assert [(post.commit, post.state) for post in forge.posts] == [(head, StatusState.SUCCESS)]
    assert forge.merge_requests[0].commit == head
    merged = queue.heard.of(EventKind.MERGED)
    assert [(event.change, event.commit, event.by_provider) for event in merged] == [
        ("1", head, False)
    ]
    assert pull(forge, "1").mark is Mark.NONE


def test_a_squashed_stack_lands_one_by_one_and_a_deleted_line_stays_deleted(forge: Forge) -> None:
    stack(forge)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        assert queue.apply().failure is None
    assert queue.codes() == {"1": "merged", "2": "merged", "3": "merged"}
    assert (text(forge, "a/one.txt"), text(forge, "a/three.txt")) == (LINES, "three\n")
    # The forge's own merge would bring the line back, so an update commit was pushed for it.
    tips = [request.commit for request in forge.merge_requests]
    assert tips[1] != forge.merge_requests[1].change.head


def test_an_update_commit_is_the_committers_with_the_head_and_the_tip_as_parents(
    forge: Forge,
) -> None:
    stack(forge)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply(committer=Identity("Release Bot", "release@example.invalid"))
    request = forge.merge_requests[1]
    commit = forge.playground.repository[request.commit].peel(pygit2.Commit)
    assert parents(forge, request.commit) == [request.change.head, request.onto]
    assert (commit.author.name, commit.committer.email) == (
        "Release Bot",
        "release@example.invalid",
    )
    assert commit.author.time == NOW.timestamp()
    assert str(commit.tree_id) == request.tree


def test_a_provider_with_linear_stacks_gets_one_commit_in_place_of_the_branchs(
    forge: Forge,
) -> None:
    forge.linear_stacks = True
    one, two, _ = stack(forge)
    del forge.pulls[pull(forge, "3").id]
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        old = forge.head(two.id)
        queue.apply()
    assert queue.codes() == {one.id: "merged", two.id: "merged"}
    request = forge.merge_requests[1]
    assert parents(forge, request.commit) == [request.onto]
    assert old in forge.playground.message(request.commit)


def test_a_linear_stack_is_not_replaced_beneath_another_open_change(forge: Forge) -> None:
    forge.linear_stacks = True
    stack(forge)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "KICK_REFUSED", "3": "WAIT_BELOW_KICKED"}


def test_an_edit_to_a_file_that_the_base_renamed_lands_through_an_update_commit(
    forge: Forge,
) -> None:
    head = edit(forge, "a/one.txt", LINES.replace("5", "five"))
    forge.playground.branch(
        "main",
        forge.playground.commit(
            {"a/one.txt": None, "a/renamed.txt": LINES}, parents=forge.playground.tip("main")
        ),
    )
    forge.open("1", head)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "merged"}
    assert text(forge, "a/renamed.txt") == LINES.replace("5", "five")
    message = forge.playground.message(forge.merge_requests[0].commit)
    assert "renames rule" in message
    assert "a/one.txt" in message
    assert [event.change for event in queue.heard.of(EventKind.RESOLVED)] == ["1"]


def test_a_rebase_that_only_the_renames_rule_can_merge_is_refused(forge: Forge) -> None:
    head = edit(forge, "a/one.txt", LINES.replace("5", "five"))
    forge.playground.branch(
        "main",
        forge.playground.commit(
            {"a/one.txt": None, "a/renamed.txt": LINES}, parents=forge.playground.tip("main")
        ),
    )
    forge.open("1", head, method=Method.REBASE)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "KICK_CONFLICT"}
    assert forge.kicks[0].paths == ("a/one.txt",)


def test_a_rebase_whose_middle_commit_conflicts_is_told_which_one(forge: Forge) -> None:
    wrong = edit(forge, "a/one.txt", LINES.replace("5", "cinq"), message="wip: in French\n")
    right = edit(forge, "a/one.txt", LINES.replace("5", "five"), on=wrong)
    forge.push_to_base({"a/one.txt": LINES.replace("5", "five")})
    again = edit(forge, "a/new.txt", "new\n", on=right)
    forge.open("1", again, method=Method.REBASE)
    with open_queue(forge) as queue:
        plan = queue.plan()
        queue.judge()
        queue.apply()
    assert [verdict.paths for verdict in plan.verdicts] == [("a/one.txt",)]
    assert "`wip: in French`" in plan.verdicts[0].reason
    assert queue.codes() == {"1": "KICK_CONFLICT"}
    assert "`wip: in French`" in forge.kicks[0].claim
    assert "Rebase it onto `main`" in forge.kicks[0].report
    assert forge.merge_requests == []


def test_a_replay_that_a_forged_plan_lets_through_is_made_again(forge: Forge) -> None:
    wrong = edit(forge, "a/one.txt", LINES.replace("5", "cinq"), message="wip: in French\n")
    right = edit(forge, "a/one.txt", LINES.replace("5", "five"), on=wrong)
    forge.push_to_base({"a/one.txt": LINES.replace("5", "five")})
    forge.open("1", edit(forge, "a/new.txt", "new\n", on=right))
    with open_queue(forge) as queue:
        plan = queue.plan()
        pull(forge, "1").method = Method.REBASE
        (line,) = plan.partitions
        forged = tuple(one.model_copy(update={"method": Method.REBASE}) for one in line)
        queue.source.document = plan.model_copy(update={"partitions": (forged,)})
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "KICK_CONFLICT"}
    assert "`wip: in French`" in forge.kicks[0].report
    assert forge.merge_requests == []


@pytest.mark.parametrize("merges", ProviderMerges)
def test_a_replay_that_gives_another_tree_is_refused_whoever_writes_it(
    forge: Forge, merges: ProviderMerges
) -> None:
    # What a merge of the base slipped in is in no commit that a replay holds.
    forge.merges = merges
    own = edit(forge, "a/new.txt", "new\n")
    tip = forge.push_to_base({"b/two.txt": "moved\n"})
    slipped = {"b/two.txt": "moved\n", "a/evil.txt": "evil\n"}
    forge.open("1", forge.playground.commit(slipped, parents=[own, tip]))
    with open_queue(forge) as queue:
        plan = queue.plan()
        pull(forge, "1").method = Method.REBASE
        forged = tuple(
            tuple(one.model_copy(update={"method": Method.REBASE}) for one in line)
            for line in plan.partitions
        )
        queue.source.document = plan.model_copy(update={"partitions": forged})
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "KICK_REFUSED"}
    assert "one by one does not give" in forge.kicks[0].report
    assert forge.merge_requests == []


def test_a_replay_that_only_what_merged_meanwhile_stops_is_nobodys_fault(forge: Forge) -> None:
    five = LINES.replace("5", "five")
    forge.open("1", edit(forge, "a/new.txt", "new\n", on=edit(forge, "a/one.txt", five)))
    wrong = edit(forge, "a/one.txt", LINES.replace("5", "cinq"))
    right = edit(forge, "a/one.txt", five, on=wrong)
    forge.open("2", edit(forge, "a/two.txt", "2\n", on=right), method=Method.REBASE)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "WAIT_REVALIDATE"}
    assert forge.kicks == []


def test_a_change_that_needs_an_update_commit_waits_without_a_committer(forge: Forge) -> None:
    forge.committer = None
    stack(forge)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        result = queue.apply()
    assert queue.codes() == {"1": "merged", "2": "WAIT_NO_COMMITTER", "3": "WAIT_BELOW"}
    assert result.failure is not None
    assert result.failure.code == "MQ3010"


def test_a_branch_that_moved_before_its_update_commit_is_left_alone(forge: Forge) -> None:
    _, two, _ = stack(forge)
    moved = edit(forge, "b/two.txt", "moved\n", on=forge.head("2"))
    forge.before["required_checks 2"] = [lambda: forge.push("2", moved)]
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "WAIT_BRANCH_MOVED", "3": "WAIT_BELOW"}
    assert forge.head(two.id) == moved


def test_a_deleted_branch_is_not_brought_back_by_an_update_commit(forge: Forge) -> None:
    stack(forge)
    branch = pull(forge, "2").branch
    forge.before["required_checks 2"] = [lambda: forge.playground.delete_branch(branch)]
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    assert queue.code("2") == "WAIT_BRANCH_MOVED"
    assert f"refs/heads/{branch}" not in forge.playground.refs()


def test_a_branch_that_refuses_the_update_commit_kicks_that_change_alone(forge: Forge) -> None:
    stack(forge)
    forge.open("4", edit(forge, "b/four.txt", "4\n"))
    forge.playground.hook(
        "update",
        'case "$1" in refs/heads/topic-2) echo "GH013: rule `violated`" >&2; exit 1;; esac',
    )
    with open_queue(forge, units=("a", "b")) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    assert queue.codes() == {
        "1": "merged",
        "2": "KICK_REFUSED",
        "3": "WAIT_BELOW_KICKED",
        "4": "merged",
    }
    assert "refused the update commit: `" in forge.kicks[0].report


def test_partitions_never_wait_for_each_other(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "a\n"), approved_at=set())
    forge.open("2", edit(forge, "b/new.txt", "b\n"))
    with open_queue(forge, units=("a", "b")) as queue:
        queue.plan()
        pull(forge, "1").approved_at = set()
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "WAIT_NOT_APPROVED", "2": "merged"}


def test_what_another_partition_merged_is_merged_with_not_overwritten(forge: Forge) -> None:
    for id_, path in (("1", "a/new.txt"), ("2", "b/new.txt")):
        forge.open(id_, edit(forge, path, f"{id_}\n"))
    with open_queue(forge, units=("a", "b")) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "merged"}
    assert (text(forge, "a/new.txt"), text(forge, "b/new.txt")) == ("1\n", "2\n")


def test_a_file_that_two_partitions_both_changed_is_validated_again(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/one.txt", "first\n" + LINES))
    forge.open("2", edit(forge, "a/new.txt", "2\n"))
    with open_queue(forge) as queue:
        plan = queue.plan()
        one, two = plan.admitted
        # A plan that keeps apart what meets: the path is what tells apply.
        apart = two.model_copy(update={"beneath": ()})
        queue.source.document = plan.model_copy(update={"partitions": ((one,), (apart,))})
        queue.judge()
        forge.before["approvals_at 2"] = [lambda: forge.push_to_base({"a/new.txt": "by hand\n"})]
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "WAIT_REVALIDATE"}


def test_what_another_change_has_brought_already_is_planned_again_and_then_refused(
    forge: Forge,
) -> None:
    for id_ in ("1", "2"):
        forge.open(id_, edit(forge, "a/new.txt", "new\n", message=f"Change {id_}\n"))
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
        assert queue.codes() == {"1": "merged", "2": "WAIT_REVALIDATE"}
        assert len(forge.merge_requests) == 1
        queue.plan()
        queue.apply()
    assert queue.codes() == {"2": "KICK_REFUSED"}


def test_a_red_change_is_kicked_back_with_the_verdicts_words_as_a_claim(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    forge.open("2", edit(forge, "a/other.txt", "other\n"))
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge(red={"1"})
        queue.apply()
    assert queue.codes() == {"1": "KICK_RED", "2": "merged"}
    (kick,) = forge.kicks
    assert kick.claim == "exit status 1 @everyone"
    assert "@everyone" not in kick.report
    assert forge.statuses[kick.commit][0] is StatusState.FAILURE
    assert forge.pulls[kick.change.id].mark is Mark.KICKED_BACK


def test_a_kick_back_is_carried_out_on_its_own_head_alone(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    better = edit(forge, "a/new.txt", "better\n")
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge(red={"1"})
        forge.push("1", better)
        queue.apply()
    assert queue.codes() == {"1": "WAIT_HEAD_MOVED"}
    assert forge.kicks == []
    assert forge.statuses[forge.head("1")][0] is StatusState.PENDING


def test_what_planning_decided_is_carried_out(forge: Forge) -> None:
    conflicting = edit(forge, "a/one.txt", "mine\n")
    forge.open("1", conflicting)
    forge.open("2", edit(forge, "a/new.txt", "new\n"), approved_at=set())
    forge.playground.branch("main", edit(forge, "a/one.txt", "theirs\n"))
    with open_queue(forge) as queue:
        queue.plan()
        queue.apply()
    assert queue.codes() == {"1": "KICK_CONFLICT", "2": "WAIT_NOT_APPROVED"}
    assert forge.kicks[0].paths == ("a/one.txt",)
    assert forge.statuses[forge.head("2")][1].startswith("waiting: it is not approved")
    assert pull(forge, "2").mark is Mark.QUEUED


def test_a_change_whose_base_is_the_branch_beneath_is_retargeted_once_that_merged(
    forge: Forge,
) -> None:
    one = edit(forge, "a/one.txt", LINES + "added\n")
    two = edit(forge, "a/two.txt", "two\n", on=one)
    forge.open("1", one)
    forge.open("2", two, base="topic-1")
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "merged"}
    assert [(request.change, request.base) for request in forge.retargets] == [("2", "main")]


def test_a_change_pointed_at_another_branch_is_not_retargeted(forge: Forge) -> None:
    one = edit(forge, "a/one.txt", LINES + "added\n")
    forge.open("1", one)
    forge.open("2", edit(forge, "a/two.txt", "two\n", on=one))
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        pull(forge, "2").base = "release"
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "WAIT_RETARGET"}
    assert forge.retargets == []


def test_a_change_stacked_on_one_that_merged_earlier_lands(forge: Forge) -> None:
    stack(forge)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.source.verdicts = queue.source.verdicts[:1]
        queue.apply()
        assert queue.code("1") == "merged"
        queue.plan()
        queue.judge()
        queue.apply()
    assert queue.codes() == {"2": "merged", "3": "merged"}
    assert text(forge, "a/one.txt") == LINES


def test_an_exact_provider_is_handed_the_head_itself_and_the_tree(forge: Forge) -> None:
    forge.merges = ProviderMerges.EXACT
    stack(forge)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "merged", "3": "merged"}
    assert all(request.commit == request.change.head for request in forge.merge_requests)
    assert text(forge, "a/one.txt") == LINES


LOG = "# Changelog\n\n## Unreleased\n\n- zero\n"


def test_two_changelog_entries_land_one_after_the_other(forge: Forge) -> None:
    start = forge.push_to_base({"CHANGELOG.md": LOG})
    heads = {
        id_: edit(forge, "CHANGELOG.md", f"{LOG}- {id_}\n", on=start) for id_ in ("1", "2", "3")
    }
    for id_, method in (("1", Method.SQUASH), ("2", Method.MERGE), ("3", Method.SQUASH)):
        forge.open(id_, heads[id_], method=method)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        assert queue.apply().failure is None
    assert queue.codes() == {"1": "merged", "2": "merged", "3": "merged"}
    assert text(forge, "CHANGELOG.md") == f"{LOG}- 1\n- 2\n- 3\n"
    first, second, third = forge.merge_requests
    assert first.commit == heads["1"]
    assert parents(forge, second.commit) == [heads["2"], second.onto]
    entry = (
        'CHANGELOG.md: prose (matches "**/*.md" (built-in default)); '
        "CHANGELOG.md### Unreleased: kind 2"
    )
    for request in (second, third):
        assert entry in forge.playground.message(request.commit)
    told = queue.heard.of(EventKind.RESOLVED)
    assert [(event.change, event.reason) for event in told] == [("2", entry), ("3", entry)]


@pytest.mark.parametrize("merges", ProviderMerges)
def test_a_rebase_whose_conflicts_were_settled_goes_back(
    forge: Forge, merges: ProviderMerges
) -> None:
    forge.merges = merges
    start = forge.push_to_base({"CHANGELOG.md": LOG})
    for id_, method in (("1", Method.SQUASH), ("2", Method.REBASE)):
        head = edit(forge, "CHANGELOG.md", f"{LOG}- {id_}\n", on=start)
        forge.open(id_, head, method=method)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
        assert queue.codes() == {"1": "merged", "2": "KICK_REFUSED"}
        pull(forge, "2").queued = True
        queue.plan()
        queue.judge()
        queue.apply()
    assert queue.codes() == {"2": "KICK_REFUSED"}
    assert [kick.paths for kick in forge.kicks] == [("CHANGELOG.md",)] * 2
    assert text(forge, "CHANGELOG.md") == f"{LOG}- 1\n"
