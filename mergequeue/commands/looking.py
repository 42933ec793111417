"""What the commands that show a queue read of it: its memory, and what the provider lists now."""

from dataclasses import dataclass
from datetime import datetime

from mergequeue.documents.memory import Day
from mergequeue.documents.provider import Repository
from mergequeue.git.workshop import Workshop
from mergequeue.memory.keeping import RemoteMemoryReads
from mergequeue.ports import ProviderReads
from mergequeue.report.standing import Overview, overview_of
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.limits import DAYS_GONE_BY


@dataclass(frozen=True)
class Looked:
    """A queue as it is now."""

    overview: Overview
    days: tuple[Day, ...]
    """The newest days that anything happened on, oldest first."""


def look(
    shop: Workshop, reads: ProviderReads, base: BranchName, at: datetime, days: int = DAYS_GONE_BY
) -> Looked:
    """Return the queue of a base as it is at the moment `at`.

    Raises NO_BASE where the remote has no such branch, BAD_STATE where the memory does not read,
    and as the provider does.
    """
    listing = reads.list_changes(Repository(base=base, remote_url=shop.reads.remote_url()))
    memory = RemoteMemoryReads(shop.reads, base)
    newest = memory.days(days)
    return Looked(overview_of(base, memory.recall(), newest, at, listing.changes), newest)
