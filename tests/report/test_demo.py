"""What the demo says at its beginning and its end."""

from mergequeue.documents.changes import MergedChange
from mergequeue.documents.provider import KickBack
from mergequeue.report.demo import Story, closing_lines, opening_lines
from mergequeue.report.ending import Outcome
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Method
from tests.support.graphs import commit_id
from tests.support.listings import queued

ONE, TWO, THREE = map(ChangeId, ("one", "two", "three"))
HEAD, LANDED = commit_id("a"), commit_id("landed")
STORIES = [
    Story(
        ONE,
        "merges",
        Outcome("merged", "on main as 0123"),
        merged=MergedChange(id=ONE, head=HEAD, commit=LANDED, method=Method.SQUASH),
    ),
    Story(
        TWO,
        "is red",
        Outcome("kicked back", "KICK_RED: red"),
        kick=KickBack(
            change=queued("two", "a"),
            commit=HEAD,
            code=Code.KICK_RED,
            report="It is red.\n\nMend it.\n",
        ),
    ),
    Story(THREE, "waits", Outcome("waits", "WAIT_BEHIND: for another\x1b[2J")),
]


def test_the_opening_says_where_and_how_many_and_fits_a_terminal() -> None:
    lines = opening_lines("/tmp/demo", 11)
    assert "In /tmp/demo " in lines[0]
    assert "11 changes" in lines[1]
    assert max(map(len, lines)) < 80
    assert lines[-1] == ""


def test_the_closing_tells_of_each_change_what_its_author_would_want_to_know() -> None:
    lines = closing_lines(STORIES, ["0123  Subject", "4567  Older"], "/d", 41.6, None)
    start = lines.index("  one: merged")
    assert lines[start : start + 16] == [
        "  one: merged",
        "    (it merges)",
        f"    its head {HEAD[:12]} is on the base as {LANDED[:12]}, by squash",
        "",
        "  two: kicked back",
        "    (it is red)",
        "    KICK_RED; its author reads:",
        "    | It is red.",
        "    |",
        "    | Mend it.",
        "",
        "  three: waits",
        "    (it waits)",
        "    WAIT_BEHIND: for another\\x1b[2J",
        "",
        "The base's history, newest first",
    ]
    assert lines.index("  0123  Subject") + 1 == lines.index("  4567  Older")
    assert any(line.startswith("That took 42 seconds.") for line in lines)
    commands = [line for line in lines if line.startswith("  git -C ")]
    assert len(commands) == 3
    assert all(line.startswith("  git -C /d/origin.git ") for line in commands)
    assert lines[-1] == "  mergequeue -C /d/clone page --out /d/page"


def test_the_closing_is_folded_to_the_terminal() -> None:
    story = Story(ONE, "is long " * 30, Outcome("waits", "WAIT_BEHIND: " + "word " * 40))
    lines = closing_lines([story], [], "/d", 1, 60)
    assert max(map(len, lines)) <= 60
