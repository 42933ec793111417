"""What the demo says at its beginning and its end."""

from mergequeue.report.demo import closing_lines, opening_lines
from mergequeue.report.ending import Outcome
from mergequeue.vocabulary.ids import ChangeId


def test_the_opening_says_where_and_how_many() -> None:
    first, *rest = opening_lines("/tmp/demo", 11)
    assert first.startswith("A project with a bare remote, made in /tmp/demo, has 11 changes")
    assert rest[-1] == ""


def test_the_closing_says_of_each_change_what_became_of_it_and_what_it_was_there_for() -> None:
    lines = closing_lines(
        {"one": "merges", "two": "is red", "three": "never comes"},
        {
            ChangeId("two"): Outcome("kicked back", "KICK_RED: red\x1b[2J"),
            ChangeId("one"): Outcome("merged", "handed over as 0123"),
        },
        ["0123  Subject", "4567  Older"],
        "/tmp/demo/origin.git",
        41.6,
    )
    start = lines.index("  one: merged")
    assert lines[start : start + 9] == [
        "  one: merged",
        "      handed over as 0123",
        "      (it merges)",
        "  two: kicked back",
        "      KICK_RED: red\\x1b[2J",
        "      (it is red)",
        "  three: not seen",
        "      ",
        "      (it never comes)",
    ]
    assert "  0123  Subject" in lines
    assert lines.index("  0123  Subject") + 1 == lines.index("  4567  Older")
    assert any(line.startswith("That took 42 seconds.") for line in lines)
    commands = [line for line in lines if line.startswith("  git -C ")]
    assert len(commands) == 3
    assert all(line.startswith("  git -C /tmp/demo/origin.git ") for line in commands)
