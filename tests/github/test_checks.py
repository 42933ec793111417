"""How required checks stand, from what was reported (facts 1.8; CASES E)."""

import pytest

from mergequeue.documents.capabilities import RequiredCheck
from mergequeue.documents.provider import Check
from mergequeue.github.checks import ACTIONS_APP, Reported, checks_of, job_state
from mergequeue.vocabulary.words import CheckState

SUCCESS, PENDING, FAILURE = CheckState.SUCCESS, CheckState.PENDING, CheckState.FAILURE


def required(context: str, app: str = "") -> RequiredCheck:
    return RequiredCheck(context=context, integration=app)


def one(check: RequiredCheck, reported: Reported) -> Check:
    (found,) = checks_of([check], reported)
    return found


@pytest.mark.parametrize(
    ("conclusion", "state"),
    [
        ("success", SUCCESS),
        ("neutral", SUCCESS),
        ("skipped", SUCCESS),
        ("failure", FAILURE),
        ("cancelled", FAILURE),
        ("timed_out", FAILURE),
        ("action_required", FAILURE),
        ("stale", FAILURE),
        ("startup_failure", FAILURE),
        (None, FAILURE),
    ],
)
def test_a_conclusion_counts_as_github_counts_it(conclusion: str | None, state: CheckState) -> None:
    assert job_state("completed", conclusion) is state


@pytest.mark.parametrize("status", ["queued", "in_progress", "waiting", "requested", "pending"])
def test_what_has_not_ended_is_running(status: str) -> None:
    assert job_state(status, None) is PENDING


def test_a_job_of_a_name_goes_before_a_status_of_it() -> None:
    reported = Reported(jobs={"test": FAILURE}, statuses={"test": SUCCESS})
    assert one(required("test"), reported).state is FAILURE


def test_a_check_that_nothing_reported_says_so_and_names_what_was_reported() -> None:
    reported = Reported(jobs={"Type Check & Test": SUCCESS, "build": SUCCESS})
    found = checks_of([required("CI Gate"), required("build")], reported)
    assert found[0] == Check(
        name="CI Gate",
        state=PENDING,
        reason="nothing has reported it there; reported are Type Check & Test",
    )
    assert found[1] == Check(name="build", state=SUCCESS)


def test_a_check_of_the_right_name_from_another_app_does_not_count() -> None:
    by_status = one(required("test", ACTIONS_APP), Reported(statuses={"test": SUCCESS}))
    by_job = one(required("test", "77"), Reported(jobs={"test": SUCCESS}))
    assert by_status.state is by_job.state is PENDING
    assert by_job.reason == "reported by another app than the one that the rule names"


def test_a_check_run_of_the_app_that_a_rule_names_counts() -> None:
    runs = {("test", "77"): SUCCESS, ("test", "78"): FAILURE}
    assert one(required("test", "77"), Reported(runs=runs)).state is SUCCESS
    assert one(required("test", "78"), Reported(runs=runs)).state is FAILURE


def test_a_name_that_several_rules_require_is_one_check_and_its_worst() -> None:
    reported = Reported(jobs={"test": SUCCESS})
    (found,) = checks_of([required("test"), required("test", "77")], reported)
    assert found.state is PENDING
