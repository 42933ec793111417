"""The units of `mergequeue.toml`, and what a change of some paths can reach."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from mergequeue.documents.config import Configuration, UnitTable
from mergequeue.facts.generated import UnitGeneration
from mergequeue.facts.owners import Owners
from mergequeue.facts.risk import Risk
from mergequeue.ports import Affected, AutoResolve, Generation, Keep, Outputs
from mergequeue.vocabulary.ids import ALL_UNITS, RepoPath, Unit
from mergequeue.vocabulary.text import path_text


class UnitFacts:
    """The `Facts` port over a configuration (DESIGN, Facts).

    A path reaches the units that own it and every unit that depends on one of those, however far. A
    path that no unit owns is the unit's that `rest` names, or else makes the set no proof. Without
    any unit there is one, everything.
    """

    def __init__(self, configuration: Configuration, regenerate: Sequence[str] = ()) -> None:
        """Take the units of a configuration that `load_configuration` has checked.

        `regenerate` is the words of the regeneration that runs, none where there is none.
        """
        self._generated = UnitGeneration(configuration.unit, regenerate)
        self._risk = Risk(configuration.auto_resolve)
        self._rest = configuration.queue.rest
        if not configuration.unit and self._rest is None:
            self._rest = ALL_UNITS
        names = {*configuration.unit, *([self._rest] if self._rest is not None else [])}
        self._all = tuple(sorted(names))
        self._patterns = Owners({name: unit.paths for name, unit in configuration.unit.items()})
        self._depends = {name: unit.depends for name, unit in configuration.unit.items()}
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

    def outputs(self, paths: Collection[RepoPath]) -> Outputs:
        """Return how the units generate these paths, where they do."""
        return self._generated.outputs(paths)

    def generation(
        self, outputs: Collection[RepoPath], changed: Collection[RepoPath]
    ) -> Generation:
        """Return what regenerating these outputs runs and reads, and which of it changed."""
        return self._generated.generation(outputs, changed)

    def auto_resolve(self, path: RepoPath, base: bytes, merged: bytes) -> AutoResolve:
        """Return the class of risk of an edit, by the units' outputs and `[auto_resolve]`."""
        generated = path in self._generated.outputs([path]).outputs
        return self._risk.classify(path, base, merged, generated=generated)

    def needed(self, units: Sequence[Unit]) -> Keep | None:
        """Return which files a gate of these units needs; None where that is every one.

        They are the files of the units, of what those are built from, however far, and of no unit:
        those that nothing owns, or `rest` does. Of a unit that the base does not know nobody can
        say what it needs.
        """
        everything = frozenset(self._all)
        needed = _closure([*units, *filter(None, [self._rest])], self._depends)
        if needed >= everything or not needed <= everything:
            return None

        def keep(path: RepoPath) -> bool:
            owners = self._owners(path)
            return not owners or not owners.isdisjoint(needed)

        return keep

    def _reach(self, path: RepoPath) -> frozenset[Unit]:
        """Return what a change of one path reaches; nothing where no unit owns it."""
        if path not in self._reach_of_path:
            owners = self._owners(path)
            reaches = [self._reach_from(owner) for owner in owners]
            self._reach_of_path[path] = frozenset().union(*reaches)
        return self._reach_of_path[path]

    def _owners(self, path: RepoPath) -> set[Unit]:
        owners = self._patterns.of(path)
        if not owners and self._rest is not None:
            return {self._rest}
        return owners

    def _reach_from(self, unit: Unit) -> frozenset[Unit]:
        if unit not in self._reach_of_unit:
            self._reach_of_unit[unit] = _closure([unit], self._dependents)
        return self._reach_of_unit[unit]


def _closure(units: Iterable[Unit], edges: Mapping[Unit, Collection[Unit]]) -> frozenset[Unit]:
    """Return these units and all that edges lead to from them."""
    found = set(units)
    waiting = list(found)
    while waiting:
        fresh = set(edges.get(waiting.pop(), ())) - found
        found |= fresh
        waiting.extend(fresh)
    return frozenset(found)


def _dependents(units: Mapping[Unit, UnitTable]) -> dict[Unit, set[Unit]]:
    found: dict[Unit, set[Unit]] = {}
    for name, unit in units.items():
        for beneath in unit.depends:
            found.setdefault(beneath, set()).add(name)
    return found
