"""How a file settles that both sides changed, against oracles of its own (facts 3.16)."""

import subprocess
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.conflicts import settling
from mergequeue.conflicts.regions import split_lines
from mergequeue.conflicts.settling import SettledFile, ThreeContents, settle_file
from mergequeue.git.contents import find_edits
from mergequeue.vocabulary.limits import SETTLED_EDITS


def settle(base: bytes, ours: bytes, theirs: bytes) -> SettledFile:
    return settle_file(
        ThreeContents(base, ours, theirs, find_edits(base, ours), find_edits(base, theirs))
    )


def text(lines: str) -> bytes:
    """Return a content whose every word is a line."""
    return "".join(f"{line}\n" for line in lines.split()).encode()


def kinds(settled: SettledFile) -> list[int]:
    return [place.kind for place in settled.places]


SETTLES = {
    "the same change, beside an edit of one side": ("a b c d", "a X c D", "a X c d", "a X c D", []),
    "the same lines added at one place, and more": ("a b", "a x b", "a x y b", "a x y b", [1]),
    "one side's lines around the other's": ("a b", "a x y z b", "a y b", "a x y z b", [1]),
    "one side's replacement holds the other's": ("a b c", "a X Y c", "a Y c", "a X Y c", [1]),
    "both only added": ("a b", "a x b", "a y b", "a x y b", [2]),
    "both only added at the end": ("a", "a x", "a y", "a x y", [2]),
    "both only added at the start": ("a", "x a", "y a", "x y a", [2]),
    "both filled an empty file": ("", "x", "y", "x y", [2]),
    "two places, one of each kind": (
        "a b c d",
        "a X b c m d",
        "a X Y b c n d",
        "a X Y b c m n d",
        [1, 2],
    ),
    "the same deletion beside an addition of both": (
        "a b c d e",
        "a c d x e",
        "a c d y e",
        "a c d x y e",
        [1, 2],
    ),
}


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "merged", "found"), SETTLES.values(), ids=SETTLES
)
def test_what_settles_and_to_what(
    base: str, ours: str, theirs: str, merged: str, found: list[int]
) -> None:
    settled = settle(text(base), text(ours), text(theirs))
    assert settled.content == text(merged)
    assert [kind for kind in kinds(settled) if kind in found] == found


STAYS = {
    "both replaced a line, each by its own": ("a b c", "a X c", "a Y c", settling.APART),
    "one side deletes what the other edits": ("a b c", "a c", "a Y c", settling.ONLY_DELETES),
    "one side deletes what the other adds to": ("a b c", "a c", "a b Y c", settling.ONLY_DELETES),
    "one side deletes what the other replaces and adds to": (
        "a b c",
        "a c",
        "a X Y c",
        settling.ONLY_DELETES,
    ),
    "each deletes another of two lines": ("a b c d", "a c d", "a b d", settling.APART),
    "edits side by side": ("a b c d", "a X c d", "a b Y d", settling.APART),
    "an addition beside the other's edit": ("a b c", "a X c", "a b y c", settling.APART),
    "one side took out more beneath the same line": ("a b c d", "a X d", "a X c d", settling.APART),
    "a union would bring a line back": ("a b c", "a c d", "a b2 c e", settling.ONLY_DELETES),
}


@pytest.mark.parametrize(("base", "ours", "theirs", "why"), STAYS.values(), ids=STAYS)
def test_what_stays_a_conflict_and_why(base: str, ours: str, theirs: str, why: str) -> None:
    for sides in ((ours, theirs), (theirs, ours)):
        settled = settle(text(base), *map(text, sides))
        assert settled.content is None
        assert why in {place.why for place in settled.places}


def test_one_place_that_does_not_settle_leaves_the_whole_file() -> None:
    settled = settle(text("a b c d e"), text("a x b c D e"), text("a y b c d2 e"))
    assert settled.content is None
    assert [place.base_line for place in settled.places] == [3]


def test_lines_keep_their_endings() -> None:
    assert settle(b"a\r\nb\r\n", b"a\r\nx\r\nb\r\n", b"a\r\ny\r\nb\r\n").content == (
        b"a\r\nx\r\ny\r\nb\r\n"
    )
    # A carriage return alone ends no line, and neither does another separator.
    mixed = "a\rb\x0bc\u2028d\n".encode()
    assert settle(mixed, mixed + b"x\n", mixed + b"y\r\n").content == mixed + b"x\ny\r\n"


