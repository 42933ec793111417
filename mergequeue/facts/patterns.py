"""The patterns of a unit: as in .gitignore, byte for byte, the last that matches a path deciding.

Unlike git, `!` takes a path out again whatever was said of the folders above it: what a unit owns
is a question about files, and no folder is ever skipped.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mergequeue.vocabulary.ids import RepoPath

_SPECIAL = re.compile(rb"[*?\[\\]")
_DEEP = re.compile(rb"\*\*+\Z")
_SLASH = ord("/")
_ANYWHERE = b"(?:.*/)?"
_WITHIN = b"/.*"


class PatternError(ValueError):
    """A pattern that cannot be used, with why."""


@dataclass(frozen=True)
class Pattern:
    """One pattern."""

    regex: re.Pattern[bytes]
    """What a path is in full where the pattern matches it, or a folder above it."""
    owns: bool
    """Whether what it matches is the unit's; False after a `!`."""
    beneath: bytes
    """What everything it matches is, or lies beneath; empty for the whole tree."""


class Patterns:
    """The patterns of one unit, in order."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Compile them; raise PatternError."""
        self._patterns = tuple(compile_pattern(text) for text in texts)

    @property
    def beneath(self) -> frozenset[bytes]:
        """The folders and files that every path of the unit is, or lies beneath."""
        return frozenset(pattern.beneath for pattern in self._patterns if pattern.owns)

    def own(self, path: RepoPath) -> bool:
        """Return whether a path is the unit's."""
        for pattern in reversed(self._patterns):
            if pattern.regex.fullmatch(path):
                return pattern.owns
        return False


def compile_pattern(text: str) -> Pattern:
    """Return the pattern that `text` writes down; raise PatternError where it matches nothing."""
    raw = text.encode()
    while raw.endswith(b" ") and not raw.endswith(b"\\ "):
        raw = raw[:-1]
    if not raw or raw.startswith(b"#"):
        raise PatternError("a comment or nothing matches no path")
    owns = not raw.startswith(b"!")
    raw = raw.removeprefix(b"!")
    body = raw.removesuffix(b"/")
    if not body:
        raise PatternError("it names nothing")
    if b"/" in body:
        body = body.removeprefix(b"/")
        matched = _path_regex(body)
        beneath = _literal_start(body)
    else:
        matched = _ANYWHERE + _part_regex(body)
        beneath = b""
    within = _WITHIN if raw.endswith(b"/") else b"(?:" + _WITHIN + b")?"
    return Pattern(re.compile(matched + within, re.DOTALL), owns, beneath)


def _path_regex(body: bytes) -> bytes:
    """Return what a pattern of several parts matches; `**` as a part is any number of them."""
    *above, last = body.split(b"/")
    found = b""
    for part in above:
        found += _ANYWHERE if _DEEP.match(part) else _part_regex(part) + b"/"
    return found + (b".+" if _DEEP.match(last) else _part_regex(last))


def _part_regex(part: bytes) -> bytes:
    """Return what one part of a path matches."""
    place = 0
    found = b""
    while place < len(part):
        byte = part[place : place + 1]
        place += 1
        if byte == b"*":
            found += b"[^/]*"
        elif byte == b"?":
            found += b"[^/]"
        elif byte == b"[":
            members, place = _members(part, place)
            found += b"[" + b"".join(b"\\x%02x" % member for member in members) + b"]"
        elif byte == b"\\":
            found += re.escape(_at(part, place))
            place += 1
        else:
            found += re.escape(byte)
    return found


def _members(part: bytes, place: int) -> tuple[list[int], int]:
    """Return the bytes that the set opened right before `place` matches, and where it ends.

    Read as git reads it: `]` right after the opening is a member, a backslash escapes, and the `/`
    between two folders is never one. Raises PatternError for a set that nothing is in.
    """
    negated = _at(part, place) in b"!^"
    start = place = place + negated
    found: set[int] = set()
    low: bytes | None = None
    while place == start or _at(part, place) != b"]":
        byte = _at(part, place)
        if byte == b"[" and _at(part, place + 1) == b":":
            raise PatternError("a class such as [:alpha:] in it is not known here")
        ranged = low is not None and byte == b"-" and _at(part, place + 1) != b"]"
        place += ranged
        place += _at(part, place) == b"\\"
        high = _at(part, place)
        found.update(range((low if ranged and low else high)[0], high[0] + 1))
        low = None if ranged else high
        place += 1
    members = set(range(256)) - found if negated else found
    if not members - {_SLASH}:
        raise PatternError("a set in it matches nothing")
    return sorted(members - {_SLASH}), place + 1


def _at(part: bytes, place: int) -> bytes:
    if place >= len(part):
        raise PatternError("a `[` or a backslash in it is not finished")
    return part[place : place + 1]


def _literal_start(body: bytes) -> bytes:
    """Return the parts that a pattern starts with and that mean themselves alone."""
    literal = []
    for part in body.split(b"/"):
        if _SPECIAL.search(part):
            break
        literal.append(part)
    return b"/".join(literal)
