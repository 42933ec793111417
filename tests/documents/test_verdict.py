"""`mergequeue.verdict/v1`: what each decision needs, and what it must not have."""

import pytest

from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary.codes import Code
from tests.support.documents import GONE, A, B, C, D, Json, Row, assert_refused, edited, read, rows

GREEN: Json = {
    "schema": "mergequeue.verdict/v1",
    "base_commit": A,
    "change": {"id": "one", "head": B, "base": "main", "method": "squash"},
    "decision": "merge",
    "reason": "",
    "paths": [],
    "with": [],
    "after": "zero",
    "onto": C,
    "candidate_commit": D,
    "method": "squash",
    "batch": ["one", "two"],
    "gated_commit": D,
    "depth": 2,
    "duration_ms": 1500,
    "gate": "make test parser",
    "gates": [
        {"changes": ["one", "two"], "commit": D, "outcome": "passed", "duration_ms": 1500},
        {
            "changes": [],
            "commit": A,
            "outcome": "failed",
            "duration_ms": 0,
            "retries": 1,
            "limit": "30m",
            "limit_used_ms": 900000,
            "why": "exit status 1",
        },
    ],
}
KICK = {
    **GREEN,
    "decision": "kick",
    "code": "KICK_RED",
    "report": "It is red.",
    "paths": ["a"],
    "with": ["0123456789ab Subject"],
}
WAIT = {**GREEN, "decision": "wait", "code": "WAIT_BASE_RED"}
LEAST: Json = {
    "schema": "mergequeue.verdict/v1",
    "base_commit": A,
    "change": GREEN["change"],
    "decision": "merged",
}

VALID = [
    pytest.param(GREEN, Row("green"), id="green"),
    pytest.param(GREEN, Row("a batch of one", {"batch": ["one"]}), id="a batch of one"),
    pytest.param(GREEN, Row("at depth 1", {"depth": 1}), id="at depth 1"),
    pytest.param(GREEN, Row("no gate ran", {"gate": "", "duration_ms": 0}), id="no gate ran"),
    pytest.param(KICK, Row("kicked back"), id="kicked back"),
    pytest.param(WAIT, Row("waits"), id="waits"),
    pytest.param(LEAST, Row("merged already"), id="merged already"),
    pytest.param(
        LEAST,
        Row("kicked by planning", {"decision": "kick", "code": "KICK_CONFLICT", "report": "x"}),
        id="kicked by planning",
    ),
    pytest.param(
        LEAST,
        Row("waits by planning", {"decision": "wait", "code": "WAIT_BELOW"}),
        id="waits by planning",
    ),
]

NOT_GREEN = [
    Row(f"without {key}", {key: GONE}, "$", f"names its {key}")
    for key in ("onto", "candidate_commit", "method", "gated_commit")
] + [
    Row("with null for a commit", {"onto": None}, "$", "names its onto"),
    Row("without its batch", {"batch": GONE}, "$", "holds the change itself"),
    Row("in a batch of others", {"batch": ["two", "three"]}, "$", "holds the change itself"),
    Row("twice in its batch", {"batch": ["one", "two", "one"]}, "$", "names one twice"),
    Row("without a depth", {"depth": GONE}, "$", "depth of 1"),
    Row("at depth 0", {"depth": 0}, "$", "depth of 1"),
    Row("at a depth below zero", {"depth": -1}, "$.depth"),
    Row("at a depth that is no whole number", {"depth": 1.5}, "$.depth"),
    Row("at a depth that is a truth", {"depth": True}, "$.depth"),
    Row("of a duration below zero", {"duration_ms": -1}, "$.duration_ms"),
    Row("with a code", {"code": "WAIT_BEHIND"}, "$", "the decision merge has no code"),
    Row("with a short candidate", {"candidate_commit": D[:7]}, "$.candidate_commit"),
    Row("onto a branch", {"onto": "main"}, "$.onto", "full commit id"),
    Row("of an upper-case base", {"base_commit": "A" * 40}, "$.base_commit"),
    Row("of no base", {"base_commit": GONE}, "$.base_commit", "required"),
    Row("of no change", {"change": GONE}, "$.change", "required"),
    Row("of a change without a head", {"change.head": GONE}, "$.change.head", "required"),
    Row("of a change with a place in the plan", {"change.beneath": []}, "$.change.beneath"),
    Row("of no decision", {"decision": GONE}, "$.decision", "required"),
    Row("of an unknown decision", {"decision": "green"}, "$.decision", "'merge'"),
    Row("of an unknown method", {"method": "fast"}, "$.method"),
    Row("after no id", {"after": "../x"}, "$.after", "change id"),
    Row("in a batch of no ids", {"batch": ["one", "a b"]}, "$.batch[1]", "change id"),
    Row("with a number for a file", {"paths": [1]}, "$.paths[0]"),
    Row("with a number for a commit", {"with": ["a", 1]}, "$.with[1]"),
    Row("with an unknown key", {"approved": True}, "$.approved", "Extra"),
    Row("with what Python calls a key", {"with": GONE, "with_": []}, "$.with_", "Extra"),
    Row("of an unknown schema", {"schema": "mergequeue.verdict/v9"}, "$.schema", code="MQ1004"),
    Row("of no schema", {"schema": GONE}, "$.schema", code="MQ1004"),
]
NO_KICK = [
    Row("without a code", {"code": GONE}, "$", "a kick has a KICK_ code"),
    Row("with null for its code", {"code": None}, "$", "a kick has a KICK_ code"),
    Row("with a wait's code", {"code": "WAIT_BEHIND"}, "$", "a kick has a KICK_ code"),
    Row("without a report", {"report": GONE}, "$", "a kick has a report"),
    Row("with an empty report", {"report": ""}, "$", "a kick has a report"),
    Row("with an unknown code", {"code": "KICK_ME"}, "$.code"),
]
NO_WAIT = [
    Row("without a code", {"code": GONE}, "$", "a wait has a WAIT_ code"),
    Row("with a kick's code", {"code": "KICK_RED"}, "$", "a wait has a WAIT_ code"),
    Row("with an unknown code", {"code": "WAIT_A_BIT"}, "$.code"),
]
NOT_MERGED = [
    Row("with a wait's code", {"code": "WAIT_BEHIND"}, "$", "the decision merged has no code"),
    Row("with a kick's code", {"code": "KICK_RED"}, "$", "the decision merged has no code"),
]


@pytest.mark.parametrize(("whole", "row"), VALID)
def test_a_verdict_is_read(whole: Json, row: Row) -> None:
    read(edited(whole, row.edits), Verdict)


@rows(NOT_GREEN)
def test_a_green_verdict_that_is_not_whole_is_refused(row: Row) -> None:
    assert_refused(GREEN, Verdict, row)


@rows(NO_KICK)
def test_a_kick_that_is_not_whole_is_refused(row: Row) -> None:
    assert_refused(KICK, Verdict, row)


@rows(NO_WAIT)
def test_a_wait_that_is_not_whole_is_refused(row: Row) -> None:
    assert_refused(WAIT, Verdict, row)


@rows(NOT_MERGED)
def test_a_change_merged_already_has_no_code(row: Row) -> None:
    assert_refused(LEAST, Verdict, row)


@pytest.mark.parametrize("code", list(Code))
def test_every_code_has_the_decision_that_it_begins_with(code: Code) -> None:
    right, wrong = (WAIT, KICK) if code.startswith("WAIT_") else (KICK, WAIT)
    assert read({**right, "code": code}, Verdict).code is code
    assert_refused(wrong, Verdict, Row("the other", {"code": code}, "$", "code"))
