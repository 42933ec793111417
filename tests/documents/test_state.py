"""`mergequeue.state/v1`: what the queue remembers where no forge does."""

from mergequeue.documents.state import ChangeState, MergedState
from mergequeue.vocabulary import limits
from tests.support.documents import GONE, A, B, C, Json, Row, assert_refused, edited, read, rows

SCHEMA = "mergequeue.state/v1"
STATUS: Json = {
    "change": "one",
    "commit": A,
    "context": "merge-queue",
    "state": "pending",
    "description": "waiting",
}
KICK: Json = {
    "change": {"id": "one", "head": A, "base": "main", "method": "squash"},
    "commit": A,
    "code": "KICK_RED",
    "report": "It is red.",
    "with": ["0123456789ab Subject"],
    "reproduce": {"gate": "make"},
}
QUEUED: Json = {"schema": SCHEMA, "id": "one", "place": 1, "mark": "queued", "status": STATUS}
KICKED: Json = {"schema": SCHEMA, "id": "one", "mark": "kicked_back", "kick": KICK}
RECORD: Json = {"id": "one", "head": A, "commit": B, "method": "squash"}
MERGED: Json = {"schema": SCHEMA, "merged": [RECORD]}

WHOLE = [Row("whole"), Row("a change that nothing is known of", {"place": None, "status": None})]
NO_QUEUED = [
    Row("no id", {"id": GONE}, "$.id", "required"),
    Row("an id that is none", {"id": ".."}, "$.id", "change id"),
    Row("place 0", {"place": 0}, "$.place"),
    Row("an unknown mark", {"mark": "green"}, "$.mark"),
    Row("a status of another change", {"status.change": "two"}, "$", "another change's"),
    Row("a status without a state", {"status.state": GONE}, "$.status.state", "required"),
    Row("a status of an unknown state", {"status.state": "red"}, "$.status.state"),
    Row("a status of a short commit", {"status.commit": A[:9]}, "$.status.commit"),
    Row("an unknown key", {"note": ""}, "$.note", "Extra"),
    Row("an unknown schema", {"schema": "mergequeue.state/v2"}, "$.schema", code="MQ1004"),
    Row("no schema", {"schema": GONE}, "$.schema", code="MQ1004"),
]
NO_KICKED = [
    Row("a kick of another change", {"kick.change.id": "two"}, "$", "another change's"),
    Row("a place in the queue", {"place": 3}, "$", "no place in the queue"),
    Row("no report", {"kick.report": ""}, "$.kick.report"),
    Row("an unknown code", {"kick.code": "KICK_ME"}, "$.kick.code"),
    Row("a number for a commit's text", {"kick.with.0": 1}, "$.kick.with[0]"),
    Row("what Python calls a key", {"kick.with_": []}, "$.kick.with_", "Extra"),
    Row("nothing to reproduce it with", {"kick.reproduce.gate": ""}, "$.kick.reproduce.gate"),
]
TOO_MANY = [{**RECORD, "head": f"{n:040x}"} for n in range(limits.MERGES_REMEMBERED + 1)]
NO_MERGED = [
    Row("a head twice", {"merged.1": {**RECORD, "id": "two"}}, "$", f"the head {A} stands twice"),
    Row("more than are remembered", {"merged": TOO_MANY}, "$.merged", "at most"),
    Row("a record without its commit", {"merged.0.commit": GONE}, "$.merged[0].commit", "required"),
    Row("an unknown schema", {"schema": "mergequeue.plan/v1"}, "$.schema", code="MQ1004"),
]


@rows(WHOLE)
def test_the_state_of_a_queued_change_is_read(row: Row) -> None:
    assert read(edited(QUEUED, row.edits), ChangeState).kick is None


def test_the_state_of_a_kicked_change_is_read() -> None:
    kick = read(KICKED, ChangeState).kick
    assert kick is not None
    assert kick.with_ == ("0123456789ab Subject",)


def test_the_merges_are_read_oldest_first() -> None:
    two = {**RECORD, "id": "two", "head": C}
    read_back = read(edited(MERGED, {"merged.1": two}), MergedState)
    assert [record.id for record in read_back.merged] == ["one", "two"]


@rows(NO_QUEUED)
def test_what_is_no_state_of_a_change_is_refused(row: Row) -> None:
    assert_refused(QUEUED, ChangeState, row)


@rows(NO_KICKED)
def test_what_is_no_state_of_a_kicked_change_is_refused(row: Row) -> None:
    assert_refused(KICKED, ChangeState, row)


@rows(NO_MERGED)
def test_what_are_no_merges_is_refused(row: Row) -> None:
    assert_refused(MERGED, MergedState, row)
