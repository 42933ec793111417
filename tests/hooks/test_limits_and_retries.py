"""A gate's time limit, and the patterns for which a red one is run again."""

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from mergequeue.hooks.gates import CommandGates
from mergequeue.hooks.leash import Graces
from mergequeue.hooks.retrying import NO_RETRY, Retrying, retrying_of
from mergequeue.ports import GateEnd, GateResult
from mergequeue.vocabulary.limits import MATCHED_CHARACTERS
from tests.support.hooks import LONG, Bench, Lifeline, make_box

SECOND = timedelta(seconds=1)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(make_box(tmp_path))


def run(
    bench: Bench,
    script: str,
    *,
    limit: timedelta | None = None,
    retrying: Retrying = NO_RETRY,
    retries: int = 0,
) -> GateEnd:
    words = ("sh", "-c", script)
    gates = CommandGates(words, bench.surroundings(), bench.clock, limit, retrying)
    return gates.run(replace(bench.ask(), retries=retries))


# --- the limit -----------------------------------------------------------------------------------


def test_a_gate_over_its_limit_is_red_whatever_it_comes_to_and_nothing_of_it_is_left(
    bench: Bench, tmp_path: Path
) -> None:
    line = Lifeline(tmp_path / "line")
    script = (
        f'exec 9>"{line.path}"; printf x >&9; sleep 600 & trap "exit 0" TERM; '
        "echo connection reset; while :; do sleep 0.1; done"
    )
    end = run(bench, script, limit=SECOND, retrying=retrying_of(["reset"], 1))
    assert (end.result, end.summary) == (GateResult.RED, "over its time limit of 1s")
    assert (end.is_over, end.limit, end.again) == (True, SECOND, "")
    assert line.held_until_now() == 1


def test_one_that_does_not_end_on_sigterm_is_killed(tmp_path: Path) -> None:
    bench = Bench(make_box(tmp_path), graces=Graces(term=0, output=LONG))
    end = run(bench, "trap '' TERM; while :; do sleep 0.1; done", limit=SECOND)
    assert (end.result, end.summary) == (GateResult.RED, "over its time limit of 1s")


def test_a_gate_within_its_limit_ends_as_it_does_and_says_what_the_limit_was(bench: Bench) -> None:
    for status, result in ((0, GateResult.GREEN), (3, GateResult.RED)):
        end = run(bench, f"exit {status}", limit=timedelta(hours=1))
        assert (end.result, end.is_over, end.limit) == (result, False, timedelta(hours=1))


# --- retries -------------------------------------------------------------------------------------

RESET = retrying_of([r"connection (reset|refused)", r"^busy port \d+$"], 2)


@pytest.mark.parametrize(
    ("line", "matched"),
    [
        ("error: connection reset by peer", True),
        ("busy port 80", True),
        ("a busy port 80", False),
        ("[tag] busy port 80", False),
        ("Connection reset", False),
        ("fine", False),
    ],
)
def test_a_red_gate_is_run_again_for_a_line_that_has_a_pattern(
    bench: Bench, line: str, *, matched: bool
) -> None:
    end = run(bench, f"echo before; echo '{line}' >&2; echo after; exit 1", retrying=RESET)
    assert end.result is GateResult.RED
    assert end.again == (line if matched else "")
    assert f"[tag] {line}" in bench.shown.lines


def test_a_green_gate_is_not_run_again_whatever_it_says(bench: Bench) -> None:
    assert run(bench, "echo connection reset", retrying=RESET).again == ""


@pytest.mark.parametrize(("retries", "again"), [(0, True), (1, True), (2, False), (3, False)])
def test_it_is_run_again_so_often_and_no_more(bench: Bench, retries: int, *, again: bool) -> None:
    end = run(bench, "echo connection reset; exit 1", retrying=RESET, retries=retries)
    assert bool(end.again) is again


def test_without_patterns_nothing_is_run_again(bench: Bench) -> None:
    assert run(bench, "echo x; exit 1", retrying=retrying_of([], 3)).again == ""


def test_only_the_beginning_of_a_line_is_compared(bench: Bench) -> None:
    script = f"printf '%{MATCHED_CHARACTERS}s' x; echo connection reset; exit 1"
    assert run(bench, script, retrying=RESET).again == ""


def test_a_pattern_that_is_no_expression_is_refused() -> None:
    with pytest.raises(re.error):
        retrying_of(["("], 1)
