"""Which changes share a line, and what each is built on (facts 3.2; DESIGN, Rulings 16)."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mergequeue.plan.reach import Reach
from mergequeue.vocabulary.ids import ChangeId, RepoPath


@dataclass(frozen=True)
class Member:
    """An admitted change, as partitioning sees it."""

    id: ChangeId
    reach: Reach
    paths: tuple[RepoPath, ...] = ()
    below: ChangeId | None = None


def partitions_of(members: Sequence[Member]) -> list[tuple[ChangeId, ...]]:
    """Return the lines of changes given in merge order, the lines in the order of their first.

    One change whose reach is not proven puts all of them in one line. Otherwise changes share
    a line when they share a unit, when one is stacked on the other, or when paths of theirs would
    be one file, or a file and a folder, where case does not count (CASES A).
    """
    if any(not member.reach.proven for member in members):
        return [tuple(member.id for member in members)]
    groups = _Groups(member.id for member in members)
    _join_by_unit(members, groups)
    _join_by_path(members, groups)
    for member in members:
        if member.below is not None:
            groups.join(member.below, member.id)
    return groups.lines()


def beneath_of(line: Sequence[ChangeId]) -> list[tuple[ChangeId, ...]]:
    """Return what each change of a line is built on: everything ahead of it.

    The one place that may assume so (DESIGN, Rulings 16).
    """
    return [tuple(line[:place]) for place in range(len(line))]


def _join_by_unit(members: Sequence[Member], groups: "_Groups") -> None:
    owners: dict[str, ChangeId] = {}
    for member in members:
        for unit in member.reach.affected or ():
            groups.join(owners.setdefault(unit, member.id), member.id)


def _join_by_path(members: Sequence[Member], groups: "_Groups") -> None:
    """Join changes with paths that are one file, or a file and a folder, where case is not told."""
    owners: dict[str, dict[str, ChangeId]] = {}
    spelled = [(member.id, _text(path)) for member in members for path in member.paths]
    for id_, text in spelled:
        owners.setdefault(_folded(text), {}).setdefault(text, id_)
    for id_, text in spelled:
        for part in _with_folders(text):
            for other_text, other in owners.get(_folded(part), {}).items():
                if other_text != text:
                    groups.join(other, id_)


def _text(path: RepoPath) -> str:
    return path.decode("utf-8", "surrogateescape")


def _folded(text: str) -> str:
    """Return the name to a file system that tells neither case nor composed letters apart."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def _with_folders(text: str) -> list[str]:
    parts = text.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]


class _Groups:
    """Union-find: each group is known by its first member."""

    def __init__(self, ids: Iterable[ChangeId]) -> None:
        self._above = {id_: id_ for id_ in ids}
        self._rank = {id_: place for place, id_ in enumerate(self._above)}

    def first(self, id_: ChangeId) -> ChangeId:
        while self._above[id_] != id_:
            self._above[id_] = self._above[self._above[id_]]
            id_ = self._above[id_]
        return id_

    def join(self, one: ChangeId, other: ChangeId) -> None:
        first, second = sorted((self.first(one), self.first(other)), key=self._rank.__getitem__)
        self._above[second] = first

    def lines(self) -> list[tuple[ChangeId, ...]]:
        found: dict[ChangeId, list[ChangeId]] = {}
        for id_ in self._above:
            found.setdefault(self.first(id_), []).append(id_)
        return [tuple(line) for line in found.values()]
