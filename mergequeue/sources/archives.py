"""An artifact's archive, taken apart in memory: a zip that somebody who ran any code has written.

Each limit is checked while reading; what the archive says of itself is believed nowhere. Only
regular files with a plain path inside the artifact are taken, and one that is anything else makes
the whole archive unreadable (facts F5).
"""

import io
import stat
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import PurePosixPath

from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import UNREADABLE
from mergequeue.vocabulary.text import quoted

_ENTRY = b"PK\x01\x02"
"""How each entry of a zip's directory begins."""
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_BAD = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)


def files_of(raw: bytes, what: str) -> Mapping[str, bytes]:
    """Return the files of an archive by their paths in it; `what` names it for errors.

    Raises UNREADABLE where it is no zip, is over a limit, or holds anything but regular files.
    """
    # Counted before it is parsed, which would take gigabytes where somebody made it for that.
    if raw.count(_ENTRY) > 2 * limits.ARTIFACT_ENTRIES:
        raise UNREADABLE(f"{what} has more than {limits.ARTIFACT_ENTRIES} files")
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            return _files_in(archive, what)
    except _BAD as error:
        raise UNREADABLE(f"{what} is no archive that can be read") from error


def _files_in(archive: zipfile.ZipFile, what: str) -> Mapping[str, bytes]:
    entries = archive.infolist()
    if len(entries) > limits.ARTIFACT_ENTRIES:
        raise UNREADABLE(f"{what} has more than {limits.ARTIFACT_ENTRIES} files")
    found: dict[str, bytes] = {}
    left = limits.UNPACKED_BYTES
    for entry in entries:
        problem = "stands in it twice" if entry.filename in found else _problem(entry)
        if problem:
            raise UNREADABLE(f"{what} cannot be taken: {quoted(entry.filename)} {problem}")
        with archive.open(entry) as stream:
            content = stream.read(left + 1)
        left -= len(content)
        if left < 0:
            raise UNREADABLE(f"{what} unpacks to more than {limits.UNPACKED_BYTES} bytes")
        found[entry.filename] = content
    return found


def _problem(entry: zipfile.ZipInfo) -> str:
    """Return what is wrong with an entry, before anything of it is unpacked."""
    mode = stat.S_IFMT(entry.external_attr >> 16)
    if entry.is_dir() or mode not in {0, stat.S_IFREG}:
        return "is no regular file"
    # The library shows a name that holds a NUL cut short, and backslashes turned on Windows.
    if entry.orig_filename != entry.filename or not _is_inside(entry.filename):
        return "does not name a place in it"
    if entry.compress_type not in _METHODS:
        return "is packed in a way that no upload uses"
    return ""


def _is_inside(name: str) -> bool:
    parts = PurePosixPath(name).parts
    plain = "/".join(parts) == name and not name.startswith("/")
    return plain and ".." not in parts and "\\" not in name and ":" not in name
