"""Apply pins what it can read itself: a plan that disagrees stops, or its change waits."""

import pytest

from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId
from mergequeue.vocabulary.words import Decision, Method
from tests.support.applying import open_queue, record_of
from tests.support.forge import Forge
from tests.support.forged import evil, forge_change, kick_of, refusal
from tests.support.graphs import commit_id
from tests.support.landings import LINES, edit, make_forge, parents, pull, stack, text
from tests.support.programs import CONFIGURATION, make_project, run_program
from tests.support.repositories import Playground
from tests.support.stack_forge import make_stack_forge


@pytest.fixture
def forge(playground: Playground) -> Forge:
    return make_forge(playground)


@pytest.mark.parametrize(
    "forged",
    [{"base": BranchName("release")}, {"remote_url": "/srv/elsewhere.git"}],
    ids=["base", "remote"],
)
def test_a_plan_of_another_base_or_remote_stops_before_anything_is_written(
    forge: Forge, forged: dict[str, object]
) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    with open_queue(forge) as queue:
        plan = queue.plan()
        queue.judge()
        queue.source.document = plan.model_copy(update=forged)
        forge.calls.clear()
        assert refusal(queue) == "MQ3028"
    assert forge.calls == ["describe"]


def test_a_base_commit_that_the_base_does_not_carry_stops_before_anything_merges(
    forge: Forge,
) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    commit = evil(forge)
    with open_queue(forge) as queue:
        plan = queue.plan()
        queue.workshop.reads.fetch_branch(BranchName("evil"))
        queue.source.document = plan.model_copy(update={"base_commit": commit})
        queue.judge()
        assert refusal(queue) == "MQ3028"
    assert forge.merge_requests == []


def test_a_base_commit_that_nobody_has_stops_before_anything_is_written(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    with open_queue(forge) as queue:
        plan = queue.plan()
        queue.source.document = plan.model_copy(update={"base_commit": commit_id("no such one")})
        forge.calls.clear()
        assert refusal(queue) == "MQ3028"
    assert forge.calls == ["describe"]


def test_a_forged_stack_base_merges_no_delta_that_nobody_reviewed(forge: Forge) -> None:
    """With the base's newest commit as its stack base, the delta would take that commit back."""
    old = forge.playground.tip("main")
    head = edit(forge, "a/new.txt", "new\n", on=edit(forge, "b/two.txt", "b\n", on=old))
    forge.playground.branch("main", edit(forge, "b/two.txt", "wanted\n"))
    forge.open("1", head)
    (between,) = parents(forge, head)
    with open_queue(forge) as queue:
        queue.plan()
        forge_change(queue, "1", stack_base=CommitId(between))
        queue.judge()
        assert refusal(queue) == "MQ3028"
    assert text(forge, "b/two.txt") == "wanted\n"


def test_a_stack_base_that_is_not_the_confirmed_head_beneath_stops_all(forge: Forge) -> None:
    stack(forge)
    with open_queue(forge) as queue:
        plan = queue.plan()
        three = plan.admitted[2]
        assert three.stack_base == plan.admitted[1].head
        # Measured from the lowest change, its delta holds what the second is reviewed for.
        forge_change(queue, "3", stack_base=plan.admitted[0].head)
        queue.judge()
        assert refusal(queue) == "MQ3028"
    assert [request.change.id for request in forge.merge_requests] == ["1", "2"]


def test_a_change_that_is_not_built_on_the_one_beneath_it_stops_all(forge: Forge) -> None:
    one = forge.open("1", edit(forge, "a/one.txt", LINES + "added\n"))
    forge.open("2", edit(forge, "a/two.txt", "two\n"))
    with open_queue(forge) as queue:
        queue.plan()
        forge_change(queue, "2", below=one.id, stack_base=forge.head("1"))
        queue.judge()
        assert refusal(queue) == "MQ3028"
    assert [request.change.id for request in forge.merge_requests] == ["1"]


def test_a_stack_that_is_declared_otherwise_since_makes_its_change_wait(forge: Forge) -> None:
    stack(forge)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        pull(forge, "2").parent = ChangeId("9")
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "WAIT_RESTACK", "3": "WAIT_BELOW"}


@pytest.mark.parametrize("is_queued", [True, False], ids=["queued", "unqueued"])
def test_a_stack_that_the_plan_leaves_out_merges_no_other_changes_commits(
    forge: Forge,
    is_queued: bool,  # noqa: FBT001 (a parameter of the test)
) -> None:
    """Merged as if it were alone, the upper change would take the lower one with it."""
    one = edit(forge, "a/lower.txt", "not reviewed\n")
    forge.open("1", one)
    forge.open("2", edit(forge, "a/upper.txt", "upper\n", on=one))
    with open_queue(forge) as queue:
        plan = queue.plan()
        alone = plan.admitted[1].model_copy(
            update={"stack_base": None, "below": None, "beneath": ()}
        )
        queue.source.document = plan.model_copy(update={"partitions": ((alone,),)})
        pull(forge, "1").queued = is_queued
        queue.judge()
        queue.apply()
    assert queue.codes() == {"2": "WAIT_RESTACK"}
    assert forge.merge_requests == []


