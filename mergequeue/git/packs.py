"""Packs written in this process (pure)."""

import struct
import zlib
from collections.abc import Collection
from hashlib import sha1

PackedObject = tuple[int, bytes]
"""A kind, as git numbers it, and a content."""


def format_pack(objects: Collection[PackedObject]) -> bytes:
    """Return a pack that holds these objects, each whole and none compressed.

    Trees are mostly ids, which do not compress: trying to took a tenth of planning's time.
    """
    parts = [b"PACK", struct.pack(">II", 2, len(objects))]
    for kind, content in objects:
        parts += [_header(kind, len(content)), zlib.compress(content, 0)]
    body = b"".join(parts)
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
