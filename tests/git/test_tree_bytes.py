"""Folders compared and made as bytes come out as those that are parsed whole."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.git.tree_bytes import TreeBytes, shared_end, shared_start
from mergequeue.git.tree_entries import (
    EXECUTABLE,
    FILE,
    FOLDER,
    LINK,
    SUBMODULE,
    Entry,
    format_record,
    format_tree,
    parse_tree,
)

# Few bytes, so that what differs is often alike at both ends; some look like the start of an entry.
ids = st.sampled_from([bytes([each]) * 20 for each in b"\x00\x01a"] + [b"100644 a\0" + b"a" * 11])
names = st.sampled_from([b"a", b"a-", b"a0", b"aa", b"b", b"100644 a", b"x100644 a", b"\xff"])
modes = st.sampled_from([FILE, EXECUTABLE, LINK, FOLDER, SUBMODULE])
entries = st.tuples(modes, ids)
folders = st.dictionaries(names, entries, max_size=6)
edits = st.dictionaries(names, st.none() | entries, max_size=4)


def after(
    folder: Mapping[bytes, Entry], changes: Mapping[bytes, Entry | None]
) -> dict[bytes, Entry]:
    changed = {**folder, **changes}
    return {name: entry for name, entry in changed.items() if entry is not None}


@given(folders, edits)
def test_a_folder_with_names_changed_is_as_one_written_whole(
    folder: dict[bytes, Entry], changes: dict[bytes, Entry | None]
) -> None:
    before = TreeBytes(format_tree(folder))
    assert before.is_as_git_writes
    assert before.edited(changes) == format_tree(after(folder, changes))


@given(folders, edits)
def test_two_folders_differ_in_the_entries_that_they_do_not_share(
    folder: dict[bytes, Entry], changes: dict[bytes, Entry | None]
) -> None:
    other = after(folder, changes)
    parts = TreeBytes(format_tree(folder)).differing(format_tree(other))
    if parts is not None:
        here, there = (set(part.items()) for part in parts)
        assert folder.items() - other.items() == here - there
        assert other.items() - folder.items() == there - here


def test_an_entry_changed_added_or_taken_out_is_found_without_parsing_the_rest() -> None:
    folder = {b"f%03d" % number: (FILE, bytes([number]) * 20) for number in range(100)}
    before = TreeBytes(format_tree(folder))
    for changes in ({b"f050": (FILE, b"x" * 20)}, {b"f0505": (FILE, b"x" * 20)}, {b"f050": None}):
        parts = before.differing(format_tree(after(folder, changes)))
        assert parts is not None
        assert sum(map(len, parts)) <= 4


@given(folders, st.binary(max_size=60), st.integers(0, 200))
def test_what_is_no_tree_is_left_to_be_parsed_whole(
    folder: dict[bytes, Entry], junk: bytes, place: int
) -> None:
    raw = format_tree(folder)
    other = raw[:place] + junk + raw[place:]
    parts = TreeBytes(raw).differing(other)
    if parts is not None:
        here, there = (set(part.items()) for part in parts)
        assert set(parse_tree(other).items()) == (set(parse_tree(raw).items()) - here) | there


def test_a_name_that_a_corrupt_folder_holds_twice_is_left_to_be_parsed_whole() -> None:
    one, two, three = (format_record(name, (FILE, b"x" * 20)) for name in (b"a", b"b", b"c"))
    again = format_record(b"a", (FILE, b"y" * 20))
    assert TreeBytes(one + two + three).differing(one + two + again + three) is None
    with pytest.raises(ValueError, match="corrupt"):
        TreeBytes(one + again)


@pytest.mark.parametrize("raw", [b"100664 a\0" + b"x" * 20, b"040000 a\0" + b"x" * 20])
def test_a_mode_that_git_no_longer_writes_is_seen(raw: bytes) -> None:
    assert not TreeBytes(raw).is_as_git_writes


def test_an_order_that_git_does_not_write_is_seen() -> None:
    raw = b"".join(format_record(name, (FILE, b"x" * 20)) for name in (b"b", b"a"))
    assert not TreeBytes(raw).is_as_git_writes


@given(st.text("ab").map(str.encode), st.text("ab").map(str.encode))
def test_shared_bytes_are_counted_from_both_ends(one: bytes, other: bytes) -> None:
    start, end = shared_start(one, other), shared_end(one, other)
    shortest = min(len(one), len(other))
    assert one[:start] == other[:start]
    assert start == shortest or one[start] != other[start]
    assert one[len(one) - end :] == other[len(other) - end :]
    assert end == shortest or one[-end - 1] != other[-end - 1]
