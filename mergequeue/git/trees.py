"""Trees walked in memory: folders that two trees share are never opened (RIG 7b).

Trees are kept parsed, by id, up to a number of entries; a queue's trees share nearly all of their
folders, so 1,000 changes cost little more than what they change. Paths are bytes throughout.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator

import pygit2

from mergequeue.git.objects import COMMIT, TREE, parse_commit_object, read_kind, read_object
from mergequeue.git.tree_entries import FOLDER, Entries, Entry, parse_tree
from mergequeue.ports import Difference
from mergequeue.vocabulary.errors import GIT_FAILED
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId

KEPT_ENTRIES = 200_000
"""About 40 MB of parsed trees."""


class Trees:
    """The trees of one repository. May be used by several threads at once."""

    def __init__(self, repository: pygit2.Repository, kept_entries: int = KEPT_ENTRIES) -> None:
        self._repository = repository
        self._limit = kept_entries
        self._kept: OrderedDict[bytes, Entries] = OrderedDict()
        self._entries = 0
        self._lock = threading.Lock()

    def tree_of(self, commit: CommitId | TreeId) -> TreeId:
        """Return the tree of a commit, or the tree itself; raise GIT_FAILED for anything else."""
        kind, content = read_object(self._repository, commit)
        if kind == TREE:
            return TreeId(commit)
        if kind != COMMIT:
            raise GIT_FAILED(f"the object {commit} is neither a commit nor a tree")
        return parse_commit_object(CommitId(commit), content).tree

    def entries(self, tree: bytes) -> Entries:
        """Return what a tree (named by its 20 bytes) holds; raise GIT_FAILED where it is none."""
        with self._lock:
            known = self._kept.get(tree)
            if known is not None:
                self._kept.move_to_end(tree)
                return known
        parsed = self._parse(tree)
        self.keep(tree, parsed)
        return parsed

    def keep(self, tree: bytes, entries: Entries) -> None:
        """Keep what a tree holds, so that it need not be read."""
        with self._lock:
            if tree not in self._kept:
                self._kept[tree] = entries
                self._entries += len(entries) + 1
                while self._entries > self._limit and len(self._kept) > 1:
                    _, dropped = self._kept.popitem(last=False)
                    self._entries -= len(dropped) + 1

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

    def _parse(self, tree: bytes) -> Entries:
        content = read_kind(self._repository, tree.hex(), TREE)
        try:
            return parse_tree(content)
        except ValueError:
            raise GIT_FAILED(f"the tree {tree.hex()} is broken") from None

    def _compare(self, old: bytes, new: bytes) -> Iterator[Difference]:
        # A stack of its own, since a hostile tree can be deeper than Python's.
        waiting = [(b"", old, new)]
        while waiting:
            prefix, left, right = waiting.pop()
            before, after = self.entries(left), self.entries(right)
            for name in {name for name, _ in before.items() ^ after.items()}:
                one, other = before.get(name), after.get(name)
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
