"""What git itself makes of a merge: independent answers to compare the two rules with."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from mergequeue.vocabulary.ids import CommitId
from tests.support.repositories import EXECUTABLE, FILE, Playground, git_environment

Stage = tuple[int, str]
"""A mode and an id."""


@dataclass(frozen=True)
class Outcome:
    """A clean tree, or the paths in the way of one."""

    tree: str | None
    conflicts: frozenset[bytes] = frozenset()


def merge_tree(
    playground: Playground, ours: CommitId, theirs: CommitId, settings: tuple[str, ...] = ()
) -> Outcome:
    """Return what `git merge-tree` makes of two commits, with renames unless set otherwise."""
    words = (*settings, "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages")
    ran = _git(playground, *words, ours, theirs, expect={0, 1})
    tree, *paths = ran.stdout.rstrip(b"\0").split(b"\0")
    assert len(tree) == 40, ran.stderr
    if ran.returncode == 0:
        return Outcome(tree.decode())
    labels = (b"~" + ours.encode(), b"~" + theirs.encode())
    return Outcome(None, frozenset(_without_label(path, labels) for path in paths))


def turns_renames_off() -> bool:
    """Whether this git heeds `merge.renames=false` in merge-tree, as it does since 2.50."""
    said = subprocess.run(["git", "--version"], check=True, capture_output=True).stdout.split()[2]
    return tuple(int(part) for part in said.split(b".")[:2]) >= (2, 50)


def merge_recursive(
    playground: Playground, bases: list[CommitId], ours: CommitId, theirs: CommitId
) -> Outcome:
    """Return what git's recursive engine makes of them with renames off, in a work tree."""
    tree = playground.folder / "worktree"
    tree.mkdir(exist_ok=True)
    place = {"GIT_DIR": str(playground.origin), "GIT_WORK_TREE": str(tree)}
    place["GIT_INDEX_FILE"] = str(playground.folder / "index")
    _git(playground, "read-tree", "--reset", "-u", ours, place=place)
    words = ("merge-recursive", "--no-renames", "--diff-algorithm=histogram", *bases, "--")
    ran = _git(playground, *words, ours, theirs, place=place, expect={0, 1})
    unmerged = _git(playground, "ls-files", "-u", "-z", place=place).stdout
    found = frozenset(
        _without_marks(line.split(b"\t", 1)[1]) for line in unmerged.split(b"\0")[:-1]
    )
    if ran.returncode == 0:
        assert not found
        return Outcome(_git(playground, "write-tree", place=place).stdout.decode().strip())
    return Outcome(None, found or frozenset({b"(git names none)"}))


def merge_by_path(
    playground: Playground, base: CommitId, ours: CommitId, theirs: CommitId
) -> Outcome:
    """Return a three-way merge by path: `git read-tree -m`, and `git merge-file` for contents."""
    place = {"GIT_INDEX_FILE": str(playground.folder / "index-by-path")}
    Path(place["GIT_INDEX_FILE"]).unlink(missing_ok=True)
    _git(playground, "read-tree", "-i", "-m", "--aggressive", base, ours, theirs, place=place)
    settled, open_ = _read_index(playground, place)
    conflicts = set()
    for path, stages in open_.items():
        base_, ours_, theirs_ = (stages.get(stage) for stage in (1, 2, 3))
        if base_ in (ours_, theirs_):
            # What read-tree left open for a folder in the way alone.
            merged = theirs_ if ours_ == base_ else ours_
        else:
            merged = _merge_stages(playground, stages)
            conflicts |= set() if merged is not None else {path}
        if merged is not None:
            settled[path] = merged
    held = settled.keys() | conflicts
    conflicts |= {one for one in held if any(other.startswith(one + b"/") for other in held)}
    if conflicts:
        return Outcome(None, frozenset(conflicts))
    return Outcome(_write_tree(playground, settled))


def _read_index(
    playground: Playground, place: dict[str, str]
) -> tuple[dict[bytes, Stage], dict[bytes, dict[int, Stage]]]:
    settled: dict[bytes, Stage] = {}
    open_: dict[bytes, dict[int, Stage]] = {}
    for line in _git(playground, "ls-files", "-s", "-z", place=place).stdout.split(b"\0")[:-1]:
        facts, path = line.split(b"\t", 1)
        mode, id_, stage = facts.decode().split(" ")
        entry = (int(mode, 8), id_)
        if stage == "0":
            settled[path] = entry
        else:
            open_.setdefault(path, {})[int(stage)] = entry
    return settled, open_


def _merge_stages(playground: Playground, stages: dict[int, Stage]) -> Stage | None:
    base, ours, theirs = stages.get(1), stages.get(2), stages.get(3)
    regular = {FILE, EXECUTABLE}
    if ours is None or theirs is None or not {ours[0], theirs[0]} <= regular:
        return None
    if ours[0] == theirs[0] or (base is not None and ours[0] == base[0]):
        mode = theirs[0]
    elif base is not None and theirs[0] == base[0]:
        mode = ours[0]
    else:
        return None
    if base is not None and base[1] in {ours[1], theirs[1]}:
        return mode, theirs[1] if ours[1] == base[1] else ours[1]
    names = []
    for name, side in (("ours", ours), ("base", base), ("theirs", theirs)):
        file = playground.folder / name
        content = b"" if side is None or side[0] not in regular else _blob(playground, side[1])
        file.write_bytes(content)
        names.append(str(file))
    ran = _git(playground, "merge-file", "-p", "-q", *names, expect=set(range(256)))
    if ran.returncode != 0:
        return None
    return mode, playground.write(3, ran.stdout)


def _blob(playground: Playground, id_: str) -> bytes:
    return playground.repository[id_].read_raw()


def _write_tree(playground: Playground, files: dict[bytes, Stage]) -> str:
    place = {"GIT_INDEX_FILE": str(playground.folder / "index-of-result")}
    Path(place["GIT_INDEX_FILE"]).unlink(missing_ok=True)
    lines = b"".join(
        b"%o %s 0\t%s\0" % (mode, id_.encode(), path) for path, (mode, id_) in files.items()
    )
    _git(playground, "update-index", "-z", "--index-info", place=place, stdin=lines)
    return _git(playground, "write-tree", "--missing-ok", place=place).stdout.decode().strip()


def _without_label(path: bytes, labels: tuple[bytes, ...]) -> bytes:
    for label in labels:
        path = path.partition(label)[0]
    return path


def _without_marks(path: bytes) -> bytes:
    return path.partition(b"~")[0]


def _git(
    playground: Playground,
    *words: str,
    expect: set[int] | None = None,
    place: dict[str, str] | None = None,
    stdin: bytes = b"",
) -> subprocess.CompletedProcess[bytes]:
    ran = subprocess.run(
        ["git", *words],
        cwd=playground.origin,
        env={**git_environment(playground.folder), **(place or {})},
        input=stdin,
        check=False,
        capture_output=True,
    )
    assert ran.returncode in (expect or {0}), (words, ran.stderr)
    return ran
