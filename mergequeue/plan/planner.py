"""The step that makes a plan: reads everything once, asks the pure modules, tells what was decided.

The number of questions does not grow with the queue where a question costs a process or a request:
one fetch, one walk, one call for all approvals, one for all merges, one for all units.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mergequeue.changes import acceptable
from mergequeue.changes.decided import Decided, Tip
from mergequeue.conflicts.replay import Line, replay_lines
from mergequeue.documents.changes import Change, Changes
from mergequeue.documents.event import Happening
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.provider import Approval, DescribeQuestion
from mergequeue.plan import admission
from mergequeue.plan._approvals import read_approvals
from mergequeue.plan._deltas import read_delta, read_reaches
from mergequeue.plan._draft import Draft
from mergequeue.plan._intake import read_intake
from mergequeue.plan.carrying import Moved, moved_of, others_of
from mergequeue.plan.dates import commit_date
from mergequeue.plan.reviewing import Reviewing
from mergequeue.plan.stacks import Placed, place_changes
from mergequeue.ports import (
    NOTHING_REMEMBERED,
    Events,
    Facts,
    GitReads,
    Memory,
    MergesTrees,
    Merging,
    ProviderReads,
    Settled,
    ThreeWay,
)
from mergequeue.report import notices, reviews
from mergequeue.vocabulary.errors import GIT_FAILED, USAGE, MergequeueError
from mergequeue.vocabulary.ids import ChangeId, CommitId, TreeId
from mergequeue.vocabulary.limits import BASE_COMMITS_SHOWN
from mergequeue.vocabulary.words import EventKind, Method, ProviderMerges


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
        self, changes: Changes, *, depth: int, batch: int, memory: Memory = NOTHING_REMEMBERED
    ) -> Plan:
        """Return the plan of a listing: every listed change is in a partition or has a verdict.

        `memory` is what the queue remembers of the base.

        Raises USAGE where the listing is of another remote, NO_BASE, MERGED_NOT_ON_BASE, UNDATED,
        and what git, the facts and the provider raise.
        """
        self._check_remote(changes)
        tip = Tip(changes.base, self.reads.fetch_branch(changes.base))
        draft = Draft(changes, tip, read_intake(self.reads, changes, tip), memory)
        for unread in draft.intake.unread:
            self._notice(notices.unread_head(unread), unread)
        if changes.changes:
            self._decide(draft)
        else:
            self._notice(notices.NOTHING_QUEUED)
        plan = self._written(draft, depth, batch)
        self._tell(plan)
        return plan

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
        self._place(draft)
        self._decide_as_it_is(draft)
        self._decide_merges(draft)
        self._decide_reaches(draft)

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
        draft.merges = provider.merges
        left = draft.left()
        reviewing = Reviewing(self.reads, self.trees, self.merging, self.facts)
        covered = reviewing.coverages([draft.reviewed(one) for one in left])
        targets = [coverage.target for coverage in covered]
        approvals = read_approvals(self.provider, left, targets)
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
            )
            if carried.get(change.id) == "":
                old = moved[change.id].old
                self._notice(reviews.carried_over(old, target), change.id)
            draft.decide(change, admission.decide_as_it_is(now, provider.methods, draft.tip))

    def _decide_merges(self, draft: Draft) -> None:
        """Merge every change with nothing open beneath it, and read what each one touches."""
        history, tip = draft.intake.history, draft.tip
        alone = draft.on_base()
        merges = [
            ThreeWay(tip.commit, change.head, recorded=draft.place(change).stack_base)
            for change in alone
        ]
        settled = self.merging.merge(merges) if merges else ()
        tip_tree = self.reads.tree_of(tip.commit)
        merged: dict[ChangeId, Settled] = {}
        for change, made in zip(alone, settled, strict=True):
            merged[change.id] = made
            draft.decide(change, self._decide_merge(change, made, tip_tree, tip))
        self._decide_replays(draft, merged)
        for change in draft.left():
            place = draft.place(change)
            delta = read_delta(self.reads, history, change, place, merged.get(change.id))
            draft.deltas[change.id] = delta
            draft.decide(change, admission.decide_delta(change, place.below, delta.own, tip))

    def _decide_replays(self, draft: Draft, merged: Mapping[ChangeId, Settled]) -> None:
        """Replay the commits of every change that merges by rebase, as its provider will."""
        rebased = [change for change in draft.on_base() if change.method is Method.REBASE]
        onto = self.reads.tree_of(draft.tip.commit)
        lines = [
            Line(onto, self.reads.line_of(change.head, draft.tip.commit)) for change in rebased
        ]
        exact = draft.merges is ProviderMerges.EXACT
        replays = replay_lines(lines, self.merging.merge if exact else self.trees.merge_by_paths)
        for change, replay in zip(rebased, replays, strict=True):
            settled = merged[change.id]
            draft.decide(change, admission.decide_replay(change, replay, settled, draft.tip))

    def _decide_merge(
        self, change: Change, made: Settled, tip_tree: TreeId, tip: Tip
    ) -> Decided | None:
        touching: tuple[str, ...] = ()
        if made.conflicts:
            paths = [conflict.path for conflict in made.conflicts]
            touching = self.reads.commits_touching(
                tip.commit, change.head, paths, BASE_COMMITS_SHOWN
            )
        return admission.decide_merge(
            admission.MergedOntoTip(change, made, tip_tree), touching, tip
        )

    def _decide_reaches(self, draft: Draft) -> None:
        """Find the units of every change that is left."""
        left = draft.left()
        deltas = [draft.deltas[change.id] for change in left]
        for change, reach in zip(left, read_reaches(self.facts, left, deltas), strict=True):
            draft.reaches[change.id] = reach
            if reach.merge_only:
                self._notice(notices.reaches_further(reach.merge_only), change.id)
            units = reach.affected or ()
            draft.decide(change, acceptable.decide_units(change, units, draft.tip))

    def _written(self, draft: Draft, depth: int, batch: int) -> Plan:
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
            verdicts=draft.verdicts(),
            merged=changes.merged,
            unqueued=changes.unqueued,
            closed=changes.closed,
        )

    def _tell(self, plan: Plan) -> None:
        """Emit what was decided in queue order, then each partition (facts P18)."""
        for verdict in plan.verdicts:
            self.events.emit(
                Happening(
                    kind=EventKind.DECIDED,
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
