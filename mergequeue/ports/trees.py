"""Three-way merges: the two rules, and the one merge function that every stage calls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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
class Versions:
    """The three contents of a path that both sides changed, each a regular file's, by id."""

    base: str
    ours: str
    theirs: str


@dataclass(frozen=True)
class Conflict:
    """One path that a merge could not settle."""

    path: RepoPath
    kind: ConflictKind
    why: str = ""
    """Why it stayed a conflict, on one line: where it did not settle, or its class of risk."""
    versions: Versions | None = field(default=None, compare=False, repr=False)
    """What both sides made of the file, where all three hold one."""


@dataclass(frozen=True)
class Region:
    """Lines that both sides changed, and how they settled (tables, How a conflicting region)."""

    label: str
    """`path#declaration`: the heading or function that they stand in."""
    kind: int
    """1: the same change, or one side holds the other's. 2: both only added."""


@dataclass(frozen=True)
class Resolved:
    """A file whose conflict was settled, and the words for it."""

    path: RepoPath
    line: str
    """The classifier's line: the file's class of risk, and why it is of that class."""
    regions: tuple[Region, ...] = ()


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
    """Where there is no tree, the paths that stayed conflicts, each with why."""
    unrelated: bool = False
    resolved: tuple[Resolved, ...] = ()
    """The source files whose conflicts were settled for the tree, by path (facts 3.16)."""
    generated: tuple[RepoPath, ...] = ()
    """The generated paths that conflicted, sorted: each took the change's side or was removed."""


@dataclass(frozen=True)
class Completion:
    """A conflicting merge, with what each path in its way is to hold."""

    merge: ThreeWay
    rule: Rule
    contents: Mapping[RepoPath, bytes]
    """Files with their settled content; each keeps the mode that the rule merged."""
    theirs: frozenset[RepoPath] = frozenset()
    """Paths that take what the change holds there."""
    removed: frozenset[RepoPath] = frozenset()


class MergesTrees(Protocol):
    """The two rules, in bulk, where no attribute or configuration of a checkout reaches."""

    def merge_by_paths(self, merges: Sequence[ThreeWay]) -> tuple[Merged, ...]:
        """Merge path by path, following no rename.

        Only a clean tree is ever compared with another.
        """

    def merge_by_renames(self, merges: Sequence[ThreeWay]) -> tuple[Merged, ...]:
        """Merge as git's own merge-ort does, with its options at their defaults."""

    def complete(self, completions: Sequence[Completion]) -> tuple[TreeId | None, ...]:
        """Return each merge's tree with these paths in place of its conflicts.

        None where more than they is in its way.
        """


class Merging(Protocol):
    """The one merge function that every stage calls (the step of `conflicts`)."""

    def merge(self, merges: Sequence[ThreeWay]) -> tuple[Settled, ...]:
        """Merge by paths, and by renames where those stay within the change's own units.

        Where neither is clean, conflicts are settled: those of paths first, those of renames next.
        """
