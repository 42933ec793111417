"""Files in a folder that somebody's program has written to: looked at, and never followed.

A folder that a hook ran in holds whatever the hook wished: links, pipes, repositories, folders
without an end. What is read here is what the system says of each entry, and the content of regular
files, opened step by step through folders that are none of them a link.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from mergequeue.vocabulary.ids import RepoPath
from mergequeue.vocabulary.limits import PATH_BYTES

Stamp = tuple[int, int, int, int, int]
"""What the system says of a file: its mode, its place, its size, and when it was changed."""

FILE_MODE, EXECUTABLE_MODE, LINK_MODE = 0o100644, 0o100755, 0o120000
"""The modes of what git keeps as a file."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CHUNK = 1024 * 1024


@dataclass(frozen=True)
class Left:
    """One entry of a folder that is no folder itself."""

    mode: int
    """As git has it; 0 for what git does not keep, such as a pipe."""
    content: bytes
    """Of a link, where it leads."""


class TooMuchError(Exception):
    """There is more in a folder, or in a file, than may be looked at."""


def stamps_in(folder: str, skipped: bytes, most: int) -> dict[RepoPath, Stamp]:
    """Return what the system says of each entry beneath a folder that is no folder.

    `skipped` is left out at the top. Raises TooMuchError for more than `most` entries, for a path
    that is longer than any that can be checked out, and for a folder that may not be listed.
    """
    found: dict[RepoPath, Stamp] = {}
    waiting = [b""]
    top = os.fsencode(folder)
    count = 0
    while waiting:
        prefix = waiting.pop()
        for name, seen in _entries(top + b"/" + prefix):
            count += 1
            path = prefix + name
            if count > most or len(path) > PATH_BYTES:
                raise TooMuchError
            if path == skipped:
                continue
            if stat.S_ISDIR(seen.st_mode):
                waiting.append(path + b"/")
            else:
                found[RepoPath(path)] = _stamp_of(seen)
    return found


def read_left(folder: str, path: RepoPath, most: int) -> Left | None:
    """Return what a path beneath a folder holds; None for nothing, a folder, or beyond a link.

    Raises TooMuchError for a file of more than `most` bytes.
    """
    *folders, name = path.split(b"/")
    with _opened(folder, folders) as inner:
        if inner is None:
            return None
        try:
            seen = os.stat(name, dir_fd=inner, follow_symlinks=False)
        except FileNotFoundError:
            return None
        if stat.S_ISDIR(seen.st_mode):
            return None
        if stat.S_ISLNK(seen.st_mode):
            return Left(LINK_MODE, os.readlink(name, dir_fd=inner))
        if not stat.S_ISREG(seen.st_mode):
            return Left(0, b"")
        return _read(name, inner, most)


def _stamp_of(seen: os.stat_result) -> Stamp:
    return (seen.st_mode, seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)


def _read(name: bytes, inner: int, most: int) -> Left | None:
    try:
        handle = os.open(name, _FILE, dir_fd=inner)
    except OSError:
        return Left(0, b"")
    with os.fdopen(handle, "rb") as stream:
        seen = os.fstat(handle)
        if not stat.S_ISREG(seen.st_mode):
            return Left(0, b"")
        content = bytearray()
        while chunk := stream.read(_CHUNK):
            content += chunk
            if len(content) > most:
                raise TooMuchError
    return Left(EXECUTABLE_MODE if seen.st_mode & stat.S_IXUSR else FILE_MODE, bytes(content))


@contextmanager
def _opened(folder: str, names: list[bytes]) -> Iterator[int | None]:
    """Open a folder beneath another, none of them through a link; None where there is none."""
    at = os.open(folder, _FOLDER)
    try:
        for name in names:
            try:
                below = os.open(name, _FOLDER, dir_fd=at)
            except OSError:
                yield None
                return
            os.close(at)
            at = below
        yield at
    finally:
        os.close(at)


def _entries(folder: bytes) -> Iterator[tuple[bytes, os.stat_result]]:
    try:
        # What goes while it is listed is no file of anybody's.
        with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as listed:
            for entry in listed:
                with suppress(FileNotFoundError):
                    yield entry.name, entry.stat(follow_symlinks=False)
    except OSError as error:
        raise TooMuchError from error


def wait_for_a_tick(folder: Path, newest: int) -> None:
    """Return once a file written in a folder is seen to be younger than `newest` (in nanoseconds).

    A system's clock for files ticks a few hundred times a second: what is written within one tick
    looks unchanged.
    """
    probe = folder / "tick"
    probe.touch()
    while probe.stat().st_ctime_ns <= newest:
        probe.touch()
    probe.unlink()
