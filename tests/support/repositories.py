"""Real repositories for tests: a bare origin, its commits written straight into it, and clones.

playground.branch("main", playground.commit({"a.txt": "one\n"}))
clone = playground.clone("work")
"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pygit2
import pytest

from mergequeue.vocabulary.ids import CommitId

FILE = 0o100644
EXECUTABLE = 0o100755
LINK = 0o120000
FOLDER = 0o040000
SUBMODULE = 0o160000

BLOB_TYPE = 3
"""What git numbers blobs, trees and commits with."""
TREE_TYPE = 2
COMMIT_TYPE = 1

FIRST_DATE = 1_700_000_000
AUTHOR = ("A", "a@example.invalid")

Content = str | bytes | tuple[int, str | bytes] | None
"""Content, alone or after its mode (a link's target, a submodule's commit); None deletes."""
Files = Mapping[str, Content] | Mapping[bytes, Content] | Mapping[str | bytes, Content]
"""Paths with what they hold; a mapping's keys are invariant, so both kinds are spelled out."""


def git_environment(home: Path) -> dict[str, str]:
    """Return an environment in which no configuration but the repository's own reaches git."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_AUTHOR_NAME": AUTHOR[0],
        "GIT_AUTHOR_EMAIL": AUTHOR[1],
        "GIT_AUTHOR_DATE": f"{FIRST_DATE} +0000",
        "GIT_COMMITTER_NAME": AUTHOR[0],
        "GIT_COMMITTER_EMAIL": AUTHOR[1],
        "GIT_COMMITTER_DATE": f"{FIRST_DATE} +0000",
    }


def wrapped_git(folder: Path, script: str) -> dict[str, str]:
    """Return an environment in which each git runs `script` first, in sh and with git's words."""
    folder.mkdir()
    rest = os.environ["PATH"]
    (folder / "git").write_text(f'#!/bin/sh\nPATH={rest}\n{script}\nexec git "$@"\n')
    (folder / "git").chmod(0o755)
    return {"PATH": f"{folder}:{rest}"}


@dataclass
class _Folder:
    """A tree under construction."""

    entries: dict[bytes, "tuple[int, str] | _Folder"] = field(default_factory=dict)


