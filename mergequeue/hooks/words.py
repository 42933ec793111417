"""A hook's line, read once as sh words (facts H1).

Quotes and backslashes group and escape. Everything else that a shell would read is refused with its
own reason, so that a line the queue accepts means in a terminal what it means here: the same words.
"""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field

from mergequeue.vocabulary.errors import NOT_A_COMMAND
from mergequeue.vocabulary.text import cut, one_line

_SHOWN = 200
_CONTROLS = frozenset(map(chr, [*range(0x20), 0x7F]))

_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_VARIABLE = re.compile(r"[A-Za-z0-9_{@*#?$!-]")
_RESERVED = frozenset(
    {"!", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if"}
    | {"select", "then", "time", "until", "while"}
)
"""Words that sh or bash reads itself where a command is expected."""

_LINE_BREAK = "a line break"
_UNQUOTED = {
    "&": "`&`, which starts a command in the background",
    "<": "a redirection (`<`)",
    ">": "a redirection (`>`)",
    "|": "a pipe (`|`)",
    ";": "`;`, which ends a command",
    "(": "a compound command (`(`)",
    ")": "a compound command (`)`)",
    "*": "a glob (`*`)",
    "?": "a glob (`?`)",
    "[": "a glob (`[`)",
    "`": "a command substitution (`` ` ``)",
    "\n": _LINE_BREAK,
}
_ESCAPED_IN_QUOTES = '$`"\\'


class _RefusedError(Exception):
    """What a shell would read, in words."""


@dataclass
class _Word:
    """A word as it is being read."""

    text: str = ""
    plain: str = ""
    """What stands before its first quote or backslash: what a shell looks at for its own syntax."""
    quoted: bool = False

    def add(self, character: str) -> None:
        """Add a character as it stands unquoted."""
        self.text += character
        if not self.quoted:
            self.plain += character

    def add_quoted(self, text: str) -> None:
        """Add text that quotes or a backslash keep from a shell."""
        self.text += text
        self.quoted = True


@dataclass
class _Reader:
    """The line, and how far it has been read."""

    line: str
    place: int = 0
    words: list[_Word] = field(default_factory=list)
    word: _Word | None = None
    before: str = ""
    """The unquoted character right before, inside the word; empty at its start and after quotes."""

    def peek(self, count: int = 1) -> str:
        return self.line[self.place : self.place + count]

    def take(self) -> str:
        character = self.line[self.place]
        self.place += 1
        return character

    def current(self) -> _Word:
        if self.word is None:
            self.word = _Word()
        return self.word

    def end_word(self) -> None:
        if self.word is not None:
            self.words.append(self.word)
        self.word = None
        self.before = ""


def parse_words(line: str, option: str) -> tuple[str, ...]:
    """Return the words of a hook's line; `option` names where it stands, such as `--gate`.

    Raises NOT_A_COMMAND with the first thing in it that only a shell reads (seed 1: a variable, a
    command substitution, a pipe, `;`, `&&`, a redirection, a glob, a comment, a leading
    NAME=value).
    """
    reader = _Reader(line)
    try:
        while reader.place < len(line):
            _read_one(reader)
        reader.end_word()
        _check_first(reader.words)
    except _RefusedError as refused:
        shown = one_line(cut(line, _SHOWN))
        raise NOT_A_COMMAND(f"{option} holds {refused}: {shown}") from None
    return tuple(word.text for word in reader.words)


def join_words(words: Sequence[str]) -> str:
    """Return the line that a person would type for these words; `parse_words` reads them back."""
    line = shlex.join(words)
    # shlex.quote leaves these two as they are: they mean something in a first word only.
    first = words[0]
    if line.startswith(first) and (first in _RESERVED or _ASSIGNMENT.match(first)):
        return f"'{first}'{line.removeprefix(first)}"
    return line


def _read_one(reader: _Reader) -> None:
    character = reader.take()
    if character in " \t":
        reader.end_word()
    elif character == "'":
        _read_single(reader)
    elif character == '"':
        _read_double(reader)
    elif character == "\\":
        _read_escape(reader)
    else:
        _refuse_shell(reader, character)
        reader.current().add(character)
        reader.before = character


def _read_single(reader: _Reader) -> None:
    end = reader.line.find("'", reader.place)
    if end < 0:
        raise _RefusedError("a single quote that is never closed")
    text = reader.line[reader.place : end]
    _refuse_nul(text)
    reader.current().add_quoted(text)
    reader.place = end + 1
    reader.before = ""


def _read_double(reader: _Reader) -> None:
    text = ""
    while True:
        if reader.place == len(reader.line):
            raise _RefusedError("a double quote that is never closed")
        character = reader.take()
        if character == '"':
            break
        if character == "\\" and reader.peek() == "\n":
            raise _RefusedError(_LINE_BREAK)
        if character == "\\" and reader.peek() and reader.peek() in _ESCAPED_IN_QUOTES:
            character = reader.take()
        elif character in "$`":
            _refuse_expansion(reader, character, in_quotes=True)
        text += character
    _refuse_nul(text)
    reader.current().add_quoted(text)
    reader.before = ""


def _read_escape(reader: _Reader) -> None:
    if not reader.peek():
        raise _RefusedError("a backslash at its end, which escapes nothing")
    character = reader.take()
    if character == "\n":
        raise _RefusedError(_LINE_BREAK)
    _refuse_nul(character)
    reader.current().add_quoted(character)
    reader.before = ""


def _refuse_shell(reader: _Reader, character: str) -> None:
    """Raise where an unquoted character means something to a shell."""
    doubled = character + reader.peek()
    if doubled in {"&&", "||"}:
        raise _RefusedError(f"`{doubled}`, which joins two commands")
    if character in "$`":
        _refuse_expansion(reader, character, in_quotes=False)
    if character in _UNQUOTED:
        raise _RefusedError(_UNQUOTED[character])
    if character in "{}":
        alone = reader.word is None and reader.peek() in {"", " ", "\t", "\n", ";"}
        raise _RefusedError(
            f"a compound command (`{character}`)" if alone else f"a glob (`{character}`)"
        )
    if character == "#" and reader.word is None:
        raise _RefusedError("a comment (`#`)")
    if character == "~" and (reader.word is None or reader.before in {"=", ":"}):
        raise _RefusedError("a `~`, which stands for a home folder")
    if character in _CONTROLS:
        raise _RefusedError("a control character outside quotes")


def _refuse_expansion(reader: _Reader, character: str, *, in_quotes: bool) -> None:
    """Raise for `$` and the backquote, which a shell reads inside double quotes too."""
    if character == "`":
        raise _RefusedError(_UNQUOTED["`"])
    following = reader.peek()
    if reader.peek(2) == "((" or following == "[":
        raise _RefusedError("arithmetic (`$((`)")
    if following == "(":
        raise _RefusedError("a command substitution (`$(`)")
    if following and following in "'\"" and not in_quotes:
        raise _RefusedError(f"`${following}...{following}` quoting")
    if _VARIABLE.match(following):
        raise _RefusedError("a variable (`$`)")
    raise _RefusedError("a `$` that a shell may read; single quotes keep it from that")


def _refuse_nul(text: str) -> None:
    if "\0" in text:
        raise _RefusedError("a NUL character, which no argument can hold")


def _check_first(words: list[_Word]) -> None:
    if not words or not words[0].text:
        raise _RefusedError("no command")
    first = words[0]
    if _ASSIGNMENT.match(first.plain):
        raise _RefusedError("a leading NAME=value, which sets a variable")
    if not first.quoted and first.text == "!":
        raise _RefusedError("a leading `!`, which turns a result round")
    if not first.quoted and first.text in _RESERVED:
        raise _RefusedError(f"`{first.text}`, a word of the shell's own (a compound command)")
