"""The paths rule: three trees merged path by path, following no rename (DESIGN, Merging).

A path that one side alone changed takes that side, from memory; one that both changed to regular
files is left for git's content merge; everything else is a conflict. A walk reads only folders that
both sides changed, and finds a file where the other side has a folder, too.

    walked = walk_trees(read, compare, base, ours, theirs)  the contents to merge, and the conflicts
    finish_walk(walked, merged contents, write)             the tree
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mergequeue.git.tree_entries import (
    FILE,
    FOLDER,
    SUBMODULE,
    Entries,
    Entry,
    is_file,
    is_folder,
)
from mergequeue.git.tree_paths import CompareTrees, EditTree, ReadTree
from mergequeue.ports import Conflict, Versions
from mergequeue.vocabulary.ids import RepoPath
from mergequeue.vocabulary.words import ConflictKind

_NOTHING: Entries = {}
_ORDINARY = (FILE, b"")


@dataclass(frozen=True)
class Contents:
    """Three contents for git to merge; the sides hold regular files, the base may hold anything."""

    base: Entry | None
    ours: bytes
    theirs: bytes


@dataclass(frozen=True)
class MergedPath:
    """One path as it comes out of a merge: an entry, contents still to be merged, or a conflict."""

    entry: Entry | None = None
    """What it holds; where contents are to be merged, its mode alone holds already."""
    contents: Contents | None = None
    conflict: ConflictKind | None = None


@dataclass
class Folder:
    """One folder that both sides changed, as the walk leaves it."""

    path: bytes
    """With the slash at its end; empty for the root."""
    name: bytes
    parent: "Folder | None"
    tree: bytes
    """Our tree, empty where we hold none."""
    held: Entries
    """What we hold in it."""
    changes: dict[bytes, Entry | None] = field(default_factory=dict)
    """What the merge puts in place of that; None where it takes a name out."""
    contents: dict[bytes, Contents] = field(default_factory=dict)
    """The names whose ids are yet to come."""
    conflicts: int = 0
    """How many of its names conflict; something is left at each."""
    below: int = 0
    """How many of the folders in it are not empty."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left in it, so that it vanishes."""
        return not (self.holds_anything or self.conflicts or self.below)

    @property
    def holds_anything(self) -> bool:
        """Whether any name is left in it that is settled."""
        if any(entry is not None for entry in self.changes.values()):
            return True
        return any(name not in self.changes for name in self.held)

    def entry(self, name: bytes) -> Entry | None:
        """Return what a name holds."""
        return self.changes[name] if name in self.changes else self.held.get(name)

    def put(self, name: bytes, entry: Entry | None) -> None:
        """Have a name hold something, or nothing."""
        if entry == self.held.get(name):
            self.changes.pop(name, None)
        else:
            self.changes[name] = entry


@dataclass
class Walked:
    """What a walk found."""

    folders: list[Folder] = field(default_factory=list)
    """Parents before children."""
    conflicts: dict[bytes, ConflictKind] = field(default_factory=dict)

    @property
    def contents(self) -> tuple[Contents, ...]:
        """The contents that git has to merge."""
        return tuple(contents for folder in self.folders for contents in folder.contents.values())


def merge_path(base: Entry | None, ours: Entry | None, theirs: Entry | None) -> MergedPath:
    """Merge one path of which no side holds a folder."""
    if ours in (base, theirs):
        return MergedPath(theirs)
    if theirs == base:
        return MergedPath(ours)
    if ours is None or theirs is None:
        return MergedPath(conflict=ConflictKind.CHANGED_AND_DELETED)
    if is_file(ours) and is_file(theirs):
        return _merge_files(base, ours, theirs)
    return MergedPath(conflict=_kind_of_conflict(base, ours, theirs))


def _merge_files(base: Entry | None, ours: Entry, theirs: Entry) -> MergedPath:
    base_mode, base_id = base if base is not None else (b"", b"")
    if ours[0] in (base_mode, theirs[0]):
        mode = theirs[0]
    elif theirs[0] == base_mode:
        mode = ours[0]
    else:
        return MergedPath(conflict=ConflictKind.MODES)
    if ours[1] in (base_id, theirs[1]):
        return MergedPath((mode, theirs[1]))
    if theirs[1] == base_id:
        return MergedPath((mode, ours[1]))
    return MergedPath((mode, b""), Contents(base, ours[1], theirs[1]))


def _kind_of_conflict(base: Entry | None, ours: Entry, theirs: Entry) -> ConflictKind:
    kinds = {FILE if is_file(side) else side[0] for side in (ours, theirs)}
    if len(kinds) > 1:
        return ConflictKind.KINDS
    if kinds == {SUBMODULE}:
        return ConflictKind.SUBMODULE
    return ConflictKind.ADDED_BY_BOTH if base is None else ConflictKind.CONTENT


