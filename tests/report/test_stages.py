"""Where a change stands, in words."""

from datetime import UTC, datetime, timedelta

import pytest

from mergequeue.report.stages import Position, clock_text, lands_text, position_text, said_of
from mergequeue.vocabulary.ids import BranchName, ChangeId
from mergequeue.vocabulary.words import Stage

AT = datetime(2030, 1, 1, 23, 50, tzinfo=UTC)
MAIN = BranchName("main")

SAID = {
    Stage.QUEUED: "Queued, 2nd of 5",
    Stage.PREFLIGHT: "Queued, 2nd of 5, running its pre-flights",
    Stage.AGAIN: "Queued, 2nd of 5, running its pre-flights again on main as it is now",
    Stage.FAILED: "Queued, 2nd of 5, but a pre-flight failed, and is run again or turns it away",
    Stage.REVIEW: "Queued, 2nd of 5, waiting for its review",
    Stage.STACKED: "Queued, behind 481 that it is stacked on",
    Stage.PAUSED: "Queued, 2nd of 5",
    Stage.WAITING: "Queued, 2nd of 5, waiting",
    Stage.READY: "Queued, 2nd of 5, ready for the next batch",
    Stage.CHECKING: "In a batch of 3 being gated",
    Stage.LANDING: "Landing",
}


@pytest.mark.parametrize("stage", Stage)
def test_every_stage_is_said(stage: Stage) -> None:
    said = said_of(stage, Position(2, 5), base=MAIN, batch=3, below=ChangeId("481"))
    assert said == SAID[stage]


def test_a_batch_of_one_is_no_batch() -> None:
    assert said_of(Stage.CHECKING, Position(1, 1), base=MAIN) == "Being gated"


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (11, "11th"),
        (12, "12th"),
        (21, "21st"),
        (111, "111th"),
        (122, "122nd"),
    ],
)
def test_a_place_is_counted_as_people_do(number: int, said: str) -> None:
    assert position_text(Position(number, 200)) == f"{said} of 200"
    assert position_text(Position(9, 200, number)) == f"9th of 200 ({said} in line)"


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (timedelta(minutes=-5), "should land any minute now"),
        (timedelta(0), "should land any minute now"),
        (timedelta(seconds=1), "should land in about 1 min (23:50 UTC)"),
        (timedelta(minutes=4, seconds=30), "should land in about 5 min (23:54 UTC)"),
        (timedelta(minutes=61), "should land in about 1 h 1 min (2030-01-02 00:51 UTC)"),
    ],
)
def test_a_time_is_told_as_what_is_left_and_one_that_is_past_as_any_minute_now(
    left: timedelta, said: str
) -> None:
    assert lands_text(AT + left, AT) == said


def test_a_moment_of_another_day_has_its_date() -> None:
    assert clock_text(AT, AT) == "23:50 UTC"
    assert clock_text(AT - timedelta(days=1), AT) == "2029-12-31 23:50 UTC"