class Playground:
    """A folder with a bare `origin.git`, and whatever clones a test makes beside it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.origin = folder / "origin.git"
        self.repository = pygit2.init_repository(str(self.origin), bare=True, initial_head="main")
        self._date = FIRST_DATE

    def commit(
        self,
        files: Files | None = None,
        *,
        parents: Sequence[CommitId] | CommitId = (),
        message: str | bytes = "A change\n",
        author: tuple[str, str] = AUTHOR,
        date: int | None = None,
    ) -> CommitId:
        """Write a commit: the first parent's tree with these files put in or deleted.

        Without a date, each commit is a minute younger than the one before it.
        """
        parents = [CommitId(parents)] if isinstance(parents, str) else list(parents)
        self._date += 60
        stamp = self._date if date is None else date
        raw = [b"tree " + self.tree(files or {}, start=parents[0] if parents else None).encode()]
        raw += [b"parent " + parent.encode() for parent in parents]
        who = f"{author[0]} <{author[1]}> {stamp} +0000".encode()
        raw += [b"author " + who, b"committer " + who, b"", _bytes(message)]
        return CommitId(self.write(COMMIT_TYPE, b"\n".join(raw)))

    def write(self, kind: int, raw: bytes) -> str:
        """Write an object as it stands, well-formed or not, and return its id."""
        return str(self.repository.write(kind, raw))

    def tree(self, files: Files, *, start: str | None = None) -> str:
        """Write a tree: that of `start` (a commit) with these files put in or deleted."""
        tree = str(self.repository[start].peel(pygit2.Tree).id) if start is not None else None
        root = self._open(tree)
        for name, content in files.items():
            self._put(root, _bytes(name).split(b"/"), content)
        return self._written(root)

    def branch(self, name: str, commit: str) -> CommitId:
        """Point a branch (or any reference named in full) at a commit, and return that."""
        self.repository.references.create(_full(name), commit, force=True)
        return CommitId(commit)

    def delete_branch(self, name: str) -> None:
        """Delete a branch (or any reference named in full) of the origin."""
        self.repository.references.delete(_full(name))

    def tip(self, name: str) -> CommitId:
        """Return what a branch (or any reference named in full) names; KeyError for none."""
        return CommitId(str(self.repository.references[_full(name)].resolve().target))

    def refs(self) -> dict[str, CommitId]:
        """Return every reference of the origin but HEAD."""
        return {name: self.tip(name) for name in self.repository.references if name != "HEAD"}

    def files(self, commit: str) -> dict[bytes, bytes]:
        """Return every file of a commit's tree; a submodule's content is its commit's id."""
        found: dict[bytes, bytes] = {}
        self._collect(b"", self._open(str(self.repository[commit].peel(pygit2.Tree).id)), found)
        return found

    def log(self, ref: str) -> list[CommitId]:
        """Return the commits that a branch, reference or commit carries, newest first."""
        words = self.run("rev-list", "--topo-order", ref).decode().split()
        return [CommitId(word) for word in words]

    def message(self, commit: str) -> str:
        """Return a commit's message."""
        return self.repository[commit].peel(pygit2.Commit).message

    def run(self, *words: str, cwd: Path | None = None, stdin: bytes = b"") -> bytes:
        """Run git in the origin (or in `cwd`) and return its standard output."""
        where = cwd or self.origin
        return subprocess.run(
            ["git", *words],
            cwd=where,
            env=git_environment(self.folder),
            input=stdin,
            check=True,
            capture_output=True,
        ).stdout

    def clone(self, name: str = "clone", **options: str | bool) -> Path:
        """Clone the origin; `depth="1"` is `--depth=1`, `bare=True` is `--bare`."""
        words = []
        for option, value in options.items():
            dashed = "--" + option.replace("_", "-")
            words.append(dashed if value is True else f"{dashed}={value}")
        # A plain path would ignore a depth and a filter.
        address = self.origin.as_uri() if {"depth", "filter"} & set(options) else str(self.origin)
        if "filter" in options:
            self.run("config", "uploadpack.allowFilter", "true")
        target = self.folder / name
        if "shared" not in options:
            # Copied by its files, a clone would hold commits that no reference names.
            words.append("--no-local")
        self.run("clone", "--quiet", "--template=", *words, address, str(target), cwd=self.folder)
        return target

    def hook(self, name: str, script: str) -> None:
        """Give the origin a hook, such as a pre-receive that refuses."""
        path = self.origin / "hooks" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def _open(self, tree: str | None) -> _Folder:
        if tree is None:
            return _Folder()
        return _Folder(dict(_entries(self.repository[tree].read_raw())))

    def _put(self, folder: _Folder, parts: list[bytes], content: Content) -> None:
        name, *rest = parts
        if rest:
            below = folder.entries.get(name)
            if not isinstance(below, _Folder):
                below = self._open(below[1] if below is not None and below[0] == FOLDER else None)
            self._put(below, rest, content)
            folder.entries[name] = below
            if not below.entries:
                del folder.entries[name]
        elif content is None:
            del folder.entries[name]
        else:
            mode, data = content if isinstance(content, tuple) else (FILE, content)
            id_ = data if mode == SUBMODULE else self.write(BLOB_TYPE, _bytes(data))
            folder.entries[name] = (mode, _bytes(id_).decode())

    def _written(self, folder: _Folder) -> str:
        settled = {
            name: (FOLDER, self._written(entry)) if isinstance(entry, _Folder) else entry
            for name, entry in folder.entries.items()
        }
        raw = b"".join(
            b"%o %s\0%s" % (mode, name, bytes.fromhex(id_))
            for name, (mode, id_) in sorted(settled.items(), key=_tree_order)
        )
        return self.write(TREE_TYPE, raw)

    def _collect(self, prefix: bytes, folder: _Folder, found: dict[bytes, bytes]) -> None:
        for name, entry in folder.entries.items():
            assert not isinstance(entry, _Folder)
            mode, id_ = entry
            if mode == FOLDER:
                self._collect(prefix + name + b"/", self._open(id_), found)
            else:
                found[prefix + name] = (
                    id_.encode() if mode == SUBMODULE else self.repository[id_].read_raw()
                )


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _full(name: str) -> str:
    return name if name.startswith("refs/") else f"refs/heads/{name}"


def _tree_order(item: tuple[bytes, tuple[int, str]]) -> bytes:
    name, (mode, _) = item
    return name + b"/" if mode == FOLDER else name


def _entries(raw: bytes) -> Iterator[tuple[bytes, tuple[int, str]]]:
    place = 0
    while place < len(raw):
        space, end = raw.index(b" ", place), raw.index(b"\0", place)
        yield raw[space + 1 : end], (int(raw[place:space], 8), raw[end + 1 : end + 21].hex())
        place = end + 21


@pytest.fixture
def playground(tmp_path: Path) -> Iterator[Playground]:
    """A playground of the test's own, gone with it."""
    folder = tmp_path / "playground"
    yield Playground(folder)
    shutil.rmtree(folder, ignore_errors=True)
