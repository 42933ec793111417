"""Whose patterns match a path: most do not, and to see that must cost next to nothing."""

from collections.abc import Iterator, Mapping, Sequence

from mergequeue.facts.patterns import Patterns, Sign, text_of
from mergequeue.vocabulary.ids import RepoPath, Unit


class Owners:
    """The patterns of every unit, most of which match none of most paths."""

    def __init__(self, units: Mapping[Unit, Sequence[str]]) -> None:
        """Take each unit's patterns; raise PatternError naming one that cannot be used."""
        self._by_sign: dict[Sign, list[tuple[Unit, Patterns]]] = {}
        for name, texts in units.items():
            patterns = Patterns(texts)
            for sign in patterns.signs:
                self._by_sign.setdefault(sign, []).append((name, patterns))
        self._starts = sorted({len(sign.start) for sign in self._by_sign})
        self._ends = sorted({len(sign.end) for sign in self._by_sign if sign.end})

    def of(self, path: RepoPath) -> set[Unit]:
        """Return the units that have a pattern which matches the path."""
        found: set[Unit] = set()
        for sign in self._signs_of(text_of(path)):
            for unit, patterns in self._by_sign.get(sign, ()):
                if unit not in found and patterns.own(path):
                    found.add(unit)
        return found

    def _signs_of(self, text: str) -> Iterator[Sign]:
        """Yield every sign that a path has and a pattern may have; one without any text, too."""
        for length in self._starts:
            yield Sign(start=text[:length])
        for name in set(text.split("/")):
            yield Sign(name=name)
            for length in self._ends:
                yield Sign(end=name[-length:])
