"""The small provider, merging stacks in one call through their top, as GitHub says that it does.

forge = make_stack_forge(playground)
one, two, three = declare_stack(forge)
"""

from dataclasses import dataclass

from mergequeue.documents.provider import MergeRequest
from mergequeue.vocabulary.ids import CommitId, TreeId
from mergequeue.vocabulary.words import Method, StackMerge
from tests.support.forge import Forge, Knob, Pull
from tests.support.landings import make_forge, stack
from tests.support.repositories import Playground


@dataclass
class StackForge(Forge):
    """A forge that takes `through` for what it is: the members beneath, merged with their top."""

    stack_merge: StackMerge = StackMerge.ATOMIC
    merges_only: int | None = None
    """How many members of a run it merges, from the bottom, where that is not all."""

    def _members(self, pull: Pull, request: MergeRequest) -> list[tuple[Pull, CommitId]]:
        beneath = [(self.pulls[pin.id], pin.commit) for pin in request.through]
        return [*beneath, (pull, request.commit)]

    def _refusal(self, pull: Pull, request: MergeRequest) -> str:
        for member, commit in self._members(pull, request):
            if not member.is_open or commit != self.head(member.id):
                return f"{member.id} was modified"
            if not self._is_green(commit):
                return f"{member.id} is not green"
        return super()._refusal(pull, request)

    def _land(self, pull: Pull, request: MergeRequest, knob: Knob | None) -> None:
        members = self._members(pull, request)[: self.merges_only]
        if len(members) == 1 and not request.through:
            super()._land(pull, request, knob)
            return
        tip = self.playground.tip(pull.base)
        made = self._squashed(members, tip)
        if pull.method is Method.MERGE:
            head = members[-1][1]
            tree = self.merged_tree(tip, head)
            assert tree is not None
            made = [self._commit(tree, [tip, head], f"Merge {pull.id}\n")] * len(members)
        if knob is Knob.WRONG_TREE:
            lost = TreeId(self.playground.tree({"lost.txt": "lost\n"}, start=tip))
            made[-1] = self._commit(lost, [made[-2]], "Something else\n")
        for (member, head), commit in zip(members, made, strict=True):
            self._close(member, head, commit)
        if knob is Knob.WRONG_SHAPE:
            self.push_to_base({"more.txt": "more\n"})

    def _squashed(self, members: list[tuple[Pull, CommitId]], tip: CommitId) -> list[CommitId]:
        made = [tip]
        below: str | None = None
        for member, head in members:
            tree = self._delta(below, made[-1], head)
            made.append(self._commit(tree, [made[-1]], f"{member.title} (#{member.id})\n"))
            below = head
        return made[1:]

    def _delta(self, below: str | None, onto: CommitId, head: CommitId) -> TreeId:
        base = below or str(self.playground.repository.merge_base(onto, head))
        tree = self._three_way(base, onto, head)
        assert tree is not None
        return tree


def make_stack_forge(playground: Playground) -> StackForge:
    """Return one whose base holds what `make_forge` makes."""
    made = make_forge(playground)
    return StackForge(made.playground)


def declare_stack(forge: Forge, method: Method = Method.SQUASH) -> tuple[Pull, Pull, Pull]:
    """Open the three changes of `stack`, each declared to be on the one beneath."""
    one, two, three = stack(forge, method)
    two.parent, three.parent = one.id, two.id
    return one, two, three
