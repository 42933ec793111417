"""What a step leaves for a CI's runner, and what it tells it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.host.runner import Runner
from mergequeue.report.annotations import Level, annotation, command_line
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import MergequeueError


def runner_in(folder: Path, lines: list[str]) -> Runner:
    environ = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_OUTPUT": str(folder / "output"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
    }
    found = Runner.of(environ, lines.append)
    assert found is not None
    return found


def outputs_in(folder: Path) -> dict[str, str]:
    """Read the file as GitHub's runner does: `name<<border`, lines, `border`."""
    found: dict[str, str] = {}
    lines = iter((folder / "output").read_bytes().decode().split("\n"))
    for line in lines:
        if not line:
            continue
        name, _, border = line.partition("<<")
        value: list[str] = []
        for inner in lines:
            if inner == border:
                break
            value.append(inner)
        found[name] = "\n".join(value)
    return found


def runner_reads(data: str) -> str:
    return data.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")


def test_outside_of_a_runner_there_is_none() -> None:
    assert Runner.of({"GITHUB_OUTPUT": "/x"}, print) is None


@pytest.mark.parametrize("value", ["", "a", "a\nb=c", "x<<EOF\nEOF\nother=1", "é\r\n"])
def test_an_output_is_read_back_as_it_was_given_and_makes_no_other(
    tmp_path: Path, value: str
) -> None:
    runner = runner_in(tmp_path, [])
    runner.output("first", value)
    runner.output("second", "2")
    assert outputs_in(tmp_path) == {"first": value, "second": "2"}


def test_an_output_that_has_no_place_is_an_error_that_says_so() -> None:
    runner = Runner.of({"GITHUB_ACTIONS": "true"}, print)
    assert runner is not None
    with pytest.raises(MergequeueError, match="GITHUB_OUTPUT"):
        runner.output("any", "true")


def test_summaries_add_up_and_each_stays_within_the_runners_limit(tmp_path: Path) -> None:
    runner = runner_in(tmp_path, [])
    runner.summary("# one")
    runner.summary("x" * 2_000_000)
    written = (tmp_path / "summary").read_text()
    assert written.startswith("# one\n")
    assert len(written) <= limits.SUMMARY_BYTES + len("# one\n\n")


def test_every_line_of_a_secret_is_masked(tmp_path: Path) -> None:
    lines: list[str] = []
    runner_in(tmp_path, lines).mask("first\nsecond")
    assert {"::add-mask::first", "::add-mask::second"} <= set(lines)


def test_an_annotation_holds_whatever_was_typed_as_text() -> None:
    made = annotation(Level.ERROR, "a,b:c\n::stop", "one\n::set-output name=x::y\x1b[0m")
    assert made == ("::error title=a%2Cb%3Ac\\x0a%3A%3Astop::one%0A::set-output name=x::y\\x1b[0m")


@given(st.text(), st.text())
def test_a_command_is_one_line_and_its_data_is_read_back(data: str, value: str) -> None:
    made = command_line("error", data, {"title": value})
    assert "\n" not in made
    assert "\r" not in made
    head, _, rest = made.removeprefix("::").partition("::")
    assert head.startswith("error title=")
    assert ":" not in head
    assert runner_reads(rest) == data
