"""One job of many: the batch that `--only` names, on the changes beneath it, built and not gated.

- An id names the batch that holds it, and a matrix names each by its last (DESIGN, Rulings 5). The
  cut is by place in the partition alone, so that every job cuts alike without knowing what the
  others find.
- What is beneath is built one change at a time. One that cannot be built is passed over, and so is
  what is stacked on it (facts O2, O3).
- With anything beneath it that no gate has seen here, a red or a refusal proves nothing (O4, O5);
  that rule is `blame`'s, and halving goes on inside the job as it does in a whole run.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.verdicts.actions import Build
from mergequeue.verdicts.blame import Made
from mergequeue.vocabulary.errors import NOT_ADMITTED
from mergequeue.vocabulary.ids import ChangeId


@dataclass(frozen=True)
class Target:
    """What one job validates."""

    partition: int
    """The partition's number in the plan, from 0."""
    members: tuple[PlannedChange, ...]
    """The batch."""
    beneath: tuple[tuple[PlannedChange, ...], ...]
    """The batches ahead of it, each with those of its changes that a member is built on."""


def target_of(plan: Plan, only: ChangeId) -> Target:
    """Return what a job for `only` validates; raise NOT_ADMITTED where neither the plan's
    partitions nor its try runs hold it (O1).
    """
    for number, partition in enumerate(plan.lines):
        batches = plan.batches_of(partition)
        rank = next((rank for rank, batch in enumerate(batches) if _holds(batch, only)), None)
        if rank is None:
            continue
        *ahead, members = batches[: rank + 1]
        needed = {other for member in members for other in member.beneath}
        kept = (tuple(change for change in batch if change.id in needed) for batch in ahead)
        return Target(number, members, tuple(batch for batch in kept if batch))
    settled = any(one.change.id == only for one in (*plan.verdicts, *plan.untried))
    why = "planning decided it already" if settled else "the plan does not hold it"
    raise NOT_ADMITTED(f"change {only} is in no partition: {why}")


def _holds(batch: Sequence[PlannedChange], only: ChangeId) -> bool:
    return any(change.id == only for change in batch)


class Beneath:
    """The changes beneath a target, on their way to being built."""

    def __init__(self, target: Target, gone: frozenset[ChangeId]) -> None:
        """Pass over those whose commits cannot be had, `gone`, like any that cannot be built."""
        self._batches = target.beneath
        self._left = deque(change for batch in target.beneath for change in batch)
        self._gone = gone
        self.built: dict[ChangeId, None] = {}
        """In the order they were built."""
        self.skipped: set[ChangeId] = set()

    def next_build(self) -> Build | None:
        """Return what to build next; None once all is built or passed over."""
        while self._left:
            change = self._left[0]
            if change.id not in self._gone and change.below not in self.skipped:
                return Build(change.id, tuple(one for one in change.beneath if one in self.built))
            self.skipped.add(self._left.popleft().id)
        return None

    def took(self, made: Made) -> None:
        """Take what became of that build."""
        change = self._left.popleft()
        if made is Made.CLEAN:
            self.built[change.id] = None
        else:
            self.skipped.add(change.id)

    @property
    def places(self) -> int:
        """How many batches beneath the target hold a change that could be built (facts O7)."""
        return sum(1 for batch in self._batches if any(change.id in self.built for change in batch))
