"""Random histories to merge: edits, renames, copies, modes, links, submodules and criss-crosses."""

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hypothesis import strategies as st

from mergequeue.vocabulary.ids import CommitId
from tests.support.repositories import (
    COMMIT_TYPE,
    EXECUTABLE,
    FILE,
    FIRST_DATE,
    LINK,
    SUBMODULE,
    Playground,
)

Files = dict[bytes, tuple[int, bytes]]
"""A tree: modes and contents by path; a submodule's content is its commit's id."""
Edit = tuple[str, int, int, int]
"""What is done, and three numbers that say to what and how."""

NAMES = (
    b"a.txt",
    b"b.txt",
    b"lib/core.py",
    b"lib/core.py/inner",
    b"lib/util.py",
    b"lib",
    b"lib/deep/down/x",
    b"old/one",
    b"old/two",
    b"new/one",
    b"new/two",
    b"-n",
    b"new\nline",
    b'tab\tand"quote',
    b"\xff\xfe",
    "é".encode(),
    b"e\xcc\x81",
    b" lead",
    b".gitattributes",
)
KINDS = ("insert", "insert", "change", "change", "cut", "write", "delete", "rename", "rename")
RARE_KINDS = ("copy", "chmod", "link", "submodule", "binary", "empty", "crlf", "tail")

_LINES = 12


def text_of(seed: int) -> bytes:
    """Return a file of lines that stand nowhere else."""
    return b"".join(b"line %d of %d\n" % (number, seed) for number in range(_LINES))


BASE: Files = {
    b"a.txt": (FILE, text_of(1)),
    b"b.txt": (FILE, text_of(2)),
    b"lib/core.py": (FILE, text_of(3)),
    b"lib/util.py": (EXECUTABLE, text_of(4)),
    b"old/one": (FILE, text_of(5)),
    b"old/two": (FILE, text_of(6)),
    b"link": (LINK, b"a.txt"),
    b"sub": (SUBMODULE, b"1" * 40),
    b".gitattributes": (FILE, b"* merge=union\n*.py -merge\nb.txt text eol=crlf\n"),
}

CALM_KINDS = ("insert", "change", "cut", "delete", "empty", "tail")
"""Edits of which all of git's engines make the same, in a merge of merge bases too."""

calm_edits = st.lists(
    st.tuples(
        st.sampled_from(CALM_KINDS), st.integers(0, 30), st.integers(0, 30), st.integers(0, 3)
    ),
    max_size=5,
).map(tuple)
edits = st.lists(
    st.tuples(
        st.one_of(st.sampled_from(KINDS), st.sampled_from(RARE_KINDS)),
        st.integers(0, 30),
        st.integers(0, 30),
        st.integers(0, 3),
    ),
    max_size=5,
).map(tuple)
"""What one commit does."""


def edited(files: Files, changes: tuple[Edit, ...]) -> Files:
    """Return a tree with some edits made."""
    done = dict(files)
    for kind, which, where, how in changes:
        path = sorted(done)[which % len(done)] if done else NAMES[0]
        _EDITS[kind](done, path, where, how)
    return done


def _insert(files: Files, path: bytes, where: int, how: int) -> None:
    lines = _lines(files, path)
    lines.insert(where % (len(lines) + 1), b"added %d\n" % how)
    _store_lines(files, path, lines)


def _change(files: Files, path: bytes, where: int, how: int) -> None:
    lines = _lines(files, path)
    if lines:
        lines[where % len(lines)] = b"changed %d\n" % how
    _store_lines(files, path, lines)


def _cut(files: Files, path: bytes, where: int, how: int) -> None:
    lines = _lines(files, path)
    start = where % (len(lines) + 1)
    _store_lines(files, path, lines[:start] + lines[start + 1 + how :])


def _write(files: Files, _: bytes, where: int, how: int) -> None:
    _put(files, NAMES[where % len(NAMES)], (FILE, text_of(10 + how)))


def _delete(files: Files, path: bytes, _: int, __: int) -> None:
    files.pop(path, None)


def _rename(files: Files, path: bytes, where: int, _: int) -> None:
    held = files.pop(path, None)
    if held is not None:
        _put(files, NAMES[where % len(NAMES)], held)


def _copy(files: Files, path: bytes, where: int, _: int) -> None:
    if path in files:
        _put(files, NAMES[where % len(NAMES)], files[path])


def _chmod(files: Files, path: bytes, _: int, how: int) -> None:
    if path in files and files[path][0] in {FILE, EXECUTABLE}:
        files[path] = (EXECUTABLE if how % 2 else FILE, files[path][1])


def _store(mode: int, content: Callable[[int], bytes]) -> Callable[[Files, bytes, int, int], None]:
    def store(files: Files, path: bytes, _: int, how: int) -> None:
        _put(files, path, (mode, content(how)))

    return store


def _crlf(files: Files, path: bytes, _: int, __: int) -> None:
    lines = [line.replace(b"\r", b"").replace(b"\n", b"\r\n") for line in _lines(files, path)]
    _store_lines(files, path, lines)


