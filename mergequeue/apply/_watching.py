"""A part of the step: what moved, looked for now and then while validation runs beside apply, and
told to it.
"""

from dataclasses import dataclass, field

from mergequeue.apply._partitions import Partitions
from mergequeue.apply._ports import Ports
from mergequeue.apply._telling import Telling
from mergequeue.apply.moved import decide_moved, is_moved_by_others, wait_on_moved_base
from mergequeue.apply.ready import Ending
from mergequeue.documents.plan import Plan
from mergequeue.documents.provider import Repository
from mergequeue.ports import Moved
from mergequeue.vocabulary.errors import NO_BASE, MergequeueError
from mergequeue.vocabulary.ids import CommitId


@dataclass
class Watching:
    """Looks at the queue and the base, where somebody is told of it."""

    ports: Ports
    telling: Telling
    partitions: Partitions
    plan: Plan
    every: float
    """How many seconds of waiting lie between two looks."""
    moved: bool = False
    """Whether anything moved, so that another pass may decide more."""
    _base_moved: bool = False
    _waited: float = 0.0
    _said: set[str] = field(default_factory=set)

    def tell(self) -> None:
        """Tell what ended without merging, and whether the base moved."""
        if self.ports.tell_moved is None:
            return
        endings = self.telling.endings
        changes = (id_ for id_, ending in endings.items() if ending is not Ending.MERGED)
        self.ports.tell_moved(Moved(frozenset(changes), self._base_moved))

    def waited(self, seconds: float) -> None:
        """Look, where enough time has passed since the last look, and tell what was found.

        What cannot be read is a notice, once: landing reads it all again.
        """
        self._waited += seconds
        if self.ports.tell_moved is None or self._base_moved or self._waited < self.every:
            return
        self._waited = 0.0
        try:
            self._look()
        except MergequeueError as error:
            if error.problem not in self._said:
                self._said.add(error.problem)
                self.telling.notice(f"could not look at what moved: {error.problem}")
        self.tell()

    def settle_undecided(self) -> None:
        """Let what has no verdict wait for the next run, where the base moved by another push."""
        if self._base_moved:
            wait = wait_on_moved_base(self.plan.base)
            verdicts = self.partitions.verdicts
            left = (one.id for one in self.plan.admitted if one.id not in verdicts)
            self.partitions.settle_moved(dict.fromkeys(left, wait))

    def _look(self) -> None:
        repository = Repository(base=self.plan.base, remote_url=self.plan.remote_url)
        tip = self._tip()
        landed = [one.commit for one in self.telling.ended]
        self._base_moved = is_moved_by_others(tip, self.plan, landed)
        if self._base_moved:
            self.moved = True
            self.telling.notice(f"{self.plan.base} moved by another push: its gates end here")
            return
        undecided = [one for one in self.plan.admitted if one.id not in self.telling.endings]
        listing = self.ports.reads.list_changes(repository)
        waits = decide_moved(undecided, listing, self.plan.base)
        self.moved = self.moved or bool(waits)
        self.partitions.settle_moved(waits)

    def _tip(self) -> CommitId | None:
        try:
            return self.ports.git.fetch_branch(self.plan.base)
        except MergequeueError as error:
            if error.code != NO_BASE.code:
                raise
            return None
