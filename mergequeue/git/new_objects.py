"""Objects that are made, and written when something outside this process is to read them.

1,000 merges make thousands of trees, and most are for nobody: whether a change merges is all that
is asked. What is written lands together, since as many small files would take longer than the
merges.
"""

import secrets
from collections.abc import Iterator, Mapping
from hashlib import sha1
from pathlib import Path
from threading import Lock

import pygit2

from mergequeue.git.objects import BLOB, COMMIT, TREE
from mergequeue.git.packs import PackedObject, format_pack
from mergequeue.vocabulary.errors import GIT_FAILED

_FEW = 50
"""So many objects are written one by one: many small packs are slow to look things up in."""
_PACK_BYTES = 1 << 30
"""How much content one pack is given."""
_HELD_BYTES = 64 << 20
"""More content than this is not held in memory."""
_KIND_NAMES = {COMMIT: b"commit", TREE: b"tree", BLOB: b"blob"}


class NewObjects:
    """The objects of one repository that are not written yet. For several threads at once."""

    def __init__(self, repository: pygit2.Repository) -> None:
        self._repository = repository
        self._held: dict[bytes, PackedObject] = {}
        self._size = 0
        self._lock = Lock()

    def add(self, kind: int, content: bytes) -> bytes:
        """Return the id of an object that `write` is to write."""
        header = b"%s %d\0" % (_KIND_NAMES[kind], len(content))
        id_ = sha1(header + content, usedforsecurity=False).digest()
        with self._lock:
            if id_ not in self._held:
                self._held[id_] = (kind, content)
                self._size += len(content)
            is_full = self._size > _HELD_BYTES
        if is_full:
            self.write()
        return id_

    def find(self, id_: bytes) -> PackedObject | None:
        """Return the kind and content of an object that may not be written yet."""
        return self._held.get(id_)

    def write(self) -> None:
        """Write what was added; raise GIT_FAILED where that cannot be."""
        with self._lock:
            batch = dict(self._held)
        if len(batch) > _FEW:
            for group in _groups(batch):
                self._write_pack(group)
        else:
            for kind, content in batch.values():
                self._repository.write(kind, content)
        with self._lock:
            for id_ in batch:
                gone = self._held.pop(id_, None)
                self._size -= len(gone[1]) if gone is not None else 0

    def _write_pack(self, objects: Mapping[bytes, PackedObject]) -> None:
        pack, index = format_pack(objects)
        folder = Path(self._repository.path, "objects", "pack")
        place = folder / f"pack-{pack[-20:].hex()}.pack"
        try:
            if not place.with_suffix(".idx").exists():
                place.write_bytes(pack)
                # Whoever sees the index reads the pack.
                written = folder / f"{secrets.token_hex(8)}.tmp"
                written.write_bytes(index)
                written.rename(place.with_suffix(".idx"))
        except OSError as error:
            raise GIT_FAILED(f"merged trees could not be written: {error.strerror}") from error


def _groups(objects: Mapping[bytes, PackedObject]) -> Iterator[dict[bytes, PackedObject]]:
    group: dict[bytes, PackedObject] = {}
    size = 0
    for id_, (kind, content) in objects.items():
        if group and size + len(content) > _PACK_BYTES:
            yield group
            group, size = {}, 0
        group[id_] = (kind, content)
        size += len(content)
    yield group
