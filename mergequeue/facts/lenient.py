"""Facts by which a conflict settles in whatever file its lines settle in.

The queue lands what it settles, so it settles where the risk is low. The keeper pushes what it
settles to the change's own branch, where its author sees it and every gate runs on it.
"""

from collections.abc import Collection, Sequence

from mergequeue.ports import Affected, AutoResolve, Facts, Generation, Outputs
from mergequeue.vocabulary.ids import RepoPath, Unit
from mergequeue.vocabulary.text import one_line, path_text


class LenientFacts:
    """`Facts` of the base, but for the class of risk of an edit."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    def affected(self, paths: Sequence[RepoPath]) -> Affected:
        """Return what the base says."""
        return self._facts.affected(paths)

    def affected_many(self, sets: Sequence[Sequence[RepoPath]]) -> tuple[Affected, ...]:
        """Return what the base says."""
        return self._facts.affected_many(sets)

    def all_units(self) -> tuple[Unit, ...]:
        """Return what the base says."""
        return self._facts.all_units()

    def outputs(self, paths: Collection[RepoPath]) -> Outputs:
        """Return what the base says."""
        return self._facts.outputs(paths)

    def generation(
        self, outputs: Collection[RepoPath], changed: Collection[RepoPath]
    ) -> Generation:
        """Return what the base says."""
        return self._facts.generation(outputs, changed)

    def auto_resolve(self, path: RepoPath, base: bytes, merged: bytes) -> AutoResolve:  # noqa: ARG002 (its lines have settled, and that is enough)
        """Return that a conflict settles, whatever the edit is."""
        return AutoResolve(one_line(f"{path_text(path)}: its lines settle"), settles=True)
