"""What a hook left in a box, read with an index of the queue's own (DESIGN, A candidate on disk).

    <workshop>/wxxxxxxxx/       0700, outside every box
        index                   the commit, and then what is taken from the box
        mirror/                 the regular files that are taken
        ignores/                the commit's .gitignore files

git is never run in the checkout that a hook wrote to, and neither the git directory there nor any
repository that was planted is ever opened. The files that are to be taken are copied, and git works
on the copies. Which attributes they have is said by those files that are taken with them, and else
by the commit's own in the index, where git looks when a work tree has none. No link is ever made
outside the box.
"""

import os
import stat
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from mergequeue.git.leavings import (
    FILE_MODE,
    LINK_MODE,
    Left,
    TooMuchError,
    read_left,
    stamps_in,
    wait_for_a_tick,
)
from mergequeue.git.objects import BLOB, read_kind
from mergequeue.git.removal import remove_tree
from mergequeue.git.store import Store
from mergequeue.git.tree_entries import SUBMODULE, is_file
from mergequeue.git.trees import Trees
from mergequeue.ports import Box, Touched, Untaken
from mergequeue.vocabulary.errors import BOX_FAILED
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId, short
from mergequeue.vocabulary.limits import REGENERATED_BYTES, REGENERATED_FILES
from mergequeue.vocabulary.text import path_text

_GIT = b".git"
_IGNORES = b".gitignore"
_BORROWED = RepoPath(b".git/objects/info/alternates")
_NAMES_REPOSITORY = (RepoPath(b".git/commondir"), RepoPath(b".git/gitdir"))
_ANY_STATUS = range(256)
_NONE_IGNORED = 1


class BoxFiles:
    """`ports.BoxFiles` on a workshop's repository."""

    def __init__(self, store: Store, trees: Trees) -> None:
        """Take the repository, and where its trees are read."""
        self._store = store
        self._trees = trees

    @contextmanager
    def watch(self, box: Box, commit: CommitId) -> Iterator["BoxWatch"]:
        """Look at a box before a hook runs in it; raise BOX_FAILED where that cannot be done."""
        try:
            aside = Path(tempfile.mkdtemp(prefix="w", dir=self._store.home))
        except OSError as error:
            raise BOX_FAILED(f"{short(commit)}: {error.strerror}") from error
        try:
            yield self._begun(box, commit, aside)
        finally:
            with suppress(OSError):
                remove_tree(aside)

    def _begun(self, box: Box, commit: CommitId, aside: Path) -> "BoxWatch":
        try:
            return BoxWatch(self._store, self._trees, box, commit, aside)
        except (OSError, TooMuchError) as error:
            why = getattr(error, "strerror", None) or "not all of its files can be looked at"
            raise BOX_FAILED(f"{short(commit)}: {why}") from error


