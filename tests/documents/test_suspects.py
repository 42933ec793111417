"""`mergequeue.suspects/v1`: whom a job suspects."""

import pytest

from mergequeue.documents.suspects import Suspicion
from tests.support.documents import GONE, A, B, Json, Row, assert_refused, edited, read, rows

SUSPECTS: Json = {
    "schema": "mergequeue.suspects/v1",
    "base_commit": A,
    "job": "4",
    "changes": [{"id": "3", "commit": B}, {"id": "4", "commit": B}],
    "under": ["1", "2"],
}


@pytest.mark.parametrize(
    "row",
    [Row("whole"), Row("settled", {"changes": GONE, "under": GONE})],
    ids=lambda row: row.name,
)
def test_suspects_are_read(row: Row) -> None:
    read(edited(SUSPECTS, row.edits), Suspicion)


@rows(
    [
        Row("of no base", {"base_commit": GONE}, "$.base_commit", "required"),
        Row("of no job", {"job": GONE}, "$.job", "required"),
        Row("of no schema", {"schema": GONE}, "$.schema", code="MQ1004"),
        Row("at no head", {"changes.0.commit": GONE}, "$.changes[0].commit", "required"),
        Row("one twice", {"changes.1.id": "3"}, "$", "3 stands twice"),
        Row("built on itself", {"under": ["4"]}, "$", "4 stands twice"),
        Row("with an unknown key", {"guilty": True}, "$.guilty", "Extra"),
    ]
)
def test_what_is_no_suspicion_is_refused(row: Row) -> None:
    assert_refused(SUSPECTS, Suspicion, row)
