"""The paths rule where two histories have several merge bases.

git merges the bases first, their own bases before them, and takes the outcome, conflicts and all,
for the base. Most paths come out of that from memory. A path whose contents the bases themselves
would have to merge is given to git alone, over commits that have the bases' shape and hold no other
path, so that no rename can be found and git makes of the bases what it makes of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from mergequeue.git.base_shape import Bases, BaseShape, find_shape
from mergequeue.git.conflict_stages import conflict_kind
from mergequeue.git.merge_objects import MergeObjects
from mergequeue.git.merge_process import Answer, Pair
from mergequeue.git.paths_rule import Contents, MergedPath, merge_path
from mergequeue.git.tree_entries import CommitHeader, Entry
from mergequeue.git.tree_paths import differing_paths, entry_at, in_the_way
from mergequeue.vocabulary.ids import CommitId

Paths = dict[bytes, Entry | None]


@dataclass(frozen=True)
class Unknown:
    """What a path of a merged base holds where git decides it: something, that much is sure."""


_UNKNOWN = Unknown()
_Virtual = dict[bytes, "Entry | Unknown | None"]


@dataclass
class CrissCross:
    """A merge with several bases: what each path comes to, and the paths for git to merge alone."""

    objects: MergeObjects
    ours: bytes
    """The raw id of our tree."""
    theirs: bytes
    bases: Bases
    settled: dict[bytes, MergedPath] = field(default_factory=dict)
    alone: list[bytes] = field(default_factory=list)

    def settle(self) -> None:
        """Settle every path that memory can settle, and list the others in `alone`."""
        virtual = _virtual_base(self, self.bases)
        for path in self._paths:
            ours, theirs = self._ours.get(path), self._theirs.get(path)
            base = virtual[path]
            if not isinstance(base, Unknown):
                self.settled[path] = merge_path(base, ours, theirs)
            elif ours == theirs:
                self.settled[path] = MergedPath(ours)
            else:
                self.alone.append(path)

    @property
    def contents(self) -> tuple[Contents, ...]:
        """The contents that git has to merge, from a base that is known."""
        return tuple(m.contents for m in self.settled.values() if m.contents is not None)

    def add_alone(self, path: bytes) -> Pair:
        """Return two commits to be written that hold this path alone, over the bases' shape."""
        written: dict[CommitId, str] = {}
        for commit in self.shape.oldest_first:
            parents = tuple(written[parent] for parent in self.shape.parents[commit])
            entry = self._held[commit].get(path)
            written[commit] = self._add(entry, parents, self.objects.commit(commit).date)
        parents = tuple(written[base] for base in self.bases)
        newest = max(self.objects.commit(base).date for base in self.bases) + 1
        ours, theirs = self._ours.get(path), self._theirs.get(path)
        return (
            CommitId(self._add(ours, parents, newest)),
            CommitId(self._add(theirs, parents, newest)),
        )

    def take_answer(self, path: bytes, answer: Answer) -> None:
        """Settle a path by what git made of it alone."""
        if answer.clean:
            entry = self.objects.tree(bytes.fromhex(answer.tree)).get(_ALONE)
            self.settled[path] = MergedPath(entry)
        else:
            self.settled[path] = MergedPath(conflict=conflict_kind(answer.stages))

    def values_at(self, commit: CommitId) -> Paths:
        """Return what a base holds at every path at issue."""
        return {path: self._held[commit].get(path) for path in self._paths}

    def _add(self, entry: Entry | None, parents: tuple[str, ...], date: int) -> str:
        tree = self.objects.add_tree({} if entry is None else {_ALONE: entry})
        return self.objects.add_commit(CommitHeader(tree.hex(), parents, date))

    @cached_property
    def shape(self) -> BaseShape:
        """How the bases hang together."""
        return find_shape(self.objects, self.bases)

    @cached_property
    def _paths(self) -> tuple[bytes, ...]:
        """Every path that these trees do not all hold alike."""
        roots = [self.theirs, *(self.objects.root(commit) for commit in self.shape.parents)]
        found: set[bytes] = set()
        for root in roots:
            found.update(differing_paths(self.objects.tree, self.ours, root))
        return tuple(sorted(found))

    @cached_property
    def _ours(self) -> Paths:
        return self._lookup(self.ours)

    @cached_property
    def _theirs(self) -> Paths:
        return self._lookup(self.theirs)

    @cached_property
    def _held(self) -> dict[CommitId, Paths]:
        return {commit: self._lookup(self.objects.root(commit)) for commit in self.shape.parents}

    def _lookup(self, root: bytes) -> Paths:
        return {path: entry_at(self.objects.tree, root, path) for path in self._paths}


_ALONE = b"path"


def _virtual_base(merge: CrissCross, bases: Bases) -> _Virtual:
    """Return what the merged base of some commits holds at every path at issue."""
    held = [merge.values_at(base) for base in bases]
    if not held:
        return dict.fromkeys(merge.values_at(merge.bases[0]))
    below: _Virtual | None = None
    found: _Virtual = {}
    for path, value in held[0].items():
        values = [each[path] for each in held]
        if all(each == value for each in values):
            found[path] = value
        elif len(bases) > 2:  # noqa: PLR2004 (only two commits are merged from memory)
            found[path] = _UNKNOWN
        else:
            if below is None:
                below = _virtual_base(merge, merge.shape.of_pair.get(bases, ()))
            found[path] = _merged_base(below[path], values)
    return _without_files_in_the_way(found)


def _merged_base(
    below: Entry | Unknown | None, values: Sequence[Entry | None]
) -> Entry | Unknown | None:
    if not isinstance(below, Unknown) and below in values:
        return next(value for value in values if value != below)
    return _UNKNOWN


def _without_files_in_the_way(virtual: _Virtual) -> _Virtual:
    # git moves a file aside in a merged base where a folder of the same name has something in it.
    held = {path for path, value in virtual.items() if value is not None}
    moved = in_the_way(held)
    return {path: None if path in moved else value for path, value in virtual.items()}