def _tail(files: Files, path: bytes, _: int, __: int) -> None:
    if path in files and files[path][0] in {FILE, EXECUTABLE}:
        files[path] = (files[path][0], files[path][1].rstrip(b"\n"))


_EDITS: Mapping[str, Callable[[Files, bytes, int, int], None]] = {
    "insert": _insert,
    "change": _change,
    "cut": _cut,
    "write": _write,
    "delete": _delete,
    "rename": _rename,
    "copy": _copy,
    "chmod": _chmod,
    "link": _store(LINK, lambda how: b"target %d" % how),
    "submodule": _store(SUBMODULE, lambda how: b"%040x" % (2 + how)),
    "binary": _store(FILE, lambda how: b"\0\1\2" + bytes([how]) * 40),
    "empty": _store(FILE, lambda _: b""),
    "crlf": _crlf,
    "tail": _tail,
}


def _lines(files: Files, path: bytes) -> list[bytes]:
    mode, content = files.get(path, (FILE, b""))
    return content.splitlines(keepends=True) if mode in {FILE, EXECUTABLE} else []


def _store_lines(files: Files, path: bytes, lines: list[bytes]) -> None:
    if path in files and files[path][0] in {FILE, EXECUTABLE}:
        files[path] = (files[path][0], b"".join(lines))


def _put(files: Files, path: bytes, held: tuple[int, bytes]) -> None:
    # A file makes way for a folder of its name, and a folder for a file.
    for other in list(files):
        if other.startswith(path + b"/") or path.startswith(other + b"/"):
            del files[other]
    files[path] = held


_numbers = itertools.count(1)


def commit_files(playground: Playground, files: Files, *parents: CommitId) -> CommitId:
    """Write a commit that holds exactly these files, a second younger than the one before it."""
    who = f"A <a@example.invalid> {FIRST_DATE + next(_numbers)} +0000"
    lines = [f"tree {playground.tree(files)}", *(f"parent {parent}" for parent in parents)]
    lines += [f"author {who}", f"committer {who}", "", "A change\n"]
    return CommitId(playground.write(COMMIT_TYPE, "\n".join(lines).encode()))


@dataclass(frozen=True)
class Fork:
    """Two commits to merge, and the one that they start from."""

    base: CommitId
    ours: CommitId
    theirs: CommitId


@dataclass(frozen=True)
class ForkPlan:
    """What happens on either side of a fork."""

    first: tuple[Edit, ...]
    ours: tuple[Edit, ...]
    theirs: tuple[Edit, ...]

    def write(self, playground: Playground) -> Fork:
        """Write the commits."""
        start = edited(BASE, self.first)
        base = commit_files(playground, start)
        ours = commit_files(playground, edited(start, self.ours), base)
        theirs = commit_files(playground, edited(start, self.theirs), base)
        return Fork(base, ours, theirs)


@dataclass(frozen=True)
class CrissCrossPlan:
    """Two lines that merged each other, each with edits of its own, and went on."""

    one: tuple[Edit, ...]
    other: tuple[Edit, ...]
    takes_one: tuple[bool, ...]
    """Which paths the merges on our side take from the first line; the rest from the second."""
    takes_other: tuple[bool, ...]
    ours: tuple[Edit, ...]
    theirs: tuple[Edit, ...]

    def write(self, playground: Playground) -> Fork:
        """Write the commits."""
        # git's recursive engine, the oracle, would follow the attributes of a work tree.
        start = {path: held for path, held in BASE.items() if path != b".gitattributes"}
        base = commit_files(playground, start)
        one, other = edited(start, self.one), edited(start, self.other)
        left = commit_files(playground, one, base)
        right = commit_files(playground, other, base)
        our_files = edited(_mixed(start, one, other, self.takes_one), self.ours)
        their_files = edited(_mixed(start, one, other, self.takes_other), self.theirs)
        ours = commit_files(playground, our_files, left, right)
        theirs = commit_files(playground, their_files, right, left)
        return Fork(base, ours, theirs)


def _mixed(base: Files, one: Files, other: Files, takes: tuple[bool, ...]) -> Files:
    mixed: Files = {}
    for number, path in enumerate(sorted(one.keys() | other.keys())):
        before = base.get(path)
        first, second = one.get(path), other.get(path)
        changed_by_one = second == before or (first != before and takes[number % len(takes)])
        held = first if changed_by_one else second
        if held is not None:
            _put(mixed, path, held)
    return mixed


forks = st.builds(ForkPlan, st.just(()), edits, edits)
_choices = st.lists(st.booleans(), min_size=1, max_size=8).map(tuple)
criss_crosses = st.builds(CrissCrossPlan, edits, edits, _choices, _choices, edits, edits)
calm_criss_crosses = st.builds(
    CrissCrossPlan, calm_edits, calm_edits, _choices, _choices, calm_edits, calm_edits
)
