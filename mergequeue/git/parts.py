"""Which of a commit's files a box holds: all of them, or those that its gate needs."""

from dataclasses import dataclass, field

import pygit2

from mergequeue.git.objects import TREE
from mergequeue.git.tree_entries import FOLDER, Entries, Entry, format_tree, is_folder
from mergequeue.git.trees import Trees
from mergequeue.ports import Keep
from mergequeue.vocabulary.errors import GIT_FAILED
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId

ATTRIBUTES = b".gitattributes"


@dataclass(frozen=True)
class Part:
    """The files of a commit that are written."""

    commit: CommitId
    tree: CommitId | TreeId
    """What holds them and no other: the commit itself, where that is all of its files."""
    left_out: tuple[RepoPath, ...] = ()
    """The commit's other files, sorted."""


class Parts:
    """Makes parts of the commits of one repository. May be used by several threads at once."""

    def __init__(self, repository: pygit2.Repository, trees: Trees) -> None:
        """Take where the trees are read, and where those of fewer files are written."""
        self._repository = repository
        self._trees = trees

    def part(self, commit: CommitId, keep: Keep | None) -> Part:
        """Return the files of a commit that are to be kept; every one where `keep` is None.

        A `.gitattributes` is always kept, since what it says is of other files. Raises GIT_FAILED
        where a tree is missing or corrupt.
        """
        if keep is None:
            return Part(commit, commit)
        root = bytes.fromhex(self._trees.tree_of(commit))
        cut = _Cut(keep)
        for prefix, tree in reversed(self._folders(root)):
            held = self._trees.entries(tree)
            kept = cut.kept(prefix, held)
            if kept or not prefix:
                cut.folders[prefix] = tree if kept == held else self._write(kept)
        if not cut.left_out:
            return Part(commit, commit)
        return Part(commit, TreeId(cut.folders[b""].hex()), tuple(sorted(cut.left_out)))

    def _folders(self, root: bytes) -> list[tuple[bytes, bytes]]:
        """Return every folder, as what its paths start with and its tree, before those in it."""
        # No recursion, since a hostile tree can be deeper than Python's.
        found = [(b"", root)]
        for prefix, tree in found:
            below = self._trees.entries(tree).items()
            found += [(prefix + name + b"/", each[1]) for name, each in below if is_folder(each)]
        return found

    def _write(self, entries: Entries) -> bytes:
        try:
            return self._repository.write(TREE, format_tree(entries)).raw
        except pygit2.GitError as error:
            raise GIT_FAILED(f"a part of a tree could not be written: {error}") from error


@dataclass
class _Cut:
    """Folders without the files that are not kept, from the deepest up."""

    keep: Keep
    folders: dict[bytes, bytes] = field(default_factory=dict)
    """The trees of those that hold anything, by what paths in them start with."""
    left_out: list[RepoPath] = field(default_factory=list)

    def kept(self, prefix: bytes, held: Entries) -> dict[bytes, Entry]:
        """Return what a folder holds then; the folders in it were cut before it."""
        kept: dict[bytes, Entry] = {}
        for name, entry in held.items():
            path = RepoPath(prefix + name)
            if is_folder(entry):
                tree = self.folders.get(path + b"/")
                if tree is not None:
                    kept[name] = (FOLDER, tree)
            elif name.lower() == ATTRIBUTES or self.keep(path):
                kept[name] = entry
            else:
                self.left_out.append(path)
        return kept
