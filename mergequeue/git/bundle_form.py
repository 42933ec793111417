"""A git bundle's bytes, held to what a candidate's may be before git reads them (pure).

A pack is small and what it unpacks to need not be: its objects are unpacked here piece by piece,
and what deltas say that they make is added up, before git would set memory aside for it.
"""

import re
import struct
import zlib
from dataclasses import dataclass

from mergequeue.vocabulary.ids import CommitId
from mergequeue.vocabulary.limits import REGENERATED_BYTES, REGENERATED_FILES

_SIGNATURE = b"# v2 git bundle\n"
_NEEDED = re.compile(rb"-([0-9a-f]{40})(?: [^\n]*)?\Z")
_HEAD = re.compile(rb"([0-9a-f]{40}) refs/[^\n]+\Z")
_LINES = 100
_OFFSET_DELTA, _NAMED_DELTA = 6, 7
_ID_BYTES = 20
_CHUNK = 256 * 1024
_FED = 4096
_NUMBER_BITS = 64
"""A number may have this many, and a longer one takes a time that grows by the square."""
_MOST_UNPACKED = 2 * REGENERATED_BYTES
"""The files that a regeneration may write, and the folders that hold them."""


class BundleFormError(ValueError):
    """Why the bytes are no bundle of a candidate, in words."""


@dataclass(frozen=True)
class BundleForm:
    """What a bundle says that it holds."""

    heads: tuple[CommitId, ...]
    needed: tuple[CommitId, ...]
    """The commits that have to be there already."""
    pack: bytes


def parse_bundle(bundle: bytes) -> BundleForm:
    """Return the parts of a bundle; raise BundleFormError where git should not even see it."""
    if not bundle.startswith(_SIGNATURE):
        raise BundleFormError("it is no git bundle")
    header, end, pack = bundle[len(_SIGNATURE) :].partition(b"\n\n")
    lines = header.split(b"\n")
    if not end or len(lines) > _LINES:
        raise BundleFormError("its header does not end")
    heads, needed = [], []
    for line in lines:
        if (found := _NEEDED.match(line)) is not None:
            needed.append(CommitId(found[1].decode()))
        elif (found := _HEAD.match(line)) is not None:
            heads.append(CommitId(found[1].decode()))
        else:
            raise BundleFormError("its header names something else than commits")
    _check_pack(pack)
    return BundleForm(tuple(heads), tuple(needed), pack)


def _check_pack(pack: bytes) -> None:
    """Raise BundleFormError where a pack does not read, or unpacks to more than it may."""
    if len(pack) < 12 or pack[:4] != b"PACK":  # noqa: PLR2004 (a pack's header)
        raise BundleFormError("it holds no pack")
    (count,) = struct.unpack(">I", pack[8:12])
    if count > 2 * REGENERATED_FILES:
        raise BundleFormError("it holds more objects than a regeneration may write")
    room, place = _MOST_UNPACKED, 12
    for _ in range(count):
        size, place = _check_object(pack, place, room)
        room -= size


def _check_object(pack: bytes, place: int, room: int) -> tuple[int, int]:
    """Return how much one object unpacks to, and where the next one starts."""
    kind, size, place = _object_header(pack, place)
    if kind == _OFFSET_DELTA:
        _, place = _number(pack, place)
    elif kind == _NAMED_DELTA:
        place += _ID_BYTES
    if size > room:
        raise BundleFormError("it unpacks to more than a regeneration may write")
    start, place = _unpacked(pack, place, size)
    made = size
    if kind in {_OFFSET_DELTA, _NAMED_DELTA}:
        _, at = _number(start, 0)
        made += _number(start, at)[0]
    if made > room:
        raise BundleFormError("it unpacks to more than a regeneration may write")
    return made, place


def _object_header(pack: bytes, place: int) -> tuple[int, int, int]:
    """Return an object's kind, its size, and where what is packed of it starts."""
    first = _byte(pack, place)
    kind, size, place = (first >> 4) & 7, first & 15, place + 1
    if first & 0x80:
        more, place = _number(pack, place)
        size |= more << 4
    return kind, size, place


def _number(data: bytes, place: int) -> tuple[int, int]:
    """Return a number of seven bits a byte, lowest first, and where it ends."""
    value = shift = 0
    while True:
        byte = _byte(data, place)
        value |= (byte & 0x7F) << shift
        shift += 7
        place += 1
        if not byte & 0x80:
            return value, place
        if shift > _NUMBER_BITS:
            raise BundleFormError("a number in it has no end")


def _unpacked(pack: bytes, place: int, size: int) -> tuple[bytes, int]:
    """Return the first bytes of what is packed at a place, and where it ends."""
    unpacker = zlib.decompressobj()
    start, found, fed = b"", 0, b""
    try:
        while not unpacker.eof:
            if not fed:
                # No more at once: what is left of it is copied at the object's end.
                fed = pack[place : place + _FED]
                place += len(fed)
            fresh = unpacker.decompress(fed, _CHUNK)
            fed = unpacker.unconsumed_tail
            found += len(fresh)
            start = start or fresh
            goes_on = fresh or fed or place < len(pack) or unpacker.eof
            if found > size or not goes_on:
                raise BundleFormError("an object in it is not as large as it says")
    except zlib.error as error:
        raise BundleFormError("an object in it does not unpack") from error
    if found != size:
        raise BundleFormError("an object in it is not as large as it says")
    return start, place - len(unpacker.unused_data)


def _byte(data: bytes, place: int) -> int:
    try:
        return data[place]
    except IndexError:
        raise BundleFormError("its pack ends before its last object") from None
