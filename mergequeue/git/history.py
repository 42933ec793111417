"""Ancestry: whole walks by git, single questions in this process, and never a process a pair
(DESIGN, Merging; RIG 7b).
"""

from collections.abc import Sequence

import pygit2

from mergequeue.git.objects import (
    COMMIT,
    RawCommit,
    parse_commit_object,
    read_kind,
)
from mergequeue.git.store import Store
from mergequeue.ports import Graph
from mergequeue.vocabulary.errors import GIT_FAILED
from mergequeue.vocabulary.ids import CommitId, RepoPath

_ARGUMENT_BYTES = 100_000
"""How much of paths is handed to one process; systems allow at least 128 KiB an argument list."""


class Ancestry:
    """The commits of a store. May be used by several threads at once."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def raw(self, commit: CommitId) -> RawCommit:
        """Return a commit's parts; raise GIT_FAILED where it does not read."""
        return parse_commit_object(commit, read_kind(self._store.repository, commit, COMMIT))

    def graph(self, heads: Sequence[CommitId], tip: CommitId) -> Graph:
        """Return what the heads carry and the tip does not: one process, however many heads."""
        asked = "".join(f"{commit}\n" for commit in (*heads, f"^{tip}"))
        ran = self._store.git.run(
            "rev-list", "--topo-order", "--parents", "--stdin", stdin=asked.encode()
        )
        parents: dict[CommitId, tuple[CommitId, ...]] = {}
        for line in ran.out.decode("ascii").splitlines():
            commit, *above = line.split(" ")
            parents[CommitId(commit)] = tuple(CommitId(each) for each in above)
        return Graph(tip, parents)

    def is_ancestor(self, ancestor: CommitId, descendant: CommitId) -> bool:
        """Return whether the first commit is in the history of the second, or is it."""
        for commit in (ancestor, descendant):
            read_kind(self._store.repository, commit, COMMIT)
        if ancestor == descendant:
            return True
        try:
            return self._store.repository.descendant_of(descendant, ancestor)
        except KeyError as error:
            raise GIT_FAILED(f"the history of {descendant} is broken: {error}") from error
        except pygit2.GitError:
            # libgit2 reads no commit whose author's line is odd, which git does.
            asked = ("merge-base", "--is-ancestor", ancestor, descendant)
            return self._store.git.run(*asked, expect={0, 1}).status == 0

    def merge_bases(self, one: CommitId, other: CommitId) -> tuple[CommitId, ...]:
        """Return every best common ancestor of two commits; none where they share no history."""
        ran = self._store.git.run("merge-base", "--all", one, other, expect={0, 1})
        return tuple(CommitId(line) for line in ran.out.decode("ascii").split())

    def line(self, head: CommitId, not_by: CommitId) -> tuple[CommitId, ...]:
        """Return the commits that `head` carries and `not_by` does not, parents before children."""
        ran = self._store.git.run("rev-list", "--topo-order", "--reverse", head, f"^{not_by}")
        return tuple(CommitId(line) for line in ran.out.decode("ascii").split())

    def touching(
        self, carried_by: CommitId, not_by: CommitId, paths: Sequence[RepoPath], limit: int
    ) -> tuple[CommitId, ...]:
        """Return, newest first, at most `limit` commits that touched the paths, merges left out.

        Of more paths than one process can be given, the first are looked at: this is for a report.
        """
        given: list[RepoPath] = []
        room = _ARGUMENT_BYTES
        for path in paths:
            room -= len(path) + 1
            if room < 0:
                break
            given.append(path)
        if not given:
            return ()
        ran = self._store.git.run(
            "rev-list",
            "--no-merges",
            f"--max-count={limit}",
            carried_by,
            f"^{not_by}",
            "--",
            *given,
        )
        return tuple(CommitId(line) for line in ran.out.decode("ascii").split())
