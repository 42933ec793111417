"""What `pause`, `resume` and the step of a workflow share: one edit of what the queue remembers."""

import os
from collections.abc import Callable

import click

from mergequeue.commands.apply import memory_of
from mergequeue.commands.providers import WritingDoor
from mergequeue.commands.tools import Standing, open_shop
from mergequeue.documents.memory import Pause
from mergequeue.plan.pausing import paused, resumed
from mergequeue.ports import Memory, Remembered
from mergequeue.report.control import pause_answer, resume_answer
from mergequeue.vocabulary.errors import USAGE
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.limits import CLAIM_BYTES

reason = click.option(
    "--reason",
    required=True,
    metavar="TEXT",
    help="Why, as every change that waits shows it.",
)


def pause_queue(standing: Standing, door: WritingDoor, base: BranchName, why: str) -> str:
    """Pause the queue of a base; return what came of it.

    Raises USAGE for an empty reason or a very long one, NO_BASE, and what writing raises.
    """
    said = why.strip()
    if not said or len(said.encode()) > CLAIM_BYTES:
        raise USAGE(
            f"the reason of a pause has 1 to {CLAIM_BYTES} bytes",
            "Say in a sentence why nothing may merge now: every change that waits shows it.",
        )

    def edit(memory: Memory, by: str) -> Remembered:
        return paused(memory, Pause(reason=said, since=standing.clock.now(), by=by))

    memory, changed = _edited(standing, door, base, edit)
    if memory.pause is None:
        msg = "a queue that was paused has a pause"
        raise ValueError(msg)
    return pause_answer(base, memory.pause, changed=changed)


def resume_queue(standing: Standing, door: WritingDoor, base: BranchName) -> str:
    """Resume the queue of a base; return what came of it.

    Raises NO_BASE, and what writing raises.
    """
    _, changed = _edited(standing, door, base, resumed)
    return resume_answer(base, changed=changed)


def _edited(
    standing: Standing,
    door: WritingDoor,
    base: BranchName,
    edit: Callable[[Memory, str], Remembered],
) -> tuple[Memory, bool]:
    """Return the memory after an edit by whoever is here, and whether that changed anything."""
    made: list[Remembered] = []
    with open_shop(standing, door.remote, door.prepare) as shop:
        shop.reads.fetch_branch(base)
        by = os.environ.get("GITHUB_ACTOR", "") or (shop.user.name if shop.user else "")

        def once(memory: Memory) -> Remembered:
            made.append(edit(memory, by))
            return made[-1]

        memory = memory_of(standing, shop, base).remember(once)
    return memory, bool(made[-1].lines)
