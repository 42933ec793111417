"""A part of the step: conflicts settled by what both sides made of each file, and by its risk."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mergequeue.conflicts.declarations import driver_of, place_text
from mergequeue.conflicts.regions import split_lines
from mergequeue.conflicts.rule import Split, split_conflicts
from mergequeue.conflicts.settling import BINARY, Place, ThreeContents, is_binary, settle_file
from mergequeue.ports import (
    Completion,
    Conflict,
    Facts,
    GitReads,
    Merged,
    MergesTrees,
    Region,
    Resolved,
    Settled,
    ThreeWay,
    Versions,
)
from mergequeue.report import resolutions
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.ids import RepoPath, TreeId
from mergequeue.vocabulary.words import ConflictKind, Rule


@dataclass(frozen=True)
class Conflicting:
    """A merge that conflicts by one of the rules, at these paths at least."""

    merge: ThreeWay
    rule: Rule
    merged: Merged


@dataclass(frozen=True)
class _Kept:
    """A file that settled, and its content."""

    resolved: Resolved
    content: bytes


@dataclass(frozen=True)
class _Attempt:
    """What became of every conflict of one merge."""

    of: Conflicting
    split: Split
    kept: tuple[_Kept, ...]
    left: tuple[Conflict, ...]

    def completion(self) -> Completion:
        """Return the merge with what each of its conflicts is to hold."""
        contents = {one.resolved.path: one.content for one in self.kept}
        return Completion(
            self.of.merge, self.of.rule, contents, self.split.theirs, self.split.removed
        )

    def settled(self, tree: TreeId | None) -> Settled:
        """Return what the merge comes to, given its tree where every conflict settled."""
        if tree is not None:
            resolved = tuple(one.resolved for one in self.kept)
            return Settled(tree, self.of.rule, resolved=resolved, generated=self.split.generated)
        return Settled(None, self.of.rule, conflicts=self.left or self.of.merged.conflicts)


@dataclass(frozen=True)
class Resolving:
    """Settles conflicts: the base's facts say what is generated, and of what risk an edit is."""

    trees: MergesTrees
    reads: GitReads
    facts: Facts

    def resolve(self, conflicting: Sequence[Conflicting]) -> list[Settled]:
        """Return the tree of each merge whose conflicts all settle, and of others which did not."""
        paths = {conflict.path for each in conflicting for conflict in each.merged.conflicts}
        outputs = self.facts.outputs(paths).outputs if paths else frozenset()
        attempts = [
            self._attempt(each, split_conflicts(each.merged.conflicts, outputs))
            for each in conflicting
        ]
        whole = [attempt for attempt in attempts if not attempt.left]
        trees = iter(self.trees.complete([attempt.completion() for attempt in whole]))
        return [attempt.settled(None if attempt.left else next(trees)) for attempt in attempts]

    def _attempt(self, each: Conflicting, split: Split) -> _Attempt:
        if len(split.sources) > limits.SETTLED_FILES:
            left = [_stays(one, resolutions.TOO_MANY_FILES) for one in split.sources]
            return _Attempt(each, split, (), tuple(left))
        tried = [self._file(each, conflict) for conflict in split.sources]
        return _Attempt(
            each,
            split,
            tuple(one for one in tried if isinstance(one, _Kept)),
            tuple(one for one in tried if isinstance(one, Conflict)),
        )

    def _file(self, each: Conflicting, conflict: Conflict) -> _Kept | Conflict:
        """Settle one file, or say why it stays a conflict."""
        if conflict.kind is ConflictKind.CONTENT and len(each.merged.bases) != 1:
            return _stays(conflict, resolutions.SEVERAL_BASES)
        if conflict.versions is None:
            return _stays(conflict, resolutions.KINDS[conflict.kind])
        file = self._contents(conflict.versions)
        if isinstance(file, str):
            return _stays(conflict, file)
        settled = settle_file(file)
        if settled.why:
            return _stays(conflict, settled.why)
        labels = self._labels(each.merge, conflict.path, file.base, settled.places)
        if settled.content is None:
            whys = (place.why for place in settled.places)
            why = resolutions.unsettled(zip(labels, whys, strict=True))
            return replace(conflict, why=why)
        risk = self.facts.auto_resolve(conflict.path, file.base, settled.content)
        if not risk.settles:
            return replace(conflict, why=risk.line)
        kinds = (place.kind for place in settled.places)
        regions = tuple(map(Region, labels, kinds))
        return _Kept(Resolved(conflict.path, risk.line, regions), settled.content)

    def _contents(self, versions: Versions) -> ThreeContents | str:
        """Read a file's three versions, or say why they cannot be settled."""
        contents = [
            self.reads.read_blob(id_, limits.SETTLED_BYTES)
            for id_ in (versions.base, versions.ours, versions.theirs)
        ]
        base, ours, theirs = contents
        if base is None or ours is None or theirs is None:
            return resolutions.TOO_LARGE
        if is_binary(base, ours, theirs):
            return BINARY
        edits = [self.reads.edits(base, side) for side in (ours, theirs)]
        return ThreeContents(base, ours, theirs, *edits)

    def _labels(
        self, merge: ThreeWay, path: RepoPath, base: bytes, places: Sequence[Place]
    ) -> list[str]:
        """Return `path#declaration` of each place."""
        name = path.rpartition(b"/")[2].decode(errors="replace")
        driver = driver_of(name, self.reads.diff_driver(merge.ours, path))
        lines = split_lines(base)
        return [
            resolutions.place_label(
                path, place_text(driver, lines[: place.base_line], place.our_line)
            )
            for place in places
        ]


def _stays(conflict: Conflict, why: str) -> Conflict:
    return replace(conflict, why=resolutions.stayed(conflict.path, why))
