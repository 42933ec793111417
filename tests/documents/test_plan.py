"""`mergequeue.plan/v1`: what may be built on what, and what planning may decide."""

from datetime import UTC, datetime

from mergequeue.documents.plan import Plan
from tests.support.documents import (
    GONE,
    LONG,
    A,
    B,
    C,
    D,
    Json,
    Row,
    assert_refused,
    edited,
    read,
    rows,
)


def planned(id_: str, **more: object) -> Json:
    return {"id": id_, "head": B, "base": "main", "method": "squash", **more}


def verdict(id_: str, **more: object) -> Json:
    return {
        "schema": "mergequeue.verdict/v1",
        "base_commit": A,
        "change": planned(id_),
        "decision": "wait",
        "code": "WAIT_BELOW",
        **more,
    }


GREEN = {
    "decision": "merge",
    "code": None,
    "onto": A,
    "candidate_commit": C,
    "method": "squash",
    "gated_commit": C,
    "batch": ["waits"],
    "depth": 1,
}
PLAN: Json = {
    "schema": "mergequeue.plan/v1",
    "base": "main",
    "remote_url": "https://example.invalid/x.git",
    "base_commit": A,
    "commit_date": "2026-01-02T03:04:05Z",
    "depth": 8,
    "batch": 1,
    "partitions": [
        [
            planned("low"),
            planned("top", below="low", beneath=["low"], stack_base=B),
            planned("next", beneath=["low", "top"]),
        ],
        [planned("other", stack_base=D)],
    ],
    "verdicts": [verdict("waits")],
    "merged": [{"id": "merged", "head": B, "commit": C, "method": "merge"}],
    "unqueued": [{"id": "open", "head": D}],
    "closed": [{"id": "closed"}],
}
NOTHING = {"partitions": GONE, "verdicts": GONE, "merged": GONE, "unqueued": GONE, "closed": GONE}

VALID = [
    Row("whole"),
    Row("nothing to do", NOTHING),
    Row("a date with its offset in digits", {"commit_date": "2026-01-02T03:04:05+00:00"}),
    Row("a date with a fraction of zero", {"commit_date": "2026-01-02T03:04:05.000Z"}),
    Row("commit ids of SHA-256", {"partitions.1.0.head": LONG}),
    Row("a change merged already", {"verdicts.0.decision": "merged", "verdicts.0.code": None}),
]

