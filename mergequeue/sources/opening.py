"""Opening what somebody else wrote: no link is followed, nothing but a regular file is read.

Whoever wrote a directory of verdicts ran the changes' code. Everything is opened relative to the
folder it was found in, a pipe or a device hangs nothing, and nothing is read past its limit.
"""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import NO_SOURCE, UNREADABLE

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def read_regular(name: str, folder: int, what: str, limit: int = limits.DOCUMENT_BYTES) -> bytes:
    """Return the content of a regular file, read no further than its limit.

    Raises FileNotFoundError without it, UNREADABLE for a link, a pipe or anything else.
    """
    try:
        handle = os.open(name, _FILE, dir_fd=folder)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise UNREADABLE(f"{what} cannot be opened: {error.strerror}") from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise UNREADABLE(f"{what} is no regular file")
    with os.fdopen(handle, "rb") as stream:
        raw = stream.read(limit + 1)
    if len(raw) > limit:
        raise UNREADABLE(f"{what} has more than {limit} bytes")
    return raw


@contextlib.contextmanager
def opened(path: Path) -> Iterator[int]:
    """Yield an open folder; raise NO_SOURCE where there is none."""
    try:
        folder = os.open(path, FOLDER)
    except OSError as error:
        raise NO_SOURCE(f"{path} is no directory of verdicts: {error.strerror}") from error
    try:
        yield folder
    finally:
        os.close(folder)


@contextlib.contextmanager
def opened_inside(name: str, folder: int) -> Iterator[int]:
    """Yield an open folder of another, which is reached through no link.

    Raises FileNotFoundError without it, UNREADABLE for anything but a folder.
    """
    try:
        inner = os.open(name, FOLDER | os.O_NOFOLLOW, dir_fd=folder)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise UNREADABLE(f"{name} is no directory that can be opened: {error.strerror}") from error
    try:
        yield inner
    finally:
        os.close(inner)


def is_there(name: str, folder: int) -> bool:
    """Whether a folder has an entry of this name, whatever it is."""
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def is_plain_file(name: str, folder: int) -> bool:
    """Whether an entry is a regular file."""
    try:
        return stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return False


def is_same(name: str, folder: int, inner: int) -> bool:
    """Whether an entry is still the folder that was opened."""
    now = os.stat(name, dir_fd=folder, follow_symlinks=False)
    return os.path.samestat(now, os.fstat(inner))
