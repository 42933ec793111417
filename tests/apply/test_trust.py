"""What a plan and a verdict are vouched for (facts A1, A4, A9)."""

import pytest

from mergequeue.apply.outcomes import Wait
from mergequeue.apply.trust import (
    Dropped,
    Filed,
    decide_credential,
    decide_plan,
    decide_rebuilt,
    decide_tip,
    decide_unreadable,
    decide_verdict,
    wait_as_planned,
)
from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import Candidate
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName
from tests.support.graphs import commit_id as id_of
from tests.support.planned import green, make_plan, planned

PLAN = make_plan(
    (
        planned("1"),
        planned("2", "1"),
        planned("3", "1", "2", below="2", stack_base=id_of("head 2")),
        planned("4", "1", "2", "3"),
    ),
    (planned("9"),),
)
MAIN = BranchName("main")


@pytest.mark.parametrize("verdict", [green("1"), green("2", "1"), green("3", "2"), green("2")])
def test_a_verdict_of_the_plan_is_filed_with_the_plans_own_record(verdict: Verdict) -> None:
    filed = decide_verdict(PLAN, verdict)
    assert isinstance(filed, Filed)
    assert filed.change is next(c for c in PLAN.admitted if c.id == verdict.change.id)


@pytest.mark.parametrize(
    "verdict",
    [
        pytest.param(green("1", base_commit=id_of("other")), id="another base commit"),
        pytest.param(
            green("1", change={"id": "1", "head": id_of("x"), "base": "main", "method": "squash"}),
            id="another head",
        ),
        pytest.param(green("1", "2"), id="after a change that is above it"),
        pytest.param(green("1", "9"), id="after a change of another partition"),
        pytest.param(green("1", "8"), id="after a change that is not planned"),
        pytest.param(green("2", onto=id_of("candidate 1")), id="on something without a name"),
        pytest.param(green("3"), id="without the change that it is stacked on"),
        pytest.param(green("1", method="merge"), id="another method"),
        pytest.param(green("1", gated_commit=id_of("other")), id="another commit gated"),
        pytest.param(green("1", batch=("1", "9")), id="a batch over two partitions"),
        pytest.param(green("1", batch=("2", "1")), id="a batch out of order"),
        pytest.param(green("1", batch=("1", "2", "3", "4")), id="a batch larger than planned"),
        pytest.param(green("1", batch=("1", "8")), id="a batch with a stranger"),
    ],
)
def test_a_verdict_that_the_plan_does_not_match_makes_its_change_wait(verdict: Verdict) -> None:
    wait = decide_verdict(PLAN, verdict)
    assert isinstance(wait, Wait)
    assert wait.code is Code.WAIT_REVALIDATE


def test_a_verdict_on_a_change_that_was_not_admitted_is_dropped() -> None:
    assert isinstance(decide_verdict(PLAN, green("8")), Dropped)


def test_a_verdict_that_finds_a_change_merged_is_planning_s_alone() -> None:
    claim = Verdict.model_validate(
        {
            "schema": "mergequeue.verdict/v1",
            "base_commit": id_of("base commit"),
            "change": green("1").change,
            "decision": "merged",
        },
        strict=False,
    )
    assert isinstance(decide_verdict(PLAN, claim), Wait)


def test_a_plan_has_to_name_applys_own_base_and_remote() -> None:
    assert decide_plan(PLAN, MAIN, "/srv/origin.git") == ""
    assert "release" in decide_plan(PLAN, BranchName("release"), "/srv/origin.git")
    assert "/srv/other.git" in decide_plan(PLAN, MAIN, "/srv/other.git")


def test_the_bases_tip_has_to_carry_the_plans_base_commit() -> None:
    tip = id_of("tip")
    assert decide_tip(PLAN, tip, carries_base_commit=True) == ""
    assert PLAN.base_commit in decide_tip(PLAN, tip, carries_base_commit=False)


def test_a_verdict_that_does_not_read_makes_its_change_wait() -> None:
    assert decide_unreadable("it is no JSON") == Wait(
        Code.WAIT_REVALIDATE, "its verdict does not read: it is no JSON"
    )


def test_planning_is_quoted_and_a_merge_that_nobody_finds_is_planned_anew() -> None:
    waiting = green("1", decision="wait", code="WAIT_CHECKS", reason="for build")
    assert wait_as_planned(waiting) == Wait(Code.WAIT_CHECKS, "for build")
    assert wait_as_planned(green("1", decision="merged")).code is Code.WAIT_REVALIDATE


def test_a_rebuild_is_compared_to_the_last_bit() -> None:
    change, verdict = planned("1"), green("1")
    same = Candidate(id_of("candidate 1"))
    assert decide_rebuilt(change, verdict, same) == same.commit
    for candidate in (Candidate(id_of("another")), Candidate(None)):
        wait = decide_rebuilt(change, verdict, candidate)
        assert isinstance(wait, Wait)
        assert wait.code is Code.WAIT_REVALIDATE


@pytest.mark.parametrize(
    ("context", "integration", "is_wrong"),
    [
        ("merge-queue", "41", False),
        ("merge-queue", "", False),
        ("merge-queue", "42", True),
        ("build", "42", False),
    ],
)
def test_a_status_that_the_base_wants_from_another_app_is_refused(
    context: str, integration: str, *, is_wrong: bool
) -> None:
    provider = Capabilities.model_validate(
        {
            "schema": "mergequeue.capabilities/v1",
            "merges": "paths",
            "stack_merge": "sequential",
            "linear_stacks": False,
            "methods": ("squash",),
            "required_approvals": 0,
            "setup": {
                "status_context": "merge-queue",
                "credential": {"id": "41"},
                "required_checks": ({"context": context, "integration": integration},),
            },
        },
        strict=False,
    )
    assert bool(decide_credential(provider)) is is_wrong
    assert decide_credential(provider.model_copy(update={"setup": None})) == ""