UTC_ONLY = "in UTC"
INVALID = [
    Row("suspects that are nobody", {"suspects": [[]]}, "$", "as many as a batch holds"),
    Row("more suspects than a batch holds", {"suspects": [["low", "top"]]}, "$", "as many as"),
    Row("suspects behind others", {"suspects": [["next"]]}, "$", "no partition's front"),
    Row("strange suspects", {"suspects": [["strange"]]}, "$", "no partition's front"),
    Row("no base commit", {"base_commit": GONE}, "$.base_commit", "required"),
    Row("no date", {"commit_date": GONE}, "$.commit_date", "required"),
    Row("no depth", {"depth": GONE}, "$.depth", "required"),
    Row("depth 0", {"depth": 0}, "$.depth", "greater than or equal to 1"),
    Row("batch 0", {"batch": 0}, "$.batch", "greater than or equal to 1"),
    Row("a depth in quotes", {"depth": "8"}, "$.depth"),
    Row("a depth that is a truth", {"depth": True}, "$.depth"),
    Row("an unknown key", {"plans": []}, "$.plans", "Extra"),
    Row("an unknown key of a change", {"partitions.0.1.under": []}, "$.partitions[0][1].under"),
    Row("a short base commit", {"base_commit": A[:8]}, "$.base_commit", "full commit id"),
    Row("an upper-case head", {"partitions.0.1.head": "B" * 40}, "$.partitions[0][1].head"),
    Row("a base that is no branch", {"base": "refs/heads/main"}, "$.base"),
    Row(
        "a date of another zone",
        {"commit_date": "2026-01-02T03:04:05+01:00"},
        "$.commit_date",
        UTC_ONLY,
    ),
    Row("a date without a zone", {"commit_date": "2026-01-02T03:04:05"}, "$.commit_date", "3339"),
    Row(
        "a date with a fraction",
        {"commit_date": "2026-01-02T03:04:05.5Z"},
        "$.commit_date",
        "whole",
    ),
    Row("a day", {"commit_date": "2026-01-02"}, "$.commit_date", "3339"),
    Row("a day that never was", {"commit_date": "2026-02-30T00:00:00Z"}, "$.commit_date"),
    Row("a date as a count of seconds", {"commit_date": 1767323045}, "$.commit_date", "3339"),
    Row("a count of seconds in quotes", {"commit_date": "1767323045"}, "$.commit_date", "3339"),
    Row("a date that is null", {"commit_date": None}, "$.commit_date"),
    Row("an empty partition", {"partitions.1": []}, "$", "a partition holds a change"),
    Row("a partition that is a change", {"partitions.1": planned("x")}, "$.partitions[1]"),
    Row(
        "built on what comes after it", {"partitions.0.0.beneath": ["top"]}, "$", "not ahead of it"
    ),
    Row("built on itself", {"partitions.0.0.beneath": ["low"]}, "$", "not ahead of it"),
    Row("built on another partition", {"partitions.1.0.beneath": ["low"]}, "$", "not ahead of it"),
    Row("built on what nobody knows", {"partitions.0.1.beneath": ["x"]}, "$", "not ahead of it"),
    Row(
        "built on one twice", {"partitions.0.1.beneath": ["low", "low"]}, "$", "on one change twice"
    ),
    Row(
        "stacked on what it is not built on", {"partitions.0.1.beneath": []}, "$", "not built on it"
    ),
    Row(
        "stacked on nobody's head", {"partitions.0.1.stack_base": GONE}, "$", "without a stack base"
    ),
    Row("an id in two partitions", {"partitions.1.0.id": "low"}, "$", "the id low stands twice"),
    Row("an id twice in one", {"partitions.0.2.id": "low"}, "$", "the id low stands twice"),
    Row("admitted and decided", {"verdicts.0.change.id": "low"}, "$", "the id low stands twice"),
    Row("decided and merged", {"merged.0.id": "waits"}, "$", "the id waits stands twice"),
    Row("merged and open", {"unqueued.0.id": "merged"}, "$", "the id merged stands twice"),
    Row("open and closed", {"closed.0.id": "open"}, "$", "the id open stands twice"),
    Row("found green", {"verdicts.0": verdict("waits", **GREEN)}, "$", "cannot find waits green"),
    Row("gated", {"verdicts.0.gate": "make"}, "$", "planning runs no gate"),
    Row("decided for another base", {"verdicts.0.base_commit": C}, "$", "another base commit"),
    Row("a wait without a code", {"verdicts.0.code": GONE}, "$.verdicts[0]", "a WAIT_ code"),
    Row("a verdict of another schema", {"verdicts.0.schema": "x"}, "$.verdicts[0].schema"),
    Row("an unknown schema", {"schema": "mergequeue.plan/v2"}, "$.schema", code="MQ1004"),
    Row("no schema", {"schema": GONE}, "$.schema", code="MQ1004"),
]


@rows(VALID)
def test_a_plan_is_read(row: Row) -> None:
    read(edited(PLAN, row.edits), Plan)


@rows(INVALID)
def test_what_is_no_plan_is_refused_with_its_path(row: Row) -> None:
    assert_refused(PLAN, Plan, row)


def test_the_admitted_changes_stand_partition_by_partition() -> None:
    assert [change.id for change in read(PLAN, Plan).admitted] == ["low", "top", "next", "other"]


def test_the_date_of_a_plan_is_in_utc() -> None:
    assert read(PLAN, Plan).commit_date == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
