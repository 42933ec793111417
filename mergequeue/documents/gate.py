"""How one run of a gate went, as the job that ran it tells it.

A claim, like everything of a verdict: it is shown and counted, and lands nothing.
"""

from typing import Annotated

from pydantic import Field

from mergequeue.documents.duration import Duration
from mergequeue.documents.memory import GateOutcome
from mergequeue.documents.record import ChangeId, CommitId, Record


class GateRecord(Record):
    """One run of the gate.

    It stands in the verdict of every change that it says something of: two records that are equal
    are of one run.
    """

    changes: tuple[ChangeId, ...]
    """The batch, in merge order; empty where a commit was gated as it stands, to see whether it is
    red without the change that is."""
    commit: CommitId
    """What the gate ran on: the candidate at the batch's top, or what that was built onto."""
    outcome: GateOutcome
    duration_ms: Annotated[int, Field(ge=0)]
    """From its first start to its end, retries and the pauses of a busy gate included."""
    retries: Annotated[int, Field(ge=0)] = 0
    """How often it was run again since its output had a pattern that the base names."""
    limit: Duration | None = None
    """The time limit of each of its tries; None where it had none."""
    limit_used_ms: Annotated[int, Field(ge=0)] = 0
    """How much of the limit the longest of its tries took."""
    why: str = ""
    """What failed, or why it was cancelled; on a green one, what a retry was for."""
