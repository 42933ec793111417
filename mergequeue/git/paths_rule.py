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
    Entry,
    is_file,
    is_folder,
)
from mergequeue.git.tree_paths import CompareTrees, ReadTree, WriteTree
from mergequeue.ports import Conflict, Versions
from mergequeue.vocabulary.ids import RepoPath
from mergequeue.vocabulary.words import ConflictKind


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
    entries: dict[bytes, Entry]
    contents: dict[bytes, Contents] = field(default_factory=dict)
    """The names among the entries whose ids are yet to come."""
    conflicts: int = 0
    """How many of its names conflict; something is left at each."""
    below: int = 0
    """How many of the folders in it are not empty."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left in it, so that it vanishes."""
        return not (self.entries or self.conflicts or self.below)


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
    root = Folder(b"", b"", None, {})
    queue = [(root, base, ours, theirs)]
    collisions: list[tuple[Folder, bytes, Folder]] = []
    while queue:
        folder, base, ours, theirs = queue.pop()
        walked.folders.append(folder)
        held = read(ours) if ours else {}
        folder.entries.update(held)
        for name, (old, new) in compare(base, theirs).items():
            merged = _merge_name(walked, folder, name, [old, held.get(name), new])
            if merged is not None:
                child = Folder(folder.path + name + b"/", name, folder, {})
                queue.append((child, *merged))
                collisions.append((folder, name, child))
    _settle_folders(walked)
    for folder, name, child in collisions:
        path = folder.path + name
        if not child.is_empty and (name in folder.entries or path in walked.conflicts):
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
    folder.entries.pop(name, None)
    if merged.entry is not None:
        folder.entries[name] = merged.entry
    if merged.contents is not None:
        folder.contents[name] = merged.contents


def _settle_folders(walked: Walked) -> None:
    for folder in reversed(walked.folders):
        if folder.parent is not None and not folder.is_empty:
            folder.parent.below += 1


def finish_walk(walked: Walked, merged: Mapping[Contents, bytes], write: WriteTree) -> bytes:
    """Return the raw id of the tree, writing what is new, once every content is merged.

    Only for a walk without conflicts, whose contents all have their merged blob in `merged`.
    """
    written = b""
    for folder in reversed(walked.folders):
        for name, contents in folder.contents.items():
            folder.entries[name] = (folder.entries[name][0], merged[contents])
        if folder.parent is None:
            written = write(folder.entries)
        elif folder.entries:
            folder.parent.entries[folder.name] = (FOLDER, write(folder.entries))
    return written


def complete_walk(walked: Walked, held: Mapping[bytes, Entry | None]) -> None:
    """Put at each of these paths what it is to hold, in place of a conflict.

    A mode left empty is the one that was merged.
    """
    folders = {folder.path: folder for folder in walked.folders}
    for path, entry in held.items():
        name = path.rpartition(b"/")[2]
        folder = folders[path[: len(path) - len(name)]]
        folder.contents.pop(name, None)
        mode, _ = folder.entries.pop(name, (b"", b""))
        if entry is not None:
            folder.entries[name] = (entry[0] or mode, entry[1])


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
