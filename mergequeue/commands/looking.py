"""What the commands that show a queue read of it: its memory, and what the provider lists now."""

from dataclasses import dataclass
from datetime import datetime

from mergequeue.commands.providers import reading_door
from mergequeue.commands.tools import Standing, open_shop
from mergequeue.documents.memory import Day
from mergequeue.documents.provider import Repository
from mergequeue.git.workshop import Workshop
from mergequeue.memory.keeping import RemoteMemoryReads
from mergequeue.ports import ProviderReads
from mergequeue.report.standing import Overview, overview_of
from mergequeue.vocabulary.ids import BranchName

LATELY = 14
"""How many of the newest days that anything happened on are gone by."""


@dataclass(frozen=True)
class Looked:
    """A queue as it is now."""

    overview: Overview
    days: tuple[Day, ...]
    """The newest days that anything happened on, oldest first."""


def look_here(
    standing: Standing, base: BranchName, remote: str, provider: str, days: int = LATELY
) -> Looked:
    """Return the queue of a base on the remote of the checkout that the command stands in.

    Raises NO_BASE where the remote has no such branch, BAD_STATE where the memory does not read,
    and as the provider does.
    """
    door = reading_door(provider, remote, standing)
    with open_shop(standing, remote, door.prepare) as shop:
        return look(shop, door.reads(shop), base, standing.clock.now(), days)


def look(
    shop: Workshop, reads: ProviderReads, base: BranchName, at: datetime, days: int = LATELY
) -> Looked:
    """Return the queue of a base as it is at the moment `at`; raises as `look_here` does."""
    listing = reads.list_changes(Repository(base=base, remote_url=shop.reads.remote_url()))
    memory = RemoteMemoryReads(shop.reads, base)
    newest = memory.days(days)
    return Looked(overview_of(base, memory.recall(), newest, at, listing.changes), newest)