class BoxWatch:
    """`ports.Watch` of one box."""

    def __init__(self, store: Store, trees: Trees, box: Box, commit: CommitId, aside: Path) -> None:
        """Remember what the system says of every file, and of the git directory."""
        self._store = store
        self._trees = trees
        self._checkout = box.checkout
        self._commit = commit
        self._aside = aside
        self._mirror, self._ignores = aside / "mirror", aside / "ignores"
        self._mirror.mkdir()
        self._ignores.mkdir()
        self._files = stamps_in(box.checkout, _GIT, REGENERATED_FILES * 100)
        self._repository = self._seen_repository()
        newest = max((stamp[-1] for stamp in self._files.values()), default=0)
        wait_for_a_tick(aside, newest)

    def touched(self) -> Touched:
        """Return what became of the files since."""
        if self._seen_repository() != self._repository:
            return Touched(tampered="it replaced the `.git` of its checkout")
        try:
            now = stamps_in(self._checkout, _GIT, len(self._files) * 2 + REGENERATED_FILES)
        except TooMuchError:
            return Touched(tampered="it left its checkout so that not all of it can be looked at")
        changed = {path for path, stamp in self._files.items() if now.get(path) != stamp}
        come = [path for path in now if path not in self._files and not self._is_nested(path)]
        return Touched(frozenset(changed), frozenset(come) - self._ignored(come))

    def tree(self, paths: Collection[RepoPath]) -> TreeId | Untaken:
        """Return the commit's tree with these paths as they are now; in words what is in the way.

        Raises GIT_FAILED where git cannot read the commit, BOX_FAILED where there is no room.
        """
        links: dict[RepoPath, bytes] = {}
        room = REGENERATED_BYTES
        try:
            for path in sorted(paths):
                left = read_left(self._checkout, path, room)
                if left is None:
                    continue
                if not left.mode:
                    return Untaken(f"{path_text(path)} is no file")
                room -= len(left.content)
                if left.mode == LINK_MODE:
                    links[path] = left.content
                else:
                    _put(self._mirror, path, left.content, left.mode)
        except TooMuchError:
            return Untaken(f"it wrote more than {REGENERATED_BYTES} bytes")
        except OSError as error:
            raise BOX_FAILED(f"{short(self._commit)}: {error.strerror}") from error
        return self._written(paths, links)

    def _written(
        self, paths: Collection[RepoPath], links: Mapping[RepoPath, bytes]
    ) -> TreeId | Untaken:
        self._run("read-tree", self._commit)
        files = _listed(path for path in paths if path not in links)
        problem = self._update("--remove", "--stdin", stdin=files)
        if not problem and links:
            written = ((path, self._store.repository.write(BLOB, to)) for path, to in links.items())
            lines = (
                b"%o %s 0\t%s\0" % (LINK_MODE, str(id_).encode(), path) for path, id_ in written
            )
            problem = self._update("--index-info", stdin=b"".join(lines))
        if problem:
            return Untaken(problem)
        return TreeId(self._run("write-tree").decode().strip())

    def _update(self, *words: str, stdin: bytes) -> str:
        """Bring files into the index; return in words why git does not take them."""
        ran = self._store.git.run(
            *("update-index", "--add", "--replace", "-z", *words),
            stdin=stdin,
            variables=self._places(self._mirror),
            expect=_ANY_STATUS,
        )
        if ran.status == 0:
            return ""
        return f"git cannot take what it wrote: {self._store.git.said(ran.err)}"

    def _put_ignores(self, paths: Collection[RepoPath]) -> None:
        """Put the commit's own .gitignore files that speak of these paths into a folder."""
        tree = self._trees.tree_of(self._commit)
        speaking = {folder + _IGNORES for path in paths for folder in _folders_above(path)}
        for each in map(RepoPath, sorted(speaking)):
            entry = self._trees.find(tree, each)
            if entry is None or not is_file(entry):
                continue
            content = read_kind(self._store.repository, entry[1].hex(), BLOB)
            _put(self._ignores, each, content, FILE_MODE)

    def _ignored(self, paths: Collection[RepoPath]) -> frozenset[RepoPath]:
        """Return which of these paths the commit's own .gitignore files name."""
        if not paths:
            return frozenset()
        try:
            self._put_ignores(paths)
        except OSError as error:
            raise BOX_FAILED(f"{short(self._commit)}: {error.strerror}") from error
        ran = self._store.git.run(
            *("check-ignore", "--no-index", "-z", "--stdin"),
            # It takes no path literally: behind a `./`, none starts with a pathspec's magic.
            stdin=_listed(RepoPath(b"./" + path) for path in paths),
            variables={**self._places(self._ignores), "GIT_LITERAL_PATHSPECS": "0"},
            expect=(0, _NONE_IGNORED),
        )
        return frozenset(RepoPath(path[2:]) for path in ran.out.split(b"\0") if path)

    def _is_nested(self, path: RepoPath) -> bool:
        """Whether a path lies in a submodule of the commit, which is another repository's."""
        tree = self._trees.tree_of(self._commit)
        folders = (folder.removesuffix(b"/") for folder in _folders_above(path))
        found = (self._trees.find(tree, RepoPath(folder)) for folder in folders if folder)
        return any(entry is not None and entry[0] == SUBMODULE for entry in found)

    def _seen_repository(self) -> object:
        """Return what tells the checkout's own git directory from any other."""
        try:
            seen = Path(self._checkout, ".git").lstat()
        except OSError:
            return None
        borrowed = self._read_small(_BORROWED)
        named = [self._read_small(path) for path in _NAMES_REPOSITORY]
        return (stat.S_IFMT(seen.st_mode), seen.st_dev, seen.st_ino, borrowed, named)

    def _read_small(self, path: RepoPath) -> Left | None:
        try:
            return read_left(self._checkout, path, REGENERATED_BYTES)
        except (OSError, TooMuchError):
            return None

    def _run(self, *words: str) -> bytes:
        return self._store.git.run(*words, variables=self._places(self._mirror)).out

    def _places(self, files: Path) -> dict[str, str]:
        return {"GIT_INDEX_FILE": str(self._aside / "index"), "GIT_WORK_TREE": str(files)}


def _put(folder: Path, path: RepoPath, content: bytes, mode: int) -> None:
    place = folder / os.fsdecode(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    place.chmod(mode & 0o777)


def _folders_above(path: RepoPath) -> Iterator[bytes]:
    """Yield the folders that a path lies in, each with a `/` behind it; the top is empty."""
    yield b""
    end = path.find(b"/")
    while end >= 0:
        yield path[: end + 1]
        end = path.find(b"/", end + 1)


def _listed(paths: Iterable[RepoPath]) -> bytes:
    return b"".join(path + b"\0" for path in sorted(paths))
