"""The two rules for whole batches, on the queue's own repository (DESIGN, Merging).

However many merges a batch holds, each rule starts git once at most: contents are merged all
together, and merge bases are found in memory.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mergequeue.git.commit_graph import find_merge_bases, is_carried
from mergequeue.git.conflict_stages import conflicts_of_stages, is_nothing_else_in_the_way
from mergequeue.git.content_merges import add_contents, add_pair, read_contents
from mergequeue.git.criss_cross import CrissCross
from mergequeue.git.merge_objects import MergeObjects
from mergequeue.git.merge_process import Answer, Pair, merge_pairs
from mergequeue.git.paths_rule import (
    Contents,
    MergedPath,
    Walked,
    complete_walk,
    conflicts_of,
    content_conflict,
    finish_walk,
    walk_trees,
)
from mergequeue.git.tree_entries import FILE, CommitHeader, Entry
from mergequeue.git.tree_paths import apply_paths, entry_at, in_the_way
from mergequeue.git.workshop import Workshop
from mergequeue.ports import Completion, Conflict, Merged, ThreeWay
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId
from mergequeue.vocabulary.words import ConflictKind, Rule

Bases = tuple[CommitId, ...]
Held = Mapping[bytes, Entry | None]
"""What conflicting paths are to hold; an empty mode stands for the one that was merged."""
_NOTHING: Held = {}


class GitMerges:
    """`ports.MergesTrees` on a workshop."""

    def __init__(self, workshop: Workshop) -> None:
        self._git = workshop.git
        self._objects = MergeObjects(workshop.trees)
        self._blobs: dict[Contents, bytes | None] = {}

    def merge_by_paths(self, merges: Sequence[ThreeWay]) -> tuple[Merged, ...]:
        """Merge path by path, following no rename; clean trees are written with the next commit.

        Raises GIT_FAILED where an object is missing or corrupt, or git ends in the middle.
        """
        started = {merge: self._start(merge, bases) for merge, bases in self._bases(merges).items()}
        self._ask_git(started.values())
        done = {merge: self._finish(start) for merge, start in started.items()}
        return tuple(done[merge] for merge in merges)

    def merge_by_renames(self, merges: Sequence[ThreeWay]) -> tuple[Merged, ...]:
        """Merge as git's merge-ort does, with its options at their defaults; raises as by paths."""
        bases = self._bases(merges)
        pairs = {merge: self._pair(merge) for merge, found in bases.items() if found}
        self._objects.write()
        answers = dict(zip(pairs, merge_pairs(self._git, list(pairs.values())), strict=True))
        done: dict[ThreeWay, Merged] = {}
        for merge, found in bases.items():
            if merge in answers:
                done[merge] = _renamed(answers[merge], pairs[merge], found)
            else:
                done[merge] = Merged(None, unrelated=True)
        return tuple(done[merge] for merge in merges)

    def complete(self, completions: Sequence[Completion]) -> tuple[TreeId | None, ...]:
        """Return each merge's tree with what its conflicts are to hold; raises as by paths.

        None where more than those paths is in its way.
        """
        by_rule = {
            Rule.PATHS: self._complete_by_paths,
            Rule.RENAMES: self._complete_by_renames,
        }
        done: dict[int, TreeId | None] = {}
        for rule, complete in by_rule.items():
            places = [place for place, one in enumerate(completions) if one.rule is rule]
            made = complete([completions[place] for place in places]) if places else []
            done.update(zip(places, made, strict=True))
        self._objects.write()
        return tuple(done[place] for place in range(len(completions)))

    def _complete_by_paths(self, completions: Sequence[Completion]) -> list[TreeId | None]:
        bases = self._bases([one.merge for one in completions])
        started = [self._start(one.merge, bases[one.merge]) for one in completions]
        self._ask_git(started)
        held = [self._held(one, self._objects.root(one.merge.theirs)) for one in completions]
        made = (self._finish(start, each) for start, each in zip(started, held, strict=True))
        return [merged.tree for merged in made]

    def _complete_by_renames(self, completions: Sequence[Completion]) -> list[TreeId | None]:
        pairs = [self._pair(one.merge) for one in completions]
        self._objects.write()
        answers = merge_pairs(self._git, pairs, messages=True)
        made: list[TreeId | None] = []
        for one, answer in zip(completions, answers, strict=True):
            held = self._held(one, self._objects.root(one.merge.theirs))
            if not is_nothing_else_in_the_way(answer, held):
                made.append(None)
                continue
            root = bytes.fromhex(answer.tree)
            modes = {path: entry_at(self._objects.tree, root, path) for path in held}
            paths = {path: _with_mode(entry, modes[path]) for path, entry in held.items()}
            tree = apply_paths(self._objects.tree, self._objects.add_tree, root, paths)
            made.append(TreeId(tree.hex()))
        return made

    def _held(self, completion: Completion, theirs: bytes) -> Held:
        """Return what each path in a merge's way is to hold."""
        held: dict[bytes, Entry | None] = dict.fromkeys(completion.removed)
        held |= {path: entry_at(self._objects.tree, theirs, path) for path in completion.theirs}
        for path, content in completion.contents.items():
            held[path] = (b"", self._objects.add_blob(content))
        return held

    def _bases(self, merges: Iterable[ThreeWay]) -> dict[ThreeWay, Bases]:
        """Return what each distinct merge is made from; none where no history is shared."""
        found: dict[ThreeWay, Bases] = {}
        groups: dict[tuple[CommitId, ...], list[ThreeWay]] = {}
        for merge in dict.fromkeys(merges):
            if merge.base is not None:
                found[merge] = (merge.base,)
            else:
                groups.setdefault(_our_history(merge), []).append(merge)
        for ours, group in groups.items():
            bases = find_merge_bases(self._objects, ours, [merge.theirs for merge in group])
            found.update((merge, bases[merge.theirs]) for merge in group)
        return found

    def _start(self, merge: ThreeWay, bases: Bases) -> "_Walk | _Cross | None":
        ours, theirs = self._our_root(merge), self._objects.root(merge.theirs)
        if not bases:
            return None
        if len(bases) == 1:
            base = self._objects.root(bases[0])
            read, compare = self._objects.tree, self._objects.changed
            return _Walk(bases, walk_trees(read, compare, base, ours, theirs))
        cross = CrissCross(self._objects, ours, theirs, bases)
        cross.settle()
        return _Cross(bases, cross)

    def _our_root(self, merge: ThreeWay) -> bytes:
        if merge.base is None:
            return self._objects.root(merge.ours)
        return self._objects.root_or_tree(merge.ours)

    def _ask_git(self, started: Iterable["_Walk | _Cross | None"]) -> None:
        """Have git merge every content not merged before, and every path it has to merge alone."""
        starts = [start for start in started if start is not None]
        wanted = dict.fromkeys(each for start in starts for each in start.merge.contents)
        contents = [each for each in wanted if each not in self._blobs]
        crossed = [start.merge for start in starts if isinstance(start, _Cross)]
        alone = [(cross, path) for cross in crossed for path in cross.alone]
        pairs = [add_contents(self._objects, contents)] if contents else []
        pairs += [cross.add_alone(path) for cross, path in alone]
        if pairs:
            self._objects.write()
        answers = list(merge_pairs(self._git, pairs))
        if contents:
            self._blobs.update(read_contents(self._objects, contents, answers.pop(0)))
        for (cross, path), answer in zip(alone, answers, strict=True):
            cross.take_answer(path, answer)

    def _finish(self, start: "_Walk | _Cross | None", held: Held = _NOTHING) -> Merged:
        """Return what a merge comes to, with what these conflicts are to hold."""
        if start is None:
            return Merged(None, unrelated=True)
        wanted = {each: self._blobs[each] for each in start.merge.contents}
        blobs = {each: blob for each, blob in wanted.items() if blob is not None}
        if isinstance(start, _Cross):
            return _finish_cross(self._objects, start, blobs, held)
        complete_walk(start.merge, held)
        conflicts = conflicts_of(start.merge, blobs)
        if conflicts:
            return Merged(None, conflicts, bases=start.bases)
        tree = finish_walk(start.merge, blobs, self._objects.edit_tree)
        return Merged(TreeId(tree.hex()), bases=start.bases)

    def _pair(self, merge: ThreeWay) -> Pair:
        if merge.base is not None:
            base, theirs = self._objects.root(merge.base), self._objects.root(merge.theirs)
            return add_pair(self._objects, base, self._our_root(merge), theirs)
        # Known to be there, so that git can say only what it made of them.
        self._objects.root(merge.theirs)
        ours = CommitId(merge.ours)
        if merge.recorded is None or is_carried(self._objects, merge.recorded, ours):
            return ours, merge.theirs
        mine = self._objects.commit(ours)
        recording = CommitHeader(mine.tree, (ours, merge.recorded), mine.date)
        return CommitId(self._objects.add_commit(recording)), merge.theirs


