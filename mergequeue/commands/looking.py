"""What the commands that show a queue read of it: its memory, and what the provider lists now."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from mergequeue.apply.present import planned_of
from mergequeue.documents.changes import Change
from mergequeue.documents.memory import Day
from mergequeue.documents.plan import Plan
from mergequeue.documents.provider import Repository
from mergequeue.git.workshop import Workshop
from mergequeue.memory.keeping import RemoteMemoryReads
from mergequeue.ports import ProviderReads
from mergequeue.report.stages import standing_text
from mergequeue.report.standing import Overview, overview_of
from mergequeue.report.views import NOTHING_SAID
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.ids import BranchName, ChangeId
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
    memory = RemoteMemoryReads(shop.reads, base)
    recalled, newest = memory.recall(), memory.days(days)
    # Listed last: what was queued is then gone, and what was turned away is not told as new.
    listing = reads.list_changes(Repository(base=base, remote_url=shop.reads.remote_url()))
    return Looked(overview_of(base, recalled, newest, at, listing.changes), newest)


def said_of(shop: Workshop, plan: Plan, source: str, at: datetime) -> Mapping[ChangeId, str]:
    """Return where each change of a plan stands, in words; nothing where the memory does not say.

    Once the run on the validation run `source` has written it, as that has it; before that, as the
    plan alone has it, whose changes are queued in the order of their numbers.
    """
    memory = RemoteMemoryReads(shop.reads, plan.base)
    try:
        recalled, days = memory.recall(), memory.days(DAYS_GONE_BY)
    except MergequeueError:
        return NOTHING_SAID
    seen = recalled.now
    if seen is None or not source or seen.source != source:
        recalled = replace(recalled, now=planned_of(plan, _in_order(plan), at))
    standings = overview_of(plan.base, recalled, days, at).standings
    return {id_: standing_text(standing, at) for id_, standing in standings.items()}


def _in_order(plan: Plan) -> list[Change]:
    changes = [*plan.admitted, *(verdict.change for verdict in plan.verdicts)]
    return sorted(changes, key=lambda change: (len(change.id), change.id))
