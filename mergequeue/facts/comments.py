"""Whether an edit of a file changes comments and nothing else.

Decided by tokens, line by line. A line counts as a comment only where

- it holds nothing else, as every language reads it that the file's name may stand for;
- it reads as prose: its marker, a blank, and plain words. A tool acts on what is written otherwise
  (`#!/bin/sh`, `//go:build`, `# noqa`, `# type: ignore`, `/* eslint ... */`), and can act on the
  lines around that, so one such line makes code of all the comments it stands among;
- the line above does not go on in it.

Docstrings are code, for a program can read them, and so is a comment behind code on the same line.
What is left has to be the same lines in the same order, indentation included. Blank lines count,
too, except where a comment stands among them.
"""

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate

from pygments.lexer import Lexer

from mergequeue.facts.languages import is_misread, languages_of, pieces_of
from mergequeue.vocabulary.limits import CLASSIFIED_BYTES

_MARKER = r'(?P<marker>#+|/{2,}|/\*+|\*+|-{2,}|;+|%|!|\(\*+|\{-|")(?=[ \t]|$)'
_PROSE = r"(?P<prose>[^\W\d_][\w .,;?!'\"()/-]*?)"
_CLOSER = r"(?<!\S)(?:\*+/|\*+\)|-\}|#+|\*+|-{2,}|;+)"
_LINE = re.compile(rf"[ \t]*(?:{_MARKER})?[ \t]*(?:{_PROSE})?[ \t]*(?:{_CLOSER})?[ \t]*")

_TO_TOOLS = re.compile(
    r"lint|hint|ignor|disabl|enabl|noqa|nosec|nosem|nopep|pragma|suppress|prettier|format|skip"
    r"|inspection|generated|critic|rollback|changeset|liquibase|migrat|synth|^globals?\b|^exported"
    r"|no.?check|no.?cover|pyre|checkstyle|^(?:begin|end|start|stop)\b"
    r"|rambler|create above|keep.?sort|do not sort"
)
"""What the words hold that tools look for where a comment begins."""
_FIRST_WORDS = 3
_SKELETONS_KEPT = 64
"""Many changes of one file share its merge base, and a lexer is slow."""
_TO_TOOLS_ANYWHERE = re.compile(
    r"(?i:fall.{0,2}thr|not.?reached|do not edit)|\bNO[A-Z]{3}|EXCL|\?\?/"
)
_GOES_ON = re.compile(r"[\\`^&_]\s*$")
"""How a line ends that goes on in the next one, in one language or another."""


def more_than_comments(name: str, base: bytes, merged: bytes) -> str:
    """Return why an edit is more than one of comments; nothing where it is no more than that.

    `name` is the file's name without its folder.
    """
    if max(len(base), len(merged)) > CLASSIFIED_BYTES:
        return f"larger than {CLASSIFIED_BYTES >> 10} KiB"
    try:
        texts = base.decode(), merged.decode()
    except UnicodeDecodeError:
        return "no UTF-8"
    languages = languages_of(name)
    if not languages:
        return "in no language that is read for comments"
    # Before anything is lexed, so that a lexer never sees more of a change than words.
    if not all(map(_may_be_comment, _changed_lines(*texts))):
        return "more than comments change"
    reasons = (_more_than_comments_in(lexer, *texts) for lexer in languages)
    return next(filter(None, reasons), "")


def _more_than_comments_in(lexer: type[Lexer], base: str, merged: str) -> str:
    if is_misread(lexer, base) or is_misread(lexer, merged):
        return f"in {lexer.name}, with what looks like comments and may be none"
    try:
        before, after = _skeleton(lexer, base), _skeleton(lexer, merged)
    except ValueError:
        return f"not to be read as {lexer.name}"
    return "" if _is_same(before, after) else "more than comments change"


