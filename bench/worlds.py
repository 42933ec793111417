"""A generated repository with queued changes, the same every time for the same sizes."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pygit2
from pygit2.enums import FileMode

from mergequeue.documents.changes import Change
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, RefName
from mergequeue.vocabulary.words import Method

_FILES_A_UNIT = 100
_LINES = 40
_DAY = 1_790_000_000
_STACKED_SHARE = 0.2


@dataclass(frozen=True)
class GeneratedQueue:
    """A bare origin, a clone of it, and what is queued there."""

    origin: Path
    clone: Path
    changes: tuple[Change, ...]
    tip: CommitId


def write_queue(folder: Path, *, files: int, changes: int) -> GeneratedQueue:
    """Write an origin with queued changes, a fifth of them in stacks of 2 to 4, and a clone."""
    chance = random.Random(f"{files} {changes}")
    origin = folder / "origin.git"
    repository = pygit2.init_repository(origin, bare=True, initial_head="main")
    units = [f"unit{number:03d}" for number in range(max(1, files // _FILES_A_UNIT))]
    fork = _Maker(repository).commit([], {**_settings(units), **_files(units)}, 0)
    tip = fork
    for number in range(50):
        tip = _Maker(repository).commit(
            [tip], _edit(chance, units, number, side="base"), 1 + number
        )
    repository.references.create("refs/heads/main", tip)
    clone = folder / "clone"
    # Before anything is queued, and over a transport: a copy would hold every head.
    pygit2.clone_repository(f"file://{origin}", str(clone), checkout_branch="main")
    listed = tuple(_queued(repository, chance, units, fork, changes))
    return GeneratedQueue(origin, clone, listed, CommitId(str(tip)))


def _queued(
    repository: pygit2.Repository,
    chance: random.Random,
    units: list[str],
    fork: pygit2.Oid,
    count: int,
) -> Iterator[Change]:
    below: pygit2.Oid | None = None
    left_in_stack = 0
    for number in range(count):
        if left_in_stack == 0:
            below = None
            left_in_stack = chance.randint(2, 4) if chance.random() < _STACKED_SHARE / 3 else 1
        left_in_stack -= 1
        unit = units[number % len(units)]
        edits = _edit(chance, [unit], number, side="change")
        head = _Maker(repository).commit([below or fork], edits, 100 + number)
        below = head
        name = f"change-{number:05d}"
        branch = f"mq/squash/{name}"
        repository.references.create(f"refs/heads/{branch}", head)
        yield Change(
            id=ChangeId(name),
            head=CommitId(str(head)),
            base=BranchName("main"),
            method=Method.SQUASH,
            ref=RefName(f"refs/heads/{branch}"),
            branch=BranchName(branch),
        )


class _Maker:
    def __init__(self, repository: pygit2.Repository) -> None:
        self._repository = repository

    def commit(self, parents: list[pygit2.Oid], files: dict[str, str], second: int) -> pygit2.Oid:
        who = pygit2.Signature("Bench", "bench@example.invalid", _DAY + second, 0)
        tree = self._tree(parents[0] if parents else None, files)
        return self._repository.create_commit(None, who, who, f"commit {second}\n", tree, parents)

    def _tree(self, parent: pygit2.Oid | None, files: dict[str, str]) -> pygit2.Oid:
        top = self._repository[parent].peel(pygit2.Tree) if parent else None
        builder = self._repository.TreeBuilder(top) if top else self._repository.TreeBuilder()
        folders: dict[str, dict[str, str]] = {}
        for path, content in files.items():
            folder, _, name = path.rpartition("/")
            if folder:
                folders.setdefault(folder, {})[name] = content
            else:
                builder.insert(name, self._repository.create_blob(content.encode()), FileMode.BLOB)
        for folder, entries in folders.items():
            old = top[folder] if top is not None and folder in top else None
            inner = (
                self._repository.TreeBuilder(old)
                if isinstance(old, pygit2.Tree)
                else self._repository.TreeBuilder()
            )
            for name, content in entries.items():
                inner.insert(name, self._repository.create_blob(content.encode()), FileMode.BLOB)
            builder.insert(folder, inner.write(), FileMode.TREE)
        return builder.write()


def _settings(units: list[str]) -> dict[str, str]:
    tables = "".join(f'[unit.{unit}]\npaths = ["{unit}/**"]\n' for unit in units)
    return {"mergequeue.toml": f'[queue]\ngate = "true"\nrest = "rest"\n{tables}'}


def _files(units: list[str]) -> dict[str, str]:
    return {
        f"{unit}/file{number:03d}.txt": _text(unit, number)
        for unit in units
        for number in range(_FILES_A_UNIT)
    }


def _text(unit: str, number: int, at: int = -1, word: str = "") -> str:
    return "".join(
        f"{unit} {number} line {line} {word if line == at else ''}\n" for line in range(_LINES)
    )


def _edit(chance: random.Random, units: list[str], serial: int, *, side: str) -> dict[str, str]:
    edits = {}
    for _ in range(chance.randint(1, 3)):
        unit = chance.choice(units)
        number = chance.randrange(_FILES_A_UNIT)
        # The two sides edit lines far apart, so that a file which both touched needs git's content
        # merge and is clean.
        line = chance.randrange(3) if side == "base" else _LINES - 1 - chance.randrange(3)
        edits[f"{unit}/file{number:03d}.txt"] = _text(unit, number, line, f"{side} {serial}")
    return edits
