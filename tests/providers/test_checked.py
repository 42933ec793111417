"""Every answer of a person's provider is checked; what is missing is never read as a default."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.changes import Change
from mergequeue.documents.preflight import (
    NamedCheck,
    NamedChecksQuestion,
    NamedState,
    RerunRequest,
)
from mergequeue.documents.provider import (
    Approval,
    ApprovalQuestion,
    ArtifactQuestion,
    CheckQuestion,
    DescribeQuestion,
    GreenQuestion,
    KickBack,
    MarkRequest,
    MergeAnswer,
    MergeRequest,
    Repository,
    RetargetRequest,
    RunListing,
    StatusPost,
)
from mergequeue.documents.trying import TryReport
from mergequeue.providers.checked import CheckedReads, CheckedWrites
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import BAD_ANSWER, PROVIDER_FAILED, QueueError
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, TreeId
from mergequeue.vocabulary.words import Mark, Method, ReviewState, StatusState

HEAD = CommitId("a" * 40)
BASE = CommitId("b" * 40)
MAIN = BranchName("main")
WHERE = Repository(base=MAIN, remote_url="/srv/project.git")
CHANGE = Change(id=ChangeId("7"), head=HEAD, base=MAIN, method=Method.SQUASH)
MERGE = MergeRequest(change=CHANGE, commit=HEAD, onto=BASE, tree=TreeId("c" * 40), message="m")
KICK = KickBack(change=CHANGE, commit=HEAD, code=Code.KICK_RED, report="It is red.", with_=("x",))
POST = StatusPost(
    change=CHANGE.id, commit=HEAD, context="merge-queue", state=StatusState.PENDING, description="d"
)

CAPABILITIES = {
    "merges": "paths",
    "stack_merge": "sequential",
    "linear_stacks": False,
    "methods": ["squash"],
    "required_approvals": 1,
}
LISTED = {"id": "7", "head": HEAD, "base": "main", "method": "squash", "fork": False}
LISTING = {"changes": [LISTED], "merged": [], "unqueued": []}
APPROVAL = {
    "approved": True,
    "head": HEAD,
    "base": "main",
    "method": "squash",
    "queued": True,
    "shared_with": [],
}


class Person:
    """A provider whose functions answer what a test says, and remember what they were asked."""

    def __init__(self, **answers: object) -> None:
        self.asked: list[tuple[str, Any]] = []
        for function, answer in answers.items():
            setattr(self, function, self._function(function, answer))

    def _function(self, name: str, answer: object) -> Callable[[object], object]:
        def function(asked: object) -> object:
            self.asked.append((name, asked))
            if isinstance(answer, Exception):
                raise answer
            return answer

        return function


def reads(**answers: object) -> CheckedReads:
    return CheckedReads(Person(**answers), "mine")


def writes(**answers: object) -> CheckedWrites:
    return CheckedWrites(Person(**answers), "mine")


def without(record: Mapping[str, object], key: str) -> dict[str, object]:
    return {name: value for name, value in record.items() if name != key}


def ask_describe(answer: object) -> object:
    return reads(describe=answer).describe(DescribeQuestion(base=MAIN, remote_url="u"))


def ask_list(answer: object) -> object:
    return reads(list_changes=answer).list_changes(WHERE)


def ask_green(answer: object) -> object:
    question = GreenQuestion(base=MAIN, remote_url="u", context="merge-queue")
    return reads(list_green=answer).list_green(question)


def ask_checks(answer: object) -> object:
    return reads(required_checks=answer).required_checks(CheckQuestion(change=CHANGE, commit=HEAD))


def ask_merge(answer: object) -> object:
    return writes(merge_change=answer).merge_change(MERGE)


def ask_approvals(answer: object) -> Mapping[ChangeId, Approval | str]:
    question = ApprovalQuestion(change=CHANGE, commit=HEAD)
    return reads(approvals_at=answer).approvals_at([question])


def refusal(ask: Callable[[object], object], answer: object) -> str:
    with pytest.raises(QueueError) as caught:
        ask(answer)
    assert caught.value.code == BAD_ANSWER.code
    return caught.value.problem


# --- what is right -------------------------------------------------------------------------------


def test_right_answers_are_the_records_of_the_documents() -> None:
    assert isinstance(ask_describe(CAPABILITIES), Capabilities)
    listing = reads(list_changes=LISTING).list_changes(WHERE)
    assert listing.changes == (CHANGE,)
    assert type(listing.changes[0]) is Change
    assert ask_green({"changes": [{"id": "7", "repo": "", "head": HEAD}]})
    assert ask_merge({"merged": True}) == MergeAnswer(merged=True)
    approval = ask_approvals({"approvals": {"7": APPROVAL}})[CHANGE.id]
    assert approval == Approval.model_validate_json(json.dumps(APPROVAL))


def test_a_function_is_given_one_plain_record_with_the_keys_of_the_documents() -> None:
    person = Person(kick_back=True, post_status=True, retarget=True, mark=True)
    provider = CheckedWrites(person, "mine")
    provider.kick_back(KICK)
    provider.post_status([POST, POST])
    provider.retarget(RetargetRequest(change=CHANGE.id, base=MAIN))
    assert provider.mark([MarkRequest(change=CHANGE.id, mark=Mark.NONE)]) == ()
    names = [name for name, _ in person.asked]
    assert names == ["kick_back", "post_status", "post_status", "retarget", "mark"]
    kick = person.asked[0][1]
    assert type(kick) is dict
    assert kick["with"] == ["x"]
    assert kick["code"] == "KICK_RED"
    assert kick["change"]["id"] == "7"
    assert kick["candidate_commit"] is None
    assert person.asked[-1][1] == {"change": "7", "repo": "", "mark": "", "head": None}


def test_a_provider_without_required_checks_requires_none() -> None:
    assert reads().required_checks(CheckQuestion(change=CHANGE, commit=HEAD)) == ()


# --- what is missing -----------------------------------------------------------------------------


@pytest.mark.parametrize("key", list(CAPABILITIES))
def test_a_missing_capability_is_named(key: str) -> None:
    said = refusal(ask_describe, without(CAPABILITIES, key))
    assert "describe of mine" in said
    assert f"$.{key}" in said


@pytest.mark.parametrize("key", list(LISTING))
def test_a_missing_list_is_named(key: str) -> None:
    assert f"$.{key}" in refusal(ask_list, without(LISTING, key))


@pytest.mark.parametrize("key", list(LISTED))
def test_a_missing_key_of_a_change_is_named_and_a_fork_is_never_guessed(key: str) -> None:
    said = refusal(ask_list, {**LISTING, "changes": [without(LISTED, key)]})
    assert f"$.changes[0].{key}" in said


@pytest.mark.parametrize("key", ["id", "head", "commit", "method"])
def test_a_missing_key_of_a_merged_change_is_named(key: str) -> None:
    merged = {"id": "6", "head": HEAD, "commit": BASE, "method": "squash"}
    said = refusal(ask_list, {**LISTING, "merged": [without(merged, key)]})
    assert f"$.merged[0].{key}" in said


@pytest.mark.parametrize("key", ["id", "repo", "head"])
def test_a_missing_key_of_a_green_change_is_named(key: str) -> None:
    green = {"id": "7", "repo": "", "head": HEAD}
    assert f"$.changes[0].{key}" in refusal(ask_green, {"changes": [without(green, key)]})


@pytest.mark.parametrize("key", ["name", "state"])
def test_a_missing_key_of_a_check_is_named(key: str) -> None:
    check = {"name": "ci", "state": "success"}
    assert f"$.checks[0].{key}" in refusal(ask_checks, {"checks": [without(check, key)]})


RUN: dict[str, object] = {
    "run": {
        "repo": "o/r",
        "head_repo": "o/r",
        "head_branch": "main",
        "event": "push",
        "branch_event": True,
        "definition": "queue.yaml",
    },
    "complete": False,
    "artifacts": [{"name": "mergequeue-plan", "url": "https://x/1"}],
}


def ask_run(answer: object) -> object:
    return reads(list_artifacts=answer).list_artifacts(ArtifactQuestion(source="7"))


def test_a_run_is_listed_as_the_provider_says() -> None:
    assert reads(list_artifacts=RUN).lists_artifacts
    assert not reads().lists_artifacts
    assert ask_run(RUN) == RunListing.model_validate_json(json.dumps(RUN))


@pytest.mark.parametrize("key", RUN)
def test_a_missing_key_of_a_run_is_named(key: str) -> None:
    assert f"$.{key}" in refusal(ask_run, without(RUN, key))


@pytest.mark.parametrize("key", ["repo", "head_repo", "head_branch", "event", "definition"])
def test_where_a_run_comes_from_is_never_guessed(key: str) -> None:
    origin = RUN["run"]
    assert isinstance(origin, dict)
    assert f"$.run.{key}" in refusal(ask_run, {**RUN, "run": without(origin, key)})


def test_a_merge_that_does_not_say_whether_it_happened_is_an_error() -> None:
    assert "$.merged" in refusal(ask_merge, {"reason": "x"})


def test_a_merge_that_did_not_happen_says_why() -> None:
    assert "reason" in refusal(ask_merge, {"merged": False})


@pytest.mark.parametrize("key", list(APPROVAL))
def test_an_approval_that_lacks_a_key_holds_that_change_alone(key: str) -> None:
    answers = ask_approvals({"approvals": {"7": without(APPROVAL, key)}})
    said = answers[CHANGE.id]
    assert isinstance(said, str)
    assert f"$.{key}" in said


REVIEW = {
    "by": "octocat",
    "state": "approved",
    "commit": HEAD,
    "at": "2026-11-30T12:00:00Z",
    "stands_for": ["octocat"],
    "collaborator": True,
}


def test_reviews_are_told_with_whom_they_count_for() -> None:
    told = {**APPROVAL, "reviews": [REVIEW], "unread": {"@acme/x": "hidden"}, "description": "So."}
    answer = ask_approvals({"approvals": {"7": told}})[CHANGE.id]
    assert isinstance(answer, Approval)
    assert answer.reviews is not None
    (review,) = answer.reviews
    assert (review.state, review.stands_for) == (ReviewState.APPROVED, ("octocat",))
    assert (answer.unread, answer.description) == ({"@acme/x": "hidden"}, "So.")


@pytest.mark.parametrize(
    ("key", "wrong"), [("state", "liked"), ("at", 1), ("at", "2026-11-30T12:00:00"), ("by", "")]
)
def test_a_review_that_is_none_holds_that_change_alone(key: str, wrong: object) -> None:
    told = {**APPROVAL, "reviews": [{**REVIEW, key: wrong}]}
    answer = ask_approvals({"approvals": {"7": told}})[CHANGE.id]
    assert isinstance(answer, str)
    assert f"$.reviews[0].{key}" in answer


def test_one_change_that_could_not_be_read_leaves_the_others() -> None:
    other = CHANGE.model_copy(update={"id": ChangeId("8")})
    third = CHANGE.model_copy(update={"id": ChangeId("9")})
    questions = [ApprovalQuestion(change=change, commit=HEAD) for change in (CHANGE, other, third)]
    given = {"approvals": {"7": APPROVAL, "8": {"failed": "it is\nbroken"}}}
    answers = reads(approvals_at=given).approvals_at(questions)
    assert isinstance(answers[CHANGE.id], Approval)
    assert answers[other.id] == "it is\\x0abroken"
    assert "no answer" in str(answers[third.id])


def test_an_approval_that_nobody_asked_for_is_an_error() -> None:
    assert "12" in refusal(ask_approvals, {"approvals": {"7": APPROVAL, "12": APPROVAL}})


# --- what is wrong -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ask", "answer", "path"),
    [
        (ask_list, {**LISTING, "changes": [{**LISTED, "head": HEAD[:12]}]}, "$.changes[0].head"),
        (ask_list, {**LISTING, "changes": [{**LISTED, "fork": "no"}]}, "$.changes[0].fork"),
        (ask_list, {**LISTING, "changes": [{**LISTED, "fork": None}]}, "$.changes[0].fork"),
        (
            ask_list,
            {**LISTING, "changes": [{**LISTED, "method": "octopus"}]},
            "$.changes[0].method",
        ),
        (ask_list, {**LISTING, "changes": [{**LISTED, "forks": False}]}, "$.changes[0].forks"),
        (ask_list, {**LISTING, "changes": [{**LISTED, "branch": "-x"}]}, "$.changes[0].branch"),
        (ask_list, {**LISTING, "changes": [LISTED, LISTED]}, "7"),
        (ask_list, {**LISTING, "changes": [{**LISTED, "title": "\ud800"}]}, "$"),
        (ask_list, None, "$"),
        (ask_list, [LISTING], "$"),
        (ask_list, {**LISTING, "changes": {LISTED["id"]}}, "$"),
        (ask_list, {**LISTING, "changes": object()}, "$"),
        (ask_describe, {**CAPABILITIES, "methods": []}, "$.methods"),
        (ask_describe, {**CAPABILITIES, "required_approvals": True}, "$.required_approvals"),
        (ask_describe, {**CAPABILITIES, "required_approvals": float("nan")}, "$"),
        (ask_describe, {**CAPABILITIES, "schema": "mergequeue.capabilities/v9"}, "$.schema"),
        (ask_describe, {"refused": {"reason": "r", "url": "u"}}, "$.refused.app"),
        (ask_merge, {"merged": 1}, "$.merged"),
        (ask_merge, True, "$"),
        (ask_approvals, {"7": APPROVAL}, "$.approvals"),
        (ask_approvals, {"approvals": [APPROVAL]}, "$.approvals"),
    ],
)
def test_a_wrong_answer_is_an_error_that_names_its_place(
    ask: Callable[[object], object], answer: object, path: str
) -> None:
    assert path in refusal(ask, answer)


@pytest.mark.parametrize("answer", [None, False, 1, "true", {"done": True}])
def test_a_write_counts_only_when_it_says_that_it_is_done(answer: object) -> None:
    assert "kick_back" in refusal(lambda given: writes(kick_back=given).kick_back(KICK), answer)
    assert refusal(lambda given: writes(post_status=given).post_status([POST]), answer)


def test_a_mark_that_fails_is_told_and_stops_nothing() -> None:
    marks = [MarkRequest(change=CHANGE.id, mark=Mark.QUEUED)] * 2
    problems = writes(mark=ValueError("no label")).mark(marks)
    assert len(problems) == 2
    assert "no label" in problems[0]


def test_what_a_function_raises_is_shown_as_text() -> None:
    with pytest.raises(QueueError) as caught:
        ask_list(ValueError("down\x1b[2J\nfor repairs"))
    assert caught.value.code == PROVIDER_FAILED.code
    assert "list_changes of mine: ValueError: down\\x1b[2J\\x0afor repairs" in caught.value.problem


def test_a_setup_that_cannot_be_described_says_what_to_ask_again_with() -> None:
    answer = {"refused": {"reason": "no app", "url": "https://forge.invalid/apps", "app": "<slug>"}}
    with pytest.raises(QueueError) as caught:
        ask_describe(answer)
    assert "no app" in caught.value.problem
    assert "--app <slug>" in caught.value.remedy
    assert "https://forge.invalid/apps" in caught.value.remedy


def test_the_reading_side_has_no_way_to_write() -> None:
    for function in ("post_status", "retarget", "merge_change", "kick_back", "mark"):
        assert not hasattr(reads(), function)


# --- pre-flights ---------------------------------------------------------------------------------

NAMED = {"name": "test", "state": "failed", "id": "7"}


def named(answer: object) -> Mapping[ChangeId, tuple[NamedCheck, ...] | str]:
    question = NamedChecksQuestion(change=CHANGE, names=("test",))
    return reads(named_checks=answer).named_checks([question])


def rerun(answer: object) -> Mapping[ChangeId, str]:
    check = NamedCheck(name="test", state=NamedState.FAILED, id="7")
    request = RerunRequest(change=CHANGE.id, commit=HEAD, check=check)
    return writes(rerun_checks=answer).rerun_checks([request])


def test_checks_by_name_are_records_and_a_wrong_answer_is_one_changes_alone() -> None:
    found = named({"named": {"7": {"checks": [NAMED]}}})
    assert found[CHANGE.id] == (NamedCheck(name="test", state=NamedState.FAILED, id="7"),)
    assert named({"named": {"7": {"failed": "502"}}})[CHANGE.id] == "502"
    wrong = named({"named": {"7": {"checks": [{**NAMED, "state": "red"}]}}})[CHANGE.id]
    assert "$.checks[0].state" in str(wrong)
    assert named({"named": {}})[CHANGE.id] == "named_checks of mine: 7: $: no answer"
    assert "nobody asked about 8" in refusal(named, {"named": {"8": {"checks": []}}})


def test_what_could_not_be_run_again_is_told_by_change() -> None:
    assert rerun({"failed": {}}) == {}
    assert rerun({"failed": {"7": "no\nright", "8": "strange"}}) == {CHANGE.id: "no\\x0aright"}
    assert "$.failed" in refusal(rerun, {})


def test_a_provider_that_says_it_tells_of_checks_has_both_functions() -> None:
    """None without them: a pre-flight is then its command."""
    assert (
        not reads(describe=CAPABILITIES)
        .describe(DescribeQuestion(base=MAIN, remote_url="u"))
        .named_checks
    )
    claims = {**CAPABILITIES, "named_checks": True}
    assert "$.named_checks: it has no named_checks" in refusal(ask_describe, claims)
    whole = reads(describe=claims, named_checks={}, rerun_checks={})
    assert whole.describe(DescribeQuestion(base=MAIN, remote_url="u")).named_checks


# --- what people ask for -------------------------------------------------------------------------


def test_a_mark_and_a_request_of_people_are_read_and_are_off_where_nothing_says_so() -> None:
    unqueued = {"id": "8", "head": HEAD}
    told = reads(
        list_changes={
            "changes": [{**LISTED, "priority": True}],
            "merged": [],
            "unqueued": [{**unqueued, "tried": True}],
        }
    ).list_changes(WHERE)
    assert (told.changes[0].priority, told.unqueued[0].tried) == (True, True)
    silent = reads(list_changes={**LISTING, "unqueued": [unqueued]}).list_changes(WHERE)
    assert (silent.changes[0].priority, silent.unqueued[0].tried) == (False, False)


def test_a_try_run_is_reported_to_a_provider_that_can_show_it_and_else_that_is_an_error() -> None:
    report = TryReport(change=CHANGE.id, commit=HEAD, report="**Try run: green.**")
    person = Person(report_try=True)
    CheckedWrites(person, "mine").report_try(report)
    assert person.asked == [("report_try", report.model_dump(mode="json", by_alias=True))]
    with pytest.raises(QueueError, match="report_try of mine: it has no such function") as caught:
        writes().report_try(report)
    assert caught.value.code == PROVIDER_FAILED.code
