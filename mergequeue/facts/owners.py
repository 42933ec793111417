"""Whose patterns match a path: most do not, and to see that must cost next to nothing."""

from collections.abc import Mapping, Sequence

from mergequeue.facts.patterns import Patterns, text_of
from mergequeue.vocabulary.ids import RepoPath, Unit


class Owners:
    """The patterns of every unit, most of which match none of most paths."""

    def __init__(self, units: Mapping[Unit, Sequence[str]]) -> None:
        """Take each unit's patterns; raise PatternError naming one that cannot be used."""
        self._by_start: dict[str, list[tuple[Unit, Patterns]]] = {}
        for name, texts in units.items():
            patterns = Patterns(texts)
            for start in patterns.starts:
                self._by_start.setdefault(start, []).append((name, patterns))
        self._lengths = sorted({len(start) for start in self._by_start})

    def of(self, path: RepoPath) -> set[Unit]:
        """Return the units that have a pattern which matches the path."""
        text = text_of(path)
        found: set[Unit] = set()
        for length in self._lengths:
            for unit, patterns in self._by_start.get(text[:length], ()):
                if unit not in found and patterns.own(path):
                    found.add(unit)
        return found
