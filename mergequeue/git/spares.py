"""Work trees written before they are wanted: the next box's files, while the gates of others run.

Nearly all of what a box costs is making its files, and the next candidate holds nearly the same
ones. A spare is in a box that no hook was given. It is used only where everything in it still is as
git left it: a file's time of change is the kernel's to set, so one that a hook reached does not
pass. Then git brings it from its tree to the one that is wanted, and writes what differs; the two
may be parts of commits.
"""

import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from mergequeue.git.parts import ATTRIBUTES, Part
from mergequeue.git.removal import remove_tree
from mergequeue.git.trees import Trees
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.ids import CommitId, TreeId


@dataclass(frozen=True)
class Spare:
    """A box's folder with a tree's files in it, and what was seen there."""

    folder: Path
    tree: CommitId | TreeId
    seen: bytes


class Spares:
    """The spares of one folder of boxes. May be used by several threads at once."""

    def __init__(self, trees: Trees, write: Callable[[Part], Path]) -> None:
        """Take what writes the files of a part into a new box's folder."""
        self._trees = trees
        self._write = write
        self._lock = threading.Lock()
        self._waiting: deque[Future[Spare | None]] = deque()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="spares")

    def prepare(self, part: Part) -> None:
        """Start to write a spare of a part."""
        with self._lock:
            self._waiting.append(self._thread.submit(self._make, part))

    def take(self, part: Part) -> Path | None:
        """Return the folder of a spare that git can bring to a part; None where there is none."""
        with self._lock:
            made = self._waiting.popleft() if self._waiting else None
        if made is None or made.cancel():
            return None
        spare = made.result()
        if spare is None:
            return None
        if self._has_other_attributes(spare.tree, part.tree) or seen_in(spare.folder) != spare.seen:
            _remove(spare.folder)
            return None
        return spare.folder

    def stop(self) -> None:
        """Make no more; wait for the one that is being made."""
        self._thread.shutdown(cancel_futures=True)

    def _make(self, part: Part) -> Spare | None:
        # What stands in the way here is told of when a box of that part is opened.
        with suppress(OSError, MergequeueError):
            folder = self._write(part)
            return Spare(folder, part.tree, seen_in(folder))
        return None

    def _has_other_attributes(self, one: CommitId | TreeId, other: CommitId | TreeId) -> bool:
        """Whether a file that both trees hold may be written differently."""
        changed = self._trees.differences(self._trees.tree_of(one), self._trees.tree_of(other))
        return any(each.path.rpartition(b"/")[2].lower() == ATTRIBUTES for each in changed)


def seen_in(folder: Path) -> bytes:
    """Return a digest of what the system knows of each file and folder in a folder."""
    digest = sha256()
    waiting = [os.fsencode(folder)]
    while waiting:
        with os.scandir(waiting.pop()) as listed:
            entries = sorted(listed, key=lambda entry: entry.path)
        for entry in entries:
            now = entry.stat(follow_symlinks=False)
            facts = (now.st_mode, now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns)
            digest.update(b"%s\0%d %d %d %d %d\0" % (entry.path, *facts))
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
    return digest.digest()


def _remove(folder: Path) -> None:
    with suppress(OSError):
        remove_tree(folder)
