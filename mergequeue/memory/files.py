"""The memory as files of a tree, and back."""

from collections.abc import Mapping
from datetime import date

from mergequeue.documents.memory import Day, Entry, Hints, Pause
from mergequeue.documents.now import Now
from mergequeue.documents.reading import read_kept, write_document
from mergequeue.ports import Memory
from mergequeue.vocabulary.errors import BAD_STATE
from mergequeue.vocabulary.ids import ChangeId, RepoPath
from mergequeue.vocabulary.text import path_text

_FOLDER = b"queue/"
_PAUSE = RepoPath(_FOLDER + b"pause.json")
_HINTS = RepoPath(_FOLDER + b"hints.json")
_NOW = RepoPath(_FOLDER + b"now.json")
_ENTRIES = _FOLDER + b"changes/"
_DAYS = _FOLDER + b"days/"
_SUFFIX = b".json"


def is_remembered(path: RepoPath) -> bool:
    """Whether a file of the reference is the memory's, but for a day's."""
    return path.startswith(_FOLDER) and not path.startswith(_DAYS)


def is_a_day(path: RepoPath) -> bool:
    """Whether a file of the reference says what happened on a day."""
    return path.startswith(_DAYS)


def day_path(day: date) -> RepoPath:
    """Return the file of a day; in the order of their names they are oldest first."""
    return RepoPath(_DAYS + day.isoformat().encode() + _SUFFIX)


def files_of(memory: Memory) -> dict[RepoPath, bytes]:
    """Return the files that hold the memory, today's among them."""
    files: dict[RepoPath, bytes] = {}
    if memory.pause is not None:
        files[_PAUSE] = write_document(memory.pause)
    if memory.hints != Hints():
        files[_HINTS] = write_document(memory.hints)
    for id_, entry in memory.entries.items():
        files[_entry_path(id_)] = write_document(entry)
    if memory.now is not None:
        files[_NOW] = write_document(memory.now)
    if memory.today is not None:
        files[day_path(memory.today.day)] = write_document(memory.today)
    return files


def memory_of(files: Mapping[RepoPath, bytes | None], where: str) -> Memory:
    """Return the memory that the files of the commit `where` hold, at most one day's among them.

    Raises BAD_STATE, naming the file, for anything that `files_of` would not have written.
    """
    pause: Pause | None = None
    hints = Hints()
    entries: dict[ChangeId, Entry] = {}
    today: Day | None = None
    now: Now | None = None
    for path, raw in files.items():
        what = f"{path_text(path)} of {where}"
        if path == _PAUSE:
            pause = read_kept(raw, Pause, what)
        elif path == _HINTS:
            hints = read_kept(raw, Hints, what)
        elif path == _NOW:
            now = read_kept(raw, Now, what)
        elif path.startswith(_ENTRIES):
            entry = read_kept(raw, Entry, what)
            _require(path == _entry_path(entry.id), what, f"holds the entry of {entry.id}")
            entries[entry.id] = entry
        elif is_a_day(path):
            today = read_day(path, raw, where)
        else:
            raise BAD_STATE(f"{what} is no file of the queue's memory")
    return Memory(pause, hints, entries, today, now)


def read_day(path: RepoPath, raw: bytes | None, where: str) -> Day:
    """Return a day; raise BAD_STATE where its file does not read, or is another day's."""
    what = f"{path_text(path)} of {where}"
    day = read_kept(raw, Day, what)
    _require(path == day_path(day.day), what, f"holds the {day.day}")
    return day


def _entry_path(id_: ChangeId) -> RepoPath:
    return RepoPath(_ENTRIES + id_.encode() + _SUFFIX)


def _require(condition: bool, what: str, problem: str) -> None:  # noqa: FBT001 (an assertion's condition)
    if not condition:
        raise BAD_STATE(f"{what} {problem}")
