"""What GitHub's merge of two commits makes: path by path, no rename followed, by git's commands.

The program under test has merge code of its own, and none of it is used here: a test must not be
that code against itself.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.fakes.github.githost import EMPTY, GITHUB, GitHost, Person

_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def merged_tree(host: GitHost, ours: str, theirs: str) -> str | None:
    """Return the tree of a merge from the natural merge bases, or None of a conflict."""
    status, found = host.git("merge-base", "--all", ours, theirs, ok=1)
    bases = found.decode().split() if status == 0 else [_EMPTY_TREE]
    return merged_from(host, bases, ours, theirs)


def merged_from(host: GitHost, bases: Sequence[str], ours: str, theirs: str) -> str | None:
    """Return the tree of a merge from these bases, or None of a conflict."""
    with tempfile.TemporaryDirectory() as folder:
        env = {
            "GIT_WORK_TREE": folder,
            "GIT_INDEX_FILE": str(Path(folder, ".index")),
            "GIT_DIR": str(host.path),
        }
        host.git("read-tree", ours, env=env)
        words = ["merge-recursive", "--no-renames", *bases, "--", ours, theirs]
        status, _ = host.git(*words, env=env, ok=1)
        if status != 0:
            return None
        return host.git("write-tree", env=env)[1].decode().strip()


def replayed(host: GitHost, base: str, head: str, *, since: str | None = None) -> str | None:
    """Return the last of the commits of head rewritten upon base, or None where one conflicts.

    As GitHub's rebase does it: merges are left out, the author stays, the committer is GitHub, and
    every commit is written anew even where it would fit. `since` leaves out what is beneath.
    """
    tip = base
    for commit in host.between(since or base, head):
        if len(commit.parents) > 1:
            continue
        own = str(commit.id)
        before = [str(commit.parents[0].id)] if commit.parents else [_EMPTY_TREE]
        tree = merged_from(host, before, tip, own)
        if tree is None:
            return None
        was_empty = bool(commit.parents) and commit.parents[0].tree.id == commit.tree.id
        if tree == str(host.object(tip).tree.id) and not was_empty:
            continue
        tip = host.write(
            tree, commit.message, parents=[tip], author=commit.author, committer=GITHUB
        )
    return tip


def merge_commit(
    host: GitHost, tree: str, parents: Sequence[str], message: str, author: Person
) -> str:
    """Write a merge or a squash as GitHub signs it."""
    return host.write(tree, message, parents=parents, author=author, committer=GITHUB)


__all__ = ["EMPTY", "merge_commit", "merged_from", "merged_tree", "replayed"]
