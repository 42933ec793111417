"""A part of the step: the lines of the plan, and the next thing to do in each."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field

from mergequeue.apply._asking import Asking
from mergequeue.apply._landings import Landings
from mergequeue.apply._runs import Runs
from mergequeue.apply._telling import Telling
from mergequeue.apply.current import decide_missing
from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.apply.preflights import wait_unrun
from mergequeue.apply.ready import (
    Hold,
    KickAsJudged,
    SoFar,
    Take,
    decide_ready,
)
from mergequeue.apply.run import Settings
from mergequeue.apply.trust import (
    Dropped,
    Filed,
    decide_unreadable,
    decide_verdict,
    is_about_a_review,
    wait_as_planned,
)
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import Poll, Stop
from mergequeue.vocabulary.errors import (
    PLAN_DISAGREES,
    STATUS_FAILED,
    UNEXPECTED_SHAPE,
    UNEXPECTED_TREE,
    MergequeueError,
)
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.words import Decision

_STOPS_ALL = frozenset(
    kind.code for kind in (PLAN_DISAGREES, STATUS_FAILED, UNEXPECTED_SHAPE, UNEXPECTED_TREE)
)


@dataclass
class Partitions:
    """What is known of every admitted change in this run, and what is done about it."""

    asking: Asking
    landings: Landings
    runs: Runs
    telling: Telling
    plan: Plan
    settings: Settings
    verdicts: dict[ChangeId, Verdict] = field(default_factory=dict)
    errors: list[MergequeueError] = field(default_factory=list)
    complete: bool = False
    """Whether nothing more comes from the source."""
    _stopped: set[int] = field(default_factory=set)

    def settle_planned(self, unrun: Mapping[ChangeId, str]) -> None:
        """Carry out what planning decided itself; `unrun` says whose pre-flights could not be run
        again, and why.
        """
        asked = [] if self.settings.dry_run else [*filter(is_about_a_review, self.plan.verdicts)]
        lacking = self.asking.lacking(asked)
        with self.telling.together():
            for verdict in self.plan.verdicts:
                answer, found = lacking.get(verdict.change.id, ("", None))
                why = unrun.get(verdict.change.id)
                if found is None and why is not None:
                    self.telling.waits(verdict.change, wait_unrun(why), green=False, quoted=True)
                elif found is None:
                    self._settle_planned(verdict)
                elif isinstance(found, Kick):
                    self.telling.kick(verdict.change, found, answer, self.plan.base_commit)
                else:
                    self.telling.waits(verdict.change, found, green=False)

    def settle_missing(self, missing: Container[CommitId]) -> None:
        """Let the changes wait whose head could not be had, for what the provider says of them."""
        gone = [change for change in self.plan.admitted if change.head in missing]
        with self.telling.together():
            for change in gone:
                now = None if self.settings.dry_run else self.asking.current(change, change.head)
                self.telling.waits(change, decide_missing(now), green=False)

    def settle_moved(self, waits: Mapping[ChangeId, Wait]) -> None:
        """Let changes wait that moved while they were validated."""
        with self.telling.together():
            for change in self.plan.admitted:
                if change.id in waits and change.id not in self.telling.endings:
                    self.telling.waits(change, waits[change.id], green=self._is_green(change))

    def file(self, poll: Poll) -> None:
        """Take in what the source gave, as far as the plan vouches for it."""
        self.complete = poll.complete or self.settings.once
        admitted = {change.id: change for change in self.plan.admitted}
        for verdict in poll.verdicts:
            filed = decide_verdict(self.plan, verdict)
            match filed:
                case Dropped():
                    self.telling.notice(filed.notice)
                case Wait() if verdict.change.id not in self.telling.endings:
                    self.telling.waits(admitted[verdict.change.id], filed, green=False)
                case Filed() if verdict.change.id not in self.telling.endings:
                    self.verdicts[verdict.change.id] = filed.verdict
                case _:
                    pass
        for id_, why in poll.unreadable.items():
            if id_ not in admitted:
                self.telling.notice(f"dropped a verdict that does not read, on {id_}: {why}")
            elif id_ not in self.telling.endings:
                self.telling.waits(admitted[id_], decide_unreadable(why), green=False)
        for strange in poll.strange:
            self.telling.notice(strange)

    def advance(self, stop: Stop) -> bool:
        """Do all that can be done now, partition by partition; returns whether anything was."""
        progress = False
        while True:
            before = len(self.telling.ended)
            for number, partition in enumerate(self.plan.partitions):
                for change in partition:
                    if stop():
                        return progress
                    if number not in self._stopped and change.id not in self.telling.endings:
                        self._try(number, change)
            if len(self.telling.ended) == before:
                return progress
            progress = True

    def settle_leftovers(self) -> None:
        """Let everything wait that nothing more will come for (facts A7)."""
        left = [
            change
            for number, partition in enumerate(self.plan.partitions)
            for change in partition
            if number not in self._stopped and change.id not in self.telling.endings
        ]
        with self.telling.together():
            for change in left:
                ready = decide_ready(change, self._so_far())
                wait = ready.wait if isinstance(ready, Hold) else ready
                if isinstance(wait, Wait):
                    self.telling.waits(change, wait, green=self._is_green(change))

    def _settle_planned(self, verdict: Verdict) -> None:
        change = verdict.change
        match verdict.decision:
            case Decision.MERGED if self.landings.carries(change):
                self.telling.merged_already(change, change.head, "the base carries its head")
            case Decision.KICK:
                answer = "" if self.settings.dry_run else self.asking.now(change)
                on = self.plan.base_commit
                self.telling.kick_as_judged(change, verdict, answer, on, validated=False)
            case _:
                quoted = verdict.decision is Decision.WAIT
                self.telling.waits(change, wait_as_planned(verdict), green=False, quoted=quoted)

    def _try(self, number: int, change: PlannedChange) -> None:
        """Take one change as far as it goes; an error stops its partition and no other."""
        try:
            self._next(number, change)
        except MergequeueError as error:
            if error.code in _STOPS_ALL:
                raise
            self._stopped.add(number)
            self.errors.append(error)
            self.telling.notice(f"its partition stops here: {error}", change.id)

    def _next(self, number: int, change: PlannedChange) -> None:
        ready = decide_ready(change, self._so_far())
        match ready:
            case Hold():
                pass
            case Wait():
                quoted = self.verdicts[change.id].decision is Decision.WAIT
                self.telling.waits(change, ready, green=self._is_green(change), quoted=quoted)
            case KickAsJudged(verdict=verdict):
                answer = "" if self.settings.dry_run else self.asking.now(change)
                on = self.landings.built_beneath(verdict)
                self.telling.kick_as_judged(change, verdict, answer, on, validated=True)
            case Take(batch=batch):
                partition, so_far = self.plan.partitions[number], self._so_far()
                again = self.runs.take(change, partition, batch, so_far, complete=self.complete)
                if again:
                    self._next(number, change)  # Unless what ended above it keeps it.

    def _so_far(self) -> SoFar:
        return SoFar(self.verdicts, self.telling.endings)

    def _is_green(self, change: PlannedChange) -> bool:
        verdict = self.verdicts.get(change.id)
        return verdict is not None and verdict.decision is Decision.MERGE
