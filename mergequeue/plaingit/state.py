"""What the queue remembers, as files of a tree and as records, and the questions asked of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mergequeue.documents.changes import MergedChange
from mergequeue.documents.reading import read_kept, write_document
from mergequeue.documents.state import ChangeState, MergedState
from mergequeue.plaingit.intents import Intent
from mergequeue.vocabulary.errors import BAD_STATE
from mergequeue.vocabulary.ids import ChangeId, RepoPath
from mergequeue.vocabulary.text import path_text

_MEMORY = b"queue/"
"""What the queue remembers on every provider is kept there, and is not the provider's."""
_MERGED = RepoPath(b"merged.json")
_CHANGES = b"changes/"
_SUFFIX = b".json"


@dataclass(frozen=True)
class State:
    """Every record, as one commit of the state holds them."""

    changes: Mapping[ChangeId, ChangeState] = field(default_factory=dict)
    merged: tuple[MergedChange, ...] = ()
    """Oldest first."""


def is_a_record(path: RepoPath) -> bool:
    """Whether a file of the reference is one of the provider's records."""
    return not path.startswith(_MEMORY)


def files_of(state: State) -> dict[RepoPath, bytes]:
    """Return the files that hold the records."""
    files = {_MERGED: write_document(MergedState(merged=state.merged))}
    for id_, record in state.changes.items():
        files[RepoPath(_CHANGES + id_.encode() + _SUFFIX)] = write_document(record)
    return files


def state_of(files: Mapping[RepoPath, bytes | None], where: str) -> State:
    """Return the records that the files of the commit `where` hold.

    Raises BAD_STATE, naming the file, for anything that `files_of` would not have written.
    """
    changes: dict[ChangeId, ChangeState] = {}
    merged = MergedState()
    for path, raw in files.items():
        what = f"{path_text(path)} of {where}"
        if path == _MERGED:
            merged = read_kept(raw, MergedState, what)
        elif path.startswith(_CHANGES) and path.endswith(_SUFFIX):
            record = read_kept(raw, ChangeState, what)
            if path != _CHANGES + record.id.encode() + _SUFFIX:
                raise BAD_STATE(f"{what} holds the records of {record.id}")
            changes[record.id] = record
        else:
            raise BAD_STATE(f"{what} is no file of the queue's records")
    return State(changes, merged.merged)


def kick_stands(record: ChangeState | None, intent: Intent) -> bool:
    """Whether a change was kicked back at the very commit and method that its branch names."""
    if record is None or record.kick is None:
        return False
    return record.kick.commit == intent.head and record.kick.change.method == intent.method


def queue_order(intents: Sequence[Intent], state: State) -> tuple[Intent, ...]:
    """Return the intents in queue order: as recorded, then those not yet recorded, by id."""

    def key(intent: Intent) -> tuple[bool, int, ChangeId]:
        record = state.changes.get(intent.id)
        place = record.place if record is not None else None
        return place is None, place or 0, intent.id

    return tuple(sorted(intents, key=key))
