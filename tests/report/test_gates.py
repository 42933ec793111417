"""What is said of a gate's time limit, and of one that was run again."""

from datetime import timedelta

import pytest

from mergequeue.documents.event import Happening
from mergequeue.ports import GateEnd, GateResult
from mergequeue.report.happenings import happening_line
from mergequeue.report.validating import gate_noted, gate_why
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Decision, EventKind

LIMIT = timedelta(minutes=30)


@pytest.mark.parametrize(
    ("minutes", "noted"),
    [
        (23, ""),
        (24, "the gate took 0:24:00 of its time limit of 30m (80%)"),
        (29, "the gate took 0:29:00 of its time limit of 30m (97%)"),
    ],
)
def test_a_green_gate_that_used_four_fifths_of_its_limit_is_told_of(
    minutes: int, noted: str
) -> None:
    end = GateEnd(GateResult.GREEN, limit=LIMIT, longest_ms=minutes * 60_000)
    assert gate_noted(end) == noted
    assert gate_noted(GateEnd(GateResult.GREEN, longest_ms=minutes * 60_000)) == ""
    assert gate_noted(GateEnd(GateResult.RED, limit=LIMIT, longest_ms=minutes * 60_000)) == ""


def test_a_gate_that_was_run_again_says_what_for_in_one_line() -> None:
    end = GateEnd(GateResult.RED, "exit status 1", again="reset\nby peer", retries=1)
    assert gate_noted(end).startswith("the gate was run again since it said 'reset")
    assert "\n" not in gate_noted(end)
    assert gate_why("exit status 1", "run again") == "exit status 1; run again"
    assert gate_why("", "") == ""


def test_how_much_of_its_limit_a_gate_used_stands_in_the_line_on_what_it_decided() -> None:
    happening = Happening(
        kind=EventKind.DECIDED,
        change=ChangeId("7"),
        decision=Decision.MERGE,
        duration_ms=90_000,
        limit_ms=1_800_000,
        limit_used_ms=90_000,
    )
    assert "in 90.0 s (5% of its time limit)" in happening_line(happening)