def test_a_missing_last_line_feed_stays_missing_and_joins_no_lines() -> None:
    assert settle(b"a\nb", b"a\nx\nb", b"a\ny\nb").content == b"a\nx\ny\nb"
    assert settle(b"a\n", b"a\nx\n", b"a\ny").content == b"a\nx\ny"
    for ours, theirs in ((b"a\nx", b"a\ny\n"), (b"a\nx", b"a\ny")):
        settled = settle(b"a\n", ours, theirs)
        assert [place.why for place in settled.places] == [settling.NO_LAST_END]
    # After a missing line feed, adding is changing the last line.
    assert settle(b"a", b"a\nx", b"a\ny").content is None
    assert settle(b"a", b"a\nx", b"a\nx").content == b"a\nx"


def test_a_side_that_changed_more_lines_than_the_limit_is_not_tried() -> None:
    base = text("a b")
    most = base + b"x\n" * SETTLED_EDITS
    assert settle(base, most, base + b"y\n").content == most + b"y\n"
    for sides in ((most + b"x\n", base + b"y\n"), (base + b"y\n", most + b"x\n")):
        assert settle(base, *sides) == SettledFile(None, why=settling.TOO_MANY)


def test_a_byte_of_zero_anywhere_makes_a_file_binary() -> None:
    assert settling.is_binary(b"a", b"b" * 10_000 + b"\0", b"c")
    assert not settling.is_binary(b"a", b"\xff", "é".encode())


# --- against oracles that know nothing of regions ------------------------------------------------

BASE = tuple(f"base {number}" for number in range(7))
added = st.lists(st.sampled_from(["x", "y", "z"]), max_size=3)


@st.composite
def sides(draw: st.DrawFn) -> list[str]:
    """Return the base with some of its lines taken out and others put between them."""
    lines = draw(added)
    for line in BASE:
        lines += [line] if draw(st.integers(0, 4)) else []
        lines += draw(added) if not draw(st.integers(0, 3)) else []
    return lines


def joined(lines: list[str] | tuple[str, ...]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def is_in_order(lines: list[str], of: list[str]) -> bool:
    rest = iter(of)
    return all(line in rest for line in lines)


@given(ours=sides(), theirs=sides())
def test_nothing_is_lost_that_a_side_put_in_and_nothing_comes_back_that_one_took_out(
    ours: list[str], theirs: list[str]
) -> None:
    settled = settle(joined(BASE), joined(ours), joined(theirs))
    if settled.content is None:
        return
    merged = settled.content.decode().splitlines()
    # The base's lines are all different, so that each can be followed.
    assert {line for line in merged if line in BASE} == set(BASE) & set(ours) & set(theirs)
    for side, other in ((ours, theirs), (theirs, ours)):
        gone = set(BASE) - set(other)
        assert is_in_order([line for line in side if line not in gone], merged)
    counts = Counter(merged)
    for line in ("x", "y", "z"):
        assert counts[line] <= ours.count(line) + theirs.count(line)


@given(ours=sides(), theirs=sides())
def test_either_order_settles_alike_but_for_whose_additions_come_first(
    ours: list[str], theirs: list[str]
) -> None:
    one = settle(joined(BASE), joined(ours), joined(theirs))
    other = settle(joined(BASE), joined(theirs), joined(ours))
    assert (one.content is None) == (other.content is None)
    assert kinds(one) == kinds(other)
    if one.content is not None and other.content is not None:
        assert sorted(split_lines(one.content)) == sorted(split_lines(other.content))
        if 2 not in kinds(one):
            assert one.content == other.content


@given(ours=sides())
def test_a_side_that_changed_nothing_takes_nothing_from_the_other(ours: list[str]) -> None:
    base = joined(BASE)
    assert settle(base, joined(ours), base).content == joined(ours)
    assert settle(base, base, joined(ours)).content == joined(ours)
    assert settle(base, joined(ours), joined(ours)).content == joined(ours)


few_lines = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n"]), max_size=6).map("".join)
endings = st.sampled_from(["", "end"])
contents = st.tuples(few_lines, endings).map("".join)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("contents")


@given(base=contents, ours=contents, theirs=contents)
def test_what_git_merges_cleanly_settles_to_what_git_makes_of_it(
    folder: Path, base: str, ours: str, theirs: str
) -> None:
    for name, content in (("base", base), ("ours", ours), ("theirs", theirs)):
        (folder / name).write_bytes(content.encode())
    words = ["git", "merge-file", "-p", "-q", "ours", "base", "theirs"]
    ran = subprocess.run(words, cwd=folder, check=False, capture_output=True)
    if ran.returncode == 0:
        assert settle(base.encode(), ours.encode(), theirs.encode()).content == ran.stdout
