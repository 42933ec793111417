"""Planning over real repositories: facts 2.1 and 3.2, CASES A, I and J."""

from datetime import UTC, datetime

import pytest

from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import MergequeueError, QueueError, UsageError
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.words import Decision, EventKind, Method
from tests.support.planning import PlanningQueue
from tests.support.repositories import Content, Playground

FILES: dict[str | bytes, Content] = {
    "parser/a": "one\ntwo\nthree\n",
    "web/b": "one\ntwo\nthree\n",
    "docs/c": "one\ntwo\nthree\n",
}


@pytest.fixture
def queue(playground: Playground) -> PlanningQueue:
    return PlanningQueue(playground, FILES)


def lines(plan: Plan) -> list[list[str]]:
    """Return the ids of each partition."""
    return [[change.id for change in line] for line in plan.partitions]


def verdict(plan: Plan, id_: str) -> Verdict:
    """Return planning's verdict on a change."""
    return next(verdict for verdict in plan.verdicts if verdict.change.id == id_)


def planned(plan: Plan, id_: str) -> PlannedChange:
    """Return an admitted change."""
    return next(change for change in plan.admitted if change.id == id_)


def codes(plan: Plan) -> dict[str, Code | Decision]:
    """Return the code of each verdict, or its decision where it has none."""
    return {verdict.change.id: verdict.code or verdict.decision for verdict in plan.verdicts}


def test_changes_that_share_no_unit_are_planned_side_by_side(queue: PlanningQueue) -> None:
    queue.add("1", {"parser/x": "1\n"})
    queue.add("2", {"web/x": "2\n"})
    queue.add("3", {"parser/y": "3\n"})

    plan = queue.plan()

    assert lines(plan) == [["1", "3"], ["2"]]
    assert planned(plan, "3").beneath == ("1",)
    assert planned(plan, "2").beneath == ()
    assert planned(plan, "1").affected == ("parser",)
    assert plan.base_commit == queue.tip
    assert (plan.depth, plan.batch, plan.verdicts) == (8, 1, ())


def test_a_path_that_no_unit_owns_puts_every_change_in_one_partition(queue: PlanningQueue) -> None:
    queue.add("1", {"parser/x": "1\n"})
    queue.add("2", {"nowhere": "2\n"})
    queue.add("3", {"web/x": "3\n"})

    plan = queue.plan()

    assert lines(plan) == [["1", "2", "3"]]
    assert "nowhere" in planned(plan, "2").unbounded_by


def test_affected_units_that_the_listing_gives_are_trusted_even_an_empty_set(
    queue: PlanningQueue,
) -> None:
    queue.add("1", {"parser/x": "1\n"}, affected=())
    queue.add("2", {"parser/y": "2\n"}, affected=("elsewhere",))
    queue.add("3", {"parser/z": "3\n"})

    plan = queue.plan()

    assert lines(plan) == [["1"], ["2"], ["3"]]
    assert planned(plan, "1").affected == ()


def test_a_set_that_the_listing_calls_no_proof_is_none(queue: PlanningQueue) -> None:
    queue.add("1", {"parser/x": "1\n"}, unbounded_by="the build graph has a cycle")
    queue.add("2", {"web/x": "2\n"})

    plan = queue.plan()

    assert lines(plan) == [["1", "2"]]
    assert planned(plan, "1").unbounded_by == "the build graph has a cycle"


def test_files_that_differ_only_by_case_put_their_changes_in_one_partition(
    queue: PlanningQueue,
) -> None:
    queue.add("1", {"docs/Readme.md": "1\n"}, affected=("one",))
    queue.add("2", {"docs/README.md": "2\n"}, affected=("two",))

    assert lines(queue.plan()) == [["1", "2"]]


def test_a_conflict_with_the_base_goes_back_naming_files_and_the_bases_commits(
    queue: PlanningQueue,
) -> None:
    queue.add("1", {"parser/a": "change\ntwo\nthree\n"})
    queue.add("2", {"web/x": "2\n"})
    touching = queue.advance({"parser/a": "base\ntwo\nthree\n"}, message="Rewrite a\n\nBody\n")
    queue.advance({"web/other": "base\n"})

    plan = queue.plan()

    kicked = verdict(plan, "1")
    assert kicked.code is Code.KICK_CONFLICT
    assert kicked.paths == ("parser/a",)
    assert kicked.with_ == (f"{touching[:12]} Rewrite a",)
    assert "`parser/a`" in kicked.report
    assert lines(plan) == [["2"]]