def content_conflict(contents: Contents) -> ConflictKind:
    """Return the kind of conflict that contents leave which git could not merge."""
    return ConflictKind.ADDED_BY_BOTH if contents.base is None else ConflictKind.CONTENT


def walk_trees(
    read: ReadTree, compare: CompareTrees, base: bytes, ours: bytes, theirs: bytes
) -> Walked:
    """Walk three trees, given by their raw ids, and return what is left to do for a merge."""
    walked = Walked()
    queue = [(Folder(b"", b"", None, ours, read(ours)), base, theirs)]
    collisions: list[tuple[Folder, bytes, Folder]] = []
    while queue:
        folder, base, theirs = queue.pop()
        walked.folders.append(folder)
        for name, (old, new) in compare(base, theirs).items():
            merged = _merge_name(walked, folder, name, [old, folder.held.get(name), new])
            if merged is not None:
                old_tree, tree, new_tree = merged
                held = read(tree) if tree else _NOTHING
                child = Folder(folder.path + name + b"/", name, folder, tree, held)
                queue.append((child, old_tree, new_tree))
                collisions.append((folder, name, child))
    _settle_folders(walked)
    for folder, name, child in collisions:
        path = folder.path + name
        if not child.is_empty and (folder.entry(name) is not None or path in walked.conflicts):
            walked.conflicts[path] = ConflictKind.KINDS
    return walked


def _merge_name(
    walked: Walked, folder: Folder, name: bytes, entries: list[Entry | None]
) -> tuple[bytes, bytes, bytes] | None:
    """Settle one name of a folder; return the three trees to go on with, empty where missing."""
    base, ours, theirs = entries
    if ours in (base, theirs):
        _put(folder, name, MergedPath(theirs))
        return None
    trees = [entry[1] if entry is not None and is_folder(entry) else b"" for entry in entries]
    files = [None if is_folder(entry) else entry for entry in entries]
    merged = merge_path(*files)
    if merged.conflict is not None:
        walked.conflicts[folder.path + name] = merged.conflict
        folder.conflicts += 1
    _put(folder, name, merged)
    base_tree, our_tree, their_tree = trees
    return (base_tree, our_tree, their_tree) if any(trees) else None


def _put(folder: Folder, name: bytes, merged: MergedPath) -> None:
    folder.put(name, merged.entry)
    if merged.contents is not None:
        folder.contents[name] = merged.contents


def _settle_folders(walked: Walked) -> None:
    for folder in reversed(walked.folders):
        if folder.parent is not None and not folder.is_empty:
            folder.parent.below += 1


def finish_walk(walked: Walked, merged: Mapping[Contents, bytes], write: EditTree) -> bytes:
    """Return the raw id of the tree, writing what is new, once every content is merged.

    Only for a walk without conflicts, whose contents all have their merged blob in `merged`.
    """
    written = b""
    for folder in reversed(walked.folders):
        for name, contents in folder.contents.items():
            mode, _ = folder.entry(name) or _ORDINARY
            folder.put(name, (mode, merged[contents]))
        if folder.parent is None:
            written = write(folder.tree, folder.changes)
        elif folder.holds_anything:
            folder.parent.put(folder.name, (FOLDER, write(folder.tree, folder.changes)))
    return written


def complete_walk(walked: Walked, held: Mapping[bytes, Entry | None]) -> None:
    """Put at each of these paths what it is to hold, in place of a conflict.

    A mode left empty is the one that was merged, or an ordinary file's where none was.
    """
    folders = {folder.path: folder for folder in walked.folders}
    for path, entry in held.items():
        name = path.rpartition(b"/")[2]
        folder = folders[path[: len(path) - len(name)]]
        folder.contents.pop(name, None)
        walked.conflicts.pop(path, None)
        mode, _ = folder.entry(name) or _ORDINARY
        folder.put(name, None if entry is None else (entry[0] or mode, entry[1]))


def conflicts_of(walked: Walked, merged: Mapping[Contents, bytes]) -> tuple[Conflict, ...]:
    """Return every conflict, sorted by path, once git has tried the contents."""
    found = {path: Conflict(RepoPath(path), kind) for path, kind in walked.conflicts.items()}
    for folder in walked.folders:
        for name, contents in folder.contents.items():
            path = folder.path + name
            if contents not in merged and path not in found:
                found[path] = conflict_in(path, contents)
    return tuple(conflict for _, conflict in sorted(found.items()))


def conflict_in(path: bytes, contents: Contents) -> Conflict:
    """Return the conflict that contents leave which git could not merge."""
    base, versions = contents.base, None
    if base is not None and is_file(base):
        versions = Versions(base[1].hex(), contents.ours.hex(), contents.theirs.hex())
    return Conflict(RepoPath(path), content_conflict(contents), versions=versions)
