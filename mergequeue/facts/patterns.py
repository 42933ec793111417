"""The patterns of a unit: as in .gitignore, read by `pathspec`."""

import re
import warnings
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from pathspec import GitIgnoreSpec

from mergequeue.vocabulary.ids import RepoPath
from mergequeue.vocabulary.text import quoted

_COMPILED = 10_000
"""So many are kept: they are checked when the file is read, and used afterwards."""
_SPECIAL = re.compile(r"[*?\[\\]")
_FOLDER = re.compile(r"/?((?:[^*?\[\\/!#\s][^*?\[\\/]*/)+)(?:\*\*)?")
"""A folder named in full from the top, and whatever is in it."""


class Sign(NamedTuple):
    """What every path has that a pattern matches; each text that is empty says nothing."""

    start: str = ""
    """What it starts with."""
    name: str = ""
    """What it, or a folder that it lies in, is called."""
    end: str = ""
    """What that name ends with."""


class PatternError(ValueError):
    """A pattern that matches no path, or is none."""


class Patterns:
    """The patterns of one unit, in order."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Compile them; raise PatternError naming the first that cannot be used."""
        for text in texts:
            _check_pattern(text)
        self._spec = _compile(tuple(texts))
        self.signs = frozenset(_sign_of(text) for text in texts if not text.startswith("!"))
        """A path that has none of these is not the unit's."""
        self._folders = _folders_in(texts)

    def own(self, path: RepoPath) -> bool:
        """Return whether a path is the unit's."""
        text = text_of(path)
        return text.startswith(self._folders) or self._spec.match_file(text)


def text_of(path: RepoPath) -> str:
    """Return a path as patterns match it."""
    return _one_line(path.decode(errors="surrogateescape"))


@lru_cache(_COMPILED)
def _check_pattern(text: str) -> None:
    """Raise PatternError for a pattern that git would pass over, or that has two readings."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)
        try:
            (pattern,) = _compile((text,)).patterns
        except (ValueError, re.error, FutureWarning) as error:
            raise PatternError(f"{quoted(text)} is no pattern") from error
    if pattern.include is None:
        raise PatternError(f"{quoted(text)} matches no path")


@lru_cache(_COMPILED)
def _compile(texts: tuple[str, ...]) -> GitIgnoreSpec:
    # Named, because the faster backends, which some environment may hold, take no surrogates.
    return GitIgnoreSpec.from_lines(map(_one_line, texts), backend="simple")


def _one_line(text: str) -> str:
    """Return a text without the line breaks that end a match; no path decodes to what it holds."""
    return text.replace("\n", "\udc0a")


def _folders_in(texts: Sequence[str]) -> tuple[str, ...]:
    """Return folders that are the unit's whole: most units are one, and to see it is quick."""
    if any(text.startswith("!") for text in texts):
        return ()
    found = (_FOLDER.fullmatch(_one_line(text)) for text in texts)
    return tuple(each[1] for each in found if each is not None and "/" in each[0][:-1])


def _sign_of(text: str) -> Sign:
    text = _one_line(text).rstrip()
    start = _SPECIAL.split(text.removeprefix("/"), maxsplit=1)[0]
    if start and "/" in text[:-1]:
        return Sign(start=start)
    for name in reversed(text.strip("/").split("/")):
        if name and not _SPECIAL.search(name):
            return Sign(name=name)
        if name.startswith("*") and name[1:] and not _SPECIAL.search(name[1:]):
            return Sign(end=name[1:])
    return Sign()