def test_at_most_ten_of_the_bases_commits_are_named(queue: PlanningQueue) -> None:
    queue.add("1", {"parser/a": "change\ntwo\nthree\n"})
    for number in range(12):
        queue.advance({"parser/a": f"{number}\ntwo\nthree\n"})

    assert len(verdict(queue.plan(), "1").with_) == 10


def test_a_stacked_change_is_not_blamed_for_the_conflict_beneath_it(queue: PlanningQueue) -> None:
    lower = queue.add("1", {"parser/a": "change\ntwo\nthree\n"})
    queue.add("2", {"web/x": "2\n"}, on=lower)
    queue.add("3", {"web/y": "3\n"}, on=queue.provider.changes[-1].head)
    queue.advance({"parser/a": "base\ntwo\nthree\n"})

    plan = queue.plan()

    assert codes(plan) == {
        "1": Code.KICK_CONFLICT,
        "2": Code.WAIT_BELOW_KICKED,
        "3": Code.WAIT_BELOW_KICKED,
    }
    assert verdict(plan, "2").reason == verdict(plan, "3").reason
    assert lines(plan) == []


def test_a_stack_is_planned_in_its_order_with_stack_bases(queue: PlanningQueue) -> None:
    one = queue.commit({"parser/x": "1\n"})
    two = queue.commit({"web/x": "2\n"}, one)
    queue.add("2", two, parent="1")
    queue.add("1", one)
    queue.add("3", {"docs/x": "3\n"}, on=two)

    plan = queue.plan()

    assert lines(plan) == [["1", "2", "3"]]
    assert (planned(plan, "2").stack_base, planned(plan, "2").below) == (one, "1")
    assert (planned(plan, "3").stack_base, planned(plan, "3").below) == (two, "2")
    assert planned(plan, "3").beneath == ("1", "2")
    assert planned(plan, "2").affected == ("web",)


def test_a_change_on_a_squashed_one_is_merged_from_its_stack_base(queue: PlanningQueue) -> None:
    lower = queue.commit({"parser/a": "one\ntwo\nthree\nadded\n"})
    queue.add("2", {"parser/a": "one\ntwo\nthree\nadded and edited\n"}, on=lower)
    queue.merge_by_squash("1", lower)

    plan = queue.plan()

    assert codes(plan) == {}
    assert (planned(plan, "2").stack_base, planned(plan, "2").below) == (lower, None)


def test_the_units_of_an_updated_stacked_change_leave_out_what_the_update_brought(
    queue: PlanningQueue,
) -> None:
    lower = queue.add("1", {"parser/x": "1\n"})
    upper = queue.commit({"web/x": "2\n"}, lower)
    tip = queue.advance({"docs/c": "base\n"})
    queue.add("2", queue.playground.commit({"docs/c": "base\n"}, parents=(upper, tip)))

    plan = queue.plan()

    assert planned(plan, "2").affected == ("web",)


def test_the_units_of_an_updated_change_leave_out_what_the_update_brought(
    queue: PlanningQueue,
) -> None:
    head = queue.commit({"web/x": "2\n"})
    tip = queue.advance({"docs/c": "base\n"})
    queue.add("1", queue.playground.commit({"docs/c": "base\n"}, parents=(head, tip)))
    queue.advance({"parser/a": "later\n"})

    assert planned(queue.plan(), "1").affected == ("web",)


def test_a_head_that_the_base_carries_has_merged(queue: PlanningQueue) -> None:
    head = queue.commit({"parser/x": "1\n"})
    queue.playground.branch("main", queue.commit({"web/x": "2\n"}, head))
    queue.add("1", head, parent="9")

    assert codes(queue.plan()) == {"1": Decision.MERGED}


def test_a_change_without_a_net_diff_changes_nothing_on_the_base(queue: PlanningQueue) -> None:
    queue.add("1", {})
    queue.add("2", {"parser/x": "landed\n"})
    queue.advance({"parser/x": "landed\n"})

    plan = queue.plan()

    assert codes(plan) == {"1": Code.KICK_REFUSED, "2": Code.KICK_REFUSED}
    assert verdict(plan, "1").reason.startswith("It changes nothing on `main`")


