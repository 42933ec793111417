"""How a change's pre-flights stand: the table of seed 2, row by row."""

from datetime import UTC, datetime

import pytest

from mergequeue.documents.config import PreflightTable
from mergequeue.documents.memory import Entry
from mergequeue.documents.preflight import NamedCheck, NamedState, PreflightState
from mergequeue.plan.preflights import (
    Known,
    Standing,
    checks_wanted,
    held_back,
    nowhere_run,
    passed_at_head,
    queued_since,
    standing_of,
)
from mergequeue.ports import Memory
from mergequeue.vocabulary.ids import ChangeId
from tests.support.graphs import commit_id
from tests.support.listings import queued

CHECK = {"test": PreflightTable(check="ci / test")}
COMMAND = {"fmt": PreflightTable(command="make fmt")}
BOTH = {"test": PreflightTable(check="ci / test", command="make test")}
BEFORE, QUEUED, AFTER = (datetime(2026, 1, 1, hour, tzinfo=UTC) for hour in (9, 10, 11))


def standing(
    state: NamedState,
    tables: dict[str, PreflightTable] = CHECK,
    *,
    ended_at: datetime | None = BEFORE,
    carries_tip: bool = False,
    id_: str = "7",
    again: bool = False,
    reason: str = "",
) -> Standing:
    check = NamedCheck(
        name="ci / test", state=state, ended_at=ended_at, id=id_, again=again, reason=reason
    )
    known = Known(has_checks=True, checks=(check,), carries_tip=carries_tip, queued_at=QUEUED)
    return standing_of(tables, known)


def states(found: Standing) -> list[PreflightState]:
    return [record.state for record in found.records]


def test_one_that_passed_counts_on_any_tip() -> None:
    found = standing(NamedState.PASSED)
    assert (states(found), found.waits, found.failed) == ([PreflightState.PASSED], "", ())


@pytest.mark.parametrize("again", [False, True])
def test_one_that_runs_is_waited_for(*, again: bool) -> None:
    found = standing(NamedState.RUNNING, again=again)
    state = PreflightState.AGAIN if again else PreflightState.RUNNING
    assert (states(found), found.failed, found.reruns) == ([state], (), ())
    assert found.waits.startswith("its pre-flight test runs")


@pytest.mark.parametrize(
    ("ended_at", "carries_tip"), [(AFTER, False), (QUEUED, False), (BEFORE, True)]
)
def test_a_failure_on_the_tip_or_since_it_was_queued_is_the_changes_own(
    *, ended_at: datetime, carries_tip: bool
) -> None:
    found = standing(NamedState.FAILED, ended_at=ended_at, carries_tip=carries_tip)
    assert (found.failed, found.reruns) == (("test",), ())


@pytest.mark.parametrize("state", [NamedState.FAILED, NamedState.CANCELLED])
def test_what_failed_on_an_older_tip_before_it_was_queued_or_was_cancelled_runs_again(
    state: NamedState,
) -> None:
    found = standing(state)
    assert (found.failed, [check.id for check in found.reruns]) == ((), ["7"])
    assert states(found) == [PreflightState.AGAIN]
    assert found.waits


def test_a_cancelled_one_is_no_failure_even_on_the_tip() -> None:
    assert standing(NamedState.CANCELLED, carries_tip=True, ended_at=AFTER).failed == ()


def test_one_that_is_cancelled_again_and_again_is_not_run_for_ever() -> None:
    once = standing(NamedState.CANCELLED, ended_at=AFTER)
    assert [check.id for check in once.reruns] == ["7"]
    found = standing(NamedState.CANCELLED, ended_at=AFTER, again=True)
    assert (found.reruns, found.failed, found.commands) == ((), (), ())
    assert "once more" in found.waits
    earlier = standing(NamedState.CANCELLED, again=True)
    assert [check.id for check in earlier.reruns] == ["7"]


def test_a_failure_blames_nobody_whose_queueing_was_never_seen() -> None:
    check = NamedCheck(name="ci / test", state=NamedState.FAILED, ended_at=AFTER, id="7")
    found = standing_of(CHECK, Known(has_checks=True, checks=(check,)))
    assert (found.failed, found.reruns) == ((), (check,))


