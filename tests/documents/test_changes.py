"""`mergequeue.changes/v1`: what is a listing, and what is none."""

import pytest

from mergequeue.documents.changes import Change, Changes
from mergequeue.documents.plan import PlannedChange
from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId
from mergequeue.vocabulary.words import Decision, Mark, Method
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

LISTING: Json = {
    "schema": "mergequeue.changes/v1",
    "base": "main",
    "remote_url": "https://example.invalid/x.git",
    "changes": [
        {
            "id": "one",
            "head": A,
            "base": "main",
            "method": "squash",
            "repo": "x",
            "ref": "refs/heads/mq/squash/one",
            "branch": "mq/squash/one",
            "title": "One",
            "parent": "merged",
            "fork": False,
            "refused": "",
            "affected": ["parser"],
            "unbounded_by": "",
            "queued_at": "2026-01-02T03:04:05Z",
            "priority": False,
        }
    ],
    "merged": [{"id": "merged", "head": B, "commit": C, "method": "merge"}],
    "unqueued": [{"id": "open", "head": D, "repo": "", "ref": "refs/heads/x", "mark": "queued"}],
    "closed": [{"id": "closed", "repo": "x"}],
}
LEAST: Json = {
    "schema": "mergequeue.changes/v1",
    "base": "main",
    "remote_url": "x",
    "changes": [{"id": "one", "head": A, "base": "main", "method": "rebase"}],
}

VALID = [
    Row("whole"),
    Row("nothing queued", {"changes": []}),
    Row("ids of a repository that uses SHA-256", {"changes.0.head": LONG}),
    Row("a change of another base", {"changes.0.base": "release/1.x"}),
    Row("a reach that is unknown", {"changes.0.affected": None}),
    Row("a proof that nothing is reached", {"changes.0.affected": []}),
    Row("a title of any characters", {"changes.0.title": "\u202e\x00\n`<b>"}),
    Row("a branch in another script", {"changes.0.branch": "mq/squash/löschen"}),
    Row("the longest id", {"changes.0.id": "x" * 128}),
]

INVALID = [
    Row("no base", {"base": GONE}, "$.base", "required"),
    Row("no list of changes", {"changes": GONE}, "$.changes", "required"),
    Row("a change without a head", {"changes.0.head": GONE}, "$.changes[0].head", "required"),
    Row("a change without a method", {"changes.0.method": GONE}, "$.changes[0].method", "required"),
    Row("an empty address", {"remote_url": ""}, "$.remote_url"),
    Row("an unknown key", {"changes.0.hed": A}, "$.changes[0].hed", "Extra"),
    Row("an unknown key at the top", {"more": 1}, "$.more", "Extra"),
    Row("a number for a text", {"changes.0.id": 12}, "$.changes[0].id"),
    Row("a text for a truth", {"changes.0.fork": "false"}, "$.changes[0].fork"),
    Row("a number for a truth", {"changes.0.fork": 0}, "$.changes[0].fork"),
    Row("null for a list", {"merged": None}, "$.merged"),
    Row("an object for a list", {"changes": {}}, "$.changes"),
    Row("a text for a list of units", {"changes.0.affected": "parser"}, "$.changes[0].affected"),
    Row("a short commit id", {"changes.0.head": A[:12]}, "$.changes[0].head", "full commit id"),
    Row("an id of 41 digits", {"changes.0.head": A + "a"}, "$.changes[0].head", "full commit id"),
    Row("an upper-case commit id", {"merged.0.commit": "A" * 40}, "$.merged[0].commit", "lower"),
    Row("a commit id and a line break", {"unqueued.0.head": A + "\n"}, "$.unqueued[0].head"),
    Row("an empty id", {"changes.0.id": ""}, "$.changes[0].id", "change id"),
    Row("an id that names a parent folder", {"closed.0.id": ".."}, "$.closed[0].id", "change id"),
    Row("an id with a separator", {"changes.0.id": "a/b"}, "$.changes[0].id", "change id"),
    Row("an id like an option", {"changes.0.id": "-rf"}, "$.changes[0].id", "change id"),
    Row("an id that is too long", {"changes.0.id": "x" * 129}, "$.changes[0].id", "change id"),
    Row("a parent that is no id", {"changes.0.parent": "#1"}, "$.changes[0].parent", "change id"),
    Row("a reference that is short", {"changes.0.ref": "main"}, "$.changes[0].ref", "refs/"),
    Row("a reference with dots", {"changes.0.ref": "refs/a..b"}, "$.changes[0].ref", "check-ref"),
    Row("a reference that is a pattern", {"unqueued.0.ref": "refs/heads/*"}, "$.unqueued[0].ref"),
    Row("a branch that is a reference", {"base": "refs/heads/main"}, "$.base", "branch"),
    Row("a branch like an option", {"changes.0.branch": "--force"}, "$.changes[0].branch"),
    Row("a branch named HEAD", {"changes.0.base": "HEAD"}, "$.changes[0].base"),
    Row("an unknown method", {"changes.0.method": "octopus"}, "$.changes[0].method", "squash"),
    Row("an unknown mark", {"unqueued.0.mark": "red"}, "$.unqueued[0].mark"),
    Row("an id twice in one list", {"changes.1": LISTING["changes"][0]}, "$", "one stands twice"),
    Row("an id queued and merged", {"merged.0.id": "one"}, "$", "the id one stands twice"),
    Row("an id queued and open", {"unqueued.0.id": "one"}, "$", "the id one stands twice"),
    Row("an id merged and closed", {"closed.0.id": "merged"}, "$", "the id merged stands twice"),
    Row("an unknown schema", {"schema": "mergequeue.changes/v2"}, "$.schema", code="MQ1004"),
    Row("another document's schema", {"schema": "mergequeue.plan/v1"}, "$.schema", code="MQ1004"),
    Row("no schema", {"schema": GONE}, "$.schema", "null", code="MQ1004"),
    Row("a schema that is no text", {"schema": [1]}, "$.schema", code="MQ1004"),
    Row("what Python calls a key", {"schema_": LISTING["schema"]}, "$.schema_", "Extra"),
]


@rows(VALID)
def test_a_listing_is_read(row: Row) -> None:
    read(edited(LISTING, row.edits), Changes)


@rows(INVALID)
def test_what_is_no_listing_is_refused_with_its_path(row: Row) -> None:
    assert_refused(LISTING, Changes, row)


def test_what_a_listing_leaves_out_has_its_plain_meaning() -> None:
    change = Change(
        id=ChangeId("one"), head=CommitId(A), base=BranchName("main"), method=Method.REBASE
    )
    listing = read(LEAST, Changes)
    assert listing.changes == (change,)
    assert (change.ref, change.branch, change.fork, change.affected) == (None, None, False, None)
    assert (listing.merged, listing.unqueued, listing.closed) == ((), (), ())
    open_ = read(edited(LISTING, {"unqueued.0.mark": GONE}), Changes).unqueued[0]
    assert open_.mark is Mark.NONE


def test_a_record_is_never_changed() -> None:
    change = read(LEAST, Changes).changes[0]
    with pytest.raises(ValueError, match="frozen"):
        change.title = "other"  # type: ignore[misc]  # that it fails is the point


def test_a_change_inside_a_verdict_is_as_it_was_listed() -> None:
    listed = read(LEAST, Changes).changes[0]
    planned = PlannedChange(**dict(listed), stack_base=CommitId(B))
    verdict = Verdict(base_commit=CommitId(C), change=planned, decision=Decision.MERGED)
    assert type(verdict.change) is Change
    assert verdict.change == listed
