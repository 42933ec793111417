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
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from mergequeue.git.backstage import Backstage
from mergequeue.git.parts import ATTRIBUTES, Part
from mergequeue.git.trees import Trees
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.ids import CommitId, TreeId

Seen = list[tuple[str, int, int, int, int, int]]
"""Each entry of a folder, however deep, and what the system knows of it."""


@dataclass(frozen=True)
class Spare:
    """A box's folder with a tree's files in it, and what was seen there."""

    folder: Path
    tree: CommitId | TreeId
    seen: Seen | None = None
    """None where somebody waited for it, so that it is used the moment that it is written."""


@dataclass(eq=False)
class _Order:
    """A spare to be made, being made, or made."""

    made: "Future[Spare | None]"
    is_awaited: threading.Event


class Spares:
    """The spares of one folder of boxes. May be used by several threads at once."""

    def __init__(self, trees: Trees, backstage: Backstage, write: Callable[[Part], Path]) -> None:
        """Take where it is done, and what writes the files of a part into a new box's folder."""
        self._trees = trees
        self._backstage = backstage
        self._write = write
        self._lock = threading.Lock()
        self._orders: deque[_Order] = deque()

    def prepare(self, part: Part) -> None:
        """Have a spare of a part written."""
        is_awaited = threading.Event()
        with self._lock:
            made = self._backstage.order(partial(self._make, part, is_awaited))
            self._orders.append(_Order(made, is_awaited))

    def take(self, part: Part) -> Spare | None:
        """Return a spare that git can bring to a part; None where there is none."""
        with self._lock:
            order = self._orders.popleft() if self._orders else None
        if order is None or order.made.cancel():
            return None
        order.is_awaited.set()
        spare = order.made.result()
        if spare is None:
            return None
        is_as_made = spare.seen is None or seen_in(spare.folder) == spare.seen
        if not is_as_made or self._has_other_attributes(spare.tree, part.tree):
            self._backstage.remove(spare.folder)
            return None
        return spare

    def _make(self, part: Part, is_awaited: threading.Event) -> Spare | None:
        # What stands in the way here is told of when a box of that part is opened.
        with suppress(OSError, MergequeueError):
            folder = self._write(part)
            return Spare(folder, part.tree, None if is_awaited.is_set() else seen_in(folder))
        return None

    def _has_other_attributes(self, one: CommitId | TreeId, other: CommitId | TreeId) -> bool:
        """Whether a file that both trees hold may be written differently."""
        changed = self._trees.differences(self._trees.tree_of(one), self._trees.tree_of(other))
        return any(each.path.rpartition(b"/")[2].lower() == ATTRIBUTES for each in changed)


def seen_in(folder: Path) -> Seen:
    """Return what the system knows of each file and folder in a folder."""
    seen: Seen = []
    waiting = [str(folder)]
    while waiting:
        with os.scandir(waiting.pop()) as listed:
            entries = sorted(listed, key=lambda entry: entry.name)
        for entry in entries:
            now = entry.stat(follow_symlinks=False)
            facts = (now.st_mode, now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns)
            seen.append((entry.path, *facts))
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
    return seen
