"""A directory of verdicts, as validate fills it and apply follows it."""

import contextlib
import os
import re
import shutil
import stat
import uuid
from collections.abc import Iterator
from pathlib import Path

from mergequeue.documents.plan import Plan
from mergequeue.documents.reading import read_document, write_document
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import Poll
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import NO_SOURCE, OTHER_PLAN, UNREADABLE, MergequeueError
from mergequeue.vocabulary.ids import ChangeId, parse_change
from mergequeue.vocabulary.text import quoted

PLAN = "plan.json"
VERDICT = "verdict.json"
DONE = ".done"

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_TRIES = 3


def source_of(text: str, root: Path) -> "DirectorySource":
    """Return the source that `text` names, relative to `root`.

    Raises NO_SOURCE where it reads as a scheme of two letters or more before its first `:`; one
    letter is a Windows drive, and `./x:y` a directory.
    """
    scheme = _SCHEME.match(text)
    if scheme:
        raise NO_SOURCE(
            f"{quoted(text)} is a source of the kind {scheme[0]}; this version follows directories",
            f"Name a directory; one of this very name is ./{quoted(text)}.",
        )
    if not text:
        raise NO_SOURCE("an empty name is no source")
    return DirectorySource(root / text)


class DirectorySink:
    """The `VerdictSink` port over a directory; several processes may fill it at once."""

    def __init__(self, path: Path) -> None:
        """Write into `path`, which is made when the plan is written."""
        self._path = path

    def begin(self, plan: Plan, *, whole: bool) -> None:
        """Write the plan; raise OTHER_PLAN where another one is there already (facts V14).

        A whole run takes back what an earlier one said of being done; a job of several does not.
        """
        self._path.mkdir(parents=True, exist_ok=True)
        beside = self._hidden()
        _write_synced(beside, write_document(plan))
        try:
            # A link, unlike a rename, never replaces the plan that another process wrote meanwhile.
            os.link(beside, self._path / PLAN)
        except FileExistsError:
            self._check_same(plan)
        finally:
            beside.unlink()
        if whole:
            (self._path / DONE).unlink(missing_ok=True)
        _sync_folder(self._path)

    def write(self, verdict: Verdict) -> None:
        """Write one verdict by rename, in place of an older one of the same change (facts V15)."""
        whole = self._hidden()
        try:
            whole.mkdir()
            _write_synced(whole / VERDICT, write_document(verdict))
            _sync_folder(whole)
            self._put(whole, self._path / verdict.change.id)
        finally:
            _remove(whole)
        _sync_folder(self._path)

    def done(self) -> None:
        """Say that the run has finished."""
        beside = self._hidden()
        _write_synced(beside, b"")
        beside.rename(self._path / DONE)
        _sync_folder(self._path)

    def _hidden(self) -> Path:
        return self._path / f".{uuid.uuid4().hex}"

    def _put(self, whole: Path, place: Path) -> None:
        """Move a directory to its place; where another process is quicker, the last one stays."""
        for attempt in range(_TRIES):
            old = self._hidden()
            with contextlib.suppress(FileNotFoundError):
                place.rename(old)
            try:
                whole.rename(place)
            except OSError:
                if attempt == _TRIES - 1:
                    raise
            else:
                return
            finally:
                _remove(old)

    def _check_same(self, plan: Plan) -> None:
        try:
            there = DirectorySource(self._path).plan()
        except MergequeueError as error:
            raise OTHER_PLAN(f"{self._path} holds a plan that cannot be read") from error
        if there != plan:
            raise OTHER_PLAN(f"{self._path} holds the verdicts of another plan")


class DirectorySource:
    """The `VerdictSource` port over a directory."""

    def __init__(self, path: Path) -> None:
        """Read from `path`."""
        self._path = path
        self._seen: set[str] = set()

    def name(self) -> str:
        """Return nothing: a directory names no validation run."""
        return ""

    def plan(self) -> Plan | None:
        """Return the plan, or None where it is not there yet.

        Raises NO_SOURCE without the directory, and a document's errors for a plan that does not
        read.
        """
        what = f"{self._path}/{PLAN}"
        with _opened(self._path) as folder:
            try:
                raw = _read_regular(PLAN, folder, what)
            except FileNotFoundError:
                return None
        return read_document(raw, Plan, what)

    def poll(self) -> Poll:
        """Return the verdicts that have come since the last poll (facts 3.17).

        Whether that is all is read first, so that nothing is missed between the two. Each entry is
        read once. Raises NO_SOURCE without the directory.
        """
        verdicts: list[Verdict] = []
        unreadable: dict[ChangeId, str] = {}
        strange: list[str] = []
        with _opened(self._path) as folder:
            complete = _is_there(DONE, folder)
            for name in self._new_in(folder):
                change = _change_of(name)
                if change is None:
                    strange.append(f"{quoted(name)} is no change's id, and was left alone")
                    self._seen.add(name)
                    continue
                try:
                    verdicts.append(_read_verdict(change, folder))
                except MergequeueError as error:
                    unreadable[change] = error.problem
                except FileNotFoundError:
                    complete = False
                    continue
                self._seen.add(name)
        return Poll(tuple(verdicts), unreadable, tuple(strange), complete)

    def _new_in(self, folder: int) -> list[str]:
        """Return what was not read yet, hidden entries and plain files left out, by name."""
        names = [name for name in os.listdir(folder) if not name.startswith(".")]
        fresh = sorted(set(names) - self._seen)
        return [name for name in fresh if not _is_plain_file(name, folder)]


def _read_verdict(change: ChangeId, folder: int) -> Verdict:
    """Return the verdict in a change's directory.

    Raises a document's errors for whatever is wrong with it, and FileNotFoundError where it is
    being replaced at this moment.
    """
    what = f"{change}/{VERDICT}"
    verdict = read_document(_read_inside(change, folder, what), Verdict, what)
    if verdict.change.id != change:
        raise UNREADABLE(f"{what} holds the verdict of {verdict.change.id}")
    return verdict


def _read_inside(name: str, folder: int, what: str) -> bytes:
    try:
        inner = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=folder)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise UNREADABLE(f"{name} is no directory that can be opened: {error.strerror}") from error
    try:
        return _read_regular(VERDICT, inner, what)
    except FileNotFoundError:
        now = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if os.path.samestat(now, os.fstat(inner)):
            raise UNREADABLE(f"{what} is not there") from None
        raise
    finally:
        os.close(inner)


def _read_regular(name: str, folder: int, what: str) -> bytes:
    """Return the content of a regular file, read no further than a document's limit.

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
        raw = stream.read(limits.DOCUMENT_BYTES + 1)
    if len(raw) > limits.DOCUMENT_BYTES:
        raise UNREADABLE(f"{what} has more than {limits.DOCUMENT_BYTES} bytes")
    return raw


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[int]:
    try:
        folder = os.open(path, _FOLDER)
    except OSError as error:
        raise NO_SOURCE(f"{path} is no directory of verdicts: {error.strerror}") from error
    try:
        yield folder
    finally:
        os.close(folder)


def _is_there(name: str, folder: int) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _is_plain_file(name: str, folder: int) -> bool:
    try:
        return stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return False


def _change_of(name: str) -> ChangeId | None:
    try:
        return parse_change(name)
    except ValueError:
        return None


def _write_synced(path: Path, content: bytes) -> None:
    with path.open("xb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _sync_folder(path: Path) -> None:
    folder = os.open(path, _FOLDER)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
