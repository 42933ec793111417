"""`mergequeue.capabilities/v1`: what a provider says of itself."""

import pytest

from mergequeue.documents.capabilities import Capabilities, Refused
from mergequeue.documents.reading import checked
from mergequeue.vocabulary.errors import BAD_ANSWER
from tests.support.documents import (
    GONE,
    Json,
    Row,
    assert_refused,
    edited,
    read,
    refusal,
    rows,
)

CAPABILITIES: Json = {
    "schema": "mergequeue.capabilities/v1",
    "merges": "paths",
    "stack_merge": "sequential",
    "linear_stacks": False,
    "methods": ["merge", "squash"],
    "required_approvals": 0,
    "queue_label": "mq/",
    "committer": {"name": "Bot", "email": "bot@example.invalid"},
    "setup": {
        "status_context": "merge-queue",
        "credential": {"id": "1", "name": "app"},
        "required_checks": [{"context": "ci", "integration": "2", "events": ["push"]}],
        "settings": [{"name": "auto-merge", "value": "off", "want": "on"}],
        "app": "app",
        "steps": [{"title": "Require it", "command": "true"}, {"title": "Open", "url": "x"}],
    },
}

VALID = [
    Row("whole"),
    Row("one method", {"methods": ["rebase"]}),
    Row("no setup", {"setup": None}),
    Row("nobody who commits", {"committer": GONE}),
    Row("exact merges", {"merges": "exact", "stack_merge": "atomic"}),
    Row("batches in one call", {"merges": "exact", "batch_merge": "atomic"}),
]
INVALID = [
    Row("no rule of merging", {"merges": GONE}, "$.merges", "required"),
    Row("an unknown rule of merging", {"merges": "ours"}, "$.merges"),
    Row("no word on stacks", {"linear_stacks": GONE}, "$.linear_stacks", "required"),
    Row("a number for a truth", {"linear_stacks": 0}, "$.linear_stacks"),
    Row("no method", {"methods": []}, "$.methods"),
    Row("an unknown method", {"methods": ["merge", "fast"]}, "$.methods[1]"),
    Row("approvals below zero", {"required_approvals": -1}, "$.required_approvals"),
    Row("approvals in quotes", {"required_approvals": "1"}, "$.required_approvals"),
    Row("a committer without an address", {"committer.email": GONE}, "$.committer.email"),
    Row("a committer without a name", {"committer.name": ""}, "$.committer.name"),
    Row("a step to run and to open", {"setup.steps.0.url": "x"}, "$.setup.steps[0]", "not both"),
    Row("a step of nothing", {"setup.steps.1.url": ""}, "$.setup.steps[1]", "a command or a url"),
    Row("an unknown key", {"setup.steps.0.run": "x"}, "$.setup.steps[0].run", "Extra"),
    Row("batches in one call by paths", {"batch_merge": "atomic"}, "$", "writes the trees"),
    Row("an unknown schema", {"schema": "mergequeue.capabilities/v0"}, "$.schema", code="MQ1004"),
    Row("no schema", {"schema": GONE}, "$.schema", code="MQ1004"),
]


@rows(VALID)
def test_capabilities_are_read(row: Row) -> None:
    read(edited(CAPABILITIES, row.edits), Capabilities)


@rows(INVALID)
def test_what_are_no_capabilities_is_refused_with_its_path(row: Row) -> None:
    assert_refused(CAPABILITIES, Capabilities, row)


def test_a_refusal_to_describe_says_all_three_things() -> None:
    whole = {"reason": "no app", "url": "x", "app": "y"}
    assert checked(whole, Refused, "the answer", BAD_ANSWER) == Refused(
        reason="no app", url="x", app="y"
    )


@pytest.mark.parametrize("key", ["reason", "url", "app"])
def test_a_refusal_to_describe_that_leaves_one_empty_is_none(key: str) -> None:
    answer = {"reason": "no app", "url": "x", "app": "y", key: ""}
    error = refusal(lambda: checked(answer, Refused, "it", BAD_ANSWER))
    assert error.problem.startswith(f"it: $.{key}: ")
