"""How a plan is spread over the jobs of a CI: one a batch (facts 3.15; CASES H; pure).

Of each partition the first `depth` batches have a job; those behind have their turn once something
has landed. Where suspects stand in front of a partition, only their batch has one: the next base
depends on which of them pass (seed 2). Where that comes to more jobs than a matrix may have, the
partitions take turns, what lands soonest first, and the rest is counted. Each try run has a job
behind all of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from mergequeue.documents.plan import Plan
from mergequeue.vocabulary.ids import ChangeId

JOBS = 256
"""What GitHub allows a matrix at most; it starts none of a larger one."""


@dataclass(frozen=True)
class Job:
    """What one job validates."""

    members: tuple[ChangeId, ...]
    """A batch, in merge order."""
    is_try: bool = False
    """Whether it is a try run, which is never merged."""

    @property
    def only(self) -> ChangeId:
        """What `--only` names it by: its last (DESIGN, Rulings 5)."""
        return self.members[-1]


@dataclass(frozen=True)
class Matrix:
    """The jobs of a plan."""

    jobs: tuple[Job, ...]
    left: int
    """Changes that are left for a later run."""


def matrix_of(plan: Plan, only: ChangeId | None = None, most: int = JOBS) -> Matrix:
    """Return the jobs of a plan, `most` of them at most; with `only`, that one's job alone, however
    deep in its line it is.
    """
    lines = [
        [tuple(change.id for change in batch) for batch in plan.batches_of(partition)]
        for partition in plan.partitions
    ]
    if only is not None:
        chosen = [batch for line in lines for batch in line if only in batch]
    else:
        depths = [1 if plan.suspects_of(line) else plan.depth for line in plan.partitions]
        ahead = [line[:depth] for line, depth in zip(lines, depths, strict=True)]
        chosen = list(_in_turns(ahead))[:most]
    taken = sum(len(batch) for batch in chosen)
    left = 0 if only is not None else sum(len(batch) for line in lines for batch in line) - taken
    tried = [Job((one.id,), is_try=True) for one in plan.tries if only in {None, one.id}]
    return Matrix((*(Job(batch) for batch in chosen), *tried)[:most], left)


def _in_turns(
    lines: Sequence[Sequence[tuple[ChangeId, ...]]],
) -> Iterator[tuple[ChangeId, ...]]:
    for places in zip_longest(*lines):
        yield from (batch for batch in places if batch is not None)
