"""Asking git to merge: one `merge-tree` process for a whole batch, and what it answers.

Before git 2.49 the process holds its answers back until its input ends, so a batch is sent whole.
With `--stdin` the process ends with 0 whatever the merges came to; git's exit status 1 means an
object it does not know as well as a conflict, and is never taken for an answer.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from mergequeue.git.process import Git
from mergequeue.git.tree_entries import Entry
from mergequeue.vocabulary.errors import GIT_FAILED
from mergequeue.vocabulary.ids import CommitId, TreeId

Pair = tuple[CommitId, CommitId]
"""Two commits that share a history: ours and theirs."""

_SETTINGS = (
    "merge.conflictStyle=merge",
    "merge.default=text",
    "merge.directoryRenames=conflict",
    "merge.renameLimit=7000",
    "merge.renames=true",
    "merge.renormalize=false",
    # From 2.43 to 2.45, git read the attributes of a bare repository's HEAD.
    "attr.tree=4b825dc642cb6eb9a060e54bf8d69288fbee4904",
)
"""git's own defaults, whatever a machine's configuration or a later git says."""

_CLEAN = b"1"
_CONFLICTING = b"0"


@dataclass(frozen=True)
class Answer:
    """What git made of one pair."""

    clean: bool
    tree: TreeId
    """Where it is not clean, a tree that holds for the paths without a conflict alone."""
    stages: tuple[tuple[bytes, int, Entry], ...] = ()
    """What conflicting paths hold at each stage: 1 the base, 2 ours, 3 theirs."""
    messages: tuple[tuple[bytes, tuple[bytes, ...]], ...] = ()
    """What git says of the merge, where it was asked: each message's type, and its paths."""


def merge_pairs(git: Git, pairs: Sequence[Pair], *, messages: bool = False) -> tuple[Answer, ...]:
    """Merge every pair in one process; raise GIT_FAILED where any of them cannot be tried."""
    if not pairs:
        return ()
    with_messages = "--messages" if messages else "--no-messages"
    settings = [word for setting in _SETTINGS for word in ("-c", setting)]
    lines = "".join(f"{ours} {theirs}\n" for ours, theirs in pairs)
    words = ("merge-tree", "--write-tree", "--stdin", "-z", with_messages)
    ran = git.run(*settings, *words, stdin=lines.encode())
    answers = tuple(parse_answers(ran.out, messages=messages))
    if len(answers) != len(pairs):
        raise GIT_FAILED(f"git merge-tree answered {len(answers)} of {len(pairs)} merges")
    return answers


def parse_answers(out: bytes, *, messages: bool = False) -> Iterable[Answer]:
    """Give the answers of `merge-tree --write-tree --stdin -z`, in order."""
    words = iter(out.split(b"\0"))
    for status in words:
        if status == b"":
            return
        tree = TreeId(next(words, b"").decode("ascii", errors="replace"))
        stages = tuple(_stage(record) for record in iter(lambda: next(words, b""), b""))
        if status not in {_CLEAN, _CONFLICTING} or (status == _CLEAN and stages):
            raise GIT_FAILED("git merge-tree answered in a form that it does not have")
        yield Answer(status == _CLEAN, tree, stages, tuple(_messages(words)) if messages else ())


def _messages(words: Iterator[bytes]) -> Iterator[tuple[bytes, tuple[bytes, ...]]]:
    for number in iter(lambda: next(words, b""), b""):
        if not number.isdigit():
            raise GIT_FAILED("git merge-tree said something in a form that it does not have")
        paths = tuple(islice(words, int(number)))
        kind, _ = next(words, b""), next(words, b"")
        yield kind, paths


def _stage(record: bytes) -> tuple[bytes, int, Entry]:
    facts, _, path = record.partition(b"\t")
    try:
        mode, id_, stage = facts.split(b" ")
        return path, int(stage), (mode, bytes.fromhex(id_.decode("ascii")))
    except ValueError as error:
        raise GIT_FAILED(
            "git merge-tree listed a conflict in a form that it does not have"
        ) from error
