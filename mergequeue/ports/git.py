"""Reading a repository, building commits, and pushing: three rights, three ports."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import BranchName, CommitId, RefName, RepoPath, TreeId


@dataclass(frozen=True)
class Wanted:
    """A commit to fetch: by the reference that should name it, or by its id."""

    commit: CommitId
    ref: RefName | None = None


@dataclass(frozen=True)
class CommitFacts:
    """What a commit says of itself."""

    id: CommitId
    tree: TreeId
    parents: tuple[CommitId, ...]
    author: Identity
    author_date: datetime
    committer: Identity
    committer_date: datetime
    message: str


@dataclass(frozen=True)
class Graph:
    """The commits that some heads carry and a tip does not, in one walk."""

    tip: CommitId
    """The commit whose history is left out."""
    parents: Mapping[CommitId, tuple[CommitId, ...]]
    """Every commit that a head carries and the tip does not, each with its parents.

    Children come before their parents.

    A parent that is no key, like a head that is no key, is a commit that the tip carries.
    """


@dataclass(frozen=True)
class Difference:
    """One path that two trees hold differently, no renames looked for."""

    path: RepoPath
    old_mode: int
    """The mode as git has it (0o100644, 0o100755, 0o120000, 0o160000).

    0 where the path is absent.
    """
    new_mode: int
    new_id: str
    """The object that the path holds in the new tree; empty where it is absent."""


@dataclass(frozen=True)
class Edit:
    """Lines of one content that another has replaced: from a line, counted from 0, up to another.

    Nothing is replaced where the two are one, and nothing stands in its place likewise.
    """

    old_start: int
    old_end: int
    new_start: int
    new_end: int


class GitReads(Protocol):
    """Reading a repository and its remote; nothing here changes either."""

    def remote_url(self) -> str:
        """Return the address of the remote that the queue works with, without credentials."""

    def list_refs(self, prefixes: Sequence[str]) -> Mapping[RefName, CommitId]:
        """Return the remote's references that start with one of the prefixes, all of one moment.

        A name that is no UTF-8 has its strange bytes as surrogates. Raises GIT_FAILED where the
        remote does not answer.
        """

    def fetch_branch(self, branch: BranchName) -> CommitId:
        """Fetch a branch of the remote with its history and return its commit.

        Raise NO_BASE where there is none.
        """

    def fetch_commits(self, wanted: Sequence[Wanted]) -> frozenset[CommitId]:
        """Fetch the commits with their history, in one call where the remote allows it.

        Returns those that could not be had. Raises GIT_FAILED where the remote does not answer, and
        SHALLOW where history is cut.
        """

    def graph(self, heads: Sequence[CommitId], tip: CommitId) -> Graph:
        """Return what the heads carry and the tip does not, in one walk."""

    def is_ancestor(self, ancestor: CommitId, descendant: CommitId) -> bool:
        """Return whether the first commit is in the history of the second, or is it."""

    def commit(self, commit: CommitId) -> CommitFacts:
        """Return what a commit says of itself; raise UNDATED where its date does not read."""

    def committed(self, commit: CommitId) -> datetime:
        """Return a commit's committer date alone; raise UNDATED where it does not read."""

    def tree_of(self, commit: CommitId) -> TreeId:
        """Return a commit's tree."""

    def differences(self, old: CommitId | TreeId, new: CommitId | TreeId) -> tuple[Difference, ...]:
        """Return the paths that two trees (or commits' trees) hold differently, sorted by path."""

    def fork_point(self, one: CommitId, other: CommitId) -> CommitId | None:
        """Return the one merge base of two commits; None where there are none or several."""

    def read_file(self, commit: CommitId | TreeId, path: RepoPath) -> bytes | None:
        """Return the content of a regular file in a commit's tree; None where there is none."""

    def read_blob(self, id_: str, limit: int) -> bytes | None:
        """Return a file's content by its id; None where it holds more bytes than the limit."""

    def edits(self, old: bytes, new: bytes) -> tuple[Edit, ...]:
        """Return what git's own diff finds between two contents, by line, none touching another.

        A line ends with a line feed, which is part of it.
        """

    def diff_driver(self, commit: CommitId | TreeId, path: RepoPath) -> str:
        """Return the diff driver that the `.gitattributes` of a commit name for a path, or nothing.

        Those of the commit alone, whatever a checkout or a machine says; a tree has none.
        """

    def modes(self, commit: CommitId | TreeId, paths: Iterable[RepoPath]) -> Mapping[RepoPath, int]:
        """Return the mode of each of these paths that a commit's tree holds, as git has it."""

    def paths(self, commit: CommitId | TreeId) -> tuple[RepoPath, ...]:
        """Return every path of a commit's tree, sorted."""

    def commits_touching(
        self, carried_by: CommitId, not_by: CommitId, paths: Sequence[RepoPath], limit: int
    ) -> tuple[str, ...]:
        """Return `<12 digits> <subject>` of the commits that touched the paths, newest first.

        Merges are left out.

        They only explain a conflict: what cannot be listed is left out (facts P11).
        """

    def line_of(self, head: CommitId, not_by: CommitId) -> tuple[CommitFacts, ...]:
        """Return the commits that `head` carries and `not_by` does not, parents before children."""


class GitBuilds(Protocol):
    """Writing objects into the queue's own store; no reference of anybody's moves."""

    def write_commit(
        self,
        tree: TreeId,
        parents: Sequence[CommitId],
        message: str,
        *,
        author: tuple[Identity, datetime],
        committer: tuple[Identity, datetime],
    ) -> CommitId:
        """Write a commit, its message verbatim and its dates in UTC, and return its id."""

    def write_files(
        self,
        files: Mapping[RepoPath, bytes],
        *,
        over: TreeId | None = None,
        keep: Callable[[RepoPath], bool] = lambda _: True,
    ) -> TreeId:
        """Write a tree that holds these regular files, and return its id.

        Beside them it holds what `over` has at every other path that `keep` is true of.
        """


@dataclass(frozen=True)
class RefMove:
    """A reference of the remote to move, and where it has to be for that."""

    ref: RefName
    new: CommitId | None
    """Where it goes; None deletes it."""
    expected: CommitId | None
    """Where it is; None where it must not exist yet."""


class PushOutcome(StrEnum):
    """What became of a push."""

    DONE = "done"
    STALE = "stale"
    """A reference is no longer where it was expected, so none was moved."""
    REJECTED = "rejected"
    """The remote refused it, and says why."""


@dataclass(frozen=True)
class Pushed:
    """What became of a push, with the remote's words where it refused."""

    outcome: PushOutcome
    reason: str = ""


class GitPushes(Protocol):
    """Moving references of the remote."""

    def push(self, moves: Sequence[RefMove]) -> Pushed:
        """Move all the references or none, each under a lease.

        Raise GIT_FAILED where the remote does not answer.
        """
