"""What passes between the queue and one hook: its input, and its output line by line."""

import os
import selectors
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import IO

from mergequeue.hooks.command import Command
from mergequeue.hooks.leash import EXITED, Leash
from mergequeue.hooks.output import Lines, tagged

_CHUNK = 64 * 1024


@dataclass
class Talk:
    """One hook's input and output, on one thread."""

    command: Command
    leash: Leash
    write_line: Callable[[str], None]
    selector: selectors.BaseSelector
    captured: bytearray = field(default_factory=bytearray)
    overflowed: bool = False
    last_line: str = ""
    _exited: bool = False
    _out_of_time: bool = False
    _lines: list[Lines] = field(default_factory=list)
    """The streams of output that have not ended."""

    def read_from(self, stream: IO[bytes] | None, limit: int | None) -> None:
        """Take what a stream prints: keep `limit` bytes of it, or show it where that is None."""
        if stream is not None:
            lines = Lines()
            self._lines.append(lines)
            take = partial(self._take, stream, lines, limit)
            self.selector.register(stream, selectors.EVENT_READ, take)

    def write_to(self, stream: IO[bytes] | None) -> None:
        """Give the hook its input, as it takes it."""
        if stream is not None:
            os.set_blocking(stream.fileno(), False)
            self._offer(stream, memoryview(self.command.given))

    def listen(self, wake: int) -> None:
        """Go on until the hook has exited and its output has ended, or had its time."""
        self.selector.register(wake, selectors.EVENT_READ, partial(self._wake, wake))
        while not self._out_of_time and not (self._exited and not self._lines):
            for key, _ in self.selector.select():
                key.data()
        for lines in self._lines:
            self._show(lines.end())

    def _wake(self, wake: int) -> None:
        if os.read(wake, 1) == EXITED:
            self._exited = True
        else:
            self._out_of_time = True

    def _take(self, stream: IO[bytes], lines: Lines, limit: int | None) -> None:
        data = os.read(stream.fileno(), _CHUNK)
        if not data:
            self.selector.unregister(stream)
            self._lines.remove(lines)
            self._show(lines.end())
        elif limit is None:
            self._show(lines.feed(data))
        else:
            self._capture(data, limit)

    def _capture(self, data: bytes, limit: int) -> None:
        if len(self.captured) + len(data) > limit:
            self.overflowed = True
            self.leash.kill()
        else:
            self.captured += data

    def _offer(self, stream: IO[bytes], rest: memoryview) -> None:
        self.selector.register(stream, selectors.EVENT_WRITE, partial(self._give, stream, rest))

    def _give(self, stream: IO[bytes], rest: memoryview) -> None:
        self.selector.unregister(stream)
        try:
            written = os.write(stream.fileno(), rest)
        except BrokenPipeError:
            written = len(rest)
        if written < len(rest):
            self._offer(stream, rest[written:])
        else:
            stream.close()

    def _show(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.last_line = line if line.strip() else self.last_line
            self.write_line(tagged(self.command.tag, line))
