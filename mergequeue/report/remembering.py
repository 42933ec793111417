"""What the audit log says of what a run remembers."""

from collections.abc import Sequence

from mergequeue.documents.memory import GateFact
from mergequeue.documents.now import Now
from mergequeue.report.stages import UNDER_WAY
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId, CommitId, short
from mergequeue.vocabulary.text import one_line

_NAMED = 5
"""How many changes of a batch a line names."""


def queued_line(change: ChangeId, head: CommitId) -> str:
    """Say that a change was queued."""
    return f"{change}: joined the queue at {short(head)}"


def moved_line(change: ChangeId, head: CommitId) -> str:
    """Say that a queued change has a new head."""
    return f"{change}: moved to {short(head)}"


def left_line(change: ChangeId) -> str:
    """Say that a change was taken out."""
    return f"{change}: was taken out"


def landed_line(change: ChangeId, head: CommitId) -> str:
    """Say that a change landed."""
    return f"{change}: landed, at {short(head)}"


def turned_away_line(change: ChangeId, code: Code) -> str:
    """Say that a change was turned away."""
    return f"{change}: turned away, {code}"


def gate_line(fact: GateFact) -> str:
    """Say that a gate ran."""
    more = len(fact.changes) - _NAMED
    subject = ", ".join(fact.changes[:_NAMED]) or "the base"
    subject += f" and {more} more" if more > 0 else ""
    return f"gate of {subject} at {short(fact.commit)}: {fact.outcome}"


def preflights_line(change: ChangeId, names: Sequence[str]) -> str:
    """Say which pre-flights a change passed."""
    return f"{change}: passed {', '.join(map(one_line, names))}"


def suspects_line(changes: Sequence[ChangeId]) -> str:
    """Say whom the next run goes on with, to find out who broke a batch."""
    return f"suspects: {', '.join(changes)}" if changes else "suspects: none any more"


def present_line(now: Now) -> str:
    """Say how the queue is."""
    under_way = sum(1 for change in now.changes if change.stage in UNDER_WAY)
    return f"{len(now.changes)} queued, {under_way} of them being gated or landing"
