"""The change as the provider has it this moment, and its required checks (facts A11 to A15)."""

import pytest

from mergequeue.apply.checks import Stale, decide_checks, decide_unread
from mergequeue.apply.current import (
    Expected,
    Retarget,
    decide_after_retarget,
    decide_current,
    decide_kick_back,
    decide_missing,
)
from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.documents.provider import Approval, Check
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.words import CheckState, Method
from tests.support.graphs import commit_id
from tests.support.planned import planned

CHANGE = planned("2", "1")
MAIN = BranchName("main")
EXPECTED = Expected(CHANGE.head, MAIN, (Method.SQUASH, Method.MERGE), BranchName("topic-1"))


def approval(**more: object) -> Approval:
    given: dict[str, object] = {
        "approved": True,
        "head": CHANGE.head,
        "base": "main",
        "method": "squash",
        "queued": True,
        "shared_with": (),
        **more,
    }
    return Approval.model_validate(given, strict=False)


def test_a_change_that_is_as_it_was_planned_goes_on() -> None:
    assert decide_current(CHANGE, EXPECTED, approval()) is None


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (approval(head=commit_id("moved"), queued=False, approved=False), Code.WAIT_HEAD_MOVED),
        (approval(queued=False, approved=False), Code.WAIT_WITHDRAWN),
        (approval(method="merge", base="release"), Code.WAIT_METHOD_CHANGED),
        (approval(base="release", approved=False), Code.WAIT_RETARGET),
        (approval(shared_with=("6",), approved=False), Code.KICK_REFUSED),
        (approval(approved=False), Code.WAIT_NOT_APPROVED),
        ("500 Internal Server Error", Code.WAIT_NOT_APPROVED),
    ],
)
def test_what_changed_decides_in_one_order(answer: Approval | str, code: Code) -> None:
    found = decide_current(CHANGE, EXPECTED, answer)
    assert isinstance(found, Wait | Kick)
    assert found.code is code


def test_a_moved_head_is_named_so_that_its_status_can_be_posted() -> None:
    found = decide_current(CHANGE, EXPECTED, approval(head=commit_id("moved")))
    assert isinstance(found, Wait)
    assert found.head == commit_id("moved")


def test_a_branch_that_another_open_change_has_too_is_refused_with_its_number() -> None:
    found = decide_current(CHANGE, EXPECTED, approval(shared_with=("6", "7")))
    assert isinstance(found, Kick)
    assert "`6`" in found.detail
    assert "`7`" in found.detail


def test_only_the_branch_of_the_merged_change_beneath_is_retargeted() -> None:
    assert decide_current(CHANGE, EXPECTED, approval(base="topic-1")) == Retarget()
    unmerged = Expected(CHANGE.head, MAIN, tuple(Method))
    assert isinstance(decide_current(CHANGE, unmerged, approval(base="topic-1")), Wait)


def test_a_method_that_the_base_does_not_allow_is_refused() -> None:
    expected = Expected(CHANGE.head, MAIN, (Method.MERGE,))
    found = decide_current(CHANGE, expected, approval())
    assert isinstance(found, Kick)
    assert found.code is Code.KICK_REFUSED


def test_the_providers_words_are_text_on_one_line() -> None:
    found = decide_current(CHANGE, EXPECTED, approval(approved=False, reason="no\n@all \x1b[1m"))
    assert isinstance(found, Wait)
    assert found.reason == "it is not approved: no\\x0a@all \\x1b[1m"


@pytest.mark.parametrize("found", [None, Wait(Code.WAIT_HEAD_MOVED, "it moved")])
def test_a_change_pointed_at_the_base_goes_on_or_is_told_as_moved(found: Wait | None) -> None:
    assert decide_after_retarget(found, MAIN) is found


@pytest.mark.parametrize(
    "found", [Retarget(), Wait(Code.WAIT_NOT_APPROVED, "no"), Kick(Code.KICK_REFUSED, "no")]
)
def test_a_change_that_its_new_base_does_not_suit_yet_waits_and_is_not_blamed(
    found: Wait | Kick | Retarget,
) -> None:
    wait = decide_after_retarget(found, MAIN)
    assert wait is not None
    assert wait.code is Code.WAIT_RETARGET


def test_a_head_that_is_gone_waits_for_what_the_provider_says_of_it() -> None:
    withdrawn = Wait(Code.WAIT_WITHDRAWN, "taken back")
    assert decide_missing(withdrawn) is withdrawn
    for found in (None, Kick(Code.KICK_REFUSED, "no")):
        assert decide_missing(found).code is Code.WAIT_HEAD_MOVED


@pytest.mark.parametrize(
    ("answer", "listed", "code"),
    [
        (approval(), False, Code.WAIT_WITHDRAWN),
        (approval(queued=False), True, Code.WAIT_WITHDRAWN),
        (approval(head=commit_id("moved"), queued=False), True, Code.WAIT_HEAD_MOVED),
        ("500 Internal Server Error", True, Code.WAIT_NOT_APPROVED),
        (approval(approved=False, method="merge"), True, None),
    ],
)
def test_a_kick_back_is_for_one_head_of_a_queued_change_alone(
    answer: Approval | str, code: Code | None, *, listed: bool
) -> None:
    wait = decide_kick_back(CHANGE, answer, listed=listed)
    assert (wait.code if wait else None) is code


def test_a_change_that_left_the_queue_waits_for_what_its_provider_says_of_it() -> None:
    gone = approval(queued=False).model_copy(update={"reason": "another run kicked it back"})
    wait = decide_kick_back(CHANGE, gone, listed=True)
    assert wait is not None
    assert wait.reason == "its merge intent was withdrawn: another run kicked it back"


def test_checks_that_cannot_be_read_are_waited_for() -> None:
    wait = decide_unread("502 Bad Gateway")
    assert wait == Wait(
        Code.WAIT_PROVIDER_REFUSED, "its required checks cannot be read: 502 Bad Gateway"
    )


def checks(**states: str) -> list[Check]:
    return [Check(name=name, state=CheckState(state)) for name, state in states.items()]


@pytest.mark.parametrize("carries_tip", [True, False])
def test_failing_beats_running(*, carries_tip: bool) -> None:
    found = decide_checks(checks(a="pending", b="failure", c="success"), carries_tip=carries_tip)
    if carries_tip:
        assert isinstance(found, Kick)
        assert found.code is Code.KICK_RED
    else:
        assert found == Stale(("b",))


def test_a_running_check_is_named_with_what_the_provider_knows_of_it() -> None:
    silent = Check(name="docs", state=CheckState.PENDING, reason="no run has ever reported it here")
    found = decide_checks([*checks(build="success"), silent], carries_tip=True)
    assert isinstance(found, Wait)
    assert found.code is Code.WAIT_CHECKS
    assert "docs (no run has ever reported it here)" in found.reason


@pytest.mark.parametrize("state", CheckState)
def test_the_queues_own_status_is_left_out_by_its_exact_name(state: CheckState) -> None:
    own = Check(name="merge-queue", state=state)
    near = Check(name="merge-queue / docs", state=CheckState.PENDING)
    assert decide_checks([own], carries_tip=True) is None
    assert isinstance(decide_checks([own, near], carries_tip=True), Wait)


def test_no_required_check_at_all_is_no_obstacle() -> None:
    assert decide_checks([], carries_tip=False) is None
