"""Trees that are nearly alike, compared and made as bytes (pure).

A queue's trees are the base's but for an entry or two. So of two folders only the bytes between
what they start with and what they end with are parsed, and a folder with an entry changed is cut
out of the one it is like.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from functools import cached_property
from itertools import accumulate

from mergequeue.git.tree_entries import (
    ENTRY_BYTES,
    MODES,
    Entry,
    Fields,
    canonical_mode,
    format_record,
    parse_fields,
    parse_tree,
    sorting_name,
)

Parts = tuple[dict[bytes, Entry], dict[bytes, Entry]]


class TreeBytes:
    """One folder as git stores it, and where in it each entry lies."""

    def __init__(self, raw: bytes) -> None:
        """Raise ValueError where it is no tree."""
        self.raw = raw
        self._fields = parse_fields(raw)
        self._starts = list(accumulate(map(_length, self._fields), initial=0))
        self._places = {name: place for place, (_, name, _) in enumerate(self._fields)}

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._fields)

    @cached_property
    def is_as_git_writes(self) -> bool:
        """Whether its modes and its order are those that git writes by now."""
        return all(mode in MODES for mode, _, _ in self._fields) and self._order == sorted(
            self._order
        )

    def differing(self, other: bytes) -> Parts | None:
        """Return the entries that only this folder holds, and those that only the other does.

        None where the other has to be parsed whole to tell, or is corrupt.
        """
        return self._with_other_ids(other) or self._differing_span(other)

    def _with_other_ids(self, other: bytes) -> Parts | None:
        """Return what differs where that is ids alone, as where files were edited."""
        raw, here, there, at = self.raw, {}, {}, 0
        if len(other) != len(raw):
            return None
        while (at := shared_start(raw, other, at)) < len(raw):
            place = bisect_right(self._starts, at) - 1
            start, at = self._starts[place], self._starts[place + 1]
            mode, name, _ = self._fields[place]
            if raw[start : at - 20] != other[start : at - 20]:
                return None
            canonical = canonical_mode(mode)
            here[name] = (canonical, raw[at - 20 : at])
            there[name] = (canonical, other[at - 20 : at])
        return here, there

    def _differing_span(self, other: bytes) -> Parts | None:
        """Return all from the first entry that differs to the last."""
        first, last = self._differing_places(other)
        start, end = self._starts[first], self._starts[last]
        here = parse_tree(self.raw[start:end])
        try:
            there = parse_tree(other[start : len(other) - (len(self.raw) - end)])
        except ValueError:
            return None
        for name in there:
            place = self._places.get(name)
            if place is not None and not first <= place < last:
                return None
        return here, there

    def edited(self, changes: Mapping[bytes, Entry | None]) -> bytes:
        """Return the folder with these names holding what is given; None takes one out.

        Only for one that `is_as_git_writes`.
        """
        cuts: list[tuple[int, int, bytes, bytes]] = []
        for name, entry in changes.items():
            place = self._places.get(name)
            order = sorting_name(name, entry) if entry is not None else b""
            record = format_record(name, entry) if entry is not None else b""
            keeps_place = place is not None and (not order or self._order[place] == order)
            if place is not None:
                start, end = self._starts[place], self._starts[place + 1]
                cuts.append((start, end, order, record if keeps_place else b""))
            if entry is not None and not keeps_place:
                before = self._starts[bisect_left(self._order, order)]
                cuts.append((before, before, order, record))
        pieces, at = [], 0
        for start, end, _, record in sorted(cuts):
            pieces += [self.raw[at:start], record]
            at = end
        return b"".join([*pieces, self.raw[at:]])

    @cached_property
    def _order(self) -> list[bytes]:
        return [sorting_name(name, (mode, b"")) for mode, name, _ in self._fields]

    def _differing_places(self, other: bytes) -> tuple[int, int]:
        """Return the entries here that hold all bytes which the other does not share."""
        first = bisect_right(self._starts, shared_start(self.raw, other)) - 1
        # What is shared at both ends may overlap in the shorter one.
        least = self._starts[first] + max(0, len(self.raw) - len(other))
        end = max(len(self.raw) - shared_end(self.raw, other), least)
        return first, bisect_left(self._starts, end, lo=first)


def shared_start(one: bytes, other: bytes, known: int = 0) -> int:
    """Return how many bytes two texts start with alike; so many are known to be."""
    low, high = known, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def shared_end(one: bytes, other: bytes) -> int:
    """Return how many bytes two texts end with alike."""
    low, high = 0, min(len(one), len(other))
    ends = len(one), len(other)
    while low < high:
        middle = (low + high + 1) // 2
        if one[ends[0] - middle : ends[0] - low] == other[ends[1] - middle : ends[1] - low]:
            low = middle
        else:
            high = middle - 1
    return low


def _length(fields: Fields) -> int:
    mode, name, _ = fields
    return len(mode) + len(name) + ENTRY_BYTES
