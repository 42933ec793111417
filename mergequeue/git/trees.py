"""Trees walked in memory: folders that two trees share are never opened (RIG 7b).

A queue's trees share nearly all of their folders, and nearly all of the entries of the folders that
they do not share. So what has been read is kept, up to a number of entries, and of two folders that
are compared the entries that differ alone are parsed: 1,000 changes cost little more than what they
change. Paths are bytes throughout.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sized
from typing import Generic, TypeVar

import pygit2

from mergequeue.git.new_objects import NewObjects
from mergequeue.git.objects import COMMIT, TREE, read_kind, read_object, tree_of_commit
from mergequeue.git.tree_bytes import TreeBytes
from mergequeue.git.tree_entries import FOLDER, Changed, Entries, Entry, parse_tree
from mergequeue.ports import Difference
from mergequeue.vocabulary.errors import GIT_FAILED
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId

KEPT_ENTRIES = 100_000
"""Of each kind, about 20 MB."""
KEPT_BYTES = 20_000_000
"""Of commits."""

Key = TypeVar("Key")
Value = TypeVar("Value", bound=Sized)
Read = TypeVar("Read")


class Trees:
    """The trees of one repository. May be used by several threads at once."""

    def __init__(self, repository: pygit2.Repository, kept_entries: int = KEPT_ENTRIES) -> None:
        self._repository = repository
        self.new = NewObjects(repository)
        """What was made of them and is not written yet; it reads as if it were."""
        self._commits = _Kept[str, bytes](KEPT_BYTES)
        self._entries = _Kept[bytes, Entries](kept_entries)
        self._bytes = _Kept[bytes, TreeBytes](kept_entries)
        self._changed = _Kept[tuple[bytes, bytes], Changed](kept_entries)

    def tree_of(self, commit: CommitId | TreeId) -> TreeId:
        """Return the tree of a commit, or the tree itself; raise GIT_FAILED for anything else."""
        content = self._commits.find(commit)
        if content is None:
            new = self.new.find(bytes.fromhex(commit))
            kind, content = new or read_object(self._repository, commit)
            if kind == TREE:
                return TreeId(commit)
            if kind != COMMIT:
                raise GIT_FAILED(f"the object {commit} is neither a commit nor a tree")
            self._commits.keep(commit, content)
        return tree_of_commit(CommitId(commit), content)

    def commit(self, commit: str) -> bytes:
        """Return what a commit holds; raise GIT_FAILED where it is missing or none."""
        return self._commits.get(commit, lambda: read_kind(self._repository, commit, COMMIT))

    def entries(self, tree: bytes) -> Entries:
        """Return what a tree (named by its 20 bytes) holds; raise GIT_FAILED where it is none."""
        return self._entries.get(tree, lambda: self._parsed(tree, parse_tree))

    def keep(self, tree: bytes, entries: Entries) -> None:
        """Keep what a tree holds, so that it need not be read."""
        self._entries.keep(tree, entries)

    def changed(self, old: bytes, new: bytes) -> Changed:
        """Return the names that two trees hold differently; an empty id stands for no tree.

        Raises GIT_FAILED where one of them is missing or corrupt.
        """
        return self._changed.get((old, new), lambda: self._compared(old, new))

    def differences(self, old: TreeId, new: TreeId) -> tuple[Difference, ...]:
        """Return the paths that two trees hold differently, sorted."""
        found = self._compare(bytes.fromhex(old), bytes.fromhex(new))
        return tuple(sorted(found, key=lambda difference: difference.path))

    def paths(self, tree: TreeId) -> tuple[RepoPath, ...]:
        """Return every path of a tree that is no folder, sorted."""
        found = self._files(b"", (FOLDER, bytes.fromhex(tree)))
        return tuple(sorted(path for path, _ in found))

    def find(self, tree: TreeId, path: RepoPath) -> Entry | None:
        """Return what a tree holds at a path, or None."""
        entry: Entry = (FOLDER, bytes.fromhex(tree))
        for name in path.split(b"/"):
            if entry[0] != FOLDER:
                return None
            below = self.entries(entry[1]).get(name)
            if below is None:
                return None
            entry = below
        return entry

    def bytes_of(self, tree: bytes) -> TreeBytes:
        """Return a tree as it is stored; raise GIT_FAILED where it is none."""
        return self._bytes.get(tree, lambda: self._parsed(tree, TreeBytes))

    def _parsed(self, tree: bytes, parse: Callable[[bytes], Read]) -> Read:
        content = self._content(tree)
        try:
            return parse(content)
        except ValueError:
            raise GIT_FAILED(f"the tree {tree.hex()} is broken") from None

    def _content(self, tree: bytes) -> bytes:
        new = self.new.find(tree)
        return read_kind(self._repository, tree.hex(), TREE) if new is None else new[1]

    def _compared(self, old: bytes, new: bytes) -> Changed:
        parts = self.bytes_of(old).differing(self._content(new)) if old and new else None
        # Where the new one is corrupt, it is told of here.
        left, right = parts or [self.entries(tree) if tree else {} for tree in (old, new)]
        pairs = ((name, left.get(name), right.get(name)) for name in left.keys() | right.keys())
        return {name: (one, other) for name, one, other in pairs if one != other}

    def _compare(self, old: bytes, new: bytes) -> Iterator[Difference]:
        # A stack of its own, since a hostile tree can be deeper than Python's.
        waiting = [(b"", old, new)]
        while waiting:
            prefix, left, right = waiting.pop()
            for name, (one, other) in self.changed(left, right).items():
                path = prefix + name
                if one and other and one[0] == FOLDER == other[0]:
                    waiting.append((path + b"/", one[1], other[1]))
                else:
                    yield from self._replaced(path, one, other)

    def _replaced(self, path: bytes, old: Entry | None, new: Entry | None) -> Iterator[Difference]:
        """Yield what differs where a file, a folder or nothing takes another's place."""
        left = dict(self._files(path, old)) if old else {}
        right = dict(self._files(path, new)) if new else {}
        for each in left.keys() | right.keys():
            yield _difference(each, left.get(each), right.get(each))

    def _files(self, path: bytes, entry: Entry) -> Iterator[tuple[RepoPath, Entry]]:
        """Yield the entry itself, or all the files beneath it where it is a folder."""
        waiting = [(path, entry)]
        while waiting:
            place, found = waiting.pop()
            if found[0] != FOLDER:
                yield RepoPath(place), found
                continue
            prefix = place + b"/" if place else b""
            waiting += [(prefix + name, below) for name, below in self.entries(found[1]).items()]


def _difference(path: RepoPath, old: Entry | None, new: Entry | None) -> Difference:
    return Difference(
        path=path,
        old_mode=int(old[0], 8) if old else 0,
        new_mode=int(new[0], 8) if new else 0,
        new_id=new[1].hex() if new else "",
    )


class _Kept(Generic[Key, Value]):
    """Values by key, the ones used last, of a total size; for several threads at once."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key, made where it is not kept."""
        known = self.find(key)
        if known is not None:
            return known
        made = make()
        self.keep(key, made)
        return made

    def find(self, key: Key) -> Value | None:
        """Return the value of a key, where it is kept."""
        with self._lock:
            known = self._values.get(key)
            if known is not None:
                self._values.move_to_end(key)
            return known

    def keep(self, key: Key, value: Value) -> None:
        """Keep a value, and drop those that were not used for longest where it is too much."""
        with self._lock:
            if key not in self._values:
                self._values[key] = value
                self._size += len(value) + 1
                while self._size > self._limit and len(self._values) > 1:
                    _, dropped = self._values.popitem(last=False)
                    self._size -= len(dropped) + 1
