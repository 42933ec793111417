"""What is printed, and that nobody who stops reading it stops the queue."""

import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import IO

import jsonschema
import pytest
from hypothesis import given, settings

from mergequeue.documents.event import Event, Happening
from mergequeue.documents.reading import read_document
from mergequeue.host.console import (
    Fanout,
    JsonLines,
    LivePicture,
    PatientConsole,
    PlainLines,
    Terminal,
)
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import EventKind
from tests.support.drawn import happenings

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
NOTICE = Happening(kind=EventKind.NOTICE, reason="nothing is queued")
SCHEMA = jsonschema.Draft202012Validator(
    Event.model_json_schema(by_alias=True),
    format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER,
)


def noon() -> datetime:
    return NOON


class Gone(io.StringIO):
    """A stream whose reader went away."""

    def write(self, _text: str) -> int:
        raise BrokenPipeError

    def flush(self) -> None:
        raise BrokenPipeError


class HungUp(Gone):
    """A terminal that was closed."""

    def write(self, _text: str) -> int:
        message = "Input/output error"
        raise OSError(5, message)


def closed() -> io.StringIO:
    stream = io.StringIO()
    stream.close()
    return stream


# --- lines of JSON -------------------------------------------------------------------------------


@settings(max_examples=60)
@given(happenings)
def test_each_line_is_a_valid_event(happening: Happening) -> None:
    stream = io.StringIO()
    JsonLines(noon, stream).emit(happening)
    line = stream.getvalue()
    assert line.endswith("\n")
    SCHEMA.validate(json.loads(line))
    assert read_document(line.encode(), Event, "it") == Event(**dict(happening), time=NOON)


@pytest.mark.parametrize("stream", [Gone, HungUp, closed])
def test_a_stream_that_cannot_be_written_stops_nothing(stream: Callable[[], io.StringIO]) -> None:
    lines = JsonLines(noon, stream())
    lines.emit(NOTICE)
    lines.emit(NOTICE)


def test_lines_of_many_threads_never_mix() -> None:
    stream = io.StringIO()
    lines = JsonLines(noon, stream)

    def emit(number: int) -> None:
        for _ in range(50):
            lines.emit(Happening(kind=EventKind.NOTICE, reason=str(number) * 200))

    threads = [threading.Thread(target=emit, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    read = [json.loads(line)["reason"] for line in stream.getvalue().splitlines()]
    assert sorted(read) == sorted(str(number) * 200 for number in range(4) for _ in range(50))


def test_a_line_can_be_written_in_any_encoding() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    JsonLines(noon, stream).emit(Happening(kind=EventKind.NOTICE, reason="山\u2028"))
    line = raw.getvalue()
    assert line.count(b"\n") == 1
    assert json.loads(line)["reason"] == "山\u2028"


# --- lines for people, and several receivers -----------------------------------------------------


def test_a_plain_line_is_a_sentence() -> None:
    said: list[str] = []
    PlainLines(said.append).emit(NOTICE)
    assert said == ["queue: nothing is queued"]


def test_what_happens_is_handed_to_each_receiver_in_order() -> None:
    said: list[str] = []
    first = PlainLines(lambda line: said.append(f"first {line}"))
    second = PlainLines(lambda line: said.append(f"second {line}"))
    fanout = Fanout([first, second])
    fanout.emit(NOTICE)
    fanout.emit(Happening(kind=EventKind.NOTICE, reason="more"))
    assert said == [
        "first queue: nothing is queued",
        "second queue: nothing is queued",
        "first queue: more",
        "second queue: more",
    ]
    Fanout([]).emit(NOTICE)


# --- the picture ---------------------------------------------------------------------------------


def test_the_last_state_of_the_picture_stays_on_the_terminal() -> None:
    stream = io.StringIO()
    console = PatientConsole(file=stream, force_terminal=True, width=80, color_system=None)
    picture = LivePicture(console)
    with picture.shown():
        picture.emit(Happening(kind=EventKind.PARTITION, partition=0, changes=(ChangeId("one"),)))
        picture.emit(NOTICE)
    shown = stream.getvalue()
    assert "line 0   ○ one" in shown
    assert "nothing is queued" in shown


@pytest.mark.parametrize("stream", [Gone, HungUp, closed])
def test_a_terminal_that_went_away_stops_no_picture(stream: Callable[[], io.StringIO]) -> None:
    picture = LivePicture(PatientConsole(file=stream(), force_terminal=True, width=80))
    with picture.shown():
        picture.emit(NOTICE)
        picture.emit(NOTICE)


# --- the terminal, as a process has it -----------------------------------------------------------


def run(program: str, stdout: int | IO[bytes], stderr: int | IO[bytes]) -> int:
    words = [sys.executable, "-I", "-c", program]
    return subprocess.run(words, stdout=stdout, stderr=stderr, check=False).returncode


GOES_ON = """
import sys
from datetime import UTC, datetime
from mergequeue.documents.event import Happening
from mergequeue.host.console import JsonLines, Terminal
from mergequeue.vocabulary.words import EventKind

terminal = Terminal()
lines = JsonLines(lambda: datetime.now(UTC))
for _ in range(3):
    terminal.line("for people")
    lines.emit(Happening(kind=EventKind.NOTICE, reason="for programs"))
sys.exit(7)
"""


def test_a_reader_that_goes_away_stops_nothing() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        assert run(GOES_ON, writing, writing) == 7
    finally:
        os.close(writing)


def test_a_line_for_people_is_shown_as_it_is_on_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    terminal = Terminal()
    terminal.line("[bold]not bold[/bold] :bomb: " + "long " * 60)
    terminal.product(b"\xff\n")
    captured = capfd.readouterr()
    assert captured.err == "[bold]not bold[/bold] :bomb: " + "long " * 60 + "\n"
    assert not terminal.shows_pictures
    assert not terminal.stdout_is_terminal


def test_a_product_is_written_byte_for_byte(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    Terminal().product(b"\x00\xff\r\n")
    assert capfdbinary.readouterr().out == b"\x00\xff\r\n"


def test_a_product_that_cannot_be_written_is_an_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    program = "from mergequeue.host.console import Terminal\nTerminal().product(b'x' * 100000)"
    try:
        assert run(program, writing, subprocess.DEVNULL) != 0
    finally:
        os.close(writing)
