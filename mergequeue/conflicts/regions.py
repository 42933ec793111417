"""The regions that two sides changed of one file, line by line (facts 3.16, step 1; pure).

    base  a b c d e        hunks of ours: [1, 2), of theirs: [1, 3), [4, 4)
    ours  a B c d e        regions: [1, 3) of both, since their hunks overlap
    theirs a X Y d n e              [4, 4) of theirs alone

Hunks that overlap or touch are one region: what stands right beside an edit was chosen with it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mergequeue.ports import Edit

Lines = tuple[bytes, ...]
"""Lines with their line feeds; the last may lack one."""


@dataclass(frozen=True)
class Side:
    """What one side made of a region."""

    lines: Lines
    """What stands there now."""
    deleted: frozenset[int]
    """The lines of the base that it took out or replaced, by number."""
    start: int
    """Where its lines start in its own file, counted from 0."""
    changed: bool
    """Whether it changed the region at all."""


@dataclass(frozen=True)
class Hunks:
    """Lines of the base that one side or both changed, and what each made of them."""

    start: int
    end: int
    """Lines of the base, from one up to the other; none where the two are one."""
    ours: Side
    theirs: Side


def split_lines(content: bytes) -> Lines:
    """Return a content's lines as git has them: a line feed ends one, and nothing else does."""
    parts = content.split(b"\n")
    ended = tuple(part + b"\n" for part in parts[:-1])
    return (*ended, parts[-1]) if parts[-1] else ended


def regions_of(
    ours: tuple[Lines, Sequence[Edit]], theirs: tuple[Lines, Sequence[Edit]]
) -> list[Hunks]:
    """Return the regions in order, given each side's lines and what it edited of the base."""
    spans = _spans([*ours[1], *theirs[1]])
    sides = [list(_sides(lines, edits, spans)) for lines, edits in (ours, theirs)]
    return [
        Hunks(start, end, our, their)
        for (start, end), our, their in zip(spans, *sides, strict=True)
    ]


def _spans(edits: Sequence[Edit]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for edit in sorted(edits, key=lambda edit: (edit.old_start, edit.old_end)):
        if spans and edit.old_start <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(spans[-1][1], edit.old_end)
        else:
            spans.append((edit.old_start, edit.old_end))
    return spans


def _sides(lines: Lines, edits: Sequence[Edit], spans: Sequence[tuple[int, int]]) -> Iterator[Side]:
    """Give what one side made of each span, every edit of its own lying within one of them."""
    waiting = list(reversed(edits))
    shift = 0
    for start, end in spans:
        first = start + shift
        deleted: set[int] = set()
        changed = False
        while waiting and waiting[-1].old_start <= end:
            edit = waiting.pop()
            deleted.update(range(edit.old_start, edit.old_end))
            shift += (edit.new_end - edit.new_start) - (edit.old_end - edit.old_start)
            changed = True
        yield Side(lines[first : end + shift], frozenset(deleted), first, changed)
