"""What git's stage records say of the paths in a merge's way (pure).

A file that git moved out of a folder's way is listed as `name~<commit>`, and told of by its own
name here.
"""

from collections.abc import Container, Iterable, Sequence

from mergequeue.git.merge_process import Answer
from mergequeue.git.paths_rule import merge_path
from mergequeue.git.tree_entries import Entry, is_file
from mergequeue.ports import Conflict, Versions
from mergequeue.vocabulary.ids import CommitId, RepoPath
from mergequeue.vocabulary.words import ConflictKind

_MERGED = b"Auto-merging"
_OF_ONE_PATH = {
    _MERGED,
    b"CONFLICT (binary)",
    b"CONFLICT (contents)",
    b"CONFLICT (modify/delete)",
}
"""git's messages about one path that stands where both sides have it."""

Stage = tuple[bytes, int, Entry]
"""A path, a stage (1 the base, 2 ours, 3 theirs), and what the path holds at it."""


def conflicts_of_stages(stages: Iterable[Stage], sides: Sequence[CommitId]) -> tuple[Conflict, ...]:
    """Return the conflicts, sorted by path; `sides` are the two commits that git was given."""
    by_path: dict[bytes, list[Stage]] = {}
    for stage in stages:
        by_path.setdefault(stage[0], []).append(stage)
    found: dict[bytes, Conflict] = {}
    for path, held in by_path.items():
        name = _name_moved_away(path, sides)
        if name is None:
            conflict = Conflict(RepoPath(path), conflict_kind(held), versions=_versions(held))
            found.setdefault(path, conflict)
        else:
            found[name] = Conflict(RepoPath(name), ConflictKind.KINDS)
    return tuple(conflict for _, conflict in sorted(found.items()))


def is_nothing_else_in_the_way(answer: Answer, paths: Container[bytes]) -> bool:
    """Whether nothing but the contents of these paths, or their deletion, is in a merge's way.

    A rename that git calls conflicting can leave no path behind, and is told of in a message alone.
    """
    stages = {path for path, _, _ in answer.stages}
    told = [(kind, path) for kind, named in answer.messages for path in named]
    known = all(kind in _OF_ONE_PATH for kind, _ in answer.messages)
    at_issue = stages | {path for kind, path in told if kind != _MERGED}
    return known and all(path in paths for path in at_issue)


def _versions(stages: Sequence[Stage]) -> Versions | None:
    """Return the three contents of a path, where each is a regular file's."""
    held = [entry for _, _, entry in sorted(stages, key=lambda stage: stage[1])]
    if len(held) < len((1, 2, 3)) or not all(map(is_file, held)):
        return None
    return Versions(*(id_.hex() for _, id_ in held))


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
