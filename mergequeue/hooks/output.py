"""What a hook printed, as lines that can be shown.

A hook's output is the bytes of somebody's code (seed 1, Trust model: shown as text). Each line
carries a tag, and nothing in it acts on a terminal or on a CI's runner (`vocabulary.text`).
"""

from collections.abc import Iterator

from mergequeue.vocabulary.text import log_line

LINE_BYTES = 16 * 1024
"""A line longer than this is shown in pieces, so that no output fills memory."""


class Lines:
    """One stream of a hook, cut into lines as it comes."""

    def __init__(self) -> None:
        """Start with nothing read."""
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[str]:
        """Yield the lines that `data` ends, without their line breaks."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        for line in whole:
            yield from self._shown(line)
        while len(self._rest) > LINE_BYTES:
            piece, self._rest = self._rest[:LINE_BYTES], self._rest[LINE_BYTES:]
            yield from self._shown(piece)

    def end(self) -> Iterator[str]:
        """Yield the last line, where no line break ended it."""
        rest, self._rest = self._rest, b""
        if rest:
            yield from self._shown(rest)

    def _shown(self, line: bytes) -> Iterator[str]:
        line = line.removesuffix(b"\r")
        for start in range(0, len(line) or 1, LINE_BYTES):
            yield shown_line(line[start : start + LINE_BYTES])


def tagged(tag: str, line: str) -> str:
    """Return a line of a hook's output as it is shown."""
    return f"[{tag}] {line}"


def shown_line(line: bytes) -> str:
    """Return one line as text that only shows: what is no printable UTF-8 escaped, tabs kept."""
    return log_line(line.decode("utf-8", errors="backslashreplace"))
