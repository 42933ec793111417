"""Where a base's queue keeps its records, and what becomes of their history.

One history is as long as a week: a machine that has nothing yet fetches no more than that, however
old the queue is.
"""

from datetime import UTC, datetime
from typing import Final

from mergequeue.vocabulary.ids import BranchName, CommitId, RefName, short

STATE_PREFIX: Final = "refs/mergequeue/state/"
LOG_PREFIX: Final = "refs/mergequeue/log/"


def state_ref(base: BranchName) -> RefName:
    """Return the reference that the records of a base's queue are kept under."""
    return RefName(f"{STATE_PREFIX}{base}")


def log_ref(base: BranchName, last: CommitId, written: datetime, now: datetime) -> RefName | None:
    """Return the reference that keeps a history whose newest commit is `last`, once it is over.

    None where `now` is in the week, as ISO 8601 counts them in UTC, that `last` was written in.
    """
    week = _week(written)
    return None if week == _week(now) else RefName(f"{LOG_PREFIX}{base}/{week}-{short(last)}")


def _week(moment: datetime) -> str:
    year, week, _ = moment.astimezone(UTC).isocalendar()
    return f"{year}-W{week:02}"