def _changed_lines(base: str, merged: str) -> list[str]:
    """Return the lines that one of two texts has more often than the other."""
    before, after = Counter(base.split("\n")), Counter(merged.split("\n"))
    return [*(before - after), *(after - before)]


def _may_be_comment(line: str) -> bool:
    return _LINE.fullmatch(line.removesuffix("\r")) is not None


@dataclass
class _Gap:
    """What stands between two lines of code."""

    comments: list[str] = field(default_factory=list)
    blank: list[str] = field(default_factory=list)


@dataclass
class _Skeleton:
    """A text without its comments."""

    code: list[str] = field(default_factory=list)
    gaps: list[_Gap] = field(default_factory=lambda: [_Gap()])
    is_led_by_tools: bool = False
    """Whether its first line is a comment that a tool reads, perhaps only where it is."""


@dataclass
class _Line:
    text: str
    """With its line feed."""
    holds_code: bool = False
    holds_comment: bool = False
    is_inside: bool = False
    """Whether a comment that began on an earlier line is the first thing in it."""

    @property
    def is_comment(self) -> bool:
        return self.holds_comment and not self.holds_code


def _is_same(before: _Skeleton, after: _Skeleton) -> bool:
    if before.code != after.code:
        return False
    if before.is_led_by_tools and before.gaps[0] != after.gaps[0]:
        return False
    return all(
        one.blank == other.blank or one.comments or other.comments
        for one, other in zip(before.gaps, after.gaps, strict=True)
    )


@lru_cache(maxsize=_SKELETONS_KEPT)
def _skeleton(lexer: type[Lexer], text: str) -> _Skeleton:
    """Return a text without its comments; raise ValueError where it does not read."""
    lines = _lines(lexer, text)
    found = _Skeleton()
    place = 0
    while place < len(lines):
        end = place
        while end < len(lines) and lines[end].is_comment:
            end += 1
        block = lines[place:end]
        runs_into = place > 0 and _GOES_ON.search(lines[place - 1].text) is not None
        if block and all(map(_is_prose, block)) and not runs_into:
            found.gaps[-1].comments += [line.text for line in block]
        else:
            for line in block or lines[place : place + 1]:
                _add(found, line)
        place = max(end, place + 1)
    return found


def _add(found: _Skeleton, line: _Line) -> None:
    if not line.text.strip():
        found.gaps[-1].blank.append(line.text)
        return
    if not found.code:
        found.is_led_by_tools = line.is_comment or line.text.startswith(("#!", "<?"))
    found.code.append(line.text)
    found.gaps.append(_Gap())


def _is_prose(line: _Line) -> bool:
    """Whether a line of comment says something to people and to no tool."""
    found = _LINE.fullmatch(line.text.rstrip("\r\n"))
    if found is None or not (found["marker"] or line.is_inside):
        return False
    prose = found["prose"] or ""
    first = " ".join(prose.split()[:_FIRST_WORDS]).lower()
    return not (_TO_TOOLS.search(first) or _TO_TOOLS_ANYWHERE.search(prose))


def _lines(lexer: type[Lexer], text: str) -> list[_Line]:
    """Return what each line holds; raise ValueError where the lexer does not read the text."""
    whole = text.replace("\r\n", "\n")
    if "\r" in whole:
        raise ValueError("a carriage return inside a line")
    lines = [_Line(part) for part in re.findall(r"[^\n]*\n|[^\n]+", text)]
    starts = [0, *accumulate(len(line) + 1 for line in whole.split("\n"))]
    for start, is_comment, piece in pieces_of(lexer, whole):
        if not whole.startswith(piece, start):
            raise ValueError("a lexer that changes what it reads")
        first = bisect_right(starts, start) - 1
        for number, part in enumerate(piece.split("\n")):
            if part.strip():
                line = lines[first + number]
                line.is_inside |= bool(is_comment and number and not line.holds_code)
                line.holds_comment |= is_comment
                line.holds_code |= not is_comment
    return lines
