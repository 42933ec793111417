"""Bringing commits in: all heads in one call, and nothing at all for what is there already.

A head is wanted by its commit. Where the commit is not there with its history, it is fetched by the
reference that should name it, all of them in one `git fetch`; one that moved or went is fetched by
its id (facts P7), and what the remote will not give even so is reported and fails nobody else.

Fetched commits are kept by private references of the workshop. No tag, tracking reference or
FETCH_HEAD is written. References are asked for by their full names, and an answer is only taken
for the very name that was asked: a tag called `refs/heads/main` is not the branch `main`.
"""

import itertools
import threading
from collections.abc import Mapping, Sequence
from functools import cached_property

import pygit2

from mergequeue.git.remote import NAME
from mergequeue.git.store import Store
from mergequeue.ports import Wanted
from mergequeue.vocabulary.errors import GIT_FAILED, NO_BASE
from mergequeue.vocabulary.ids import BranchName, CommitId, RefName, branch_ref
from mergequeue.vocabulary.text import quoted

_FETCH = (
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-recurse-submodules",
    "--no-auto-maintenance",
    "--no-show-forced-updates",
    "--refmap=",
    # What a shallow remote lacks is then written down in the workshop, where it is looked for.
    "--update-shallow",
    "--stdin",
    NAME,
)
_ANY_STATUS = range(256)
_MOVES_FOLLOWED = 3
"""How often a branch that moves between being named and being fetched is looked at again."""


class Fetches:
    """Fetching into a store, for several threads at once: fetches wait for each other."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._shown = set[CommitId]()
        """The commits whose whole history was seen to be there; nothing is deleted from a store."""

    def list_refs(self, prefixes: Sequence[str]) -> Mapping[RefName, CommitId]:
        """Return the remote's references that start with one of the prefixes."""
        # Asking for branches alone lets the remote leave out everything else.
        only = ["--heads"] if all(each.startswith("refs/heads/") for each in prefixes) else []
        ran = self._store.transport.run("ls-remote", "--quiet", "--refs", *only, NAME)
        found: dict[RefName, CommitId] = {}
        for line in ran.out.decode("utf-8", errors="surrogateescape").split("\n"):
            commit, _, name = line.partition("\t")
            if name.startswith(tuple(prefixes)):
                found[RefName(name)] = CommitId(commit)
        return found

    def fetch_branch(self, branch: BranchName) -> CommitId:
        """Fetch a branch with its history and return its commit; raise NO_BASE for none."""
        ref = branch_ref(branch)
        for _ in range(_MOVES_FOLLOWED):
            commit = self.list_refs([ref]).get(ref)
            if commit is None:
                raise NO_BASE(f"the remote has no branch {quoted(branch)}")
            if not self.fetch([Wanted(commit, ref)]):
                return commit
        raise GIT_FAILED(
            f"the branch {quoted(branch)} could not be fetched: it moves again and again"
        )

    def fetch(self, wanted: Sequence[Wanted]) -> frozenset[CommitId]:
        """Fetch commits with their history, and return those that could not be had.

        Raises GIT_FAILED where the remote does not answer, and SHALLOW where history is cut.
        """
        with self._lock:
            missing = self._missing([each.commit for each in wanted])
            if missing:
                missing = self._by_refs([each for each in wanted if each.commit in missing])
            if missing:
                missing = self._by_id(sorted(missing))
            if missing:
                # The remote does not give these, unless it went away: then this raises.
                self.list_refs(["refs/heads/"])
            self._store.check_whole()
            return missing

    def _by_refs(self, wanted: Sequence[Wanted]) -> frozenset[CommitId]:
        """Fetch by reference where one is known, by id otherwise; return what is still missing."""
        commits = [each.commit for each in wanted]
        if self._fetch([each.ref or each.commit for each in wanted]):
            return self._missing(commits)
        # One reference that is gone fails the whole call. This raises where the remote is.
        there = self.list_refs([each.ref for each in wanted if each.ref is not None] or ["refs/"])
        refs = [each.ref for each in wanted if each.ref and there.get(each.ref) == each.commit]
        if refs:
            self._fetch(refs)
        return self._missing(commits)

    def _by_id(self, commits: Sequence[CommitId]) -> frozenset[CommitId]:
        """Fetch by id, in halves where a call fails, so that one bad id fails nobody else."""
        if self._fetch(commits):
            return self._missing(commits)
        if len(commits) == 1:
            return frozenset(commits)
        middle = len(commits) // 2
        return self._by_id(commits[:middle]) | self._by_id(commits[middle:])

    def _fetch(self, sources: Sequence[str]) -> bool:
        """Fetch references or ids into private references; return whether git was content."""
        lines = [f"+{source}:refs/fetched/{next(self._numbers)}\n" for source in sources]
        ran = self._store.transport.run(
            *_FETCH,
            stdin="".join(lines).encode("utf-8", errors="surrogateescape"),
            expect=_ANY_STATUS,
        )
        return ran.status == 0

    def _missing(self, commits: Sequence[CommitId]) -> frozenset[CommitId]:
        """Return which of the commits are not there with all of their history, trees and files."""
        # The store of objects is asked, which does not care what a commit says of its date.
        odb = self._store.repository.odb
        there = [commit for commit in set(commits) if pygit2.Oid(hex=commit) in odb]
        known = self._named | self._shown
        self._shown.update(self._whole([commit for commit in there if commit not in known]))
        return frozenset(commits) - (self._named | self._shown).intersection(there)

    @cached_property
    def _named(self) -> frozenset[CommitId]:
        """The commits that references of the checkout name."""
        words = ("rev-list", "--no-walk=unsorted", "--alternate-refs")
        ran = self._store.git.run(*words, expect=_ANY_STATUS)
        named = ran.out.decode("ascii").split() if ran.status == 0 else ()
        return frozenset(map(CommitId, named))

    def _whole(self, commits: Sequence[CommitId]) -> Sequence[CommitId]:
        if not commits:
            return ()
        # What any reference reaches is whole; only what lies beyond is walked.
        ran = self._store.git.run(
            "rev-list",
            "--objects",
            "--quiet",
            "--stdin",
            "--not",
            "--all",
            "--alternate-refs",
            stdin="".join(f"{commit}\n" for commit in commits).encode(),
            expect=_ANY_STATUS,
        )
        if ran.status == 0:
            return commits
        if len(commits) == 1:
            return ()
        middle = len(commits) // 2
        return (*self._whole(commits[:middle]), *self._whole(commits[middle:]))
