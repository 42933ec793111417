"""What git's stage records say of the paths in a merge's way (pure).

A file that git moved out of a folder's way is listed as `name~<commit>`, and told of by its own
name here.
"""

from collections.abc import Iterable, Sequence

from mergequeue.git.paths_rule import merge_path
from mergequeue.git.tree_entries import Entry
from mergequeue.ports import Conflict
from mergequeue.vocabulary.ids import CommitId, RepoPath
from mergequeue.vocabulary.words import ConflictKind

Stage = tuple[bytes, int, Entry]
"""A path, a stage (1 the base, 2 ours, 3 theirs), and what the path holds at it."""


def conflicts_of_stages(stages: Iterable[Stage], sides: Sequence[CommitId]) -> tuple[Conflict, ...]:
    """Return the conflicts, sorted by path; `sides` are the two commits that git was given."""
    by_path: dict[bytes, list[Stage]] = {}
    for stage in stages:
        by_path.setdefault(stage[0], []).append(stage)
    found: dict[bytes, ConflictKind] = {}
    for path, held in by_path.items():
        name = _name_moved_away(path, sides)
        if name is None:
            found.setdefault(path, conflict_kind(held))
        else:
            found[name] = ConflictKind.KINDS
    return tuple(Conflict(RepoPath(path), kind) for path, kind in sorted(found.items()))


def _name_moved_away(path: bytes, sides: Sequence[CommitId]) -> bytes | None:
    for side in sides:
        name, mark, number = path.rpartition(b"~" + side.encode())
        if mark and (not number or (number[:1] == b"_" and number[1:].isdigit())):
            return name
    return None


def conflict_kind(stages: Sequence[tuple[bytes, int, Entry]]) -> ConflictKind:
    """Return what the stages of one path say of its conflict."""
    held = {stage: entry for _, stage, entry in stages}
    ours, theirs = held.get(2), held.get(3)
    if ours is not None and theirs is not None:
        return _kind_of_two(held.get(1), ours, theirs)
    if len(held) > 1:
        return ConflictKind.CHANGED_AND_DELETED
    return ConflictKind.RENAMES


def _kind_of_two(base: Entry | None, ours: Entry, theirs: Entry) -> ConflictKind:
    return merge_path(base, ours, theirs).conflict or (
        ConflictKind.ADDED_BY_BOTH if base is None else ConflictKind.CONTENT
    )
