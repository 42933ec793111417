"""The private folder of a workshop, and those that killed runs left behind.

A folder is locked for as long as the process that made it lives, whatever ends that; so one that
can be locked is nobody's any more, and the next run removes it. It holds a mark, since other
folders may be named alike, and those are somebody's.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mergequeue.git.removal import remove_tree

PREFIX = "mq-"
_MARK = ".workshop"
_OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def private_home(root: Path) -> Iterator[Path]:
    """Yield a new folder in `root` for this user alone, and remove it after the block.

    What killed runs of the same user left in `root` is removed first.
    """
    remove_left_behind(root)
    home, lock = _locked(root)
    try:
        yield home
    finally:
        # What another user's process left in a box is not the queue's to remove.
        with suppress(OSError):
            remove_tree(home)
        os.close(lock)


def remove_left_behind(root: Path) -> None:
    """Remove this user's workshops in `root` whose process is gone."""
    with suppress(OSError), os.scandir(root) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX):
                with suppress(OSError):
                    _remove_unlocked(Path(entry.path))


def _locked(root: Path) -> tuple[Path, int]:
    while True:
        home = Path(tempfile.mkdtemp(prefix=PREFIX, dir=root))
        with suppress(FileNotFoundError):
            lock = os.open(home, _OPEN)
            fcntl.flock(lock, fcntl.LOCK_EX)
            # Another run may have taken it for left behind before it was locked.
            if os.fstat(lock).st_nlink and home.is_dir():
                (home / _MARK).touch()
                return home, lock
            os.close(lock)


def _remove_unlocked(home: Path) -> None:
    lock = os.open(home, _OPEN)
    try:
        if os.fstat(lock).st_uid == os.geteuid() and (home / _MARK).exists():
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove_tree(home)
    finally:
        os.close(lock)
