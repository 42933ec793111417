"""The commits that a merge puts on the base, in the shape of its method; nothing moves here."""

from dataclasses import dataclass
from datetime import datetime

from mergequeue.documents.provider import MergeMember, MergeRequest
from mergequeue.plaingit.intents import title_of
from mergequeue.ports import Clock, CommitFacts, GitBuilds, GitReads, Merging, ThreeWay
from mergequeue.report import plain_git as words
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import CommitId, TreeId
from mergequeue.vocabulary.text import path_text
from mergequeue.vocabulary.words import Method


@dataclass(frozen=True)
class Made:
    """What a merge puts on the base."""

    tips: tuple[CommitId, ...]
    """The commit with which each member is on the base, lowest first; the last is the base's next
    tip.
    """


@dataclass(frozen=True)
class NotMade:
    """Why there can be no such merge."""

    reason: str


class Lander:
    """Makes the commits of a merge: the head's author, the committer who is asked for."""

    def __init__(self, reads: GitReads, builds: GitBuilds, merging: Merging, clock: Clock) -> None:
        self._reads = reads
        self._builds = builds
        self._merging = merging
        self._clock = clock

    def make(self, request: MergeRequest, committer: Identity) -> Made | NotMade:
        """Return the commits of all members, each on the one beneath with the tree requested, or
        why there are none (facts 3.11).
        """
        signed = (committer, self._clock.now())
        tips: list[CommitId] = []
        for member in request.members:
            tip = self._made(member, tips[-1] if tips else request.onto, signed)
            if isinstance(tip, NotMade):
                return tip
            tips.append(tip)
        return Made(tuple(tips))

    def _made(
        self, member: MergeMember, onto: CommitId, signed: tuple[Identity, datetime]
    ) -> CommitId | NotMade:
        change = member.change
        if change.method is Method.REBASE:
            return self._replay(member, onto, signed)
        head = self._reads.commit(member.commit)
        if change.method is Method.MERGE:
            message = words.merge_message(change.id, change.title, member.title, member.body)
            parents = [onto, member.commit]
        else:
            message = words.squash_message(change.title, member)
            parents = [onto]
        return self._write(head, member.tree, parents, message, signed)

    def _replay(
        self, member: MergeMember, onto: CommitId, signed: tuple[Identity, datetime]
    ) -> CommitId | NotMade:
        tip, tree = onto, self._reads.tree_of(onto)
        for commit in self._own(member, onto):
            if not commit.parents:
                return NotMade(words.no_history_reason(commit.id))
            base = commit.parents[0]
            merged = self._merging.merge([ThreeWay(tip, commit.id, base)])[0]
            settled = [*(each.path for each in merged.resolved), *merged.generated]
            if merged.tree is None or settled:
                stuck = [conflict.path for conflict in merged.conflicts] or settled
                paths = [path_text(path) for path in stuck]
                subject = title_of(commit.message)
                return NotMade(words.replay_conflict_reason(commit.id, subject, paths))
            # What the base has already is dropped; a commit that was empty from the start is not.
            if merged.tree != tree or commit.tree == self._reads.tree_of(base):
                tree = merged.tree
                tip = self._write(commit, tree, [tip], commit.message, signed)
        if tree != member.tree and member.on_top:
            tree = member.tree
            tip = self._builds.write_commit(
                tree, [tip], member.on_top, author=signed, committer=signed
            )
        if tip == onto:
            return NotMade(words.nothing_left_reason())
        return tip if tree == member.tree else NotMade(words.replay_differs_reason())

    def _own(self, member: MergeMember, onto: CommitId) -> list[CommitFacts]:
        below: frozenset[CommitId] = frozenset()
        if member.stack_base is not None:
            line = self._reads.line_of(member.stack_base, onto)
            below = frozenset(commit.id for commit in line)
        line = self._reads.line_of(member.commit, onto)
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