def test_a_stacked_change_without_a_delta_changes_nothing_on_the_one_beneath(
    queue: PlanningQueue,
) -> None:
    lower = queue.add("1", {"parser/x": "1\n"})
    queue.add("2", {}, on=lower)

    plan = queue.plan()

    assert codes(plan) == {"2": Code.KICK_REFUSED}
    assert verdict(plan, "2").reason.startswith("It changes nothing on change `1`")


def test_a_head_without_a_common_history_is_refused(queue: PlanningQueue) -> None:
    queue.add("1", queue.playground.commit({"parser/x": "1\n"}))

    plan = queue.plan()

    assert codes(plan) == {"1": Code.KICK_REFUSED}
    assert verdict(plan, "1").reason.startswith("It shares no history with `main`")


def test_two_queued_changes_at_one_head_both_go_back(queue: PlanningQueue) -> None:
    head = queue.add("1", {"parser/x": "1\n"})
    queue.add("2", head)
    queue.add("3", {"web/x": "3\n"}, on=head)

    assert codes(queue.plan()) == {
        "1": Code.KICK_REFUSED,
        "2": Code.KICK_REFUSED,
        "3": Code.WAIT_BELOW_KICKED,
    }


def test_a_forks_change_goes_back_and_what_is_built_on_it_waits(queue: PlanningQueue) -> None:
    fork = queue.commit({"parser/x": "1\n"})
    tip = queue.advance({"docs/c": "base\n"})
    updated = queue.playground.commit({"docs/c": "base\n"}, parents=(fork, tip))
    queue.add("1", updated, fork=True)
    queue.add("2", {"web/x": "2\n"}, on=fork)

    assert codes(queue.plan()) == {"1": Code.KICK_REFUSED, "2": Code.WAIT_BELOW_KICKED}


def test_a_lone_forks_head_is_not_fetched(queue: PlanningQueue) -> None:
    queue.playground.clone("clone")
    head = queue.add("1", {"parser/x": "1\n"}, fork=True)

    with queue.planner() as (planner, listing):
        plan = planner.plan(listing, depth=8, batch=1)
        with pytest.raises(MergequeueError):
            planner.reads.tree_of(head)

    assert codes(plan) == {"1": Code.KICK_REFUSED}


def test_a_change_on_an_unqueued_one_waits(queue: PlanningQueue) -> None:
    below = queue.commit({"parser/x": "1\n"})
    tip = queue.advance({"docs/c": "base\n"})
    queue.leave_unqueued("9", queue.playground.commit({"docs/c": "base\n"}, parents=(below, tip)))
    queue.add("2", {"web/x": "2\n"}, on=below)

    assert codes(queue.plan()) == {"2": Code.WAIT_UNQUEUED_BELOW}


def test_a_head_that_moved_waits_and_its_verdict_has_the_new_head(queue: PlanningQueue) -> None:
    queue.add("1", {"parser/x": "1\n"})
    moved = queue.commit({"parser/x": "moved\n"})
    queue.provider.now["1"] = {"head": moved}

    plan = queue.plan()

    assert codes(plan) == {"1": Code.WAIT_HEAD_MOVED}
    assert verdict(plan, "1").change.head == moved


def test_a_force_pushed_head_is_planned_as_listed_where_it_can_still_be_had(
    queue: PlanningQueue,
) -> None:
    head = queue.add("1", {"parser/x": "1\n"})
    queue.playground.branch("refs/heads/mq/squash/1", queue.commit({"parser/x": "new\n"}))

    assert planned(queue.plan(), "1").head == head


def test_a_head_that_cannot_be_had_waits_and_the_others_go_on(queue: PlanningQueue) -> None:
    queue.add("1", CommitId("e" * 40), ref=None)
    queue.add("2", {"web/x": "2\n"})

    plan = queue.plan()

    assert codes(plan) == {"1": Code.WAIT_HEAD_MOVED}
    assert lines(plan) == [["2"]]


