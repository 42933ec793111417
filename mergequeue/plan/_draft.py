"""A plan as it is being made: what stands where, and what is decided so far."""

from dataclasses import dataclass, field

from mergequeue.changes.decided import Decided, Tip, planning_verdict
from mergequeue.documents.changes import Change, Changes
from mergequeue.documents.plan import PlannedChange
from mergequeue.documents.verdict import Verdict
from mergequeue.plan._intake import Intake
from mergequeue.plan.arrange import stack_order, waits_above
from mergequeue.plan.partitions import Member, beneath_of, partitions_of
from mergequeue.plan.reach import Delta, Reach
from mergequeue.plan.review import Reviewed
from mergequeue.plan.stacks import Placed
from mergequeue.ports import NOTHING_REMEMBERED, Memory
from mergequeue.vocabulary.ids import BranchName, ChangeId
from mergequeue.vocabulary.words import ProviderMerges


@dataclass
class Draft:
    """What the planner knows of each change, and has decided: a change that is decided stays so."""

    changes: Changes
    tip: Tip
    intake: Intake
    memory: Memory = NOTHING_REMEMBERED
    merges: ProviderMerges = ProviderMerges.PATHS
    """How the provider merges by itself."""
    places: dict[ChangeId, Placed] = field(default_factory=dict)
    decided: dict[ChangeId, Decided] = field(default_factory=dict)
    deltas: dict[ChangeId, Delta] = field(default_factory=dict)
    reaches: dict[ChangeId, Reach] = field(default_factory=dict)

    def start_again(self, decided: dict[ChangeId, Decided]) -> None:
        """Forget all but these decisions."""
        self.places, self.decided, self.deltas, self.reaches = {}, dict(decided), {}, {}

    def left(self) -> list[Change]:
        """Return the changes that nothing is decided of, in queue order."""
        return [change for change in self.changes.changes if change.id not in self.decided]

    def on_base(self) -> list[Change]:
        """Return those of them that have nothing open beneath."""
        return [change for change in self.left() if self.place(change).below is None]

    def place(self, change: Change) -> Placed:
        """Return where a change stands; one whose head could not be read stands nowhere."""
        return self.places.get(change.id, Placed())

    def decide(self, change: Change, decided: Decided | None) -> None:
        """Keep a decision, where there is one."""
        if decided is not None:
            self.decided[change.id] = decided

    def reviewed(self, change: Change) -> Reviewed:
        """Return what a review of a change's head may cover."""
        if change.head in self.intake.missing:
            return Reviewed(change.head, (), None)
        place = self.place(change)
        stack_base = place.stack_base if place.below is None else None
        return Reviewed(change.head, self.intake.history.base_merges(change.head), stack_base)

    def below_branch(self, change: Change) -> BranchName | None:
        """Return the branch of the open change that a change is stacked on."""
        below = self.place(change).below
        if below is None:
            return None
        return next(other.branch for other in self.changes.changes if other.id == below)

    def arrange(self) -> tuple[tuple[PlannedChange, ...], ...]:
        """Make those above what does not merge wait, and return the lines of the rest."""
        below = {id_: place.below for id_, place in self.places.items()}
        ids = [change.id for change in self.changes.changes]
        self.decided |= waits_above(ids, below, self.decided)
        admitted = {change.id: change for change in self.left()}
        members = [
            Member(id_, self.reaches[id_], self.deltas[id_].paths, below.get(id_))
            for id_ in stack_order(list(admitted), below)
        ]
        return tuple(
            tuple(
                self._planned(admitted[id_], beneath)
                for id_, beneath in zip(line, beneath_of(line), strict=True)
            )
            for line in partitions_of(members)
        )

    def _planned(self, change: Change, beneath: tuple[ChangeId, ...]) -> PlannedChange:
        place, reach = self.place(change), self.reaches[change.id]
        # The ids beneath are half a million for a line of 1,000, and each was checked when it was
        # listed; the whole document is checked again when it is written.
        return PlannedChange.model_construct(
            **dict(change)
            | {
                "affected": reach.affected,
                "unbounded_by": reach.unbounded_by,
                "stack_base": place.stack_base,
                "below": place.below,
                "beneath": beneath,
            }
        )

    def verdicts(self) -> tuple[Verdict, ...]:
        """Return the verdicts of planning, in queue order."""
        return tuple(
            planning_verdict(change, self.decided[change.id], self.tip.commit)
            for change in self.changes.changes
            if change.id in self.decided
        )
