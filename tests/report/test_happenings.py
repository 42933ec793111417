"""One line of plain text for each thing that happens."""

import pytest
from hypothesis import given

from mergequeue.documents.event import Happening
from mergequeue.report.happenings import happening_line
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.words import Decision, EventKind
from tests.support.drawn import happenings

ONE, TWO = ChangeId("one"), ChangeId("two")
COMMIT = CommitId("0123456789" * 4)

LINES = [
    (
        Happening(kind=EventKind.PARTITION, partition=0, changes=(ONE, TWO)),
        "queue: line 0 is one <- two",
    ),
    (
        Happening(
            kind=EventKind.DECIDED, change=ONE, decision=Decision.MERGE, duration_ms=1_234_500
        ),
        "one: is green in 1234.5 s",
    ),
    (
        Happening(
            kind=EventKind.DECIDED,
            change=ONE,
            decision=Decision.KICK,
            code=Code.KICK_RED,
            reason="the gate is red",
        ),
        "one: is to be kicked back, KICK_RED: the gate is red",
    ),
    (
        Happening(kind=EventKind.DECIDED, change=ONE, decision=Decision.WAIT, code=Code.WAIT_BELOW),
        "one: is to wait, WAIT_BELOW",
    ),
    (
        Happening(kind=EventKind.DECIDED, change=ONE, decision=Decision.MERGED),
        "one: is on the base already",
    ),
    (
        Happening(kind=EventKind.TRIED, change=ONE, decision=Decision.MERGE, reason="never merged"),
        "one: its try run is green: never merged",
    ),
    (
        Happening(
            kind=EventKind.TRIED,
            change=ONE,
            decision=Decision.KICK,
            code=Code.KICK_RED,
            reason="red",
        ),
        "one: its try run is not green, KICK_RED: red",
    ),
    (
        Happening(kind=EventKind.GATE, change=TWO, changes=(ONE, TWO), commit=COMMIT),
        "two: gate runs on 012345678901 for one too",
    ),
    (
        Happening(kind=EventKind.GATE, change=TWO, changes=(TWO,), commit=COMMIT),
        "two: gate runs on 012345678901",
    ),
    (
        Happening(kind=EventKind.RESOLVED, change=ONE, commit=COMMIT, reason="followed a rename"),
        "one: 012345678901: followed a rename",
    ),
    (
        Happening(kind=EventKind.MERGED, change=ONE, commit=COMMIT, reason="on main as 0123"),
        "one: merged: on main as 0123",
    ),
    (
        Happening(kind=EventKind.KICKED, change=ONE, code=Code.KICK_CONFLICT, reason="a conflict"),
        "one: kicked back, KICK_CONFLICT: a conflict",
    ),
    (
        Happening(kind=EventKind.WAITING, change=ONE, code=Code.WAIT_BEHIND, reason="later"),
        "one: waits, WAIT_BEHIND: later",
    ),
    (Happening(kind=EventKind.NOTICE, reason="nothing is queued"), "queue: nothing is queued"),
    (Happening(kind=EventKind.NOTICE, change=ONE, reason="\x1b[2J\n"), "one: \\x1b[2J\\x0a"),
]


@pytest.mark.parametrize(("happening", "line"), LINES)
def test_a_happening_is_said_in_a_line(happening: Happening, line: str) -> None:
    assert happening_line(happening) == line


def test_what_is_decided_gives_no_reason_that_the_changes_end_gives() -> None:
    kick, waits, green = (
        Happening(kind=EventKind.DECIDED, change=ONE, decision=decision, code=code, reason="why")
        for decision, code in (
            (Decision.KICK, Code.KICK_RED),
            (Decision.WAIT, Code.WAIT_BEHIND),
            (Decision.MERGE, None),
        )
    )
    said = [happening_line(each, ends_follow=True) for each in (kick, waits, green)]
    assert said == [
        "one: is to be kicked back, KICK_RED",
        "one: is to wait, WAIT_BEHIND",
        "one: is green: why",
    ]
    for end, decided in ((EventKind.KICKED, kick), (EventKind.WAITING, waits)):
        told = decided.model_copy(update={"kind": end, "decision": None})
        assert happening_line(told, ends_follow=True).endswith(": why")


def test_every_kind_of_event_has_an_example() -> None:
    assert {happening.kind for happening, _ in LINES} == set(EventKind)


@given(happenings)
def test_any_happening_is_said_in_one_plain_line(happening: Happening) -> None:
    assert happening_line(happening).isprintable()
