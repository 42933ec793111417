"""What a candidate with generated files is trusted for (seed 1, Trust model; facts 3.5, 3.6).

Bytes that running a change's code produced are as untrusted as code that its author typed. So
where validation regenerated something, one of two things makes the very commit that was gated:

- the base's own regeneration, run by apply, once the facts prove that nothing which it runs or
  reads changed, neither by the change nor by what this run merges beneath it;
- otherwise validation's own commit, when it adds nothing to apply's merge but regular files that
  the base declares as outputs.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.candidates.regeneration import links_among
from mergequeue.changes.writable import unwritable_path
from mergequeue.ports import Bundle, Difference, Generation, Outputs, Regenerated
from mergequeue.report import regenerating
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, CommitId, RepoPath, Unit

_FILE, _EXECUTABLE = 0o100644, 0o100755


@dataclass(frozen=True)
class Reach:
    """The paths that a regeneration of a candidate may find changed, by whose they are."""

    own: frozenset[RepoPath]
    """What the change's head differs in from where it left the base."""
    touched: frozenset[RepoPath]
    """What its merge touches."""
    beneath: frozenset[RepoPath]
    """What the candidate beneath it differs in from the base commit."""
    outputs: frozenset[RepoPath]
    """The generated files that its merge touches: what is to be rewritten."""

    @property
    def by_change(self) -> frozenset[RepoPath]:
        """What the change itself brings (facts 3.5, step 5)."""
        return self.own | (self.touched - self.outputs)

    @property
    def by_all(self) -> frozenset[RepoPath]:
        """That, and what is merged beneath it."""
        return self.by_change | (self.beneath - self.outputs)


@dataclass(frozen=True)
class Proven:
    """The base's own regeneration runs and reads nothing that changed."""

    units: tuple[Unit, ...]
    """What it is given."""


@dataclass(frozen=True)
class Unproven:
    """It may run the change's own code."""

    paths: tuple[RepoPath, ...]
    """The change's own paths that it runs or reads; the outputs, where nobody knows that."""
    why: str
    """Why nobody knows; empty where the paths say it."""


def paths_of(differences: Iterable[Difference]) -> frozenset[RepoPath]:
    """Return the paths of differences."""
    return frozenset(each.path for each in differences)


def decide_proof(
    reach: Reach, by_change: Generation, by_all: Generation
) -> Proven | Unproven | Wait:
    """Decide from what the base says of the change's own paths, and of those beneath it too.

    What fails only for what lies beneath waits: once that has merged, it is the base's own code.
    """
    if not by_change.proven:
        paths = by_change.code or tuple(sorted(reach.outputs))
        why = "" if by_change.code else by_change.unbounded_by
        return Unproven(paths, why)
    if not by_all.proven:
        return Wait(Code.WAIT_REVALIDATE, regenerating.code_beneath(by_all))
    return Proven(by_change.units)


def decide_not_regenerated(found: Regenerated) -> Wait | Kick:
    """Return what becomes of a change where the base's own regeneration was refused.

    Before it ran, the change is the reason. After that it is not: the very same had succeeded in
    validation, so the machine or a forged verdict may be.
    """
    if found.ran:
        return Wait(Code.WAIT_REVALIDATE, regenerating.failed_here(found.refused))
    return Kick(Code.KICK_REFUSED, found.refused, found.paths)


def decide_regenerated(
    commit: CommitId | None, gated: CommitId | None, paths: Sequence[RepoPath]
) -> Kick | None:
    """Return the kick of a change whose gated commit is not what the base's regeneration makes."""
    if commit == gated:
        return None
    return Kick(Code.KICK_REFUSED, regenerating.generated_otherwise(), tuple(paths))


def decide_no_bundle(base: BranchName, unproven: Unproven) -> Kick:
    """Return the kick of a change that needs regeneration which nobody could check."""
    detail = regenerating.needs_regeneration(base, unproven.why)
    return Kick(Code.KICK_REGENERATION, detail, unproven.paths)


def decide_unread_bundle(problem: str) -> Kick:
    """Return the kick of a change whose bundle is no file, or larger than any is read."""
    return Kick(Code.KICK_REFUSED, regenerating.bundle_refused(problem))


def decide_bundle(
    loaded: Bundle | str,
    merge: CommitId,
    outputs: Outputs,
    modes: Mapping[RepoPath, int],
) -> Kick | Bundle:
    """Return the bundle whose commit may be taken, or why it may not (facts 3.6).

    `outputs` is what the base says of the paths that it changes, `modes` what apply's own merge
    holds at those and at every folder that they lie in.
    """
    if isinstance(loaded, str):
        return Kick(Code.KICK_REFUSED, regenerating.bundle_refused(loaded))
    if loaded.parents != (merge,):
        return Kick(Code.KICK_REFUSED, regenerating.bundle_elsewhere(merge))
    changed = paths_of(loaded.differences)
    undeclared = tuple(sorted(changed - outputs.outputs))
    if undeclared:
        return Kick(Code.KICK_REFUSED, regenerating.bundle_beyond_outputs(), undeclared)
    odd = (*_no_plain_files(loaded.differences), *links_among(changed, modes))
    if odd:
        return Kick(Code.KICK_REFUSED, regenerating.bundle_of_other_kinds(), tuple(sorted({*odd})))
    return loaded


def decide_taken(commit: CommitId | None, gated: CommitId | None) -> Kick | None:
    """Return the kick of a change whose bundle holds a commit that the queue never makes."""
    if commit == gated:
        return None
    return Kick(Code.KICK_REFUSED, regenerating.bundle_refused("its commit is not the queue's own"))


def _no_plain_files(differences: Collection[Difference]) -> tuple[RepoPath, ...]:
    """Return the paths that become anything but a file, or a file of another mode (3.6)."""
    unwritable = unwritable_path(differences)
    odd = [each.path for each in differences if not _is_plain(each)]
    return tuple(odd) if unwritable is None else (*odd, unwritable)


def _is_plain(each: Difference) -> bool:
    if each.new_mode == _EXECUTABLE:
        return each.old_mode == _EXECUTABLE
    return each.new_mode == 0 or (each.new_mode == _FILE and each.old_mode in {0, _FILE})
