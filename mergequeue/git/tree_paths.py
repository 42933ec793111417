"""Whole trees by path: where two differ, what one holds, and one with some paths changed."""

from collections.abc import Callable, Mapping

from mergequeue.git.tree_entries import FOLDER, Changed, Entries, Entry, is_folder

ReadTree = Callable[[bytes], Entries]
"""Gives what a tree holds, by its raw id."""
CompareTrees = Callable[[bytes, bytes], Changed]
"""Gives the names that two trees hold differently, by their raw ids; an empty one for no tree."""
WriteTree = Callable[[Mapping[bytes, Entry]], bytes]
"""Writes a tree and gives its raw id."""
EditTree = Callable[[bytes, Mapping[bytes, Entry | None]], bytes]
"""Writes a tree as another is with some names changed, and gives its raw id."""


def in_the_way(held: set[bytes]) -> set[bytes]:
    """Return the paths that are a file and a folder at once."""
    found = set()
    for path in held:
        end = path.find(b"/")
        while end >= 0:
            if path[:end] in held:
                found.add(path[:end])
            end = path.find(b"/", end + 1)
    return found


def differing_paths(read: ReadTree, one: bytes, other: bytes) -> set[bytes]:
    """Return the paths, folders left out, that two trees hold differently."""
    found: set[bytes] = set()
    queue = [(b"", one, other)]
    while queue:
        prefix, left, right = queue.pop()
        held: list[Entries] = [read(tree) if tree else {} for tree in (left, right)]
        for name in {name for name, _ in held[0].items() ^ held[1].items()}:
            entries = [side.get(name) for side in held]
            if any(entry is not None and not is_folder(entry) for entry in entries):
                found.add(prefix + name)
            folders = [entry[1] if entry and is_folder(entry) else b"" for entry in entries]
            if any(folders):
                queue.append((prefix + name + b"/", folders[0], folders[1]))
    return found


def entry_at(read: ReadTree, root: bytes, path: bytes) -> Entry | None:
    """Return what a tree holds at a path; None for a folder and for nothing."""
    *folders, name = path.split(b"/")
    tree = root
    for folder in folders:
        entry = read(tree).get(folder)
        if entry is None or not is_folder(entry):
            return None
        tree = entry[1]
    entry = read(tree).get(name)
    return None if is_folder(entry) else entry


def apply_paths(
    read: ReadTree,
    write: WriteTree,
    root: bytes,
    paths: Mapping[bytes, Entry | None],
) -> bytes:
    """Return a tree in which these paths hold what is given, and no folder is left empty by it."""
    opened: dict[bytes, dict[bytes, Entry]] = {b"": dict(read(root))}
    for path, entry in paths.items():
        folder, _, name = path.rpartition(b"/")
        entries = _open(read, opened, folder)
        if entry is not None:
            entries[name] = entry
        elif not is_folder(entries.get(name)):
            entries.pop(name, None)
    for path in sorted(opened.keys() - {b""}, key=lambda path: path.count(b"/"), reverse=True):
        folder, _, name = path.rpartition(b"/")
        if opened[path]:
            opened[folder][name] = (FOLDER, write(opened[path]))
        elif is_folder(opened[folder].get(name)):
            del opened[folder][name]
    return write(opened[b""])


def _open(
    read: ReadTree, opened: dict[bytes, dict[bytes, Entry]], path: bytes
) -> dict[bytes, Entry]:
    at = b""
    for name in path.split(b"/") if path else []:
        below = at + b"/" + name if at else name
        if below not in opened:
            entry = opened[at].get(name)
            opened[below] = dict(read(entry[1])) if entry and is_folder(entry) else {}
        at = below
    return opened[at]
