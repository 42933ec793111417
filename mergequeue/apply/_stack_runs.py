"""A part of the step: changes stacked on each other, merged in one call through the top."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mergequeue.apply._building import Building, Handed, NextBase
from mergequeue.apply._landings import Examined, Landings, OnBase
from mergequeue.apply._telling import Telling
from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.apply.predicted import decide_adds_something
from mergequeue.apply.ready import Hold, SoFar, decide_broken_up
from mergequeue.apply.stack_run import (
    Predicted,
    decide_run,
    own_deltas,
    stacked_from,
    whole_below,
)
from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.changes import Listing
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import GitReads, Landed, Landing, Merger, MergesTrees
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import ProviderMerges, StackMerge

Verdicts = Mapping[ChangeId, Verdict]


@dataclass(frozen=True)
class _Member:
    """A member that nothing keeps from merging, with all beneath it in the run."""

    predicted: Predicted
    found: Examined

    @property
    def change(self) -> PlannedChange:
        return self.predicted.change


@dataclass(frozen=True)
class StackRuns:
    """Merges runs of stacked changes where the provider does that whole or not at all."""

    git: GitReads
    trees: MergesTrees
    landings: Landings
    building: Building
    telling: Telling
    merger: Merger
    plan: Plan
    listing: Listing
    provider: Capabilities
    _apart: set[ChangeId] = field(default_factory=set)
    """What was found to merge one by one alone, and is not tried again."""

    def next(
        self,
        bottom: PlannedChange,
        partition: Sequence[PlannedChange],
        so_far: SoFar,
        *,
        complete: bool,
    ) -> tuple[PlannedChange, ...] | Hold:
        """Return the run that merges next, the hold until it is whole, or nothing where the lowest
        goes alone.
        """
        if self.provider.stack_merge is not StackMerge.ATOMIC or bottom.id in self._apart:
            return ()
        declared = {change.id: change.parent for change in self.listing.changes}
        run = stacked_from(bottom, partition, declared)
        if len(run) == 1:
            return ()
        green = decide_run(run, so_far, complete=complete)
        return green if isinstance(green, Hold) or len(green) > 1 else ()

    def land(self, run: Sequence[PlannedChange], verdicts: Verdicts) -> None:
        """Merge a run as far up as it goes; what has no ending afterwards goes one by one."""
        ready = self._examine(run, verdicts)
        while len(ready) > 1 and self._merge_alike(ready):
            ended = self.merger.land_stack(self._landings_of(ready))
            if len(ended) == len(ready):
                with self.telling.together():
                    for member in ready:
                        self._settle(member, ended[member.change.id])
                return
            place = next(at for at, member in enumerate(ready) if member.change.id in ended)
            cut = ready[place]
            ready = self._cut(ready[:place], cut.change, _wait(cut, ended), verdicts)
        self._apart.update(member.change.id for member in ready)

    def _examine(self, run: Sequence[PlannedChange], verdicts: Verdicts) -> list[_Member]:
        """Return the members that may merge, up to the first that waits or goes back."""
        ready: list[_Member] = []
        for change in run:
            found = self._member(change, verdicts[change.id], ready)
            if not isinstance(found, _Member):
                return self._cut(ready, change, found, verdicts)
            ready.append(found)
        return ready

    def _member(
        self, change: PlannedChange, verdict: Verdict, beneath: Sequence[_Member]
    ) -> _Member | Wait | Kick | OnBase:
        found = self.landings.examine(change, verdict)
        if not isinstance(found, Examined):
            return found
        bottom = beneath[0].found if beneath else found
        tree = self.building.predict(found.built, bottom.tip, since=bottom.built.onto)
        if isinstance(tree, Wait):
            return tree
        before = beneath[-1].predicted.tree if beneath else self.git.tree_of(bottom.tip)
        nothing = decide_adds_something(tree, before, self.plan.base)
        return nothing or _Member(Predicted(change, tree), found)

    def _cut(
        self,
        ready: list[_Member],
        change: PlannedChange,
        found: Wait | Kick | OnBase,
        verdicts: Verdicts,
    ) -> list[_Member]:
        """Settle the member that ends a run, with those gated together with it; return the others
        beneath it.
        """
        whole = len(ready)
        if not isinstance(found, OnBase):
            ids = [member.change.id for member in ready]
            whole = whole_below(ids, change.id, verdicts)
        for member in ready[whole:]:
            self.telling.waits(member.change, decide_broken_up(change.id), green=True)
        self.landings.settle(change, found)
        return ready[:whole]

    def _merge_alike(self, ready: Sequence[_Member]) -> bool:
        """Whether each one's own delta gives its validated tree, on heads that need no update."""
        if any(member.found.stale for member in ready):
            return False
        exact = self.provider.merges is ProviderMerges.EXACT
        if exact and self.building.committer is None:
            return False
        deltas = own_deltas([member.predicted for member in ready], ready[0].found.tip)
        made = self.trees.merge_by_paths([merge for merge, _ in deltas])
        return [one.tree for one in made] == [tree for _, tree in deltas]

    def _landings_of(self, ready: Sequence[_Member]) -> list[Landing]:
        tip, top = ready[0].found.tip, ready[-1]
        self.landings.tell_skip(top.change, top.found)
        return [
            self.landings.landing(
                member.change,
                member.found,
                NextBase(tip, member.predicted.tree, (), below_open=member is not ready[0]),
                Handed(member.change.head),
            )
            for member in ready
        ]

    def _settle(self, member: _Member, landed: Landed) -> None:
        if landed.code is None:
            self.telling.merged(member.change)
        else:
            self.landings.settle(member.change, _wait(member, {member.change.id: landed}))


def _wait(member: _Member, ended: Mapping[ChangeId, Landed]) -> Wait:
    landed = ended[member.change.id]
    if landed.code is None:
        msg = "of a stack that merged, every member did"
        raise AssertionError(msg)
    return Wait(landed.code, landed.reason, head=landed.head or member.change.head)
