"""Documents in files: read no further than their limit, and written whole or not at all."""

import contextlib
import os
import stat
import sys
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO

from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import UNREADABLE, USAGE

_CHUNK = 1024 * 1024


def read_limited(path: Path | None, what: str) -> bytes:
    """Return the content of a file, or what standard input holds where `path` is None.

    `what` names it for errors. Raises UNREADABLE where it cannot be read, and where it holds more
    than a document may: that is seen while reading, and the rest is left unread.
    """
    try:
        if path is None:
            return _read(sys.stdin.buffer, what)
        with path.open("rb", buffering=0) as stream:
            return _read(stream, what)
    except OSError as error:
        raise UNREADABLE(f"{what} cannot be read: {error.strerror}") from error


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place, flush it and rename it there: no reader sees a part of it.

    What is there already and is no regular file (a pipe, /dev/stdout) is written to as it stands. A
    link is followed, and kept, unless it is another user's: in a folder that all may write to, it
    could name any file of ours. Raises USAGE where it cannot be written.
    """
    remedy = "See that its folder exists, may be written to and has room."
    try:
        if path.is_symlink() and path.lstat().st_uid not in {0, os.geteuid()}:
            raise USAGE(f"{path} is a link of another user's", "Name a file of your own.")
        if path.exists() and not path.is_file():
            path.write_bytes(content)
        else:
            _replace(Path(os.path.realpath(path)), content)
    except OSError as error:
        raise USAGE(f"{path} cannot be written: {error.strerror}", remedy) from error


def append_to(path: Path, text: str) -> None:
    """Add text to the end of a file; raise USAGE where it cannot be written."""
    try:
        with path.open("a", encoding="utf-8", newline="") as stream:
            stream.write(text)
    except OSError as error:
        raise USAGE(
            f"{path} cannot be written: {error.strerror}",
            "See that it may be written and has room.",
        ) from error


def send_nowhere(stream: IO[str]) -> None:
    """Let what a stream still holds go nowhere, since its reader has gone.

    Python would try once more at its end, and make that failure the exit status.
    """
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def new_folder() -> Path:
    """Return a new folder for a person to keep, among the machine's temporary ones."""
    return Path(tempfile.mkdtemp(prefix="mergequeue-"))


def empty_folder(path: Path) -> Path:
    """Return `path` as an empty folder, made where there is none; raise USAGE where it is not."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        if not any(path.iterdir()):
            return path
    except OSError as error:
        raise USAGE(f"{path} is no folder that can be used: {error.strerror}") from error
    raise USAGE(f"{path} is not empty", "Name an empty folder, or one that does not exist.")


def folder_at(path: Path) -> Path:
    """Return `path` as a folder, made where there is none; raise USAGE where it cannot be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise USAGE(f"{path} is no folder that can be used: {error.strerror}") from error
    return path


@contextlib.contextmanager
def passing_folder() -> Iterator[Path]:
    """Yield a private folder that is gone after the block."""
    with tempfile.TemporaryDirectory(prefix="mergequeue-") as folder:
        yield Path(folder)


def _read(stream: BinaryIO, what: str) -> bytes:
    found = bytearray()
    while chunk := stream.read(_CHUNK):
        found += chunk
        if len(found) > limits.DOCUMENT_BYTES:
            raise UNREADABLE(f"{what} has more than {limits.DOCUMENT_BYTES} bytes")
    return bytes(found)


def _replace(path: Path, content: bytes) -> None:
    beside = path.with_name(f".{uuid.uuid4().hex}.tmp")
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
