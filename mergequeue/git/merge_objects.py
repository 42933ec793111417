"""The objects that merging reads and writes, read once each and held within a limit."""

from collections.abc import Mapping
from hashlib import sha1
from threading import Lock

import pygit2
from pygit2.enums import ObjectType

from mergequeue.git.tree_entries import (
    CommitHeader,
    Entries,
    Entry,
    format_commit,
    format_tree,
    parse_commit,
    parse_tree,
)
from mergequeue.vocabulary.errors import GIT_FAILED

_ENTRIES_HELD = 300_000
"""Entries of trees held in memory, about 60 MB; the trees read first are let go first."""
EMPTY_TREE = sha1(b"tree 0\0", usedforsecurity=False).digest()
"""The raw id of a tree that holds nothing."""


class MergeObjects:
    """Trees and commits of one repository. May be used by many threads."""

    def __init__(self, repository: pygit2.Repository) -> None:
        self._repository = repository
        self._trees: dict[bytes, Entries] = {EMPTY_TREE: {}}
        self._held = 0
        self._commits: dict[str, CommitHeader] = {}
        self._lock = Lock()

    def tree(self, id_: bytes) -> Entries:
        """Return what a tree holds; raise GIT_FAILED where it is missing or corrupt."""
        found = self._trees.get(id_)
        if found is None:
            raw = self._read(pygit2.Oid(raw=id_), ObjectType.TREE)
            try:
                found = parse_tree(raw)
            except ValueError as error:
                raise GIT_FAILED(f"{id_.hex()} is {error}") from error
            self._hold(id_, found)
        return found

    def commit(self, id_: str) -> CommitHeader:
        """Return a commit's header; raise GIT_FAILED where it is missing or corrupt."""
        found = self._commits.get(id_)
        if found is None:
            raw = self._read(pygit2.Oid(hex=id_), ObjectType.COMMIT)
            try:
                found = parse_commit(raw)
            except ValueError as error:
                raise GIT_FAILED(f"{id_} is {error}") from error
            self._commits[id_] = found
        return found

    def root(self, commit: str) -> bytes:
        """Return the raw id of a commit's tree."""
        return bytes.fromhex(self.commit(commit).tree)

    def write_tree(self, entries: Mapping[bytes, Entry]) -> bytes:
        """Write a tree and return its raw id."""
        id_ = self._repository.write(ObjectType.TREE, format_tree(entries)).raw
        self._hold(id_, entries)
        return id_

    def write_commit(self, header: CommitHeader) -> str:
        """Write a commit that stands for another while trees are merged, and return its id."""
        return str(self._repository.write(ObjectType.COMMIT, format_commit(header)))

    def _read(self, id_: pygit2.Oid, kind: ObjectType) -> bytes:
        try:
            found, raw = self._repository.read(id_)
        except (KeyError, ValueError, pygit2.GitError) as error:
            raise GIT_FAILED(f"object {id_} is missing or corrupt") from error
        if found != kind:
            raise GIT_FAILED(f"object {id_} is no {kind.name.lower()}")
        return raw

    def _hold(self, id_: bytes, entries: Entries) -> None:
        with self._lock:
            if id_ in self._trees:
                return
            self._trees[id_] = entries
            self._held += len(entries)
            while self._held > _ENTRIES_HELD:
                self._held -= len(self._trees.pop(next(iter(self._trees))))
