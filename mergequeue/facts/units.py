"""The units of `mergequeue.toml`, and what a change of some paths can reach."""

from collections.abc import Mapping, Sequence

from mergequeue.documents.config import Configuration, UnitTable
from mergequeue.facts.patterns import Patterns
from mergequeue.ports import Affected
from mergequeue.vocabulary.ids import ALL_UNITS, RepoPath, Unit
from mergequeue.vocabulary.text import path_text


class UnitFacts:
    """The `Facts` port over a configuration (DESIGN, Facts).

    A path reaches the units that own it and every unit that depends on one of those, however far. A
    path that no unit owns is the unit's that `rest` names, or else makes the set no proof. Without
    any unit there is one, everything.
    """

    def __init__(self, configuration: Configuration) -> None:
        """Take the units of a configuration that `load_configuration` has checked."""
        self._rest = configuration.queue.rest
        if not configuration.unit and self._rest is None:
            self._rest = ALL_UNITS
        names = {*configuration.unit, *([self._rest] if self._rest is not None else [])}
        self._all = tuple(sorted(names))
        self._patterns = {name: Patterns(unit.paths) for name, unit in configuration.unit.items()}
        self._dependents = _dependents(configuration.unit)
        self._reach_of_unit: dict[Unit, frozenset[Unit]] = {}
        self._reach_of_path: dict[RepoPath, frozenset[Unit]] = {}

    def affected(self, paths: Sequence[RepoPath]) -> Affected:
        """Return the units that a change of these paths can reach.

        A path that nothing owns is named in `unbounded_by`, the first of them by name.
        """
        found: set[Unit] = set()
        unowned: list[RepoPath] = []
        for path in paths:
            reach = self._reach(path)
            found |= reach
            if not reach:
                unowned.append(path)
        reason = f"no unit owns {path_text(min(unowned))}" if unowned else ""
        return Affected(tuple(sorted(found)), reason)

    def affected_many(self, sets: Sequence[Sequence[RepoPath]]) -> tuple[Affected, ...]:
        """Return `affected` for each set."""
        return tuple(self.affected(paths) for paths in sets)

    def all_units(self) -> tuple[Unit, ...]:
        """Return every unit by its name, for a gate whose reach is not proven."""
        return self._all

    def _reach(self, path: RepoPath) -> frozenset[Unit]:
        """Return what a change of one path reaches; nothing where no unit owns it."""
        if path not in self._reach_of_path:
            owners = self._owners(path)
            reaches = [self._reach_from(owner) for owner in owners]
            self._reach_of_path[path] = frozenset().union(*reaches)
        return self._reach_of_path[path]

    def _owners(self, path: RepoPath) -> set[Unit]:
        owners = {unit for unit, patterns in self._patterns.items() if patterns.own(path)}
        if not owners and self._rest is not None:
            return {self._rest}
        return owners

    def _reach_from(self, unit: Unit) -> frozenset[Unit]:
        if unit not in self._reach_of_unit:
            found = {unit}
            waiting = [unit]
            while waiting:
                fresh = self._dependents.get(waiting.pop(), set()) - found
                found |= fresh
                waiting.extend(fresh)
            self._reach_of_unit[unit] = frozenset(found)
        return self._reach_of_unit[unit]


def _dependents(units: Mapping[Unit, UnitTable]) -> dict[Unit, set[Unit]]:
    found: dict[Unit, set[Unit]] = {}
    for name, unit in units.items():
        for beneath in unit.depends:
            found.setdefault(beneath, set()).add(name)
    return found