def test_one_that_only_somebody_else_can_run_again_is_waited_for_and_says_so() -> None:
    found = standing(NamedState.FAILED, id_="", reason="it is a status")
    assert found.reruns == ()
    assert "cannot be run again from here (it is a status)" in found.waits
    assert "push a new head" in found.waits


def test_what_cannot_be_run_again_there_runs_here_where_there_is_a_command() -> None:
    found = standing(NamedState.FAILED, BOTH, id_="")
    assert (found.commands, found.waits, found.reruns) == (("test",), "", ())


def test_what_nothing_reports_runs_here() -> None:
    found = standing(NamedState.MISSING, BOTH)
    assert (found.commands, found.waits, states(found)) == (("test",), "", [PreflightState.DUE])


def test_what_nothing_reports_and_nothing_here_can_run_is_waited_for_by_nobody() -> None:
    found = standing(NamedState.MISSING, reason="nothing reports it at the head")
    assert (found.commands, found.waits, found.records) == ((), "", ())
    assert found.notices == (
        "goes on without the pre-flight test, since nothing reports it at the head",
    )


def test_one_failure_decides_with_others_still_running() -> None:
    tables = {"fmt": PreflightTable(check="fmt"), "test": PreflightTable(check="test")}
    checks = (
        NamedCheck(name="fmt", state=NamedState.RUNNING),
        NamedCheck(name="test", state=NamedState.FAILED, ended_at=AFTER, id="7"),
    )
    found = standing_of(tables, Known(has_checks=True, checks=checks, queued_at=QUEUED))
    assert found.failed == ("test",)


def test_what_a_provider_cannot_say_is_waited_for() -> None:
    found = standing_of(CHECK, Known(has_checks=True, checks="502"))
    assert found.waits == "how its pre-flights stand cannot be read: 502"


def test_a_command_runs_where_there_are_no_checks_and_once_a_head() -> None:
    assert standing_of(BOTH, Known(has_checks=False)).commands == ("test",)
    known = Known(has_checks=False, passed=frozenset({"test"}))
    assert standing_of(BOTH, known).commands == ()
    assert states(standing_of(BOTH, known)) == [PreflightState.PASSED]


def test_a_pre_flight_without_a_check_is_a_command_on_every_provider() -> None:
    assert standing_of(COMMAND, Known(has_checks=True)).commands == ("fmt",)


def test_a_check_that_no_provider_tells_of_and_no_command_runs_has_nobody_to_run_it() -> None:
    assert nowhere_run({**BOTH, **CHECK}, has_checks=False) == "test"
    assert nowhere_run(CHECK, has_checks=True) is None
    assert nowhere_run(BOTH, has_checks=False) is None


def test_only_the_checks_that_have_not_passed_are_asked_for_each_once() -> None:
    tables = {"a": PreflightTable(check="x"), "b": PreflightTable(check="x"), **COMMAND, **CHECK}
    assert checks_wanted(tables, frozenset({"test"}), has_checks=True) == ("x",)
    assert checks_wanted(tables, frozenset(), has_checks=False) == ()


def test_what_passed_is_remembered_at_one_head_and_forgotten_at_another() -> None:
    change = queued("1", "a")
    entry = Entry(
        id=change.id,
        head=change.head,
        first_queued_at=BEFORE,
        queued_at=QUEUED,
        head_at=QUEUED,
        preflights=("fmt",),
    )
    memory = Memory(entries={change.id: entry})
    moved = change.model_copy(update={"head": commit_id("moved")})
    assert passed_at_head(memory, change) == {"fmt"}
    assert passed_at_head(memory, moved) == set()
    assert passed_at_head(Memory(), change) == set()
    assert queued_since(memory, change) == QUEUED
    out = Memory(entries={change.id: entry.model_copy(update={"queued": False})})
    assert queued_since(out, change) is None
    said = change.model_copy(update={"queued_at": AFTER})
    assert queued_since(out, said) == queued_since(Memory(), said) == AFTER
    assert queued_since(memory, said) == QUEUED


def test_those_with_pre_flights_to_run_stand_behind_the_others_with_what_is_stacked_on_them() -> (
    None
):
    a, b, c, d = (ChangeId(name) for name in "abcd")
    assert held_back([a, b, c, d], {a: 1}, {a: None, c: a}) == [b, d, a, c]
    assert held_back([a, b, c, d], {a: 2, b: 1}, {}) == [c, d, b, a]
    assert held_back([a, b], {}, {}) == [a, b]