@dataclass(frozen=True)
class _Walk:
    bases: Bases
    merge: Walked


@dataclass(frozen=True)
class _Cross:
    bases: Bases
    merge: CrissCross


def _our_history(merge: ThreeWay) -> tuple[CommitId, ...]:
    ours = CommitId(merge.ours)
    return (ours,) if merge.recorded is None else (ours, merge.recorded)


def _finish_cross(
    objects: MergeObjects, start: _Cross, blobs: Mapping[Contents, bytes], given: Held
) -> Merged:
    conflicts: dict[bytes, ConflictKind] = {}
    held: dict[bytes, Entry | None] = {}
    for path, merged in start.merge.settled.items():
        conflict = _conflict_left(merged, blobs)
        if path in given:
            held[path] = _with_mode(given[path], merged.entry)
        elif conflict is not None:
            conflicts[path] = conflict
        elif merged.contents is not None and merged.entry is not None:
            held[path] = (merged.entry[0], blobs[merged.contents])
        else:
            held[path] = merged.entry
    present = {path for path, entry in held.items() if entry is not None} | conflicts.keys()
    conflicts.update(dict.fromkeys(in_the_way(present), ConflictKind.KINDS))
    if conflicts:
        found = (Conflict(RepoPath(path), kind) for path, kind in sorted(conflicts.items()))
        return Merged(None, tuple(found), bases=start.bases)
    tree = apply_paths(objects.tree, objects.add_tree, start.merge.ours, held)
    return Merged(TreeId(tree.hex()), bases=start.bases)


def _conflict_left(merged: MergedPath, blobs: Mapping[Contents, bytes]) -> ConflictKind | None:
    if merged.contents is not None and merged.contents not in blobs:
        return content_conflict(merged.contents)
    return merged.conflict


def _with_mode(entry: Entry | None, merged: Entry | None) -> Entry | None:
    if entry is None or entry[0]:
        return entry
    return (merged[0] if merged is not None else FILE), entry[1]


def _renamed(answer: Answer, pair: Pair, bases: Bases) -> Merged:
    if answer.clean:
        return Merged(answer.tree, bases=bases)
    # A rename that git calls conflicting can leave no path unsettled behind.
    return Merged(None, conflicts_of_stages(answer.stages, pair), bases=bases)
