"""The queue as it is now, for whoever asks where a change stands (seed 2, Reading the queue; pure).

Of the plan and of what became of its changes so far: what has no verdict yet is gated, as far as
`depth` batches of its line are at once, or has its turn later; what is green lands next; and what
waits says for what. A matrix of jobs gates the first batches of each line, and a validation in one
job the next ones as soon as those before them are decided.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from mergequeue.apply.ready import Ending
from mergequeue.apply.run import Ended
from mergequeue.documents.changes import Change, Listing
from mergequeue.documents.gate import GateRecord
from mergequeue.documents.now import Batch, Now, Placed
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.preflight import Preflight, PreflightState
from mergequeue.documents.verdict import Verdict
from mergequeue.report.standing import LATER
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.limits import CLAIM_BYTES, TITLE_BYTES
from mergequeue.vocabulary.text import cut, one_line
from mergequeue.vocabulary.words import Decision, Stage

_STAGES: Mapping[Code, Stage] = {
    Code.WAIT_NOT_APPROVED: Stage.REVIEW,
    Code.WAIT_REVIEW: Stage.REVIEW,
    Code.WAIT_PAUSED: Stage.PAUSED,
    Code.WAIT_BELOW: Stage.STACKED,
    Code.WAIT_BELOW_KICKED: Stage.STACKED,
    Code.WAIT_HEAD_MOVED: Stage.READY,
    Code.WAIT_BEHIND: Stage.READY,
    Code.WAIT_CONFLICT_AHEAD: Stage.READY,
    Code.WAIT_REVALIDATE: Stage.READY,
    Code.WAIT_BRANCH_MOVED: Stage.READY,
    Code.WAIT_METHOD_CHANGED: Stage.READY,
}
"""The stage of a change that waits; any other code is a wait for something of its own."""

_IN_LINE = frozenset({Stage.READY, Stage.CHECKING, Stage.LANDING})


Told = tuple[CommitId, Stage, Code | None]
"""At which head a change was told that it stands where."""


@dataclass(frozen=True)
class Seen:
    """What a run has seen at one moment."""

    plan: Plan
    listing: Listing
    """What the provider listed when the run started."""
    since: datetime
    """When the run started."""
    at: datetime
    verdicts: Mapping[ChangeId, Verdict]
    """Those that the plan vouches for."""
    ended: Mapping[ChangeId, Ended]
    """How changes ended so far."""
    remembered: frozenset[ChangeId]
    """Those whose ending this run has written into the memory already."""
    running: bool
    """Whether the run goes on."""
    source: str
    """The validation run that it follows; empty for a directory."""
    told: Mapping[ChangeId, Told]
    """What changes were told in this run of where they stand."""
    preflights: frozenset[str] = frozenset()
    """The base's own pre-flights, by name."""
    gates: tuple[GateRecord, ...] = ()
    """The gates that ran on changes of which no verdict comes."""


def present_of(seen: Seen, before: Now | None) -> Now:
    """Return the queue as it is; `before` itself where nothing in it changed since."""
    was = {placed.id: placed for placed in before.changes} if before else {}
    placing = _Placing(seen, in_flight(seen))
    placed = [one for change in seen.listing.changes for one in placing.placed(change)]
    placed.sort(key=lambda one: not one.priority)
    changes = tuple(_as_before(_as_told(one, seen), was.get(one.id)) for one in placed)
    now = Now(
        at=seen.at,
        base_commit=seen.plan.base_commit,
        running=seen.running,
        source=seen.source,
        depth=seen.plan.depth,
        lines=tuple(_lines(placing, {one.id: one.stage for one in changes}, before)),
        changes=changes,
    )
    return before if before is not None and _is_as_before(now, before) else now


def planned_of(plan: Plan, changes: Sequence[Change], at: datetime) -> Now:
    """Return the queue as a plan of these changes has it, before anything was validated."""
    seen = Seen(
        plan=plan,
        listing=Listing(changes=tuple(changes)),
        since=at,
        at=at,
        verdicts={},
        ended={},
        remembered=frozenset(),
        running=True,
        source="",
        told={},
    )
    return present_of(seen, None)


def in_flight(seen: Seen) -> frozenset[ChangeId]:
    """Return the changes of every batch that is gated, as far as apply can tell."""
    if not seen.running:
        return frozenset()
    return frozenset(
        change.id
        for partition in seen.plan.partitions
        for batch in _gated(seen, seen.plan.batches_of(partition))
        for change in batch
    )


def stage_of(code: Code, preflights: Sequence[Preflight]) -> Stage:
    """Return the stage of a change that waits."""
    if code is not Code.WAIT_PREFLIGHT:
        return _STAGES.get(code, Stage.WAITING)
    states = {preflight.state for preflight in preflights}
    if PreflightState.FAILED in states:
        return Stage.FAILED
    return Stage.AGAIN if PreflightState.AGAIN in states else Stage.PREFLIGHT


