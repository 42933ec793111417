"""`mergequeue.event/v1`: what a line holds, and which fields it leaves out."""

import json
from datetime import UTC, datetime

import pytest

from mergequeue.documents.event import Event, Happening
from mergequeue.documents.reading import write_line
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.words import Decision, EventKind
from tests.support.documents import GONE, A, Json, Row, assert_refused, edited, read, rows

EVENT: Json = {
    "schema": "mergequeue.event/v1",
    "time": "2026-01-02T03:04:05.678901Z",
    "kind": "decided",
    "change": "one",
    "changes": ["one"],
    "partition": 0,
    "decision": "kick",
    "code": "KICK_RED",
    "reason": "red",
    "commit": A,
    "depth": 1,
    "duration_ms": 0,
    "by_provider": False,
}

VALID = [
    Row("whole"),
    Row("a whole second", {"time": "2026-01-02T03:04:05Z"}),
    Row("a kind alone", {key: GONE for key in EVENT if key not in {"schema", "time", "kind"}}),
]
INVALID = [
    Row("no time", {"time": GONE}, "$.time", "required"),
    Row("no kind", {"kind": GONE}, "$.kind", "required"),
    Row("an unknown kind", {"kind": "exploded"}, "$.kind"),
    Row("an unknown key", {"changed": []}, "$.changed", "Extra"),
    Row("a time of another zone", {"time": "2026-01-02T03:04:05-05:00"}, "$.time", "in UTC"),
    Row("a time without a zone", {"time": "2026-01-02T03:04:05"}, "$.time", "3339"),
    Row("a count of seconds", {"time": 1767323045.5}, "$.time", "3339"),
    Row("depth 0", {"depth": 0}, "$.depth"),
    Row("a partition below zero", {"partition": -1}, "$.partition"),
    Row("a duration below zero", {"duration_ms": -1}, "$.duration_ms"),
    Row("a text for a truth", {"by_provider": "no"}, "$.by_provider"),
    Row("a short commit id", {"commit": A[:12]}, "$.commit", "full commit id"),
    Row("a change that is no id", {"change": "#1"}, "$.change", "change id"),
    Row("an unknown code", {"code": "KICK_ME"}, "$.code"),
    Row("an unknown schema", {"schema": "mergequeue.event/v2"}, "$.schema", code="MQ1004"),
    Row("no schema", {"schema": GONE}, "$.schema", code="MQ1004"),
]
ONE, COMMIT = ChangeId("one"), CommitId(A)
LINES = [
    (Happening(kind=EventKind.PARTITION, partition=0, changes=(ONE,)), {"partition", "changes"}),
    (
        Happening(kind=EventKind.WAITING, change=ONE, code=Code.WAIT_BEHIND, reason="it waits"),
        {"change", "code", "reason"},
    ),
    (
        Happening(kind=EventKind.MERGED, change=ONE, commit=COMMIT, by_provider=False),
        {"change", "commit", "by_provider"},
    ),
    (
        Happening(kind=EventKind.DECIDED, change=ONE, decision=Decision.MERGE, duration_ms=0),
        {"change", "decision", "duration_ms"},
    ),
    (Happening(kind=EventKind.NOTICE), set[str]()),
]


@rows(VALID)
def test_an_event_is_read(row: Row) -> None:
    read(edited(EVENT, row.edits), Event)


@rows(INVALID)
def test_what_is_no_event_is_refused_with_its_path(row: Row) -> None:
    assert_refused(EVENT, Event, row)


@pytest.mark.parametrize(("happening", "keys"), LINES)
def test_a_line_holds_what_applies_and_nothing_empty(happening: Happening, keys: set[str]) -> None:
    time = datetime(2026, 1, 2, tzinfo=UTC)
    line = json.loads(write_line(Event(**dict(happening), time=time)))
    assert set(line) == keys | {"schema", "time", "kind"}
    assert line["time"] == "2026-01-02T00:00:00Z"
