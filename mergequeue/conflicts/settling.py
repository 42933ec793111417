"""How a file settles that both sides changed, or why it does not (facts 3.16; pure).

Every region has to settle, in one of the two ways of the table, or the whole file stays a conflict:

    kind 1   the same change; or one side's lines hold the other's in order, both having taken
             out the same lines of the base, and the other having kept or added any: the larger
    kind 2   both only added where the base has no lines: ours, then theirs

So no line comes back that a side took out, and none gets lost that a side put in.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mergequeue.conflicts.regions import Hunks, Lines, regions_of, split_lines
from mergequeue.ports import Edit
from mergequeue.vocabulary.limits import SETTLED_EDITS

APART = "both sides changed the same lines, or lines side by side, each in its own way"
ONLY_DELETES = "one side only takes out lines that the other changed"
NO_LAST_END = "both sides added lines at the end, and those of the base branch end in no line feed"
TOO_MANY = f"a side changed more than {SETTLED_EDITS} lines"
BINARY = "the file is binary"


@dataclass(frozen=True)
class Place:
    """A region that both sides changed, and how it settled."""

    base_line: int
    """The line of the merge base that it starts at, counted from 0."""
    our_line: int
    """The line of ours that it starts at."""
    kind: int = 0
    """1 or 2; 0 where it did not settle."""
    why: str = ""
    """Why it did not."""


@dataclass(frozen=True)
class SettledFile:
    """What settling came to."""

    content: bytes | None
    """None where the file stays a conflict."""
    places: tuple[Place, ...] = ()
    """Where it settled; where it stays a conflict, the places that did not."""
    why: str = ""
    """Why nothing of the file was tried, in words."""


@dataclass(frozen=True)
class ThreeContents:
    """A file's versions, with git's own diffs from the merge base to the two sides."""

    base: bytes
    ours: bytes
    theirs: bytes
    our_edits: Sequence[Edit]
    their_edits: Sequence[Edit]


def is_binary(*versions: bytes) -> bool:
    """Whether any version is no text."""
    return any(b"\0" in version for version in versions)


def settle_file(file: ThreeContents) -> SettledFile:
    """Return the settled content of a file and where it settled, or why it does not."""
    if max(map(_lines_edited, (file.our_edits, file.their_edits))) > SETTLED_EDITS:
        return SettledFile(None, why=TOO_MANY)
    base = split_lines(file.base)
    ours = split_lines(file.ours), file.our_edits
    theirs = split_lines(file.theirs), file.their_edits
    merged: list[bytes] = []
    places: list[Place] = []
    at = 0
    for region in regions_of(ours, theirs):
        lines, place = _settle(region)
        merged += [*base[at : region.start], *lines]
        at = region.end
        places += [place] if place is not None else []
    failed = tuple(place for place in places if place.why)
    if failed:
        return SettledFile(None, failed)
    return SettledFile(b"".join([*merged, *base[at:]]), tuple(places))


def _settle(region: Hunks) -> tuple[Lines, Place | None]:
    """Return what is kept of a region, and how it settled where both sides changed it."""
    ours, theirs = region.ours, region.theirs
    if not (ours.changed and theirs.changed):
        return (ours if ours.changed else theirs).lines, None
    lines, kind, why = _settle_both(region)
    return lines, Place(region.start, ours.start, kind, why)


def _settle_both(region: Hunks) -> tuple[Lines, int, str]:
    """Return what is kept of both sides' changes and the kind, or why they do not settle."""
    ours, theirs = region.ours, region.theirs
    if ours.lines == theirs.lines:
        return ours.lines, 1, ""
    if not (ours.lines and theirs.lines):
        return (), 0, ONLY_DELETES
    smaller, larger = sorted((ours.lines, theirs.lines), key=len)
    if ours.deleted == theirs.deleted and _holds(larger, smaller):
        return larger, 1, ""
    if region.start == region.end:
        if not ours.lines[-1].endswith(b"\n"):
            return (), 0, NO_LAST_END
        return (*ours.lines, *theirs.lines), 2, ""
    return (), 0, APART


def _holds(larger: Lines, smaller: Lines) -> bool:
    """Whether one side's lines hold the other's, in order."""
    rest = iter(larger)
    return all(line in rest for line in smaller)


def _lines_edited(edits: Sequence[Edit]) -> int:
    return sum((edit.old_end - edit.old_start) + (edit.new_end - edit.new_start) for edit in edits)
