"""Boxes: a candidate's private folders, one box a candidate (DESIGN, A candidate on disk).

    <root>/1/                   0700; short enough for Unix sockets
        checkout/               the candidate, HEAD detached at it, no remote
            .git/               its own, borrowing the workshop's objects to read
        home/
        scratch/tmp/            TMPDIR

The checkout is written by git working on the workshop's own repository, so no filter, hook or
configuration of anybody's runs, and the git directory in the box is never opened by the queue:
neither before a hook has run nor after. Nothing in a box is linked to anything outside it.
"""

import itertools
import os
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from mergequeue.git.removal import remove_tree
from mergequeue.git.store import Store
from mergequeue.git.trees import Trees
from mergequeue.ports import Box
from mergequeue.vocabulary.errors import BOX_FAILED, MergequeueError
from mergequeue.vocabulary.ids import CommitId, RepoPath, short
from mergequeue.vocabulary.text import one_line, path_text

_PRIVATE = 0o700
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

    def __init__(self, store: Store, root: Path) -> None:
        """Take the folder to make boxes in; it exists, and is the queue's alone."""
        self._store = store
        self._root = root
        self._trees = Trees(store.repository)
        self._numbers = itertools.count(1)
        self._folds = _folds_names(root)

    def open(self, commit: CommitId) -> Box:
        """Make a box whose checkout is `commit`; raise BOX_FAILED where that cannot be."""
        folder = self._root / str(next(self._numbers))
        try:
            return self._make(commit, folder)
        except (OSError, MergequeueError) as error:
            with suppress(OSError):
                remove_tree(folder)
            if isinstance(error, MergequeueError):
                raise
            raise BOX_FAILED(f"{short(commit)}: {error.strerror}") from error

    def close(self, box: Box) -> None:
        """Remove a box, whatever a hook made of it; what belongs to another user stays."""
        with suppress(OSError):
            remove_tree(Path(box.checkout).parent)

    def _make(self, commit: CommitId, folder: Path) -> Box:
        checkout, home, scratch = folder / "checkout", folder / "home", folder / "scratch"
        for each in (folder, checkout, home, scratch, scratch / "tmp"):
            each.mkdir(mode=_PRIVATE)
        git_dir = checkout / ".git"
        for each in (git_dir, git_dir / "objects", git_dir / "objects" / "info", git_dir / "refs"):
            each.mkdir()
        (git_dir / "config").write_text(_CONFIG)
        (git_dir / "objects" / "info" / "alternates").write_text(f"{self._store.objects}\n")
        (git_dir / "HEAD").write_text(f"{commit}\n")
        self._refuse_collisions(commit)
        ran = self._store.git.run(
            "read-tree",
            "--reset",
            "-u",
            commit,
            variables={"GIT_INDEX_FILE": str(git_dir / "index"), "GIT_WORK_TREE": str(checkout)},
            expect=range(256),
        )
        if ran.status != 0:
            raise BOX_FAILED(f"{short(commit)}: {self._store.git.said(ran.err)}")
        return Box(checkout=str(checkout), home=str(home), scratch=str(scratch))

    def _refuse_collisions(self, commit: CommitId) -> None:
        """Raise BOX_FAILED where two files of the tree are one on this file system."""
        if not self._folds:
            return
        pair = colliding(self._trees.paths(self._trees.tree_of(commit)))
        if pair is not None:
            one, other = (path_text(path) for path in pair)
            raise BOX_FAILED(
                f"{short(commit)}: {one} and {other} are one file on the file system of "
                f"{one_line(str(self._root))}"
            )


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