def _gated(
    seen: Seen, batches: Sequence[Sequence[PlannedChange]]
) -> Iterator[Sequence[PlannedChange]]:
    """Yield the batches of a line that are gated at once: one, while suspects are in front."""
    suspects = seen.plan.suspects_of(batches[0])
    is_open = any(one not in seen.verdicts and one not in seen.ended for one in suspects)
    depth = 1 if is_open or (suspects and seen.source) else seen.plan.depth
    if seen.source:
        batches = batches[:depth]
    undecided = [
        batch
        for batch in batches
        if any(one.id not in seen.verdicts and one.id not in seen.ended for one in batch)
    ]
    yield from undecided[:depth]


@dataclass(frozen=True)
class _Placing:
    """Where each change stands in what a run has seen."""

    seen: Seen
    gated: frozenset[ChangeId]

    def placed(self, change: Change) -> Iterator[Placed]:
        """Yield a listed change and where it stands; nothing where it left the queue."""
        ended = self.seen.ended.get(change.id)
        if ended is not None:
            if ended.ending is Ending.WAITS and ended.code is not Code.WAIT_WITHDRAWN:
                yield self._waiting(change, ended)
            return
        admitted = self.admitted.get(change.id)
        if admitted is None:
            yield self._placed(change, Stage.QUEUED, reason=LATER)
            return
        yield self._placed(change, self._stage(admitted), below=admitted.below)

    @cached_property
    def admitted(self) -> Mapping[ChangeId, PlannedChange]:
        """The changes of the plan's lines."""
        return {change.id: change for change in self.seen.plan.admitted}

    def _stage(self, change: PlannedChange) -> Stage:
        verdict = self.seen.verdicts.get(change.id)
        if verdict is not None and verdict.decision is Decision.MERGE and self.seen.running:
            return Stage.LANDING
        if verdict is None and change.preflights:
            return Stage.PREFLIGHT
        return Stage.CHECKING if change.id in self.gated else Stage.READY

    def _waiting(self, change: Change, ended: Ended) -> Placed:
        code = ended.code or Code.WAIT_BEHIND
        verdict = self.planned.get(change.id) or self.seen.verdicts.get(change.id)
        admitted = self.admitted.get(change.id)
        return self._placed(
            change,
            stage_of(code, verdict.preflights if verdict is not None else ()),
            code=code,
            reason=ended.reason,
            below=admitted.below if admitted is not None else change.parent,
        )

    @cached_property
    def planned(self) -> Mapping[ChangeId, Verdict]:
        """The verdicts of planning."""
        return {verdict.change.id: verdict for verdict in self.seen.plan.verdicts}

    def _placed(
        self,
        change: Change,
        stage: Stage,
        *,
        code: Code | None = None,
        reason: str = "",
        below: ChangeId | None = None,
    ) -> Placed:
        return Placed(
            id=change.id,
            head=change.head,
            method=change.method,
            title=cut(one_line(change.title), TITLE_BYTES),
            stage=stage,
            since=self.seen.at,
            code=code,
            reason=cut(one_line(reason), CLAIM_BYTES),
            below=below,
            priority=self.admitted.get(change.id, change).priority,
        )


def _is_as_before(now: Now, before: Now) -> bool:
    """Whether nothing but times changed, or where nothing stands in a line, the base."""
    own = {"at": before.at} if now.lines else {"at": before.at, "base_commit": before.base_commit}
    return before == now.model_copy(update=own)


def _as_before(placed: Placed, before: Placed | None) -> Placed:
    """Return a change with the time of its stage, where it was at it already."""
    if before is None or told_of(before) != told_of(placed):
        return placed
    told = before.told or placed.told
    return placed.model_copy(update={"since": before.since, "told": told})


def _as_told(placed: Placed, seen: Seen) -> Placed:
    """Return a change with whether it was told of: one that ended was, in its status."""
    told = placed.id in seen.ended or seen.told.get(placed.id) == told_of(placed)
    return placed.model_copy(update={"told": told})


def told_of(placed: Placed) -> Told:
    """Return what is told of a change that stands there."""
    return placed.head, placed.stage, placed.code


def _lines(
    placing: _Placing, stages: Mapping[ChangeId, Stage], before: Now | None
) -> Iterator[tuple[Batch, ...]]:
    """Yield the lines of what is gated, lands, or has its turn later."""
    seen = placing.seen
    started = _started(before, seen)
    for partition in seen.plan.partitions:
        line: list[Batch] = []
        for batch in seen.plan.batches_of(partition):
            members = tuple(one.id for one in batch if stages.get(one.id) in _IN_LINE)
            under_way = {Stage.CHECKING, Stage.LANDING} & {stages[id_] for id_ in members}
            if members:
                since = started.get(members[0], seen.at) if under_way else None
                line.append(Batch(changes=members, since=since))
        if line:
            yield tuple(line)


def _started(before: Now | None, seen: Seen) -> Mapping[ChangeId, datetime]:
    """Return since when the batches of this very plan were gated, by each of their changes."""
    if before is None or (before.base_commit, before.source) != (
        seen.plan.base_commit,
        seen.source,
    ):
        return {}
    return {
        id_: batch.since
        for line in before.lines
        for batch in line
        if batch.since is not None
        for id_ in batch.changes
    }
