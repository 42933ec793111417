"""What planning tells beside its decisions, each one line."""

from collections.abc import Sequence

from mergequeue.vocabulary.ids import ChangeId, CommitId, Unit, short
from mergequeue.vocabulary.text import one_line

NOTHING_QUEUED = "nothing is queued"


def unread_head(change: ChangeId) -> str:
    """A merged or unqueued change's head is gone."""
    return (
        f"the head of change {change} could not be fetched, "
        "so what is built on it is taken as built on nothing"
    )


def untried(why: str) -> str:
    """No try run of a plan could be planned."""
    return f"no try run is made now, since what it is to be of cannot be read: {one_line(why)}"


def runs_in_a_box(line: str, commit: CommitId) -> str:
    """A command runs as a gate would, on a commit and not on the files of the work tree."""
    return f"running `{line}` in a box of {short(commit)}, without what is not committed"


def reaches_further(units: Sequence[Unit]) -> str:
    """A merge changes more than the change's own diff."""
    named = ", ".join(one_line(unit) for unit in units)
    return f"merging it changes {named} too, which its own diff does not; both are gated"
