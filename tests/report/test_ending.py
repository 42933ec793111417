"""What a run ends with."""

from mergequeue.documents.event import Happening
from mergequeue.report.ending import (
    HistoryRow,
    Outcome,
    green_but_waiting,
    history_lines,
    news_of,
    outcome_lines,
    outcomes_of,
    summary_line,
)
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.words import Decision, EventKind

ONE, LONGER, THREE = ChangeId("one"), ChangeId("longer"), ChangeId("three")
COMMIT = CommitId("0123456789" * 4)
HAPPENED = [
    Happening(kind=EventKind.PARTITION, partition=0, changes=(ONE, LONGER)),
    Happening(kind=EventKind.WAITING, change=ONE, code=Code.WAIT_BEHIND, reason="later"),
    Happening(kind=EventKind.DECIDED, change=THREE, decision=Decision.MERGE),
    Happening(kind=EventKind.KICKED, change=LONGER, code=Code.KICK_RED, reason="it is red\x1b[2J"),
    Happening(kind=EventKind.NOTICE, reason="nothing more"),
    Happening(kind=EventKind.MERGED, change=ONE, commit=COMMIT, reason="on main as 0123"),
]


def test_the_last_thing_that_became_of_a_change_counts_in_its_order() -> None:
    assert list(outcomes_of(HAPPENED).items()) == [
        (LONGER, Outcome("kicked back", "KICK_RED: it is red\x1b[2J")),
        (ONE, Outcome("merged", "on main as 0123")),
    ]


def test_a_line_a_change_stands_in_columns_and_shows_text_as_text() -> None:
    assert outcome_lines(outcomes_of(HAPPENED), None) == [
        "longer  kicked back  KICK_RED: it is red\\x1b[2J",
        "one     merged       on main as 0123",
    ]
    assert outcome_lines({}, None) == []


def test_only_what_became_of_a_change_since_is_news() -> None:
    before = outcomes_of(HAPPENED[:2])
    assert set(before) == {ONE}
    assert news_of({}, before) == before
    assert set(news_of(before, outcomes_of(HAPPENED))) == {ONE, LONGER}
    assert news_of(outcomes_of(HAPPENED), outcomes_of(HAPPENED)) == {}


def test_the_summary_counts_each_outcome() -> None:
    assert summary_line(outcomes_of(HAPPENED)) == "1 merged, 1 kicked back, 0 waiting"
    assert summary_line({}) == "0 merged, 0 kicked back, 0 waiting"


def test_the_history_marks_merges_and_keeps_its_columns() -> None:
    landed = [
        HistoryRow(COMMIT, 2, "Merge one", "Ada"),
        HistoryRow(COMMIT, 1, "Two\n\u202e", "Bo\x1b[2J"),
    ]
    assert history_lines(landed) == [
        "012345678901  merge of two  Merge one  (Ada)",
        "012345678901                Two\\x0a\\u202e  (Bo\\x1b[2J)",
    ]


def test_what_was_green_and_did_not_merge_is_counted_by_its_code() -> None:
    waits = [Code.WAIT_REVALIDATE, Code.WAIT_BEHIND, Code.WAIT_REVALIDATE]
    assert green_but_waiting(waits) == [
        "3 found green and not merged: 1 WAIT_BEHIND, 2 WAIT_REVALIDATE"
    ]
    assert green_but_waiting([]) == []
