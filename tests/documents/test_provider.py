"""The records that a provider answers with: what is missing is an error, and never a zero value."""

import pytest

from mergequeue.documents.provider import Approval, Check, GreenChange, MergeAnswer
from mergequeue.documents.reading import checked
from mergequeue.documents.record import Record
from mergequeue.vocabulary.errors import BAD_ANSWER
from tests.support.documents import GONE, A, Json, edited, refusal

APPROVAL: Json = {
    "approved": True,
    "head": A,
    "base": "main",
    "method": "squash",
    "queued": True,
    "shared_with": [],
}
CHECK: Json = {"name": "ci", "state": "success"}
GREEN: Json = {"id": "one", "head": A}
ANSWER: Json = {"merged": True}
WHOLE: list[tuple[type[Record], Json]] = [
    (Approval, APPROVAL),
    (Check, CHECK),
    (GreenChange, GREEN),
    (MergeAnswer, ANSWER),
]

WRONG: list[tuple[type[Record], Json, str]] = [
    *((model, edited(whole, {key: GONE}), f"$.{key}") for model, whole in WHOLE for key in whole),
    *((model, edited(whole, {key: None}), f"$.{key}") for model, whole in WHOLE for key in whole),
    *((model, {**whole, "more": 1}, "$.more") for model, whole in WHOLE),
    (Approval, {**APPROVAL, "approved": "yes"}, "$.approved"),
    (Approval, {**APPROVAL, "queued": 1}, "$.queued"),
    (Approval, {**APPROVAL, "head": A[:7]}, "$.head"),
    (Approval, {**APPROVAL, "approved_commit": ""}, "$.approved_commit"),
    (Approval, {**APPROVAL, "shared_with": ["a/b"]}, "$.shared_with[0]"),
    (Check, {**CHECK, "state": "neutral"}, "$.state"),
    (Check, {**CHECK, "name": ""}, "$.name"),
    (MergeAnswer, {"merged": False}, "$"),
    (MergeAnswer, {"merged": False, "reason": ""}, "$"),
]


@pytest.mark.parametrize(("model", "answer"), WHOLE)
def test_an_answer_with_its_required_keys_is_taken(model: type[Record], answer: Json) -> None:
    checked(answer, model, "the answer", BAD_ANSWER)


@pytest.mark.parametrize(("model", "answer", "path"), WRONG)
def test_an_answer_that_lacks_or_mistakes_a_key_is_refused(
    model: type[Record], answer: Json, path: str
) -> None:
    error = refusal(lambda: checked(answer, model, "the answer", BAD_ANSWER))
    assert (error.code, error.exit_status) == ("MQ3003", 1)
    assert error.problem.startswith(f"the answer: {path}: ")


def test_a_merge_that_did_not_happen_says_why() -> None:
    answer = checked({"merged": False, "reason": "no"}, MergeAnswer, "the answer", BAD_ANSWER)
    assert (answer.merged, answer.reason, answer.by_provider) == (False, "no", False)