def test_an_approval_that_cannot_be_read_waits_with_the_reason_and_the_others_go_on(
    queue: PlanningQueue,
) -> None:
    queue.add("1", {"parser/x": "1\n"})
    queue.add("2", {"web/x": "2\n"})
    queue.provider.unreadable["1"] = "it answered 500"

    plan = queue.plan()

    assert codes(plan) == {"1": Code.WAIT_NOT_APPROVED}
    assert "it answered 500" in verdict(plan, "1").reason
    assert lines(plan) == [["2"]]


def test_a_method_that_the_base_does_not_allow_is_refused(queue: PlanningQueue) -> None:
    queue.add("1", {"parser/x": "1\n"}, method=Method.MERGE)
    queue.provider.methods = (Method.SQUASH, Method.REBASE)

    assert codes(queue.plan()) == {"1": Code.KICK_REFUSED}


def test_a_unit_that_would_read_as_an_option_is_refused(queue: PlanningQueue) -> None:
    queue.add("1", {"parser/x": "1\n"}, affected=("parser", "--gate=x"))
    queue.add("2", {"web/x": "2\n"})

    plan = queue.plan()

    assert codes(plan) == {"1": Code.KICK_REFUSED}
    assert "`--gate=x`" in verdict(plan, "1").report


def test_a_stacked_change_may_still_point_at_the_branch_beneath(queue: PlanningQueue) -> None:
    lower = queue.add("1", {"parser/x": "1\n"}, branch="lower")
    queue.add("2", {"web/x": "2\n"}, on=lower, base="lower")
    queue.add("3", {"docs/x": "3\n"}, base="lower")

    plan = queue.plan()

    assert codes(plan) == {"3": Code.WAIT_RETARGET}
    assert lines(plan) == [["1", "2"]]


def test_approvals_are_asked_for_beneath_merges_of_the_base_that_add_nothing(
    queue: PlanningQueue,
) -> None:
    seen = queue.commit({"parser/x": "1\n"})
    tip = queue.advance({"docs/c": "base\n"})
    queue.add("1", queue.playground.commit({"docs/c": "base\n"}, parents=(seen, tip)))
    other = queue.commit({"web/x": "2\n"})
    evil = queue.playground.commit({"docs/c": "other\n"}, parents=(other, tip))
    queue.add("2", evil)

    queue.plan()

    [questions] = queue.provider.asked
    assert [question.commit for question in questions] == [seen, evil]


def test_a_merge_that_follows_renames_as_git_does_adds_nothing(queue: PlanningQueue) -> None:
    seen = queue.commit({"parser/a": "one\ntwo\nthree\nfour\n"})
    tip = queue.advance({"parser/a": None, "parser/moved": "one\ntwo\nthree\n"})
    merge = queue.playground.commit(
        {"parser/a": None, "parser/moved": "one\ntwo\nthree\nfour\n"}, parents=(seen, tip)
    )
    queue.add("1", merge)

    queue.plan()

    [[question]] = queue.provider.asked
    assert question.commit == seen


def test_the_merge_from_a_stack_base_adds_nothing_once_the_change_beneath_has_merged(
    queue: PlanningQueue,
) -> None:
    lower = queue.commit({"parser/a": "one\ntwo\nthree\nadded\n"})
    seen = queue.commit({"parser/a": "one\ntwo\nthree\n", "web/x": "2\n"}, lower)
    tip = queue.merge_by_squash("1", lower)
    merge = queue.playground.commit(
        {"parser/a": "one\ntwo\nthree\n", "web/x": "2\n"}, parents=(seen, tip)
    )
    queue.add("2", merge)

    plan = queue.plan()

    [[question]] = queue.provider.asked
    assert question.commit == seen
    assert planned(plan, "2").stack_base == lower


def test_while_the_change_beneath_is_open_a_merge_that_drops_its_content_adds_something(
    queue: PlanningQueue,
) -> None:
    lower = queue.add("1", {"parser/a": "one\ntwo\nthree\nadded\n"})
    seen = queue.commit({"web/x": "2\n"}, lower)
    tip = queue.advance({"docs/c": "base\n"})
    dropping = {"parser/a": FILES["parser/a"], "docs/c": "base\n"}
    head = queue.add("2", queue.playground.commit(dropping, parents=(seen, tip)))

    queue.plan()

    [[_, question]] = queue.provider.asked
    assert question.commit == head


