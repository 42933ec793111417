"""A `--facts` command answers in the base's place (seed 1; facts H9, H10)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.facts.command import CommandFacts
from mergequeue.ports import Affected
from mergequeue.vocabulary.errors import FACTS_FAILED, MergequeueError, QueueError
from mergequeue.vocabulary.ids import RepoPath, Unit
from tests.support.facts import Tool, says


def affected(tool: Tool, *paths: bytes) -> Affected:
    return CommandFacts(tool).affected([RepoPath(path) for path in paths])


def test_it_is_given_the_paths_one_a_line_and_names_the_units() -> None:
    tool = says({"affected": ["web", "parser", "web"]})
    assert affected(tool, b"b", b"a/\xff", b"b") == Affected((Unit("parser"), Unit("web")))
    assert tool.asked == [("affected", b"a/\xff\nb\n")]


def test_an_empty_set_is_a_proof_that_nothing_is_reached() -> None:
    assert affected(says({"affected": []}), b"a") == Affected(())


@pytest.mark.parametrize("answer", [{}, {"affected": None}])
def test_an_answer_without_units_is_no_proof(answer: object) -> None:
    found = affected(says(answer), b"a")
    assert found.units == ()
    assert found.unbounded_by != ""


def test_what_makes_the_set_no_proof_is_kept_with_the_units_that_are_known() -> None:
    found = affected(says({"affected": ["web"], "unbounded_by": "the lock file"}), b"a")
    assert found == Affected((Unit("web"),), "the lock file")
    assert affected(says({"unbounded_by": "the lock file"}), b"a").unbounded_by == "the lock file"


@pytest.mark.parametrize("path", [b"a\nb", b"a\rb", b"\n", b"a\r\n"])
def test_a_path_with_a_line_break_is_never_written_and_makes_the_set_no_proof(path: bytes) -> None:
    tool = says({"affected": ["web"]})
    found = affected(tool, b"a", path)
    assert tool.asked == []
    assert "line break" in found.unbounded_by
    assert found.unbounded_by.isprintable()


@given(st.lists(st.binary(min_size=1).filter(lambda path: b"\0" not in path), min_size=1))
def test_what_is_written_reads_back_as_the_very_paths(paths: list[bytes]) -> None:
    tool = says({"affected": []})
    affected(tool, *paths)
    for _, given_ in tool.asked:
        assert set(given_.removesuffix(b"\n").split(b"\n")) == set(paths)
        assert b"\r" not in given_


def test_each_set_of_paths_is_asked_about_once() -> None:
    tool = says({"affected": ["web"]})
    known = CommandFacts(tool)
    a, b = RepoPath(b"a"), RepoPath(b"b")
    assert known.affected_many([[a, b], [b, a], [a]]) == (Affected((Unit("web"),)),) * 3
    assert [given for _, given in tool.asked] == [b"a\nb\n", b"a\n"]


def test_every_unit_is_asked_for_once_and_kept_in_the_tools_order() -> None:
    tool = says({"units": ["//...", "extra"]})
    known = CommandFacts(tool)
    assert known.all_units() == known.all_units() == ("//...", "extra")
    assert tool.asked == [("all", b"")]


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"web",
        b"\xff",
        b"[]",
        b"null",
        b'{"affected": ["a"], "affected": []}',
        {"affected": "web"},
        {"affected": [1]},
        {"affected": {"web": 1}},
        {"affected": ["a\0b"]},
        {"affected": ["web"], "unbounded_by": None},
        {"affected": ["web"], "unbounded_by": 1},
        {"affected": ["web"], "unbounded": "x"},
    ],
    ids=str,
)
def test_another_answer_is_an_error_and_never_an_empty_set(answer: object) -> None:
    with pytest.raises(QueueError) as failed:
        affected(says(answer), b"a")
    assert failed.value.code == FACTS_FAILED.code


@pytest.mark.parametrize(
    "answer",
    [{}, {"units": []}, {"units": None}, {"units": [""]}, {"units": ["-x"]}, {"units": "a"}, b"{"],
    ids=str,
)
def test_no_gate_is_run_without_units_because_the_tool_named_none(answer: object) -> None:
    with pytest.raises(QueueError) as failed:
        CommandFacts(says(answer)).all_units()
    assert failed.value.code == FACTS_FAILED.code


def test_a_command_that_fails_is_an_error_of_its_own() -> None:
    def fail(_fact: str, _given: bytes) -> bytes:
        raise FACTS_FAILED("it broke")

    with pytest.raises(MergequeueError, match="it broke"):
        affected(Tool(fail), b"a")
