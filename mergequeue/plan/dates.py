"""The date of a plan's candidates (facts P16)."""

from collections.abc import Iterable
from datetime import UTC, datetime


def commit_date(dates: Iterable[datetime]) -> datetime:
    """Return the newest committer date of the tip and the admitted heads, in UTC whole seconds.

    No candidate is older than what it holds, so a build that leaves out what lies in the future
    leaves out nothing of it.
    """
    return max(dates).astimezone(UTC).replace(microsecond=0)
