"""What the units of `mergequeue.toml` generate, and with which code (DESIGN, Facts)."""

from collections.abc import Collection, Mapping, Sequence

from mergequeue.documents.config import UnitTable
from mergequeue.facts.generators import code_of_words, is_build_file
from mergequeue.facts.owners import Owners
from mergequeue.ports import Generation, Outputs
from mergequeue.vocabulary.ids import RepoPath, Unit
from mergequeue.vocabulary.text import path_text


class UnitGeneration:
    """What the units' `outputs`, `updates` and `generator` say."""

    def __init__(self, units: Mapping[Unit, UnitTable], words: Sequence[str]) -> None:
        """Take the units, and the words of the regeneration that runs."""
        self._words = tuple(words)
        self._outputs = Owners({name: unit.outputs for name, unit in units.items()})
        self._updates = Owners({name: unit.updates for name, unit in units.items()})
        self._generators = Owners({name: unit.generator for name, unit in units.items()})
        self._undeclared = frozenset(name for name, unit in units.items() if not unit.generator)

    def outputs(self, paths: Collection[RepoPath]) -> Outputs:
        """Return which paths the units' generators write.

        What one unit writes whole is generated, whichever other rewrites it in place.
        """
        outputs = frozenset(path for path in paths if self._outputs.of(path))
        updated = frozenset(path for path in paths if self._updates.of(path))
        return Outputs(outputs, updated - outputs)

    def generation(
        self, outputs: Collection[RepoPath], changed: Collection[RepoPath]
    ) -> Generation:
        """Return the units that write these outputs, and which changed paths are their code.

        The generator of any unit is code, since nothing holds the hook to the units it is given,
        and so is what build tools read by themselves. An output of no unit, and a unit that has no
        `generator`, are never proven.
        """
        owners = {path: self._outputs.of(path) for path in sorted(outputs)}
        units = frozenset[Unit]().union(*owners.values())
        code = {path for path in changed if self._generators.of(path) or is_build_file(path)}
        code |= code_of_words(self._words, changed)
        return Generation(
            tuple(sorted(units)), tuple(sorted(code)), self._unbounded_by(owners, units)
        )

    def _unbounded_by(
        self, owners: Mapping[RepoPath, Collection[Unit]], units: frozenset[Unit]
    ) -> str:
        unowned = next((path for path, found in owners.items() if not found), None)
        if unowned is not None:
            return f"no unit generates {path_text(unowned)}"
        undeclared = min(units & self._undeclared, default=None)
        return "" if undeclared is None else f"the unit {undeclared} names no generator"
