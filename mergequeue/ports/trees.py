"""Three-way merges: the two rules, and the one merge function that every stage calls."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId
from mergequeue.vocabulary.words import ConflictKind, Rule


@dataclass(frozen=True)
class ThreeWay:
    """A three-way merge to make.

    With no `base`, the merge bases of the two commits are found, and merged first where there are
    several.
    """

    ours: CommitId | TreeId
    """A commit; with a chosen `base`, a tree will do."""
    theirs: CommitId
    base: CommitId | None = None
    """A chosen merge base, in place of those of the two commits."""
    recorded: CommitId | None = None
    """A commit that counts as merged into `ours` already, as a stack base does (facts 3.4, step 2).

    It is the merge base, then, unless `theirs` took in more of our history since; changes nothing
    where `ours` carries it. Not together with `base`.
    """


@dataclass(frozen=True)
class Conflict:
    """One path that a merge could not settle."""

    path: RepoPath
    kind: ConflictKind


@dataclass(frozen=True)
class Merged:
    """What one rule made of a three-way merge: a tree, or the paths in its way."""

    tree: TreeId | None
    """The clean tree; None where there is a conflict."""
    conflicts: tuple[Conflict, ...] = ()
    unrelated: bool = False
    """Whether the two commits share no history, so that there is nothing to merge from."""
    bases: tuple[CommitId, ...] = ()
    """What it was merged from: the chosen base, or the merge bases."""


@dataclass(frozen=True)
class Settled:
    """What the one merge function made of a three-way merge (DESIGN, Merging)."""

    tree: TreeId | None
    """The clean tree; None where the conflict is the author's."""
    rule: Rule = Rule.PATHS
    """The rule that made the tree; that of the conflicts where there is none."""
    conflicts: tuple[Conflict, ...] = ()
    unrelated: bool = False


class MergesTrees(Protocol):
    """The two rules, in bulk, where no attribute or configuration of a checkout reaches."""

    def merge_by_paths(self, merges: Sequence[ThreeWay]) -> tuple[Merged, ...]:
        """Merge path by path, following no rename.

        Only a clean tree is ever compared with another.
        """

    def merge_by_renames(self, merges: Sequence[ThreeWay]) -> tuple[Merged, ...]:
        """Merge as git's own merge-ort does, with its options at their defaults."""


class Merging(Protocol):
    """The one merge function that every stage calls (the step of `conflicts`)."""

    def merge(self, merges: Sequence[ThreeWay]) -> tuple[Settled, ...]:
        """Merge by paths, and by renames where those stay within the change's own units."""
