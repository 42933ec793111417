"""The patterns of a unit: as in .gitignore, the last one that matches a path's own name deciding.

Unlike git, `!` takes a path out again whatever was said of the folders above it: what a unit owns
is a question about files, and no folder is ever skipped.
"""

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from mergequeue.vocabulary.ids import RepoPath

_CLASS = re.compile(r"\\.|(\[\^?\]?[^\]]*\])", re.DOTALL)
_SPECIAL = re.compile(r"[*?\[\\]")
_LINE_FEED = "\udc0a"
"""What stands for a line feed while matching: a character that no path decodes to.

A regular expression reads a line feed as an end, so that `a.py` would match the path `a.py\\n`.
"""


class PatternError(ValueError):
    """A pattern that cannot be used, with why."""


@dataclass(frozen=True)
class Pattern:
    """One pattern."""

    regex: re.Pattern[str]
    owns: bool
    """Whether what it matches is the unit's; False after a `!`."""
    beneath: str
    """What everything it matches is, or lies beneath; empty for the whole tree."""


class Patterns:
    """The patterns of one unit, in order."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Compile them; raise PatternError."""
        self._patterns = tuple(compile_pattern(text) for text in texts)

    @property
    def beneath(self) -> frozenset[str]:
        """The folders and files that every path of the unit is, or lies beneath."""
        return frozenset(pattern.beneath for pattern in self._patterns if pattern.owns)

    def own(self, path: str) -> bool:
        """Return whether a path, as `matchable` has it, is the unit's."""
        for pattern in reversed(self._patterns):
            if pattern.regex.search(path):
                return pattern.owns
        return False


def matchable(path: RepoPath) -> str:
    """Return a path as patterns match it: any bytes."""
    return path.decode("utf-8", errors="surrogateescape").replace("\n", _LINE_FEED)


def compile_pattern(text: str) -> Pattern:
    """Return the pattern that `text` writes down; raise PatternError where it matches nothing."""
    try:
        source, owns = GitIgnoreSpecPattern.pattern_to_regex(text)
        # git lets no set match the `/` between two folders.
        regex = None if source is None else _compiled(_CLASS.sub(_without_slash, source))
    except (ValueError, re.error, FutureWarning) as error:
        raise PatternError("it is no pattern that can be read") from error
    if regex is None or owns is None:
        raise PatternError("it matches nothing")
    return Pattern(regex, owns, _beneath(text.rstrip().removeprefix("!")))


def _compiled(source: str) -> re.Pattern[str]:
    with warnings.catch_warnings():
        # Python warns of a set in a set, such as [[:alpha:]], which git alone reads as one.
        warnings.simplefilter("error", FutureWarning)
        return re.compile(source)


def _without_slash(found: re.Match[str]) -> str:
    return f"(?!/){found[1]}" if found[1] else found[0]


def _beneath(text: str) -> str:
    if "/" not in text.rstrip("/"):
        return ""
    literal = []
    for part in text.removeprefix("/").split("/"):
        if not part or _SPECIAL.search(part):
            break
        literal.append(part)
    return "/".join(literal)
