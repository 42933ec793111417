"""The small provider, writing whole batches in one call, as plain git does.

forge = make_batch_forge(playground)
open_batch(forge)
"""

from dataclasses import dataclass

from mergequeue.documents.provider import MergeMember, MergeRequest
from mergequeue.vocabulary.ids import ChangeId, CommitId, TreeId
from mergequeue.vocabulary.words import Method, ProviderMerges, StackMerge
from tests.support.forge import Forge, Knob, Pull
from tests.support.landings import edit, make_forge
from tests.support.repositories import Playground


@dataclass
class BatchForge(Forge):
    """A forge that takes `through` for the lower changes of a batch, and writes what it is told."""

    merges: ProviderMerges = ProviderMerges.EXACT
    batch_merge: StackMerge = StackMerge.ATOMIC
    merges_only: int | None = None
    """How many members of a batch it merges, from the bottom, where that is not all."""

    def _refusal(self, pull: Pull, request: MergeRequest) -> str:
        for member in request.members:
            if not self.pulls[member.id].is_open or member.commit != self.head(member.id):
                return f"{member.id} was modified"
            if not self._is_green(member.commit):
                return f"{member.id} is not green"
        return super()._refusal(pull, request)

    def _land(self, pull: Pull, request: MergeRequest, knob: Knob | None) -> None:
        tip = self.playground.tip(pull.base)
        made: list[tuple[MergeMember, CommitId]] = []
        for member in request.members[: self.merges_only]:
            made.append((member, self._written(member, made[-1][1] if made else tip)))
        if knob is Knob.WRONG_TREE:
            lost = TreeId(self.playground.tree({"lost.txt": "lost\n"}, start=tip))
            made[-1] = (request, self._commit(lost, [made[-2][1]], "Something else\n"))
        for member, commit in made:
            self._close(self.pulls[member.id], member.commit, commit)
        if knob is Knob.WRONG_SHAPE:
            self.push_to_base({"more.txt": "more\n"})

    def _written(self, member: MergeMember, onto: CommitId) -> CommitId:
        if member.change.method is Method.REBASE:
            return self._replayed(onto, member.commit)
        start = member.stack_base or self.playground.repository.merge_base(onto, member.commit)
        tree = self._three_way(str(start), onto, member.commit)
        assert tree == member.tree, f"{member.id} is to leave another tree"
        parents = [onto, member.commit] if member.change.method is Method.MERGE else [onto]
        return self._commit(tree, parents, f"{member.id}\n\n{member.message}")


def make_batch_forge(playground: Playground) -> BatchForge:
    """Return one whose base holds what `make_forge` makes."""
    return BatchForge(make_forge(playground).playground)


def open_batch(forge: Forge) -> None:
    """Open four changes: a squash, a merge, a rebase of two commits, and one more squash."""
    half = edit(forge, "a/3.txt", "half\n")
    forge.open("1", edit(forge, "a/1.txt", "1\n"))
    forge.open("2", edit(forge, "a/2.txt", "2\n"), method=Method.MERGE)
    forge.open("3", edit(forge, "a/3.txt", "3\n", on=half), method=Method.REBASE)
    forge.open("4", edit(forge, "a/4.txt", "4\n"))


def asked(forge: Forge) -> list[list[ChangeId]]:
    """Return each call's changes, the top last."""
    return [[member.id for member in request.members] for request in forge.merge_requests]
