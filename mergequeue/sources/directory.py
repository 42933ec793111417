"""A directory of verdicts, as validate fills it and apply follows it."""

import contextlib
import os
import shutil
import uuid
from collections.abc import Container
from pathlib import Path

from mergequeue.documents.plan import Plan
from mergequeue.documents.reading import read_document, write_document
from mergequeue.documents.suspects import Suspicion
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import Poll
from mergequeue.sources.opening import (
    FOLDER,
    is_plain_file,
    is_same,
    is_there,
    opened,
    opened_inside,
    read_regular,
)
from mergequeue.sources.suspects import SuspectFiles, suspects_file
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import OTHER_PLAN, UNREADABLE, MergequeueError
from mergequeue.vocabulary.ids import ChangeId, parse_change
from mergequeue.vocabulary.text import quoted

PLAN = "plan.json"
VERDICT = "verdict.json"
BUNDLE = "candidate.bundle"
DONE = ".done"

_TRIES = 3


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

    def write(self, verdict: Verdict, bundle: bytes | None = None) -> None:
        """Write one verdict by rename, in place of an older one of the same change (facts V15)."""
        whole = self._hidden()
        try:
            whole.mkdir()
            _write_synced(whole / VERDICT, write_document(verdict))
            if bundle is not None:
                _write_synced(whole / BUNDLE, bundle)
            _sync_folder(whole)
            self._put(whole, self._path / verdict.change.id)
        finally:
            _remove(whole)
        _sync_folder(self._path)

    def suspect(self, suspicion: Suspicion) -> None:
        """Write whom a job suspects, in place of what it said before."""
        beside = self._hidden()
        _write_synced(beside, write_document(suspicion))
        beside.rename(self._path / suspects_file(suspicion.job))
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
        self._suspects = SuspectFiles()

    def name(self) -> str:
        """Return nothing: a directory names no validation run."""
        return ""

    def plan(self) -> Plan | None:
        """Return the plan, or None where it is not there yet.

        Raises NO_SOURCE without the directory, and a document's errors for a plan that does not
        read.
        """
        what = f"{self._path}/{PLAN}"
        with opened(self._path) as folder:
            try:
                raw = read_regular(PLAN, folder, what)
            except FileNotFoundError:
                return None
        return read_document(raw, Plan, what)

    def poll(self, admitted: Container[ChangeId] | None) -> Poll:
        """Return the verdicts of admitted changes that have come since the last poll (facts 3.17).

        Without a plan there is nothing that could vouch for one, and none is read. Whether that is
        all is read first, so that nothing is missed between the two. Each entry is read once, and
        that of a change which the plan did not admit is only named. Raises NO_SOURCE without the
        directory.
        """
        verdicts: list[Verdict] = []
        unreadable: dict[ChangeId, str] = {}
        strange: list[str] = []
        with opened(self._path) as folder:
            complete = is_there(DONE, folder)
            for name in self._new_in(folder) if admitted is not None else ():
                change = _change_of(name)
                if change is None or change not in (admitted or ()):
                    strange.append(_strange(name, change))
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
            suspicions, unread = self._suspects.poll(folder, admitted or ())
        return Poll(tuple(verdicts), unreadable, (*strange, *unread), suspicions, complete)

    def bundle(self, change: ChangeId) -> bytes | None:
        """Return the bundle beside a change's verdict; None where there is none.

        Raises UNREADABLE where it is no regular file, or longer than a bundle may be.
        """
        what = f"{change}/{BUNDLE}"
        try:
            with opened(self._path) as folder, opened_inside(change, folder) as inner:
                return read_regular(BUNDLE, inner, what, limits.BUNDLE_BYTES)
        except FileNotFoundError:
            return None

    def _new_in(self, folder: int) -> list[str]:
        """Return what was not read yet, hidden entries and plain files left out, by name."""
        names = [name for name in os.listdir(folder) if not name.startswith(".")]
        fresh = sorted(set(names) - self._seen)
        return [name for name in fresh if not is_plain_file(name, folder)]


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
    with opened_inside(name, folder) as inner:
        try:
            return read_regular(VERDICT, inner, what)
        except FileNotFoundError:
            if is_same(name, folder, inner):
                raise UNREADABLE(f"{what} is not there") from None
            raise


def _strange(name: str, change: ChangeId | None) -> str:
    if change is None:
        return f"{quoted(name)} is no change's id, and was left alone"
    return f"dropped a verdict on {change}, which the plan did not admit"


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
    folder = os.open(path, FOLDER)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
