"""The objects that merging reads and makes."""

from collections.abc import Mapping

from mergequeue.git.objects import BLOB, COMMIT, TREE
from mergequeue.git.tree_bytes import TreeBytes
from mergequeue.git.tree_entries import (
    Changed,
    CommitHeader,
    Entries,
    Entry,
    format_commit,
    format_tree,
    parse_header,
)
from mergequeue.git.trees import Trees
from mergequeue.vocabulary.errors import GIT_FAILED
from mergequeue.vocabulary.ids import CommitId, TreeId

_COMMITS_HELD = 200_000
"""Headers held in memory, about 80 MB; past that they are read again."""
_NO_TREE = TreeBytes(b"")


class MergeObjects:
    """Trees and commits of one repository. May be used by several threads at once."""

    def __init__(self, trees: Trees) -> None:
        self._trees = trees
        self._commits: dict[str, CommitHeader] = {}

    def tree(self, id_: bytes) -> Entries:
        """Return what a tree holds; raise GIT_FAILED where it is missing or corrupt."""
        return self._trees.entries(id_)

    def changed(self, old: bytes, new: bytes) -> Changed:
        """Return the names that two trees hold differently; see `Trees`."""
        return self._trees.changed(old, new)

    def commit(self, id_: str) -> CommitHeader:
        """Return a commit's header; raise GIT_FAILED where it is missing or corrupt."""
        found = self._commits.get(id_)
        if found is None:
            try:
                found = parse_header(self._trees.commit(id_))
            except ValueError:
                raise GIT_FAILED(f"the commit {id_} is broken") from None
            if len(self._commits) > _COMMITS_HELD:
                self._commits.clear()
            self._commits[id_] = found
        return found

    def root(self, commit: str) -> bytes:
        """Return the id of a commit's tree."""
        return bytes.fromhex(self.commit(commit).tree)

    def root_or_tree(self, id_: CommitId | TreeId) -> bytes:
        """Return the id of a commit's tree, or of the tree that is given itself."""
        return bytes.fromhex(self._trees.tree_of(id_))

    def add_tree(self, entries: Mapping[bytes, Entry]) -> bytes:
        """Return the id of a tree that `write` is to write."""
        id_ = self._trees.new.add(TREE, format_tree(entries))
        self._trees.keep(id_, entries)
        return id_

    def edit_tree(self, tree: bytes, changes: Mapping[bytes, Entry | None]) -> bytes:
        """Return the id of a tree as another is with some names changed, which `write` is to write.

        An empty id stands for no tree.
        """
        old = self._trees.bytes_of(tree) if tree else _NO_TREE
        if old.is_as_git_writes:
            return self._trees.new.add(TREE, old.edited(changes)) if changes else tree
        changed = {**self.tree(tree), **changes}
        return self.add_tree({name: entry for name, entry in changed.items() if entry is not None})

    def add_commit(self, header: CommitHeader) -> str:
        """Return the id of a commit that `write` is to write, to stand for another in a merge."""
        return self._trees.new.add(COMMIT, format_commit(header)).hex()

    def add_blob(self, content: bytes) -> bytes:
        """Return the id of a file's content that `write` is to write."""
        return self._trees.new.add(BLOB, content)

    def write(self) -> None:
        """Write what was added; raise GIT_FAILED where that cannot be."""
        self._trees.new.write()
