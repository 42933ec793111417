"""Packs are what git reads as its own."""

from hashlib import sha1
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from mergequeue.git.objects import BLOB
from mergequeue.git.packs import PackedObject, format_pack
from tests.support.repositories import Playground


def named(content: bytes) -> bytes:
    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).digest()


def packed(contents: list[bytes]) -> dict[bytes, PackedObject]:
    return {named(content): (BLOB, content) for content in contents}


def test_git_finds_every_object_of_a_pack_sound(playground: Playground) -> None:
    contents = [b"%d\n" % number * (number**2) for number in range(300)]
    pack, index = format_pack(packed(contents))
    place = Path(playground.repository.path, "objects", "pack", f"pack-{pack[-20:].hex()}.pack")
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(pack)
    place.with_suffix(".idx").write_bytes(index)
    playground.run("verify-pack", str(place.with_suffix(".idx")))
    for content in contents[::50]:
        assert playground.run("cat-file", "blob", named(content).hex()) == content


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=5))
def test_an_index_names_its_pack_and_every_object(contents: list[bytes]) -> None:
    pack, index = format_pack(packed(contents))
    count = len(packed(contents))
    assert pack[8:12] == count.to_bytes(4, "big")
    assert len(index) == 8 + 1024 + count * 28 + 40
    assert index[-40:-20] == pack[-20:]
