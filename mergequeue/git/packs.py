"""Packs written in this process, with their indexes (pure)."""

import struct
import zlib
from collections.abc import Mapping
from hashlib import sha1

PackedObject = tuple[int, bytes]
"""A kind, as git numbers it, and a content."""


def format_pack(objects: Mapping[bytes, PackedObject]) -> tuple[bytes, bytes]:
    """Return a pack of these objects by raw id, and its index; it may have 2 GB at most.

    Each is whole and none compressed: trees are mostly ids, which do not compress, and trying to
    took a tenth of planning's time.
    """
    ids = sorted(objects)
    parts = [b"PACK", struct.pack(">II", 2, len(ids))]
    sums, offsets, offset = [], [], 12
    for id_ in ids:
        kind, content = objects[id_]
        packed = _header(kind, len(content)) + zlib.compress(content, 0)
        parts.append(packed)
        sums.append(zlib.crc32(packed))
        offsets.append(offset)
        offset += len(packed)
    pack = _signed(b"".join(parts))
    return pack, _signed(_index(ids, sums, offsets) + pack[-20:])


def _index(ids: list[bytes], sums: list[int], offsets: list[int]) -> bytes:
    counts = [0] * 256
    for id_ in ids:
        counts[id_[0]] += 1
    first_bytes = [sum(counts[: byte + 1]) for byte in range(256)]
    table = struct.Struct(f">{len(ids)}I")
    return b"".join(
        [
            b"\xfftOc",
            struct.pack(">I", 2),
            struct.pack(">256I", *first_bytes),
            *ids,
            table.pack(*sums),
            table.pack(*offsets),
        ]
    )


def _signed(body: bytes) -> bytes:
    return body + sha1(body, usedforsecurity=False).digest()


def _header(kind: int, size: int) -> bytes:
    # The kind and four bits of the size, then seven bits a byte, lowest first.
    header = bytearray()
    byte, rest = (kind << 4) | (size & 0xF), size >> 4
    while rest:
        header.append(byte | 0x80)
        byte, rest = rest & 0x7F, rest >> 7
    header.append(byte)
    return bytes(header)
