"""A part of the step: what a run is about, as one section a partition, with all its commits at
hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import GitReads, Wanted
from mergequeue.report import validating
from mergequeue.verdicts._materials import Materials
from mergequeue.verdicts.blame import made_of
from mergequeue.verdicts.flown import Preflights
from mergequeue.verdicts.line import Ground, Line
from mergequeue.verdicts.only import Beneath, Target
from mergequeue.verdicts.run import ValidationResult
from mergequeue.verdicts.schedule import Schedule
from mergequeue.vocabulary.errors import GIT_FAILED, PARTITIONS_FAILED, MergequeueError
from mergequeue.vocabulary.ids import ChangeId, branch_ref


@dataclass(eq=False)
class Section:
    """One partition on its way through a run."""

    number: int
    """The partition's number in the plan, from 0; those of try runs follow."""
    changes: Sequence[PlannedChange]
    """What it is about, in merge order."""
    schedule: Schedule
    preflights: Preflights = field(default_factory=Preflights)
    is_try: bool = False
    """Whether it is a try run, which nobody of the queue waits for."""
    wanted: int | None = None
    """The place that its next batch would take; None where it wants no slot."""
    turns: int = 0
    """How often it was given a slot."""
    is_preparing: bool = False
    """Whether a slot makes its next candidates just now."""
    error: MergequeueError | None = None
    """What it stopped on."""

    @property
    def job(self) -> ChangeId:
        """What it is called by: the last of its changes."""
        return self.changes[-1].id


def most_wanting(sections: Sequence[Section]) -> Section | None:
    """Return whose batch the next slot is for: what lands soonest, then who had the fewest.

    A try run has its turn where nothing else wants one.
    """
    wanting = [
        (one.is_try, one.wanted, one.turns, one.number, one)
        for one in sections
        if one.wanted is not None
    ]
    return min(wanting, key=lambda each: each[:4])[4] if wanting else None


def every_section(plan: Plan, depth: int) -> list[Section]:
    """Return a section for each partition of a plan, and for each try run."""
    return [
        Section(
            number,
            partition,
            Schedule(
                Line.of(partition),
                depth=depth,
                batch=plan.batch,
                suspects=plan.suspects_of(partition),
            ),
            Preflights(partition),
            is_try=number >= len(plan.partitions),
        )
        for number, partition in enumerate(plan.lines)
    ]


def only_section(
    target: Target, plan: Plan, gone: frozenset[ChangeId], materials: Materials
) -> Section:
    """Build what is beneath a target, ungated, and return the section that its batch makes (facts
    O2, O3).
    """
    beneath = Beneath(target, gone)
    while (build := beneath.next_build()) is not None:
        beneath.took(made_of(materials.build(build)))
    schedule = Schedule(
        Line.of(target.members),
        depth=1,
        batch=plan.batch,
        ground=Ground(beneath.built, beneath.skipped, beneath.places),
        suspects=plan.suspects_of(target.members),
    )
    ahead = [change for batch in target.beneath for change in batch if change.id in beneath.built]
    flights = Preflights(target.members, ahead)
    return Section(target.partition, target.members, schedule, flights)


def result_of(sections: Sequence[Section], verdicts: Sequence[Verdict]) -> ValidationResult:
    """Return what a run came to, from the sections at its end and what was decided on the way."""
    problems = [
        validating.partition_failed(
            one.number, one.schedule.undecided, str(one.error), one.error.remedy
        )
        for one in sections
        if one.error is not None
    ]
    return ValidationResult(
        verdicts=tuple(verdicts),
        undecided=tuple(change for one in sections for change in one.schedule.undecided),
        error=PARTITIONS_FAILED("; ".join(problems)) if problems else None,
    )


def fetch_all(plan: Plan, changes: Sequence[PlannedChange], reads: GitReads) -> frozenset[ChangeId]:
    """Fetch all that may be merged, before the first hook runs (facts C18); return the changes that
    lack some of it.

    Raises GIT_FAILED where the base commit cannot be had.
    """
    wanted = [Wanted(plan.base_commit, branch_ref(plan.base))]
    wanted += [Wanted(change.head, change.ref) for change in changes]
    wanted += [Wanted(change.stack_base) for change in changes if change.stack_base is not None]
    missing = reads.fetch_commits(wanted)
    if plan.base_commit in missing:
        raise GIT_FAILED(f"the plan's base commit {plan.base_commit} cannot be fetched")
    return frozenset(
        change.id for change in changes if not missing.isdisjoint({change.head, change.stack_base})
    )
