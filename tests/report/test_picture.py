"""The picture of a queue at work, drawn by rich onto text."""

import io
from functools import reduce

import pytest
from rich.console import Console

from mergequeue.documents.event import Happening
from mergequeue.report.picture import Doing, Picture, Place, after, drawing_of
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.words import Decision, EventKind

LEXER, PARSER, DOCS, WEB = map(ChangeId, ("lexer", "parser", "docs", "web"))
COMMIT = CommitId("0123456789abcdef0123456789abcdef01234567")


def drawn(*happenings: Happening, width: int = 100, height: int = 25) -> str:
    console = Console(file=io.StringIO(), width=width, height=height, force_terminal=False)
    with console.capture() as captured:
        console.print(drawing_of(reduce(after, happenings, Picture())))
    return "".join(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def line(number: int, *changes: ChangeId) -> Happening:
    return Happening(kind=EventKind.PARTITION, partition=number, changes=changes)


STORY = (
    line(0, LEXER, PARSER, DOCS),
    line(1, WEB),
    Happening(kind=EventKind.GATE, change=PARSER, changes=(LEXER, PARSER), commit=COMMIT),
    Happening(kind=EventKind.DECIDED, change=LEXER, decision=Decision.MERGE),
    Happening(kind=EventKind.MERGED, change=LEXER, commit=COMMIT, reason="on main as 01234"),
    Happening(
        kind=EventKind.DECIDED,
        change=WEB,
        decision=Decision.KICK,
        code=Code.KICK_RED,
        reason="the gate is red",
    ),
    Happening(kind=EventKind.NOTICE, reason="a verdict was dropped"),
)


def test_a_story_is_drawn_line_by_line_and_change_by_change() -> None:
    assert drawn(*STORY) == (
        "line 0   ✔ lexer ─ ● parser ─ ○ docs\n"
        "line 1   ✘ web\n"
        "✔ lexer   merged       on main as 01234\n"
        "● parser  in its gate  runs on 0123456789ab\n"
        "○ docs    queued\n"
        "✘ web     kicked back  the gate is red\n"
        "a verdict was dropped\n"
    )


def test_nothing_has_happened_yet_in_an_empty_picture() -> None:
    assert drawn().strip() == ""


PLACES = [
    (
        Happening(kind=EventKind.GATE, change=WEB, commit=COMMIT),
        Place(Doing.GATED, "runs on 0123456789ab"),
    ),
    (Happening(kind=EventKind.GATE, change=WEB), Place(Doing.GATED, "runs")),
    (
        Happening(kind=EventKind.MERGED, change=WEB, commit=COMMIT, reason="on the base already"),
        Place(Doing.MERGED, "on the base already"),
    ),
    (
        Happening(kind=EventKind.KICKED, change=WEB, code=Code.KICK_CONFLICT, reason="x"),
        Place(Doing.KICKED, "x"),
    ),
    (
        Happening(kind=EventKind.WAITING, change=WEB, code=Code.WAIT_BEHIND, reason="x"),
        Place(Doing.WAITS, "x"),
    ),
    (
        Happening(kind=EventKind.DECIDED, change=WEB, decision=Decision.MERGE, reason="x"),
        Place(Doing.GREEN, "x"),
    ),
    (
        Happening(kind=EventKind.DECIDED, change=WEB, decision=Decision.MERGED),
        Place(Doing.MERGED, "on the base already"),
    ),
    (
        Happening(
            kind=EventKind.DECIDED,
            change=WEB,
            decision=Decision.WAIT,
            code=Code.WAIT_BASE_RED,
            reason="x",
        ),
        Place(Doing.WAITS, "x"),
    ),
    (Happening(kind=EventKind.RESOLVED, change=WEB, reason="x"), Place()),
    (Happening(kind=EventKind.NOTICE, change=WEB, reason="x"), Place()),
]


@pytest.mark.parametrize(("happening", "place"), PLACES)
def test_what_happens_to_a_change_is_its_place(happening: Happening, place: Place) -> None:
    assert after(after(Picture(), line(0, WEB)), happening).places == {WEB: place}


def test_the_others_of_a_batch_are_in_the_gate_of_its_top() -> None:
    picture = after(Picture(), STORY[2])
    assert picture.places[LEXER] == Place(Doing.GATED, "in the batch of parser")


def test_a_new_plan_begins_with_new_lines() -> None:
    picture = reduce(after, [*STORY, line(0, DOCS), line(1, PARSER)], Picture())
    assert picture.lines == ((DOCS,), (PARSER,))
    assert picture.places[DOCS] == picture.places[PARSER] == Place()
    assert picture.places[LEXER].doing is Doing.MERGED


def test_a_notice_without_words_leaves_the_one_before() -> None:
    picture = reduce(after, [STORY[-1], Happening(kind=EventKind.NOTICE)], Picture())
    assert picture.notice == "a verdict was dropped"


def test_a_picture_is_not_changed_by_what_comes_after_it() -> None:
    before = after(Picture(), line(0, WEB))
    after(before, Happening(kind=EventKind.GATE, change=WEB, commit=COMMIT))
    assert before.places == {WEB: Place()}


HOSTILE = {
    "markup": ("[bold]no[/bold] [link=x]", "[bold]no[/bold] [link=x]"),
    "broken markup": ("[/]", "[/]"),
    "an emoji's name": (":bomb:", ":bomb:"),
    "a terminal's escape": ("\x1b[2Jx\x07", "\\x1b[2Jx\\x07"),
    "a line break": ("a\nb\rc", "a\\x0ab\\x0dc"),
    "a direction override": ("\u202egpj", "\\u202egpj"),
    "a line separator": ("a\u2028b", "a\\u2028b"),
}


@pytest.mark.parametrize(("typed", "shown"), HOSTILE.values(), ids=HOSTILE)
def test_what_an_author_typed_is_drawn_as_text(typed: str, shown: str) -> None:
    waits = Happening(kind=EventKind.WAITING, change=WEB, code=Code.WAIT_BEHIND, reason=typed)
    notice = Happening(kind=EventKind.NOTICE, reason=typed)
    assert drawn(line(0, WEB), waits, notice) == (
        f"line 0   … web\n… web  waits  {shown}\n{shown}\n"
    )


def test_a_long_reason_stays_on_its_line() -> None:
    waits = Happening(
        kind=EventKind.WAITING, change=WEB, code=Code.WAIT_BEHIND, reason="word " * 400
    )
    lines = drawn(line(0, WEB), waits, width=60).splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("… web  waits  word")
    assert len(lines[1]) <= 60


def test_a_reason_is_cut_however_wide_the_terminal_is() -> None:
    waits = Happening(kind=EventKind.WAITING, change=WEB, code=Code.WAIT_BEHIND, reason="x" * 400)
    _, row = drawn(line(0, WEB), waits, width=500).splitlines()
    assert row.endswith("xxx...")
    assert len(row) < 140


MANY = [ChangeId(f"change-{number:02}") for number in range(40)]
FULL = (
    *(line(number, *MANY[number * 2 : number * 2 + 2]) for number in range(20)),
    *(Happening(kind=EventKind.MERGED, change=change, commit=COMMIT) for change in MANY[:10]),
    Happening(kind=EventKind.GATE, change=MANY[37], commit=COMMIT),
    Happening(kind=EventKind.KICKED, change=MANY[25], code=Code.KICK_RED, reason="it is red"),
    Happening(kind=EventKind.NOTICE, reason="a notice " * 30),
)


@pytest.mark.parametrize("height", [24, 30, 60, 200])
@pytest.mark.parametrize("width", [40, 80])
def test_a_picture_is_never_higher_or_wider_than_the_terminal(width: int, height: int) -> None:
    lines = drawn(*FULL, width=width, height=height).splitlines()
    assert len(lines) <= height - 4
    assert all(len(line) <= width for line in lines)


def test_where_there_is_no_room_for_all_what_is_at_work_is_shown_and_the_rest_counted() -> None:
    lines = drawn(*FULL, width=80, height=24).splitlines()
    assert lines[3:5] == [
        "line 12   ○ change-24 ─ ✘ change-25",
        "line 18   ○ change-36 ─ ● change-37",
    ]
    assert "● change-37  in its gate  runs on 0123456789ab" in lines
    assert "✘ change-25  kicked back  it is red" in lines
    assert "and 15 lines more" in lines
    assert "and 18 queued, 10 merged more" in lines[-2]


def test_a_picture_that_fits_shows_everything() -> None:
    assert "more" not in drawn(*FULL[:-1], width=80, height=66)
    assert "more" in drawn(*FULL[:-1], width=80, height=60)
