"""A `--facts` command answers in the base's place (seed 1; facts H9, H10)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.facts.command import CommandFacts
from mergequeue.ports import Affected, AutoResolve
from mergequeue.vocabulary.errors import (
    FACTS_FAILED,
    HOOK_NOT_STARTED,
    MergequeueError,
    QueueError,
)
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


def classed(tool: Tool, base: bytes = b"b\n", merged: bytes = b"m\n") -> AutoResolve:
    return CommandFacts(tool).auto_resolve(RepoPath(b"a.md"), base, merged)


def test_a_class_of_risk_is_asked_for_with_the_path_and_both_contents() -> None:
    tool = says({"verdict": "prose\nby rule 7", "ok": True})
    assert classed(tool, "é\n".encode()) == AutoResolve("a.md: prose\\x0aby rule 7", settles=True)
    ((fact, given_),) = tool.asked
    assert fact == "auto_resolve"
    assert json.loads(given_) == {"path": "a.md", "base": "é\n", "merged": "m\n"}
    assert not classed(says({"verdict": "code", "ok": False})).settles


@pytest.mark.parametrize("answer", [{}, {"verdict": "prose"}, {"verdict": "x", "ok": 1}, [], "no"])
def test_an_answer_of_another_form_settles_nothing_and_is_no_error(answer: object) -> None:
    assert classed(says(answer)) == AutoResolve(
        "a.md: the facts command cannot tell its class of risk", settles=False
    )


def test_what_is_no_utf_8_is_not_asked_about_and_settles_nothing() -> None:
    tool = says({"verdict": "prose", "ok": True})
    facts = CommandFacts(tool)
    for path, base, merged in ((b"\xff", b"", b""), (b"a", b"\xff", b""), (b"a", b"", b"\xff")):
        assert not facts.auto_resolve(RepoPath(path), base, merged).settles
    assert tool.asked == []


def test_each_edit_is_asked_about_once() -> None:
    tool = says({"verdict": "prose", "ok": True})
    facts = CommandFacts(tool)
    for merged in (b"1", b"1", b"2"):
        facts.auto_resolve(RepoPath(b"a"), b"", merged)
    assert len(tool.asked) == 2


def test_a_command_that_fails_settles_nothing_unless_the_queue_was_told_to_stop() -> None:
    def fail(_fact: str, _given: bytes) -> bytes:
        raise FACTS_FAILED("it knows no auto_resolve")

    assert not classed(Tool(fail)).settles
    with pytest.raises(QueueError):
        classed(Tool(fail, cancelled=True))


def test_a_command_that_cannot_be_started_is_the_machines_fault() -> None:
    def missing(_fact: str, _given: bytes) -> bytes:
        raise HOOK_NOT_STARTED("no such program")

    with pytest.raises(QueueError) as failed:
        classed(Tool(missing))
    assert failed.value.code == HOOK_NOT_STARTED.code
