"""The class of risk of an edit, which says whether a conflict in it may be settled (facts 3.16).

    generated     a unit's regeneration writes the file
    prose         a pattern of `[auto_resolve] prose` matches it
    code          anything else, settled only where a pattern of `[auto_resolve] allow` matches it
    comment-only  code of which nothing but comments changes

The first of them in the order above that lets a conflict be settled is named.
"""

from collections.abc import Sequence

from mergequeue.documents.config import FILE, AutoResolveTable
from mergequeue.facts.comments import more_than_comments
from mergequeue.facts.patterns import Patterns
from mergequeue.ports import AutoResolve
from mergequeue.vocabulary.ids import RepoPath
from mergequeue.vocabulary.text import one_line, path_text

PROSE = ("**/*.md",)
"""What is prose where the base's file says nothing of it."""


class Risk:
    """The classifier over `[auto_resolve]`."""

    def __init__(self, table: AutoResolveTable) -> None:
        """Take the table; raise PatternError naming a pattern that cannot be used."""
        built_in = table.prose is None
        self._prose = _Globs(table.prose if table.prose is not None else PROSE)
        self._prose_from = "built-in default" if built_in else f"auto_resolve.prose of {FILE}"
        self._allow = _Globs(table.allow)

    def classify(
        self, path: RepoPath, base: bytes, merged: bytes, *, generated: bool
    ) -> AutoResolve:
        """Return the class of an edit; `generated` says whether a unit's regeneration writes it."""
        if generated:
            return _classed(path, "generated (an output of its unit)", settles=True)
        prose = self._prose.match(path)
        if prose:
            return _classed(path, f'prose (matches "{prose}" ({self._prose_from}))', settles=True)
        allowed = self._allow.match(path)
        if allowed:
            source = f"auto_resolve.allow of {FILE}"
            return _classed(path, f'code (matches "{allowed}" ({source}))', settles=True)
        name = path.rpartition(b"/")[2].decode(errors="replace")
        more = more_than_comments(name, base, merged)
        if more:
            return _classed(path, f"code ({more})", settles=False)
        return _classed(path, "comment-only", settles=True)


class _Globs:
    def __init__(self, texts: Sequence[str]) -> None:
        self._all = Patterns(texts)
        self._each = [(text, Patterns([text])) for text in texts if not text.startswith("!")]

    def match(self, path: RepoPath) -> str:
        """Return the last pattern that matches a path; nothing where one takes it out again."""
        if not self._all.own(path):
            return ""
        return next(text for text, pattern in reversed(self._each) if pattern.own(path))


def _classed(path: RepoPath, words: str, *, settles: bool) -> AutoResolve:
    return AutoResolve(one_line(f"{path_text(path)}: {words}"), settles)