def test_a_stack_base_too_far_down_takes_no_unqueued_change_between_along(forge: Forge) -> None:
    stack(forge)
    with open_queue(forge) as queue:
        plan = queue.plan()
        one, _, three = plan.admitted
        over = three.model_copy(
            update={"stack_base": one.head, "below": one.id, "beneath": (one.id,)}
        )
        queue.source.document = plan.model_copy(update={"partitions": ((one, over),)})
        pull(forge, "2").queued = False
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "merged", "3": "WAIT_RESTACK"}


def test_a_plan_says_neither_where_a_branch_is_nor_whether_it_can_be_pushed_to(
    forge: Forge,
) -> None:
    stack(forge)
    forge.playground.branch("victim", forge.head("2"))
    with open_queue(forge) as queue:
        queue.plan()
        forge_change(queue, "2", branch=BranchName("victim"), repo="somebody/else")
        queue.judge()
        queue.apply()
    assert queue.code("2") == "merged"
    assert forge.playground.tip("victim") == forge.merge_requests[1].change.head
    assert forge.merge_requests[1].change.repo == "owner/repo"


def test_a_plan_that_calls_a_change_merged_takes_it_out_of_no_queue(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    with open_queue(forge) as queue:
        plan = queue.plan()
        (change,) = plan.admitted
        claim = Verdict.model_validate(
            {
                "schema": "mergequeue.verdict/v1",
                "base_commit": plan.base_commit,
                "change": record_of(change),
                "decision": Decision.MERGED,
            },
            strict=False,
        )
        queue.source.document = plan.model_copy(update={"partitions": (), "verdicts": (claim,)})
        queue.apply()
    assert queue.codes() == {"1": "WAIT_REVALIDATE"}
    assert pull(forge, "1").queued
    assert "mark 1 none" not in forge.calls


def test_what_a_plan_decided_is_carried_out_on_the_change_as_the_provider_lists_it(
    forge: Forge,
) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    with open_queue(forge) as queue:
        plan = queue.plan()
        (change,) = plan.admitted
        forged = {"repo": "somebody/else", "title": "Forged", "ref": "refs/heads/forged"}
        queue.source.document = plan.model_copy(
            update={"partitions": (), "verdicts": (kick_of(plan, change, **forged),)}
        )
        queue.apply()
    (kick,) = forge.kicks
    assert (kick.change.repo, kick.change.title) == ("owner/repo", "Change 1")
    assert "forged" not in kick.report


def test_a_change_that_the_provider_does_not_list_is_handed_back_to_nobody(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    with open_queue(forge) as queue:
        plan = queue.plan()
        (change,) = plan.admitted
        forged = kick_of(plan, change, repo="somebody/else")
        queue.source.document = plan.model_copy(update={"partitions": (), "verdicts": (forged,)})
        forge.before["list_changes"] = [lambda: setattr(pull(forge, "1"), "queued", False)]
        forge.before["approvals_at 1"] = [lambda: setattr(pull(forge, "1"), "queued", True)]
        queue.apply()
    assert queue.codes() == {"1": "WAIT_WITHDRAWN"}
    assert forge.kicks == []
    assert not any(call.startswith(("mark", "post_status")) for call in forge.calls)


def test_a_plan_for_another_method_than_the_authors_merges_nothing(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    with open_queue(forge) as queue:
        queue.plan()
        forge_change(queue, "1", method=Method.MERGE)
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "WAIT_METHOD_CHANGED"}


def test_a_plan_for_another_head_than_the_authors_merges_nothing(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    with open_queue(forge) as queue:
        queue.plan()
        forge_change(queue, "1", head=evil(forge))
        queue.workshop.reads.fetch_branch(BranchName("evil"))
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "WAIT_HEAD_MOVED"}
    assert text(forge, "a/evil.txt") is None


@pytest.mark.parametrize("claimed", [False, True])
def test_a_stack_that_the_provider_does_not_declare_is_not_merged_as_one(
    playground: Playground, *, claimed: bool
) -> None:
    forge = make_stack_forge(playground)
    stack(forge)
    with open_queue(forge) as queue:
        queue.plan()
        if claimed:
            forge_change(queue, "2", parent=ChangeId("1"))
            forge_change(queue, "3", parent=ChangeId("2"))
        queue.judge()
        queue.apply()
    assert all(request.through == () for request in forge.merge_requests)
    waits = {"1": "merged", "2": "WAIT_RESTACK", "3": "WAIT_BELOW"}
    assert queue.codes() == (waits if claimed else dict.fromkeys("123", "merged"))


def test_a_plan_of_an_older_base_commit_merges_past_no_reviewer_whom_the_base_asks_for_now(
    playground: Playground,
) -> None:
    project = make_project(playground)
    project.queue("evil", {"one/text": "A\nb\nc\nd\ne\n"})
    steps = [
        ("plan", "--changes=listing.json", "--out=verdicts/plan.json"),
        ("validate", "--verdicts=verdicts"),
        ("apply", "verdicts", "--once"),
    ]
    (project.clone / "listing.json").write_text(run_program(project.clone, "ls").out)
    (project.clone / "verdicts").mkdir()
    for words in steps[:2]:
        assert run_program(project.clone, *words).status == 0
    asking = f'{CONFIGURATION}\n[reviewers]\nrequired = ["lead@example.invalid"]\n'
    tip = playground.commit({"mergequeue.toml": asking}, parents=project.base)
    playground.branch("main", tip)
    applied = run_program(project.clone, *steps[2])
    assert (applied.status, applied.last()["evil"]["code"]) == (0, "WAIT_REVIEW")
    assert playground.tip("main") == tip
