"""A part of the step: changes that go together, a batch or a stack, merged in one call where the
provider has such a call, and looked at together where it has not.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

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


class _Way(Enum):
    """How changes that go together merge."""

    STACK = "through the top of their stack, as the provider itself merges it"
    BATCH = "in one call, each in the shape of its own method"
    ONE_BY_ONE = "one after the other, from the bottom"


@dataclass(frozen=True)
class _Member:
    """A member that nothing keeps from merging, with all beneath it."""

    predicted: Predicted
    found: Examined
    handed: Handed

    @property
    def change(self) -> PlannedChange:
        return self.predicted.change


@dataclass(frozen=True)
class Runs:
    """Merges what goes together, whole or not at all as far as the provider lets it."""

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

    def take(
        self,
        change: PlannedChange,
        partition: Sequence[PlannedChange],
        batch: Sequence[ChangeId],
        so_far: SoFar,
        *,
        complete: bool,
    ) -> bool:
        """Merge a change that is ready, with what goes with it; `batch` is what was gated with it,
        where it is the lowest.

        Returns whether it is to be looked at once more, to go alone.
        """
        run = self._stack(change, partition, so_far, complete=complete)
        if isinstance(run, Hold):
            return False
        if run:
            self._land_stack(run, so_far.verdicts)
            return change.id not in self.telling.endings
        if len(batch) > 1:
            members = [one for one in partition if one.id in batch]
            self._land_batch(members, so_far.verdicts)
        else:
            self.landings.land(change, so_far.verdicts[change.id])
        return False

    def _stack(
        self,
        bottom: PlannedChange,
        partition: Sequence[PlannedChange],
        so_far: SoFar,
        *,
        complete: bool,
    ) -> tuple[PlannedChange, ...] | Hold:
        """Return the stack that merges next, the hold until it is whole, or nothing where there is
        none that the provider merges as one.
        """
        if self.provider.stack_merge is not StackMerge.ATOMIC or bottom.id in self._apart:
            return ()
        declared = {change.id: change.parent for change in self.listing.changes}
        run = stacked_from(bottom, partition, declared)
        if len(run) == 1:
            return ()
        green = decide_run(run, so_far, complete=complete)
        return green if isinstance(green, Hold) or len(green) > 1 else ()

    def _land_stack(self, run: Sequence[PlannedChange], verdicts: Verdicts) -> None:
        """Merge a run of a stack as far up as it goes; the rest goes one by one."""
        ready = self._examine(run, verdicts, _Way.STACK)
        while len(ready) > 1 and self._merge_alike(ready):
            self.landings.tell_skip(ready[-1].change, ready[-1].found)
            ready = self._call(ready, self.merger.land_stack, verdicts)
        self._apart.update(member.change.id for member in ready)

    def _land_batch(self, batch: Sequence[PlannedChange], verdicts: Verdicts) -> None:
        """Merge a batch, none of it unless all of it can (DESIGN, Rulings 5)."""
        whole = self.provider.batch_merge is StackMerge.ATOMIC
        ready = self._examine(batch, verdicts, _Way.BATCH if whole else _Way.ONE_BY_ONE)
        stale = next((at for at, member in enumerate(ready) if member.found.stale), None)
        if stale is not None:
            # It has to be brought up to date first, so that its batch cannot merge in this run.
            self._wait(ready[:stale], ready[stale].change)
            self.landings.run_checks_again(ready[stale].change, ready[stale].found)
        elif whole and ready:
            for member in ready:
                self.landings.tell_skip(member.change, member.found)
            self._call(ready, self.merger.land_batch, verdicts)
        elif ready:
            self.landings.land(ready[0].change, verdicts[ready[0].change.id])

    def _call(
        self,
        ready: list[_Member],
        call: Callable[[Sequence[Landing]], Mapping[ChangeId, Landed]],
        verdicts: Verdicts,
    ) -> list[_Member]:
        """Have members merge in one call, and tell what became of each; return those that may be
        tried again without the one that kept them.
        """
        landings = [self._landing_of(ready, member) for member in ready]
        ended = call(landings)
        if len(ended) < len(ready):
            place = next(at for at, member in enumerate(ready) if member.change.id in ended)
            cut = ready[place]
            return self._cut(ready[:place], cut.change, _wait(cut, ended), verdicts)
        if ended[ready[0].change.id].code is None:
            for member in ready:
                self.telling.merged(member.change, ended[member.change.id].tip)
            return []
        waits = [_wait(member, ended) for member in ready]
        kick = self.landings.failing.count(landings, waits)
        with self.telling.together():
            for member, wait in zip(ready, waits, strict=True):
                self.landings.settle(member.change, kick or wait)
        return []

    def _examine(
        self, run: Sequence[PlannedChange], verdicts: Verdicts, way: _Way
    ) -> list[_Member]:
        """Return the members that may merge, up to the first that waits or goes back.

        One of a batch that is on the base already is told so, and those above it go on.
        """
        ready: list[_Member] = []
        for change in run:
            found = self._member(change, verdicts[change.id], ready, way)
            if isinstance(found, OnBase) and way is not _Way.STACK:
                self.landings.settle(change, found)
            elif not isinstance(found, _Member):
                return self._cut(ready, change, found, verdicts)
            else:
                ready.append(found)
        return ready

    def _member(
        self, change: PlannedChange, verdict: Verdict, beneath: Sequence[_Member], way: _Way
    ) -> _Member | Wait | Kick | OnBase:
        merged = [member.change.id for member in beneath] if way is _Way.ONE_BY_ONE else []
        found = self.landings.examine(change, verdict, merged)
        if not isinstance(found, Examined):
            return found
        if self.landings.settings.dry_run:
            # The base never moves in one, so that nothing can be predicted on it.
            tree = self.git.tree_of(found.built.commit)
            return _Member(Predicted(change, tree), found, Handed(change.head))
        bottom = beneath[0].found if beneath else found
        predicted = self.building.predict(found.built, bottom.tip, since=bottom.built.onto)
        if isinstance(predicted, Wait):
            return predicted
        before = beneath[-1].predicted.tree if beneath else self.git.tree_of(bottom.tip)
        nothing = decide_adds_something(predicted, before, self.plan.base)
        if nothing is not None:
            return nothing
        target = NextBase(
            bottom.tip,
            predicted,
            (),
            below_open=bool(beneath),
            regenerated=found.built.regenerated,
            beneath=before,
        )
        handed = self._handed(change, found, target, way)
        if not isinstance(handed, Handed):
            return handed
        return _Member(Predicted(change, predicted), found, handed)

    def _handed(
        self, change: PlannedChange, found: Examined, target: NextBase, way: _Way
    ) -> Handed | Wait | Kick:
        """Return what is handed to the provider of a member; no branch is moved for one."""
        replayed = self.building.replay(change, found.built, target)
        if not isinstance(replayed, NextBase):
            return replayed
        if way is _Way.BATCH:
            return self.building.hand_over(change, replayed)
        return Handed(change.head)

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
        self._wait(ready[whole:], change)
        self.landings.settle(change, found)
        return ready[:whole]

    def _wait(self, members: Sequence[_Member], for_: PlannedChange) -> None:
        """Let members wait that were gated together with one that cannot merge now."""
        for member in members:
            self.telling.waits(member.change, decide_broken_up(for_.id), green=True)

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

    def _landing_of(self, ready: Sequence[_Member], member: _Member) -> Landing:
        target = NextBase(
            ready[0].found.tip, member.predicted.tree, (), below_open=member is not ready[0]
        )
        return self.landings.landing(member.change, member.found, target, member.handed)


def _wait(member: _Member, ended: Mapping[ChangeId, Landed]) -> Wait:
    landed = ended[member.change.id]
    if landed.code is None:
        msg = "of changes that merge in one call, every one did"
        raise AssertionError(msg)
    return Wait(landed.code, landed.reason, head=landed.head or member.change.head)
