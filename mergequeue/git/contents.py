"""Two contents of a file compared, as git's own diff compares them, and who draws the diff."""

import pygit2
from pygit2.enums import AttrCheck

from mergequeue.ports import Edit
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId

_OF_THE_COMMIT = AttrCheck.INDEX_ONLY | AttrCheck.NO_SYSTEM | AttrCheck.INCLUDE_COMMIT
"""A bare repository has no index, so that the commit alone is left to say anything."""


def find_edits(old: bytes, new: bytes) -> tuple[Edit, ...]:
    """Return what differs between two contents that are text, line by line."""
    patch = pygit2.Patch.create_from(old, new, context_lines=0, interhunk_lines=0)
    return tuple(
        Edit(*_range(hunk.old_start, hunk.old_lines), *_range(hunk.new_start, hunk.new_lines))
        for hunk in patch.hunks
    )


def _range(start: int, lines: int) -> tuple[int, int]:
    # Where there are no lines, git names the one above.
    first = start - 1 if lines else start
    return first, first + lines


def find_driver(repository: pygit2.Repository, commit: CommitId | TreeId, path: RepoPath) -> str:
    """Return the diff driver that a commit's own attributes name for a path, or nothing."""
    try:
        driver = repository.get_attr(path, "diff", _OF_THE_COMMIT, commit)
    except (KeyError, ValueError, pygit2.GitError):
        return ""
    return driver if isinstance(driver, str) else ""
