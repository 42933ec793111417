"""The step that makes a plan: reads everything once, asks the pure modules, tells what was decided.

The number of questions does not grow with the queue where a question costs a process or a request:
one fetch, one walk, one call for all approvals, one for all merges, one for all units.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from mergequeue.changes import acceptable
from mergequeue.changes.decided import Decided, Tip
from mergequeue.documents.changes import Change, Changes
from mergequeue.documents.config import Configuration, ControlTable
from mergequeue.documents.event import Happening
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.provider import Approval, DescribeQuestion
from mergequeue.plan import admission
from mergequeue.plan._approvals import read_approvals
from mergequeue.plan._draft import Draft, lacking_of
from mergequeue.plan._intake import read_intake
from mergequeue.plan._merges import Merges
from mergequeue.plan._preflights import decide_preflights
from mergequeue.plan._trying import Tries, read_tries
from mergequeue.plan.carrying import Moved, moved_of, others_of
from mergequeue.plan.control import heed
from mergequeue.plan.dates import commit_date
from mergequeue.plan.pausing import decide_paused
from mergequeue.plan.reviewing import Reviewing
from mergequeue.plan.stacks import Placed, place_changes
from mergequeue.plan.suspecting import standing_suspects
from mergequeue.ports import (
    NOTHING_REMEMBERED,
    Events,
    Facts,
    GitReads,
    Memory,
    MergesTrees,
    Merging,
    ProviderReads,
)
from mergequeue.report import notices, reviews
from mergequeue.report.reviewers import left_to_apply
from mergequeue.vocabulary.errors import GIT_FAILED, USAGE, MergequeueError
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.words import EventKind

_NO_FILE = Configuration()
"""What a base without `mergequeue.toml` says."""


@dataclass(frozen=True)
class Planner:
    """Makes plans."""

    reads: GitReads
    trees: MergesTrees
    merging: Merging
    facts: Facts
    provider: ProviderReads
    events: Events

    def plan(
        self,
        changes: Changes,
        *,
        depth: int,
        batch: int,
        memory: Memory = NOTHING_REMEMBERED,
        configuration: Configuration = _NO_FILE,
        now: datetime | None = None,
    ) -> Plan:
        """Return the plan of a listing: every listed change is in a partition or has a verdict.

        `memory` is what the queue remembers of the base, `configuration` what the base's file says.
        Without the time `now`, nobody has let a wait pass.

        Raises USAGE where the listing is of another remote, NO_BASE, MERGED_NOT_ON_BASE, UNDATED,
        and what git, the facts and the provider raise.
        """
        self._check_remote(changes)
        changes = self._heeded(changes, configuration.control)
        tip = Tip(changes.base, self.reads.fetch_branch(changes.base))
        draft = Draft(
            changes, tip, read_intake(self.reads, changes, tip), memory, configuration, now
        )
        for unread in draft.intake.unread:
            self._notice(notices.unread_head(unread), unread)
        if changes.changes:
            self._decide(draft)
        elif not any(one.tried for one in changes.unqueued):
            self._notice(notices.NOTHING_QUEUED)
        tries = read_tries(self.reads, self._merges, changes, tip) if not memory.pause else Tries()
        if tries.problem:
            self._notice(notices.untried(tries.problem))
        plan = self._written(draft, tries, depth, batch)
        self._tell(plan)
        return plan

    def _heeded(self, changes: Changes, control: ControlTable) -> Changes:
        """Return the listing without the marks and requests that the base's file does not allow."""
        found = heed(changes, control)
        for change, why in found.unheeded.items():
            self._notice(why, change)
        return found.changes

    def _check_remote(self, changes: Changes) -> None:
        ours = self.reads.remote_url()
        if changes.remote_url != ours:
            raise USAGE(
                f"the listing is of {changes.remote_url}, and the remote here is {ours}",
                "List again with the same --remote, or plan in a clone of what was listed.",
            )

    def _decide(self, draft: Draft) -> None:
        """Decide every change; one whose own objects are broken waits, and fails nobody else."""
        try:
            self._decide_each(draft)
        except MergequeueError as error:
            broken = self._broken(draft) if error.code == GIT_FAILED.code else {}
            if not broken:
                raise
            draft.start_again(broken)
            self._decide_each(draft)

    def _decide_each(self, draft: Draft) -> None:
        if draft.memory.pause is not None:
            paused = decide_paused(draft.memory.pause)
            draft.decided = dict.fromkeys((one.id for one in draft.changes.changes), paused)
            return
        self._place(draft)
        self._decide_as_it_is(draft)
        self._merges.decide(draft)
        self._merges.decide_reaches(draft)
        decide_preflights(draft, self.provider, self.reads, self.events)
        for change in draft.left():
            if not draft.commands(change.id):
                draft.decide(change, admission.decide_lacking(draft.lacking.get(change.id)))

    @property
    def _merges(self) -> Merges:
        return Merges(self.reads, self.trees, self.merging, self.facts, self.events)

    def _broken(self, draft: Draft) -> dict[ChangeId, Decided]:
        """Return the changes whose head does not read, where the base does to its last folder."""
        base = draft.tip.commit
        self.reads.paths(base)
        found: dict[ChangeId, Decided] = {}
        for change in draft.changes.changes:
            if change.head in draft.intake.missing:
                continue
            try:
                self.reads.differences(base, change.head)
            except MergequeueError as error:
                found[change.id] = admission.decide_broken(change, error.problem)
        return found

    def _place(self, draft: Draft) -> None:
        """Decide what needs no stack, then find the stacks among all (facts 3.2, steps 5 and 6)."""
        intake = draft.intake
        draft.decided |= acceptable.decide_alone(
            draft.changes.changes, intake.history, intake.missing, draft.tip
        )
        places = place_changes(intake.listed, intake.history, draft.tip, draft.decided)
        for id_, place in places.items():
            if isinstance(place, Placed):
                draft.places[id_] = place
            else:
                draft.decided[id_] = place

    def _decide_as_it_is(self, draft: Draft) -> None:
        """Hold every change to what the provider says of it now."""
        changes = draft.changes
        provider = self.provider.describe(
            DescribeQuestion(base=changes.base, remote_url=changes.remote_url)
        )
        draft.merges, draft.has_checks = provider.merges, provider.named_checks
        left = draft.left()
        reviewing = Reviewing(self.reads, self.trees, self.merging, self.facts)
        covered = reviewing.coverages([draft.reviewed(one) for one in left])
        targets = [coverage.target for coverage in covered]
        reviewers = draft.configuration.reviewers
        approvals = read_approvals(self.provider, left, targets, reviewers.required)
        lacking = lacking_of(draft, left, targets, approvals)
        for id_, lacks in lacking.items():
            if lacks.untold:
                self._notice(left_to_apply(lacks.reason), id_)
        draft.lacking = {id_: one for id_, one in lacking.items() if not one.untold}
        moved = _moved(draft, left, targets, approvals)
        others = others_of(changes.changes, changes.merged, changes.unqueued)
        carried = reviewing.carried(list(moved.values()), others, draft.tip.commit)
        for change, target in zip(left, targets, strict=True):
            now = admission.AsItIs(
                change,
                approvals[change.id],
                target,
                change.head not in draft.intake.missing,
                draft.below_branch(change),
                carried.get(change.id),
                draft.lacking.get(change.id),
            )
            if carried.get(change.id) == "":
                old = moved[change.id].old
                self._notice(reviews.carried_over(old, target), change.id)
            draft.decide(change, admission.decide_as_it_is(now, provider.methods, draft.tip))

    def _written(self, draft: Draft, tries: Tries, depth: int, batch: int) -> Plan:
        partitions = draft.arrange()
        changes = draft.changes
        return Plan(
            base=changes.base,
            remote_url=changes.remote_url,
            base_commit=draft.tip.commit,
            commit_date=commit_date(
                self.reads.committed(commit) for commit in (draft.tip.commit, *_heads(partitions))
            ),
            depth=depth,
            batch=batch,
            partitions=partitions,
            suspects=standing_suspects(draft.memory.hints, draft.tip.commit, partitions, batch),
            verdicts=draft.verdicts(),
            tries=tuple(tries.gated),
            untried=tuple(tries.decided),
            merged=changes.merged,
            unqueued=changes.unqueued,
            closed=changes.closed,
        )

    def _tell(self, plan: Plan) -> None:
        """Emit what was decided in queue order, then each partition (facts P18)."""
        told = [(EventKind.DECIDED, one) for one in plan.verdicts]
        told += [(EventKind.TRIED, one) for one in plan.untried]
        for kind, verdict in told:
            self.events.emit(
                Happening(
                    kind=kind,
                    change=verdict.change.id,
                    decision=verdict.decision,
                    code=verdict.code,
                    reason=verdict.reason,
                )
            )
        for number, line in enumerate(plan.partitions):
            ids = tuple(change.id for change in line)
            self.events.emit(Happening(kind=EventKind.PARTITION, partition=number, changes=ids))

    def _notice(self, reason: str, change: ChangeId | None = None) -> None:
        self.events.emit(Happening(kind=EventKind.NOTICE, change=change, reason=reason))


def _moved(
    draft: Draft,
    changes: Sequence[Change],
    targets: Sequence[CommitId],
    approvals: Mapping[ChangeId, Approval | str],
) -> dict[ChangeId, Moved]:
    """Return the changes whose approval stands at an older commit than the one to be approved."""
    found: dict[ChangeId, Moved] = {}
    for change, target in zip(changes, targets, strict=True):
        stack_base = draft.place(change).stack_base
        moved = moved_of(change, approvals[change.id], target, stack_base)
        if moved is not None and change.head not in draft.intake.missing:
            found[change.id] = moved
    return found


def _heads(partitions: tuple[tuple[PlannedChange, ...], ...]) -> list[CommitId]:
    return [change.head for line in partitions for change in line]
