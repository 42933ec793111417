"""A plan as it is being made: what stands where, and what is decided so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from mergequeue.changes.decided import Decided, Tip, planning_verdict
from mergequeue.documents.changes import Change, Changes
from mergequeue.documents.config import Configuration
from mergequeue.documents.plan import PlannedChange
from mergequeue.documents.provider import Approval
from mergequeue.documents.verdict import Verdict
from mergequeue.plan._intake import Intake
from mergequeue.plan.arrange import stack_order, waits_above
from mergequeue.plan.lane import lane_first, lane_of
from mergequeue.plan.partitions import Member, beneath_of, partitions_of
from mergequeue.plan.preflights import Standing, held_back
from mergequeue.plan.reach import Delta, Reach
from mergequeue.plan.review import Reviewed
from mergequeue.plan.reviewers import Lacks, decide_reviewed, since_of
from mergequeue.plan.stacks import Placed
from mergequeue.ports import NOTHING_REMEMBERED, Memory
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId
from mergequeue.vocabulary.words import ProviderMerges

_NO_FILE = Configuration()
_NO_PREFLIGHTS = Standing()


@dataclass
class Draft:
    """What the planner knows of each change, and has decided: a change that is decided stays so."""

    changes: Changes
    tip: Tip
    intake: Intake
    memory: Memory = NOTHING_REMEMBERED
    configuration: Configuration = _NO_FILE
    now: datetime | None = None
    """When the plan is made; None where nobody says."""
    merges: ProviderMerges = ProviderMerges.PATHS
    """How the provider merges by itself."""
    places: dict[ChangeId, Placed] = field(default_factory=dict)
    decided: dict[ChangeId, Decided] = field(default_factory=dict)
    deltas: dict[ChangeId, Delta] = field(default_factory=dict)
    reaches: dict[ChangeId, Reach] = field(default_factory=dict)
    has_checks: bool = False
    """Whether the provider tells how checks of any name stand."""
    preflights: dict[ChangeId, Standing] = field(default_factory=dict)
    lacking: Mapping[ChangeId, Lacks] = field(default_factory=dict)
    """What changes certainly lack of the required reviewers."""

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
        lane = lane_of(admitted.values(), below)
        held = {id_: 1 + (id_ in self.lacking) for id_ in admitted if self.commands(id_)}
        ordered = held_back(lane_first(admitted, lane), held, below)
        members = [
            Member(id_, self.reaches[id_], self.deltas[id_].paths, below.get(id_))
            for id_ in stack_order(ordered, below)
        ]
        return tuple(
            tuple(
                self._planned(admitted[id_], beneath, is_first=id_ in lane)
                for id_, beneath in zip(line, beneath_of(line), strict=True)
            )
            for line in partitions_of(members)
        )

    def commands(self, id_: ChangeId) -> tuple[str, ...]:
        """Return the pre-flights of a change that validation has to run."""
        return self.preflights.get(id_, _NO_PREFLIGHTS).commands

    def alone(self) -> tuple[PlannedChange, ...]:
        """Return the changes that nothing is decided of, each built on the base alone."""
        return tuple(self._planned(change, (), is_first=False) for change in self.left())

    def _planned(
        self, change: Change, beneath: tuple[ChangeId, ...], *, is_first: bool
    ) -> PlannedChange:
        place, reach = self.place(change), self.reaches[change.id]
        standing = self.preflights.get(change.id, _NO_PREFLIGHTS)
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
                "priority": is_first,
                "passed": standing.passed,
                "preflights": standing.commands,
                "alone": change.id in self.lacking,
            }
        )

    def verdicts(self) -> tuple[Verdict, ...]:
        """Return the verdicts of planning, in queue order."""
        return tuple(
            planning_verdict(change, self.decided[change.id], self.tip.commit)
            for change in self.changes.changes
            if change.id in self.decided
        )


def lacking_of(
    draft: Draft,
    changes: Sequence[Change],
    targets: Sequence[CommitId],
    approvals: Mapping[ChangeId, Approval | str],
) -> dict[ChangeId, Lacks]:
    """Return what each change lacks of the base's required reviewers."""
    found: dict[ChangeId, Lacks] = {}
    for change, target in zip(changes, targets, strict=True):
        answer = approvals[change.id]
        if isinstance(answer, str):
            continue
        since = since_of(draft.memory.entries.get(change.id), change.head, draft.now)
        lacks = decide_reviewed(draft.configuration.reviewers, answer, {change.head, target}, since)
        if lacks is not None:
            found[change.id] = lacks
    return found
