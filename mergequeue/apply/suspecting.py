"""Whom the queue suspects when a run ends, for the next one to go on with (seed 2, When a batch
fails).

What a job says of it is a claim: it has to be about changes of the plan, as the plan has them, and
gets into the memory as a hint, which reorders gates and blames nobody. It holds once all that the
suspects were gated on has landed in this run, and until one of them lands or is turned away.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from mergequeue.apply.ready import Ending
from mergequeue.apply.run import Ended
from mergequeue.documents.gate import GateRecord
from mergequeue.documents.memory import Hints, Suspected
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.provider import Pin
from mergequeue.documents.suspects import Suspicion
from mergequeue.ports import Remembered
from mergequeue.report import remembering as words
from mergequeue.vocabulary.ids import ChangeId, CommitId


class Suspecting:
    """What the jobs of one run said, each the last thing."""

    def __init__(self, plan: Plan) -> None:
        """Have heard nothing yet."""
        self._plan = plan
        self._heard: dict[ChangeId, Suspicion] = {}
        self.count = 0
        """How often anything was said that the plan vouches for."""

    def take(self, suspicions: Iterable[Suspicion]) -> None:
        """Take in what jobs say, as far as the plan vouches for it."""
        for suspicion in suspicions:
            if is_of_plan(self._plan, suspicion):
                self._heard.pop(suspicion.job, None)
                self._heard[suspicion.job] = suspicion
                self.count += 1

    @property
    def gates(self) -> tuple[GateRecord, ...]:
        """The gates that ran on changes of which no verdict comes."""
        return tuple(record for one in self._heard.values() for record in one.gates)

    def remember(self, made: Remembered, ended: Sequence[Ended]) -> Remembered:
        """Return an edit of the memory with whom the next run goes on with, now that so much has
        ended.
        """
        known = made.memory.hints
        hints = self._hints(known, ended)
        if hints.suspects == known.suspects:
            return made
        line = words.suspects_line([pin.id for one in hints.suspects for pin in one.changes])
        return Remembered(replace(made.memory, hints=hints), (*made.lines, line))

    def _hints(self, known: Hints, ended: Sequence[Ended]) -> Hints:
        """Return the hints; changes that this run did not look at stay suspects."""
        tip = tip_after(self._plan, ended)
        endings = {one.change: one.ending for one in ended}
        admitted = {change.id for change in self._plan.admitted}
        left = [
            one.changes
            for one in known.suspects
            if one.base_commit == self._plan.base_commit
            and admitted.isdisjoint(pin.id for pin in one.changes)
        ]
        found = [self._of(partition, endings) for partition in self._plan.partitions]
        suspects = tuple(
            Suspected(base_commit=tip, changes=changes) for changes in (*found, *left) if changes
        )
        return known.model_copy(update={"suspects": suspects})

    def _of(
        self, partition: Sequence[PlannedChange], endings: Mapping[ChangeId, Ending]
    ) -> tuple[Pin, ...]:
        """Return whom a partition's jobs suspect; whom the plan began with, where none of them that
        gates those said anything.
        """
        jobs = {change.id for change in partition}
        said = [one for job, one in self._heard.items() if job in jobs]
        holding = [one.changes for one in said if one.changes and _holds(one, endings)]
        if holding:
            return holding[-1]
        in_front = {partition[-1].id, self._plan.batches_of(partition)[0][-1].id}
        planned = self._plan.suspects_of(partition)
        is_settled = any(one.job in in_front for one in said)
        if is_settled or any(_is_over(endings.get(id_)) for id_ in planned):
            return ()
        return tuple(Pin(id=one.id, commit=one.head) for one in partition[: len(planned)])


def is_of_plan(plan: Plan, suspicion: Suspicion) -> bool:
    """Return whether a suspicion is about changes of one partition, in its order, as the plan has
    them.
    """
    if suspicion.base_commit != plan.base_commit or len(suspicion.changes) > plan.batch:
        return False
    line = next(
        (line for line in plan.partitions if any(one.id == suspicion.job for one in line)), ()
    )
    heads = {change.id: change.head for change in line}
    named = [*suspicion.under, *(pin.id for pin in suspicion.changes)]
    in_order = sorted((id_ for id_ in named if id_ in heads), key=list(heads).index)
    return in_order == named and all(heads[pin.id] == pin.commit for pin in suspicion.changes)


def tip_after(plan: Plan, ended: Sequence[Ended]) -> CommitId:
    """Return the base's tip as the run itself left it: on another one nobody is a suspect."""
    landed = [one.commit for one in ended if one.ending is Ending.MERGED and one.commit is not None]
    return landed[-1] if landed else plan.base_commit


def _holds(suspicion: Suspicion, endings: Mapping[ChangeId, Ending]) -> bool:
    landed = all(endings.get(id_) is Ending.MERGED for id_ in suspicion.under)
    return landed and not any(_is_over(endings.get(pin.id)) for pin in suspicion.changes)


def _is_over(ending: Ending | None) -> bool:
    return ending in {Ending.MERGED, Ending.KICKED}
