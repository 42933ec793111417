"""A bare repository as GitHub keeps it: branches, refs of pull requests, commits of verbs."""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pygit2
from pygit2.enums import FileMode, ObjectType, SortMode

EMPTY = "0" * 40
_CONFIG = {
    "http.receivepack": "true",
    "receive.hideRefs": "refs/pull",
    "transfer.fsckObjects": "false",
    "uploadpack.allowAnySHA1InWant": "true",
    "uploadpack.allowFilter": "true",
    "gc.auto": "0",
    "receive.autogc": "false",
}


class Person(NamedTuple):
    """Who made a commit."""

    name: str
    email: str


GITHUB = Person("GitHub", "noreply@github.com")


class Change(NamedTuple):
    """One file that differs between two commits."""

    path: str
    status: str


class GitHost:
    """One bare repository. Commits are dated by a counter, so that a test's ids stay the same."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seconds = 1_767_225_600
        self.repository = pygit2.init_repository(str(path), bare=True, initial_head="main")
        for name, value in _CONFIG.items():
            self.repository.config[name] = value

    # --- refs ------------------------------------------------------------------------------------

    def ref(self, name: str) -> str | None:
        """Return the commit of a full ref."""
        found = self.repository.references.get(name)
        return None if found is None else str(found.target)

    def tip(self, branch: str) -> str | None:
        """Return the commit of a branch."""
        return self.ref(f"refs/heads/{branch}")

    def branches(self) -> list[str]:
        """Return the names of the branches, sorted."""
        return sorted(self.repository.branches.local)

    def refs(self) -> dict[str, str]:
        """Return every ref with its commit."""
        return {str(one.name): str(one.target) for one in self.repository.references.iterator()}

    def set_ref(self, name: str, commit: str | None) -> None:
        """Point a ref at a commit, or remove it."""
        if commit is not None:
            self.repository.references.create(name, commit, force=True)
        elif name in self.repository.references:
            self.repository.references.delete(name)

    # --- objects ---------------------------------------------------------------------------------

    def has(self, commit: str) -> bool:
        """Whether this is a commit here."""
        if len(commit) != 40:
            return False
        try:
            return self.repository[commit].type == ObjectType.COMMIT
        except (KeyError, ValueError):
            return False

    def object(self, commit: str) -> pygit2.Commit:
        """Return a commit."""
        return self.repository[commit].peel(pygit2.Commit)

    def read(self, commit: str, path: str) -> bytes | None:
        """Return a file of a commit."""
        try:
            found = self.object(commit).tree[path]
        except KeyError:
            return None
        return found.data if isinstance(found, pygit2.Blob) else None

    def files(self, commit: str) -> dict[str, str]:
        """Return every file of a commit as text."""
        return {
            path: self.repository[oid].read_raw().decode("utf-8", "replace")
            for path, oid in _leaves(self.object(commit).tree)
        }

    def commit(
        self,
        files: Mapping[str, str | bytes | None],
        message: str,
        *,
        parents: Sequence[str],
        author: Person,
        committer: Person | None = None,
    ) -> str:
        """Write a commit: its first parent's files, with these changed (None removes one)."""
        tree = str(self.object(parents[0]).tree.id) if parents else None
        return self.write(
            self._changed(tree, files), message, parents=parents, author=author, committer=committer
        )

    def write(
        self,
        tree: str,
        message: str,
        *,
        parents: Sequence[str],
        author: Person | pygit2.Signature,
        committer: Person | None = None,
    ) -> str:
        """Write a commit of a tree."""
        self._seconds += 1
        if isinstance(author, Person):
            author_line = pygit2.Signature(author.name, author.email, self._seconds, 0)
            by = committer or author
        else:
            author_line = author
            by = committer or GITHUB
        committer_line = pygit2.Signature(by.name, by.email, self._seconds, 0)
        made = self.repository.create_commit(
            None, author_line, committer_line, message, tree, list(parents)
        )
        return str(made)

    def _changed(self, tree: str | None, files: Mapping[str, str | bytes | None]) -> str:
        index = pygit2.Index()
        if tree is not None:
            index.read_tree(self.repository[tree].peel(pygit2.Tree))
        for path, content in files.items():
            if content is None:
                index.remove(path)
                continue
            data = content.encode() if isinstance(content, str) else content
            blob = self.repository.create_blob(data)
            index.add(pygit2.IndexEntry(path, blob, FileMode.BLOB))
        return str(index.write_tree(self.repository))

    # --- history ---------------------------------------------------------------------------------

    def between(self, base: str, head: str) -> list[pygit2.Commit]:
        """Return the commits of head that base lacks, oldest first."""
        walk = self.repository.walk(head, SortMode.TOPOLOGICAL | SortMode.REVERSE)
        walk.hide(base)
        return list(walk)

    def contains(self, commit: str, ancestor: str) -> bool:
        """Whether a commit is, or descends from, another."""
        return commit == ancestor or self.repository.descendant_of(commit, ancestor)

    def merge_base(self, one: str, other: str) -> str | None:
        """Return a merge base, or None of unrelated histories."""
        found = self.repository.merge_base(one, other)
        return None if found is None else str(found)

    def changes(self, base: str | None, head: str) -> list[Change]:
        """Return the files that differ, renames not looked for."""
        old = None if base is None else self.object(base).tree
        new = self.object(head).tree
        diff = new.diff_to_tree(swap=True) if old is None else old.diff_to_tree(new)
        return [
            Change(delta.new_file.path, _STATUS.get(delta.status_char(), "modified"))
            for delta in diff.deltas
        ]

    # --- other repositories ----------------------------------------------------------------------

    def take(self, other: "GitHost", commit: str, ref: str) -> None:
        """Bring a commit of another repository here, under a ref."""
        self.git("fetch", "--quiet", "--no-tags", str(other.path), f"+{commit}:{ref}")

    def git(
        self, *words: str, stdin: bytes = b"", env: Mapping[str, str] | None = None, ok: int = 0
    ) -> tuple[int, bytes]:
        """Run git here; a status up to `ok` is an answer."""
        said = subprocess.run(
            ["git", "-C", str(self.path), *words],
            input=stdin,
            capture_output=True,
            check=False,
            env={**bare_environment(), **(env or {})},
        )
        assert said.returncode <= ok, (words, said.returncode, said.stderr)
        return said.returncode, said.stdout


_STATUS = {"A": "added", "D": "removed", "M": "modified", "T": "changed"}


def bare_environment() -> dict[str, str]:
    """Return the environment of GitHub's own git, which no machine's settings reach."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": os.devnull,
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": GITHUB.name,
        "GIT_AUTHOR_EMAIL": GITHUB.email,
        "GIT_COMMITTER_NAME": GITHUB.name,
        "GIT_COMMITTER_EMAIL": GITHUB.email,
    }


def _leaves(tree: pygit2.Tree, folder: str = "") -> Iterator[tuple[str, pygit2.Oid]]:
    for entry in tree:
        path = f"{folder}{entry.name}"
        if isinstance(entry, pygit2.Tree):
            yield from _leaves(entry, f"{path}/")
        elif isinstance(entry, pygit2.Blob):
            yield path, entry.id
