"""What authors typed, in what the program prints: no CI runner and no terminal acts on it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.vocabulary.text import log_json, log_line
from tests.support.programs import Project, Ran, make_project, run_program
from tests.support.repositories import Playground

COMMAND = "##[add-mask]merged"
ESCAPES = "\x1b]0;title\x07\u202e"


@pytest.fixture
def project(playground: Playground) -> Project:
    return make_project(playground)


def is_quiet(ran: Ran) -> bool:
    lines = [*ran.out.split("\n"), *ran.err.split("\n")]
    commands = [line for line in lines if "##[" in line or line.strip().startswith("::")]
    return not commands and all(line.isprintable() for line in lines)


def test_a_listing_holds_a_title_and_runs_nothing_of_it(project: Project) -> None:
    head = project.playground.commit(
        {"one/new": "n\n"}, parents=project.base, message=f"{COMMAND} {ESCAPES}::error::x"
    )
    project.playground.branch("mq/squash/evil", head)
    listed = run_program(project.clone, "ls")
    assert "##[" not in listed.out
    assert json.loads(listed.out)["changes"][0]["title"] == f"{COMMAND} {ESCAPES}::error::x"


def test_a_run_names_paths_and_runs_nothing_of_them(project: Project) -> None:
    path = f"one/{COMMAND}{ESCAPES}\n::error::x"
    project.queue("a-first", {path: "first\n"})
    project.queue("b-second", {path: "second\n"})
    ran = project.run("--gate", "true")
    assert ran.last()["a-first"]["kind"] == "merged"
    assert "add-mask" in ran.err
    assert is_quiet(ran)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::add-mask::x", r"\x3a:add-mask::x"),
        ("  ::stop-commands::x", r"  \x3a:stop-commands::x"),
        ("a ::b", "a ::b"),
        ("a\x1b[2J\tb\r", "a\\x1b[2J\tb\\x0d"),
        ("##[group]x", r"\x23#[group]x"),
        ("plain: text", "plain: text"),
    ],
)
def test_a_line_of_a_log_only_shows(text: str, shown: str) -> None:
    assert log_line(text) == shown


@given(st.recursive(st.text('#[\\"\u200b x'), st.lists))
def test_json_for_a_log_means_the_same(value: object) -> None:
    for ascii_ in (True, False):
        written = log_json(json.dumps(value, ensure_ascii=ascii_))
        assert json.loads(written) == value
        assert "##[" not in written