def test_a_change_that_only_following_renames_can_merge_is_admitted(queue: PlanningQueue) -> None:
    queue.add("1", {"parser/a": "one\ntwo\nthree\nfour\n"})
    queue.advance({"parser/a": None, "parser/moved": "one\ntwo\nthree\n"})

    plan = queue.plan()

    assert codes(plan) == {}
    assert planned(plan, "1").affected == ("parser",)


def test_a_listed_merge_that_the_base_does_not_carry_fails_the_plan(queue: PlanningQueue) -> None:
    queue.add("1", {"parser/x": "1\n"})
    stray = queue.commit({"web/x": "stray\n"})
    queue.merge_by_squash("9", stray)
    queue.playground.branch("main", queue.root)

    with pytest.raises(QueueError) as raised:
        queue.plan()

    assert raised.value.code == "MQ3009"


def test_a_merged_head_that_is_gone_is_told_and_stops_nothing(queue: PlanningQueue) -> None:
    queue.add("1", {"parser/x": "1\n"})
    gone = queue.provider
    queue.merge_by_squash("9", queue.commit({"web/x": "9\n"}))
    gone.merged[0] = gone.merged[0].model_copy(update={"head": CommitId("d" * 40)})

    plan = queue.plan()

    assert lines(plan) == [["1"]]
    [notice] = [one for one in queue.heard.happenings if one.kind is EventKind.NOTICE]
    assert notice.change == "9"


def test_with_nothing_queued_a_plan_is_still_written(queue: PlanningQueue) -> None:
    queue.leave_unqueued("9", queue.commit({"web/x": "9\n"}))

    plan = queue.plan()

    assert (plan.partitions, plan.verdicts) == ((), ())
    assert [change.id for change in plan.unqueued] == ["9"]
    assert [one.kind for one in queue.heard.happenings] == [EventKind.NOTICE]
    assert queue.provider.asked == []


def test_a_listing_of_another_remote_is_the_callers_mistake(queue: PlanningQueue) -> None:
    with pytest.raises(UsageError):
        queue.plan(remote_url="https://example.invalid/other")


def test_a_base_that_is_no_branch_is_the_callers_mistake(queue: PlanningQueue) -> None:
    with pytest.raises(MergequeueError) as raised:
        queue.plan(base="nowhere")

    assert raised.value.code == "MQ1010"


def test_the_date_is_the_newest_of_the_tip_and_the_admitted_heads(queue: PlanningQueue) -> None:
    queue.add("1", queue.commit({"parser/x": "1\n"}, date=1_900_000_000))
    queue.add("2", queue.commit({"web/x": "1\n"}, date=2_000_000_000))
    queue.provider.now["2"] = {"queued": False}

    assert queue.plan().commit_date == datetime.fromtimestamp(1_900_000_000, UTC)


def test_what_was_decided_is_told_in_queue_order_and_then_each_partition(
    queue: PlanningQueue,
) -> None:
    queue.add("1", {"parser/x": "1\n"})
    queue.add("2", {"web/x": "2\n"})
    queue.add("3", {}, fork=True)
    queue.add("4", {"docs/x": "4\n"})
    queue.provider.now["1"] = {"queued": False}

    queue.plan()

    told = queue.heard.happenings
    assert [one.kind for one in told] == [EventKind.DECIDED] * 2 + [EventKind.PARTITION] * 2
    assert [one.change for one in told[:2]] == ["1", "3"]
    assert told[0].code is Code.WAIT_WITHDRAWN
    assert [(one.partition, one.changes) for one in told[2:]] == [
        (0, (ChangeId("2"),)),
        (1, (ChangeId("4"),)),
    ]


def test_what_is_listed_beside_the_queue_is_in_the_plan(queue: PlanningQueue) -> None:
    queue.add("1", {"parser/x": "1\n"})
    queue.leave_unqueued("9", queue.commit({"web/x": "9\n"}))
    queue.merge_by_squash("8", queue.commit({"docs/x": "8\n"}))

    plan = queue.plan()

    assert [change.id for change in plan.unqueued] == ["9"]
    assert [change.id for change in plan.merged] == ["8"]
