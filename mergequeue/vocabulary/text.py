"""Bytes that authors typed, shown as text and as nothing else (seed 1, Trust model)."""

import re

from mergequeue.vocabulary.ids import RepoPath

_TICKS = re.compile(r"`+")

# GitHub's runner reads the older form of its commands anywhere in a line. It compares as people
# read, so that some characters between these three count as nothing.
_OLD_COMMAND = re.compile(r"#(?=[^\x20-\x7e]*#[^\x20-\x7e]*\[)")
_COMMAND = re.compile(r"(\s*):(?=:)")

_LINE_BREAKS = frozenset(b"\n\r")


def is_plain(text: str) -> bool:
    """Whether every character prints as itself.

    No control, no line break, no direction mark, no surrogate.
    """
    return text.isprintable()


def quoted(text: str) -> str:
    """Return `text` as it is where it is plain, otherwise as a quoted string with its escapes."""
    if is_plain(text):
        return text
    return '"' + "".join(_escaped(character) for character in text) + '"'


def _escaped(character: str) -> str:
    if character in {'"', "\\"}:
        return "\\" + character
    if character.isprintable():
        return character
    code = ord(character)
    if code < 0x100:  # noqa: PLR2004 (the border between the two escapes)
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"  # noqa: PLR2004 (likewise)


def path_text(path: RepoPath) -> str:
    """Return a path for people and documents: itself where it is plain UTF-8, otherwise quoted."""
    try:
        text = path.decode("utf-8")
    except UnicodeDecodeError:
        return '"' + "".join(_byte_escaped(byte) for byte in path) + '"'
    return quoted(text)


def holds_line_break(path: RepoPath) -> bool:
    """Whether a path would read as two where paths stand one a line (facts H9)."""
    return not frozenset(path).isdisjoint(_LINE_BREAKS)


def _byte_escaped(byte: int) -> str:
    return _escaped(chr(byte)) if chr(byte).isascii() else f"\\x{byte:02x}"


def code_span(text: str) -> str:
    """Return Markdown that shows `text` in a code span, whatever backticks it holds (facts K6)."""
    shown = quoted(text)
    longest = max((len(run) for run in _TICKS.findall(shown)), default=0)
    fence = "`" * (longest + 1)
    padding = " " if shown.startswith(("`", " ")) or shown.endswith(("`", " ")) or not shown else ""
    return f"{fence}{padding}{shown}{padding}{fence}"


def code_block(text: str, limit: int) -> str:
    """Return a Markdown block of at most `limit` bytes of `text` (facts K4, K5).

    Its fence is longer than any run of backticks inside. Every line ends in a line feed, as
    Markdown reads any other ending.
    """
    shown = cut(text, limit).replace("\r\n", "\n").replace("\r", "\n")
    longest = max((len(run) for run in _TICKS.findall(shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{shown}\n{fence}"


def cut(text: str, limit: int) -> str:
    """Return `text` in at most `limit` bytes of UTF-8.

    It is cut at a character, with `...` where it was longer.
    """
    raw = text.encode("utf-8", errors="replace")
    if len(raw) <= limit:
        return raw.decode("utf-8")
    dots = "..."[:limit]
    return raw[: limit - len(dots)].decode("utf-8", errors="ignore") + dots


def cut_inside(text: str, limit: int) -> str:
    """Return `text` in at most `limit` bytes of UTF-8, cut in its middle: its end says what to do.

    The beginning takes two thirds, and `...` stands where the rest is left out.
    """
    raw = text.encode("utf-8", errors="replace")
    if len(raw) <= limit:
        return raw.decode("utf-8")
    room = limit - len("...")
    end = room // 3
    start = raw[: room - end].decode("utf-8", errors="ignore")
    return f"{start}...{raw[len(raw) - end :].decode('utf-8', errors='ignore')}"


def one_line(text: str) -> str:
    """Return `text` on one line, for terminals and events.

    Every character that does not print is escaped, and none quoted.
    """
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def log_line(text: str) -> str:
    """Return `text` as one line of a log: nothing in it acts on a terminal or on a CI's runner.

    What does not print is escaped, tabs kept, and GitHub's commands (`::add-mask::x` at the start,
    `##[add-mask]x` anywhere) are broken up.
    """
    if not is_plain(text):
        text = "\t".join(one_line(part) for part in text.split("\t"))
    start = _COMMAND.match(text)
    if start is not None:
        text = f"{start[1]}\\x3a{text[start.end() :]}"
    return _OLD_COMMAND.sub(r"\\x23", text)


def log_json(text: str) -> str:
    """Return JSON that means the same, in which a CI's runner reads no command."""
    return _OLD_COMMAND.sub(r"\\u0023", text)
