"""The one place that prints: documents and JSON lines on stdout, everything for people on stderr.

`JsonLines` is for programs, `PlainLines` for logs, `LivePicture` for a terminal; each is an
`Events` port, and `Fanout` makes several of them one. A write that fails never stops the queue
(facts, section 4): a reader that went away is no reason to leave a merge half-done.
"""

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import IO, TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text

from mergequeue.documents.event import Event, Happening
from mergequeue.documents.reading import write_line
from mergequeue.host.files import send_nowhere
from mergequeue.ports import Events
from mergequeue.report.happenings import happening_line
from mergequeue.report.picture import Picture, after, drawing_of
from mergequeue.vocabulary.text import log_line

_FRAMES_PER_SECOND = 8


@contextlib.contextmanager
def _let_go_where_gone(stream: IO[str]) -> Iterator[None]:
    try:
        yield
    except OSError:
        send_nowhere(stream)
        raise


class PatientConsole(Console):
    """A console whose reader may go away: nothing is shown from then on, and nobody is stopped."""

    def _write_buffer(self) -> None:
        # Where the error is left to rich, it ends the program in the middle of what that does.
        try:
            super()._write_buffer()
        except (OSError, ValueError):
            send_nowhere(self.file)
            self.quiet = True


class JsonLines:
    """Events as `mergequeue.event/v1`, one line each."""

    def __init__(self, now: Callable[[], datetime], stream: TextIO | None = None) -> None:
        """Write to `stream` (stdout unless given), dated by `now`."""
        self._now = now
        self._stream = stream or sys.stdout
        self._lock = threading.Lock()

    def emit(self, happening: Happening) -> None:
        """Write one line."""
        event = Event.model_validate({**dict(happening), "time": self._now()})
        with self._lock, contextlib.suppress(OSError, ValueError), _let_go_where_gone(self._stream):
            self._stream.write(write_line(event) + "\n")
            self._stream.flush()


class PlainLines:
    """Events as sentences, one line each."""

    def __init__(self, write: Callable[[str], None], *, ends_follow: bool = False) -> None:
        """Hand each line to `write`; `ends_follow` as for `happening_line`."""
        self._write = write
        self._ends_follow = ends_follow

    def emit(self, happening: Happening) -> None:
        """Write one line."""
        self._write(happening_line(happening, ends_follow=self._ends_follow))


class LivePicture:
    """Events as a picture of the queue that changes in place."""

    def __init__(self, console: PatientConsole) -> None:
        """Draw on `console`, once `shown` is entered."""
        self._lock = threading.Lock()
        self._picture = Picture()
        self._live = Live(console=console, refresh_per_second=_FRAMES_PER_SECOND, transient=False)

    @contextlib.contextmanager
    def shown(self) -> Iterator[None]:
        """Keep the picture on the terminal, its last state included."""
        with self._live:
            yield

    def emit(self, happening: Happening) -> None:
        """Draw the picture with one more happening in it."""
        with self._lock:
            self._picture = after(self._picture, happening)
            drawing = drawing_of(self._picture)
        self._live.update(drawing)


class Fanout:
    """Several receivers of events as one."""

    def __init__(self, receivers: Sequence[Events]) -> None:
        """Hand every happening to each receiver, in order."""
        self._receivers = tuple(receivers)

    def emit(self, happening: Happening) -> None:
        """Hand it on."""
        for receiver in self._receivers:
            receiver.emit(happening)


class Terminal:
    """What a person sees: lines on stderr, and the program's own product on stdout."""

    def __init__(self) -> None:
        """Look at the two streams once: whether each is a terminal decides what is shown on it."""
        self._errors = PatientConsole(stderr=True, highlight=False, soft_wrap=True)
        self._lock = threading.Lock()
        self._told: set[tuple[str, ...]] = set()
        self.shows_pictures = self._errors.is_terminal and not self._errors.is_dumb_terminal
        self.stdout_is_terminal = sys.stdout.isatty()

    @property
    def line_width(self) -> int | None:
        """How wide the lines may be; None where they are no terminal's, and as long as they are."""
        return self._errors.width if self._errors.is_terminal else None

    @property
    def product_width(self) -> int | None:
        """How wide the product may be; None where it goes to no terminal."""
        return self._errors.width if self.stdout_is_terminal else None

    def line(self, text: str) -> None:
        """Write one line for people, whoever typed what is in it; above the picture, if any."""
        with self._lock:
            self._errors.print(Text(log_line(text)), soft_wrap=True)

    def once(self, lines: Sequence[str]) -> None:
        """Write lines for people that every pass of a run would say: the first time alone."""
        with self._lock:
            told = tuple(lines) in self._told
            self._told.add(tuple(lines))
        for line in () if told else lines:
            self.line(line)

    def command(self, text: str) -> None:
        """Write one line for a CI's runner as it stands: `report.annotations` made it."""
        with self._lock:
            self._errors.print(Text(text), soft_wrap=True)

    def product(self, raw: bytes) -> None:
        """Write the command's own product, such as a document, to stdout.

        Raises OSError where it cannot.
        """
        with _let_go_where_gone(sys.stdout):
            sys.stdout.flush()
            sys.stdout.buffer.write(raw)
            sys.stdout.buffer.flush()

    def picture(self) -> LivePicture:
        """Return a picture to show on this terminal."""
        return LivePicture(self._errors)
