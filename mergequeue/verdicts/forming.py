"""A batch on its way to be launched: changes in queue order, each built onto the one before it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mergequeue.verdicts.actions import Build
from mergequeue.verdicts.window import Window
from mergequeue.vocabulary.ids import ChangeId


@dataclass
class Forming:
    """What has joined a batch so far, and who may."""

    pool: list[ChangeId]
    """In merge order; one that was built is in it no more."""
    members: list[ChangeId] = field(default_factory=list)
    under: tuple[ChangeId, ...] = ()
    """What the first member is built on."""

    def join(self, build: Build) -> None:
        """Take a change into the batch."""
        self.under = self.under if self.members else build.onto
        self.members.append(build.change)

    def next_build(self, window: Window, size: int) -> Build | None:
        """Return what is built next; None once the batch has its `size`, or nothing fits on it."""
        waiting = [change for change in self.pool if change not in window.fates]
        standing = window.standing(waiting, self.members)
        if not standing or len(self.members) == size:
            return None
        if not window.are_of_one_lane(standing[0], *self.members):
            return None
        onto = window.alive_beneath(standing[0], self.members)
        if self.members and onto != (*self.under, *self.members):
            return None
        return Build(standing[0], onto)


def fillers_of(ready: Sequence[ChangeId], window: Window, size: int) -> tuple[ChangeId, ...]:
    """Return the held changes that the next batch would hold behind the ready ones."""
    place = max(map(window.pending.index, ready), default=-1)
    held = [change for change in window.pending[place + 1 :] if change in window.held]
    builds = builds_of([*ready, *held], window, size)
    return tuple(build.change for build in builds if build.change in window.held)


def builds_of(pool: Sequence[ChangeId], window: Window, size: int) -> tuple[Build, ...]:
    """Return the builds of the next batch, one after the other, while all are clean."""
    forming = Forming(list(pool))
    builds: list[Build] = []
    while (build := forming.next_build(window, size)) is not None:
        forming.pool.remove(build.change)
        forming.join(build)
        builds.append(build)
    return tuple(builds)
