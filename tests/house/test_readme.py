"""The README is what a newcomer goes by: what it names is there, as it is written."""

import re
import shlex
from pathlib import Path

import click
import pytest

from mergequeue.cli import group
from mergequeue.vocabulary.errors import KINDS, ErrorKind

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")

CODE = [line[4:] for line in README.splitlines() if line.startswith("    ")]
COMMANDS = [
    line for line in CODE if line.startswith(("mergequeue ", "bin/mergequeue ", "bin/test"))
]


def words_of(line: str) -> list[str]:
    """Return a command's own words: without a comment, and without what only a shell reads."""
    words = shlex.split(line, comments=True)
    return words[: next((at for at, word in enumerate(words) if word in {"<", ">", "|"}), None)]


def problem_of(words: list[str]) -> str:
    """Return what the program would say of the words after its name; empty where it takes them."""
    context = click.Context(group)
    name, command, arguments = group.resolve_command(context, words)
    if command is None:
        return f"{name} is no command"
    try:
        command.make_context(name, list(arguments), parent=context)
    except click.ClickException as error:
        return error.format_message()
    return ""


def test_the_first_two_commands_show_it_at_work_and_test_it() -> None:
    assert COMMANDS[:2] == ["bin/mergequeue demo", "bin/test"]
    for command in COMMANDS[:2]:
        program = ROOT / command.split()[0]
        assert program.stat().st_mode & 0o111


def test_there_are_commands_to_look_at() -> None:
    assert len(COMMANDS) >= 8


@pytest.mark.parametrize("line", [line for line in COMMANDS if "mergequeue" in line])
def test_every_command_is_one_that_the_program_takes(line: str) -> None:
    assert problem_of(words_of(line)[1:]) == ""


@pytest.mark.parametrize("line", ["run --gait x", "plan --changes x", "apply", "run more"])
def test_a_command_that_it_does_not_take_is_found(line: str) -> None:
    assert problem_of(words_of(line)) != ""


def test_a_command_that_there_is_not_is_found() -> None:
    with pytest.raises(click.UsageError):
        problem_of(["go"])


def test_every_command_that_a_sentence_names_exists() -> None:
    named = set(re.findall(r"`mergequeue ([a-z]+)", README))
    assert named
    assert named <= set(group.commands)


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^):]+)\)", README))))
def test_every_link_leads_somewhere(target: str) -> None:
    path, _, anchor = target.partition("#")
    text = (ROOT / path).read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    assert not anchor or anchor in {heading.lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: str(kind.code))
def test_every_page_and_command_that_an_error_s_way_out_names_exists(kind: ErrorKind) -> None:
    for page in re.findall(r"docs/[\w/]+\.md", kind.remedy):
        assert (ROOT / page).is_file()
    assert set(re.findall(r"`mergequeue ([a-z]+)", kind.remedy)) <= set(group.commands)


def test_the_help_says_of_each_command_what_it_does_without_cutting_it() -> None:
    context = click.Context(group, terminal_width=80)
    shown = group.get_help(context)
    assert all(f"\n  {name}" in shown for name in group.commands)
    assert "..." not in shown.partition("Commands:")[2]
