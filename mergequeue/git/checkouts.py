"""Boxes: a candidate's private folders, one box a candidate (DESIGN, A candidate on disk).

    <root>/1/                   0700; short enough for Unix sockets
        checkout/               the candidate, HEAD detached at it, no remote
            .git/               its own, borrowing the workshop's objects to read
        home/
        scratch/tmp/            TMPDIR

The checkout is written by git working on the workshop's own repository, so no filter, hook or
configuration of anybody's runs, and the git directory in the box is never opened by the queue:
neither before a hook has run nor after. Nothing in a box is linked to anything outside it, and
nothing in it was in one that a hook was given.

A checkout may hold some of the files alone. The others are in its index, marked as git marks what
a sparse checkout leaves out (skip-worktree), so that git there finds it clean.
"""

import itertools
import os
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mergequeue.git.backstage import Backstage
from mergequeue.git.parts import Part, Parts
from mergequeue.git.removal import remove_tree
from mergequeue.git.spares import Spare, Spares
from mergequeue.git.store import Store
from mergequeue.git.trees import Trees
from mergequeue.ports import Box, Keep
from mergequeue.vocabulary.errors import BOX_FAILED, MergequeueError
from mergequeue.vocabulary.ids import CommitId, RepoPath, short
from mergequeue.vocabulary.text import one_line, path_text

_PRIVATE = 0o700
_CHECKOUT = "checkout"
_INDEX = "index"
_A_SECOND = 1_000_000_000
_CONFIG = """\
[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
[gc]
\tauto = 0
[maintenance]
\tauto = false
"""


class Boxes:
    """Boxes in one private folder. May be used by several threads at once."""

    def __init__(self, store: Store, trees: Trees, root: Path) -> None:
        """Take the folder to make boxes in; it exists, and is the queue's alone."""
        self._store = store
        self._root = root
        self._trees = trees
        self._parts = Parts(store.repository, trees)
        self.backstage = Backstage(root)
        """Where boxes are prepared and removed."""
        self._spares = Spares(trees, self.backstage, self._write_new)
        self._numbers = itertools.count(1)
        self._folds = _folds_names(root)

    def open(self, commit: CommitId, *, keep: Keep | None = None, more: bool = False) -> Box:
        """Make a box whose checkout is `commit`; raise BOX_FAILED where that cannot be.

        With `keep`, it holds the files alone that this is true of, and every `.gitattributes`. With
        `more`, another box is soon to be opened, and its files are written meanwhile.
        """
        try:
            part = self._parts.part(commit, keep)
            self._refuse_collisions(part)
            box = self._furnish(part, self._files_of(part))
        except OSError as error:
            raise BOX_FAILED(f"{short(commit)}: {error.strerror}") from error
        self.backstage.expect(others=more)
        if more:
            self._spares.prepare(part)
        return box

    def close(self, box: Box) -> None:
        """Have a box removed, whatever a hook made of it; what belongs to another user stays."""
        self.backstage.remove(Path(box.checkout).parent)

    def stop(self) -> None:
        """Prepare no more boxes, and remove those that are closed."""
        self.backstage.stop()

    def _files_of(self, part: Part) -> Path:
        """Return a box's folder that holds a part's files and, beside them, git's index."""
        spare = self._spares.take(part)
        if spare is None:
            return self._write_new(part)
        with _removed_on_error(spare.folder):
            self._bring(spare, part)
        return spare.folder

    def _write_new(self, part: Part) -> Path:
        folder = self._root / str(next(self._numbers))
        with _removed_on_error(folder):
            for each in (folder, folder / _CHECKOUT):
                each.mkdir(mode=_PRIVATE)
            self._run(part, folder, "read-tree", "--reset", "-u", part.tree)
        return folder

    def _bring(self, spare: Spare, part: Part) -> None:
        """Write what differs between a spare's tree and a part's, and nothing else."""
        # git reads files again that are as young as its index, and these are known to be unchanged.
        index = spare.folder / _INDEX
        written = index.stat().st_mtime_ns
        os.utime(index, ns=(written, written + _A_SECOND))
        self._run(part, spare.folder, "read-tree", "-m", "-u", spare.tree, part.tree)

    def _leave_out(self, part: Part, folder: Path) -> None:
        """Bring the index from the files that are written to the commit, the others marked."""
        self._run(part, folder, "read-tree", "-m", part.commit)
        marked = b"".join(path + b"\0" for path in part.left_out)
        self._run(part, folder, "update-index", "--skip-worktree", "-z", "--stdin", stdin=marked)

    def _run(self, part: Part, folder: Path, *words: str, stdin: bytes = b"") -> None:
        places = {"GIT_INDEX_FILE": folder / _INDEX, "GIT_WORK_TREE": folder / _CHECKOUT}
        ran = self._store.git.run(
            *words,
            stdin=stdin,
            variables={name: str(place) for name, place in places.items()},
            expect=range(256),
        )
        if ran.status != 0:
            raise BOX_FAILED(f"{short(part.commit)}: {self._store.git.said(ran.err)}")

    def _furnish(self, part: Part, folder: Path) -> Box:
        """Add everything but the files."""
        checkout, home, scratch = folder / _CHECKOUT, folder / "home", folder / "scratch"
        git_dir = checkout / ".git"
        with _removed_on_error(folder):
            if part.left_out:
                self._leave_out(part, folder)
            for each in (home, scratch, scratch / "tmp"):
                each.mkdir(mode=_PRIVATE)
            for each in (git_dir, git_dir / "objects" / "info", git_dir / "refs"):
                each.mkdir(parents=True)
            (git_dir / "config").write_text(_CONFIG)
            (git_dir / "objects" / "info" / "alternates").write_text(f"{self._store.objects}\n")
            (git_dir / "HEAD").write_text(f"{part.commit}\n")
            (folder / _INDEX).rename(git_dir / "index")
        borrowed = (self._store.objects, *self._store.borrowed)
        return Box(str(checkout), str(home), str(scratch), tuple(map(str, borrowed)))

    def _refuse_collisions(self, part: Part) -> None:
        """Raise BOX_FAILED where two files of the tree are one on this file system."""
        if not self._folds:
            return
        pair = colliding(self._trees.paths(self._trees.tree_of(part.tree)))
        if pair is not None:
            one, other = (path_text(path) for path in pair)
            raise BOX_FAILED(
                f"{short(part.commit)}: {one} and {other} are one file on the file system of "
                f"{one_line(str(self._root))}"
            )


@contextmanager
def _removed_on_error(folder: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, MergequeueError):
        with suppress(OSError):
            remove_tree(folder)
        raise


def colliding(paths: Iterable[RepoPath]) -> tuple[RepoPath, RepoPath] | None:
    """Return two paths that are one where a file system keeps neither case nor form apart."""
    seen: dict[str, bytes] = {}
    for path in paths:
        prefix = b""
        for name in path.split(b"/"):
            prefix = prefix + b"/" + name if prefix else name
            other = seen.setdefault(_folded(prefix), prefix)
            if other != prefix:
                return RepoPath(other), RepoPath(prefix)
    return None


def _folded(path: bytes) -> str:
    text = path.decode("utf-8", errors="surrogateescape")
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def _folds_names(root: Path) -> bool:
    """Whether the file system under `root` takes names for one that differ by case or form."""
    probe = root / "mq-case-\N{LATIN SMALL LETTER E WITH ACUTE}"
    probe.touch()
    others = (probe.name.upper(), unicodedata.normalize("NFD", probe.name))
    folds = any(os.path.lexists(root / other) for other in others)
    probe.unlink()
    return folds
