"""Regenerating files in a box, and carrying what came of it from validate to apply.

A regeneration is no gate: apply is handed this right and not that one (DESIGN, rule 3).
"""

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from mergequeue.ports.facts import Facts
from mergequeue.ports.gates import Box, Boxes, GateEnd
from mergequeue.ports.git import Difference
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId, Unit


@dataclass(frozen=True)
class RegenerationRun:
    """A regeneration to run."""

    box: Box
    units: tuple[Unit, ...]
    """Appended to its own words."""
    paths: tuple[RepoPath, ...]
    """The generated files to rewrite, for its standard input; none holds a line break."""
    tag: str
    """What each line of its output starts with: `<12 digits> regenerate`."""


class Regenerations(Protocol):
    """The regeneration, run as a gate is."""

    def run(self, run: RegenerationRun) -> GateEnd:
        """Run it to its end; raise HOOK_NOT_STARTED where its program cannot be started."""

    def cancel(self) -> None:
        """Stop it where it runs, and each that is started later."""


@dataclass(frozen=True)
class Touched:
    """What a hook did to the files of a box's checkout; what git ignores is left out."""

    changed: frozenset[RepoPath] = frozenset()
    """Files of the commit that were written, replaced or removed, whether their content differs or
    not.
    """
    new: frozenset[RepoPath] = frozenset()
    """What is in the checkout and not in the commit."""
    tampered: str = ""
    """What is no longer as the queue made it, such as the checkout's `.git`; in words."""


@dataclass(frozen=True)
class Untaken:
    """Files of a checkout that make no tree."""

    why: str
    """What is too large, or no file; in words."""


class Watch(Protocol):
    """A box's files as they were when the watch began."""

    def touched(self) -> Touched:
        """Return what became of them; nothing in the checkout is followed, opened or run."""

    def tree(self, paths: Collection[RepoPath]) -> "TreeId | Untaken":
        """Return the commit's tree with these paths as they are in the checkout.

        They are read through no link, and written as git would with the attributes of the commit.
        """


class BoxFiles(Protocol):
    """Looking at what a hook left in a box, with a git directory of the queue's own."""

    def watch(self, box: Box, commit: CommitId) -> AbstractContextManager[Watch]:
        """Look at a box before a hook runs in it; `commit` is what is checked out there."""


class Bundle(Protocol):
    """The one commit of a bundle, loaded where it can harm nothing."""

    @property
    def parents(self) -> tuple[CommitId, ...]:
        """The commit's parents."""

    @property
    def differences(self) -> tuple[Difference, ...]:
        """What it changes in the commit that it was said to stand on."""

    def take(self) -> TreeId:
        """Write what its tree adds to that commit's into the queue's own store; return the tree."""


class Bundles(Protocol):
    """Candidates on the way from validate to apply, as git bundles."""

    def pack(self, commit: CommitId, beneath: CommitId) -> bytes:
        """Return the bundle of one commit on the commit beneath it."""

    def load(
        self, bundle: bytes, commit: CommitId, beneath: CommitId
    ) -> AbstractContextManager[Bundle | str]:
        """Load a bundle that anybody may have written; a text says why it does not load."""


@dataclass(frozen=True)
class Stale:
    """Generated files to rewrite in a commit."""

    commit: CommitId
    units: tuple[Unit, ...]
    """What the hook is given."""
    outputs: tuple[RepoPath, ...]
    """The files, sorted."""
    touched: Sequence[RepoPath] = ()
    """Every path that may not lie beneath a link, or be one: what the commit's change touches."""


@dataclass(frozen=True)
class Regenerated:
    """What a regeneration made of a commit, or why it was refused."""

    tree: TreeId | None
    """The commit's tree with what was regenerated; None where that was refused."""
    refused: str = ""
    """Why, as a sentence of Markdown."""
    paths: tuple[RepoPath, ...] = ()
    """The paths that it was refused for."""
    ran: bool = False
    """Whether the hook ran: what is refused before is the change's alone."""
    line: str = ""
    """The command as a person would type it, units included."""


@dataclass(frozen=True)
class RegenerationTools:
    """Everything that it takes to regenerate."""

    facts: Facts
    boxes: Boxes
    files: BoxFiles
    hooks: Regenerations
