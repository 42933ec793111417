"""The commits that a merge puts on the base, in the shape of its method; nothing moves here."""

from dataclasses import dataclass
from datetime import datetime

from mergequeue.documents.provider import MergeRequest
from mergequeue.plaingit.intents import title_of
from mergequeue.ports import Clock, CommitFacts, GitBuilds, GitReads, Merging, ThreeWay
from mergequeue.report import plain_git as words
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import CommitId, TreeId
from mergequeue.vocabulary.text import path_text
from mergequeue.vocabulary.words import Method


@dataclass(frozen=True)
class NextTip:
    """The base's next tip, or why there can be none."""

    tip: CommitId | None
    reason: str = ""


class Lander:
    """Makes the commits of a merge: the head's author, the committer who is asked for."""

    def __init__(self, reads: GitReads, builds: GitBuilds, merging: Merging, clock: Clock) -> None:
        self._reads = reads
        self._builds = builds
        self._merging = merging
        self._clock = clock

    def make(self, request: MergeRequest, committer: Identity) -> NextTip:
        """Return the tip that carries the tree requested, or why there is none (facts 3.11)."""
        change = request.change
        signed = (committer, self._clock.now())
        if change.method is Method.REBASE:
            return self._replay(request, signed)
        head = self._reads.commit(request.commit)
        if change.method is Method.MERGE:
            message = words.merge_message(change.id, change.title)
            parents = [request.onto, request.commit]
        else:
            message = words.titled_squash_message(change.title, request.message)
            parents = [request.onto]
        return NextTip(self._write(head, request.tree, parents, message, signed))

    def _replay(self, request: MergeRequest, signed: tuple[Identity, datetime]) -> NextTip:
        tip, tree = request.onto, self._reads.tree_of(request.onto)
        for commit in self._own(request):
            if not commit.parents:
                return NextTip(None, words.no_history_reason(commit.id))
            base = commit.parents[0]
            merged = self._merging.merge([ThreeWay(tip, commit.id, base)])[0]
            settled = [*(each.path for each in merged.resolved), *merged.generated]
            if merged.tree is None or settled:
                stuck = [conflict.path for conflict in merged.conflicts] or settled
                paths = [path_text(path) for path in stuck]
                subject = title_of(commit.message)
                return NextTip(None, words.replay_conflict_reason(commit.id, subject, paths))
            # What the base has already is dropped; a commit that was empty from the start is not.
            if merged.tree != tree or commit.tree == self._reads.tree_of(base):
                tree = merged.tree
                tip = self._write(commit, tree, [tip], commit.message, signed)
        if tree != request.tree and request.on_top:
            tree = request.tree
            tip = self._builds.write_commit(
                tree, [tip], request.on_top, author=signed, committer=signed
            )
        if tip == request.onto:
            return NextTip(None, words.nothing_left_reason())
        return (
            NextTip(tip) if tree == request.tree else NextTip(None, words.replay_differs_reason())
        )

    def _own(self, request: MergeRequest) -> list[CommitFacts]:
        below: frozenset[CommitId] = frozenset()
        if request.stack_base is not None:
            line = self._reads.line_of(request.stack_base, request.onto)
            below = frozenset(commit.id for commit in line)
        line = self._reads.line_of(request.commit, request.onto)
        return [commit for commit in line if len(commit.parents) <= 1 and commit.id not in below]

    def _write(
        self,
        like: CommitFacts,
        tree: TreeId,
        parents: list[CommitId],
        message: str,
        signed: tuple[Identity, datetime],
    ) -> CommitId:
        author = (like.author, like.author_date)
        return self._builds.write_commit(tree, parents, message, author=author, committer=signed)
