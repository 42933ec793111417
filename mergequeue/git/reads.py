"""`GitReads` on a workshop."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from mergequeue.git.contents import find_driver, find_edits
from mergequeue.git.fetch import Fetches
from mergequeue.git.history import Ancestry
from mergequeue.git.objects import BLOB, parse_commit_object, read_kind, size_of
from mergequeue.git.store import Store
from mergequeue.git.trees import Trees
from mergequeue.ports import CommitFacts, Difference, Edit, Graph, Wanted
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.ids import BranchName, CommitId, RefName, RepoPath, TreeId, short

_REGULAR = frozenset({b"100644", b"100755", b"100664"})


class Reads:
    """Reading the workshop and its remote. May be used by several threads at once."""

    def __init__(self, store: Store, fetches: Fetches, trees: Trees) -> None:
        self._store = store
        self._fetches = fetches
        self._history = Ancestry(store)
        self._trees = trees

    def remote_url(self) -> str:
        """Return the remote's address as the checkout configures it, without credentials."""
        return self._store.remote.address

    def list_refs(self, prefixes: Sequence[str]) -> Mapping[RefName, CommitId]:
        """Return the remote's references that start with one of the prefixes, of one moment."""
        return self._fetches.list_refs(prefixes)

    def fetch_branch(self, branch: BranchName) -> CommitId:
        """Fetch a branch with its history and return its commit; raise NO_BASE for none."""
        return self._fetches.fetch_branch(branch)

    def fetch_commits(self, wanted: Sequence[Wanted]) -> frozenset[CommitId]:
        """Fetch commits with their history, and return those that could not be had."""
        return self._fetches.fetch(wanted)

    def graph(self, heads: Sequence[CommitId], tip: CommitId) -> Graph:
        """Return what the heads carry and the tip does not, in one walk."""
        return self._history.graph(heads, tip)

    def is_ancestor(self, ancestor: CommitId, descendant: CommitId) -> bool:
        """Return whether the first commit is in the history of the second, or is it."""
        return self._history.is_ancestor(ancestor, descendant)

    def commit(self, commit: CommitId) -> CommitFacts:
        """Return what a commit says of itself; raise UNDATED where its committer date is none.

        Text that does not decode is replaced. An author date that does not read is taken to be
        the committer's, since nothing is ordered by it.
        """
        raw = parse_commit_object(commit, self._trees.commit(commit))
        return CommitFacts(
            id=commit,
            tree=raw.tree,
            parents=raw.parents,
            author=raw.identity(raw.author),
            author_date=raw.authored(),
            committer=raw.identity(raw.committer),
            committer_date=raw.committed(),
            message=raw.text(raw.message),
        )

    def committed(self, commit: CommitId) -> datetime:
        """Return a commit's committer date; raise UNDATED where it does not read."""
        return parse_commit_object(commit, self._trees.commit(commit)).committed()

    def tree_of(self, commit: CommitId) -> TreeId:
        """Return a commit's tree."""
        return self._trees.tree_of(commit)

    def differences(self, old: CommitId | TreeId, new: CommitId | TreeId) -> tuple[Difference, ...]:
        """Return the paths that two trees hold differently, sorted by path."""
        return self._trees.differences(self._trees.tree_of(old), self._trees.tree_of(new))

    def fork_point(self, one: CommitId, other: CommitId) -> CommitId | None:
        """Return the one merge base of two commits; None where there are none or several."""
        bases = self._history.merge_bases(one, other)
        return bases[0] if len(bases) == 1 else None

    def read_file(self, commit: CommitId | TreeId, path: RepoPath) -> bytes | None:
        """Return a regular file's content; None where the path is none (a link is none either)."""
        entry = self._trees.find(self._trees.tree_of(commit), path)
        if entry is None or entry[0] not in _REGULAR:
            return None
        return read_kind(self._store.repository, entry[1].hex(), BLOB)

    def read_blob(self, id_: str, limit: int) -> bytes | None:
        """Return a file's content by its id; None where it holds more bytes than the limit."""
        if size_of(self._store.repository, id_) > limit:
            return None
        return read_kind(self._store.repository, id_, BLOB)

    def edits(self, old: bytes, new: bytes) -> tuple[Edit, ...]:
        """Return what git's own diff finds between two contents, by line, none touching another."""
        return find_edits(old, new)

    def diff_driver(self, commit: CommitId | TreeId, path: RepoPath) -> str:
        """Return the diff driver that a commit's own `.gitattributes` name for a path, or nothing.

        A tree has none, and neither has a path that no attribute can be asked for.
        """
        return find_driver(self._store.repository, commit, path)

    def modes(self, commit: CommitId | TreeId, paths: Iterable[RepoPath]) -> Mapping[RepoPath, int]:
        """Return the mode of each of these paths that a commit's tree holds, as git has it."""
        tree = self._trees.tree_of(commit)
        found = {path: self._trees.find(tree, path) for path in paths}
        return {path: int(entry[0], 8) for path, entry in found.items() if entry is not None}

    def paths(self, commit: CommitId | TreeId) -> tuple[RepoPath, ...]:
        """Return every path of a commit's tree, sorted."""
        return self._trees.paths(self._trees.tree_of(commit))

    def commits_touching(
        self, carried_by: CommitId, not_by: CommitId, paths: Sequence[RepoPath], limit: int
    ) -> tuple[str, ...]:
        """Return `<12 digits> <subject>`, newest first, merges left out (facts P11, P12).

        For a report: what cannot be listed is left out of it, and is no error.
        """
        try:
            commits = self._history.touching(carried_by, not_by, paths, limit)
            return tuple(f"{short(each)} {self._history.raw(each).subject()}" for each in commits)
        except MergequeueError:
            return ()

    def line_of(self, head: CommitId, not_by: CommitId) -> tuple[CommitFacts, ...]:
        """Return what `head` carries and `not_by` does not, parents before children."""
        return tuple(self.commit(each) for each in self._history.line(head, not_by))
