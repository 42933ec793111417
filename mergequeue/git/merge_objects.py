"""The objects that merging reads and writes.

What is written is held back until somebody has to read it, and then lands all together: 1,000
merges write thousands of trees, and as many small files would take longer than the merges.
"""

import secrets
from collections.abc import Iterator, Mapping
from hashlib import sha1
from pathlib import Path
from threading import Lock

import pygit2

from mergequeue.git.objects import BLOB, COMMIT, TREE, read_kind
from mergequeue.git.packs import PackedObject, format_pack
from mergequeue.git.tree_bytes import TreeBytes
from mergequeue.git.tree_entries import (
    Changed,
    CommitHeader,
    Entries,
    Entry,
    format_commit,
    format_tree,
    parse_header,
    parse_tree,
)
from mergequeue.git.trees import Trees
from mergequeue.vocabulary.errors import GIT_FAILED
from mergequeue.vocabulary.ids import CommitId, TreeId

_FEW = 50
"""So many objects are written one by one: many small packs are slow to look things up in."""
_PACK_BYTES = 1 << 30
"""How much content one pack is given."""
_COMMITS_HELD = 200_000
"""Headers held in memory, about 80 MB; past that they are read again."""
_NO_TREE = TreeBytes(b"")
_KIND_NAMES = {COMMIT: b"commit", TREE: b"tree", BLOB: b"blob"}


class MergeObjects:
    """Trees and commits of one repository. May be used by several threads at once."""

    def __init__(self, repository: pygit2.Repository, trees: Trees) -> None:
        self._repository = repository
        self._trees = trees
        self._commits: dict[str, CommitHeader] = {}
        self._held_back: dict[bytes, PackedObject] = {}
        self._new_trees: dict[bytes, Entries] = {}
        self._lock = Lock()

    def tree(self, id_: bytes) -> Entries:
        """Return what a tree holds; raise GIT_FAILED where it is missing or corrupt."""
        found = self._new_trees.get(id_)
        if found is not None:
            return found
        new = self._held_back.get(id_)
        return self._trees.entries(id_) if new is None else parse_tree(new[1])

    def changed(self, old: bytes, new: bytes) -> Changed:
        """Return the names that two trees which are written hold differently; see `Trees`."""
        return self._trees.changed(old, new)

    def commit(self, id_: str) -> CommitHeader:
        """Return a commit's header; raise GIT_FAILED where it is missing or corrupt."""
        found = self._commits.get(id_)
        if found is None:
            raw = read_kind(self._repository, id_, COMMIT)
            try:
                found = parse_header(raw)
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
        id_ = self._add(TREE, format_tree(entries))
        with self._lock:
            if id_ in self._held_back:
                self._new_trees[id_] = entries
        return id_

    def edit_tree(self, tree: bytes, changes: Mapping[bytes, Entry | None]) -> bytes:
        """Return the id of a tree as another is with some names changed, which `write` is to write.

        An empty id stands for no tree.
        """
        old = self._trees.bytes_of(tree) if tree else _NO_TREE
        if old.is_as_git_writes:
            return self._add(TREE, old.edited(changes)) if changes else tree
        changed = {**self.tree(tree), **changes}
        return self.add_tree({name: entry for name, entry in changed.items() if entry is not None})

    def add_commit(self, header: CommitHeader) -> str:
        """Return the id of a commit that `write` is to write, to stand for another in a merge."""
        return self._add(COMMIT, format_commit(header)).hex()

    def add_blob(self, content: bytes) -> bytes:
        """Return the id of a file's content that `write` is to write."""
        return self._add(BLOB, content)

    def write(self) -> None:
        """Write what was added; raise GIT_FAILED where that cannot be."""
        with self._lock:
            batch = dict(self._held_back)
        if len(batch) > _FEW:
            for group in _groups(batch):
                self._write_pack(group)
        else:
            for kind, content in batch.values():
                self._repository.write(kind, content)
        with self._lock:
            for id_ in batch:
                self._held_back.pop(id_, None)
                entries = self._new_trees.pop(id_, None)
                if entries is not None:
                    self._trees.keep(id_, entries)

    def _write_pack(self, objects: Mapping[bytes, PackedObject]) -> None:
        pack, index = format_pack(objects)
        folder = Path(self._repository.path, "objects", "pack")
        place = folder / f"pack-{pack[-20:].hex()}.pack"
        try:
            if not place.with_suffix(".idx").exists():
                place.write_bytes(pack)
                # Whoever sees the index reads the pack.
                written = folder / f"{secrets.token_hex(8)}.tmp"
                written.write_bytes(index)
                written.rename(place.with_suffix(".idx"))
        except OSError as error:
            raise GIT_FAILED(f"merged trees could not be written: {error.strerror}") from error

    def _add(self, kind: int, content: bytes) -> bytes:
        header = b"%s %d\0" % (_KIND_NAMES[kind], len(content))
        id_ = sha1(header + content, usedforsecurity=False).digest()
        with self._lock:
            self._held_back[id_] = (kind, content)
        return id_


def _groups(objects: Mapping[bytes, PackedObject]) -> Iterator[dict[bytes, PackedObject]]:
    group: dict[bytes, PackedObject] = {}
    size = 0
    for id_, (kind, content) in objects.items():
        if group and size + len(content) > _PACK_BYTES:
            yield group
            group, size = {}, 0
        group[id_] = (kind, content)
        size += len(content)
    yield group
