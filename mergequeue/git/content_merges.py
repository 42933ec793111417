"""The contents that both sides changed, for any number of merges, merged by git in one go.

A merge of contents depends on nothing but the three contents. So all of them become one flat folder
with a number for each, merged once: every number is held by both sides, and so git can find
no rename.
"""

from collections.abc import Sequence

from mergequeue.git.merge_objects import MergeObjects
from mergequeue.git.merge_process import Answer, Pair
from mergequeue.git.paths_rule import Contents
from mergequeue.git.tree_entries import FILE, CommitHeader, Entries
from mergequeue.vocabulary.errors import GIT_FAILED
from mergequeue.vocabulary.ids import CommitId


def add_pair(objects: MergeObjects, base: bytes, ours: bytes, theirs: bytes) -> Pair:
    """Return two commits to be written, whose one merge base has the tree `base`."""
    start = (objects.add_commit(CommitHeader(base.hex(), (), 0)),)
    return (
        CommitId(objects.add_commit(CommitHeader(ours.hex(), start, 0))),
        CommitId(objects.add_commit(CommitHeader(theirs.hex(), start, 0))),
    )


def add_contents(objects: MergeObjects, contents: Sequence[Contents]) -> Pair:
    """Return two commits to be written, whose merge is the merge of all these contents."""
    base: Entries = {
        _name(number): each.base for number, each in enumerate(contents) if each.base is not None
    }
    ours: Entries = {_name(number): (FILE, each.ours) for number, each in enumerate(contents)}
    theirs: Entries = {_name(number): (FILE, each.theirs) for number, each in enumerate(contents)}
    trees = [objects.add_tree(side) for side in (base, ours, theirs)]
    return add_pair(objects, trees[0], trees[1], trees[2])


def read_contents(
    objects: MergeObjects, contents: Sequence[Contents], answer: Answer
) -> dict[Contents, bytes | None]:
    """Return the merged blob of each content, None where it conflicts."""
    conflicting = {path for path, _, _ in answer.stages}
    merged = objects.tree(bytes.fromhex(answer.tree))
    found: dict[Contents, bytes | None] = {}
    for number, each in enumerate(contents):
        name = _name(number)
        if name in conflicting:
            found[each] = None
        elif name in merged:
            found[each] = merged[name][1]
        else:
            raise GIT_FAILED("git merge-tree left out a path that both sides hold")
    return found


def _name(number: int) -> bytes:
    return b"%08d" % number
