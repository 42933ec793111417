"""What is said of landings that failed, though nothing of the changes was found wrong."""

from collections.abc import Sequence

from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, short
from mergequeue.vocabulary.limits import CLAIM_BYTES
from mergequeue.vocabulary.text import code_span, cut, one_line


def landing_failed(times: int, members: int, error: str) -> str:
    """Return the detail of a kick for what failed to land again and again, with the last error."""
    what = "It passed its checks" if members == 1 else "Its batch passed its checks"
    last = code_span(cut(one_line(error), CLAIM_BYTES))
    return f"{what}, but failed to land {times} times in a row, the last time with {last}."


def failed_line(ids: Sequence[ChangeId], tip: CommitId, times: int) -> str:
    """Return what the audit log says of one more landing that failed."""
    return f"{', '.join(ids)}: failed to land on {short(tip)}, {times} times in a row"


def given_up_line(ids: Sequence[ChangeId], tip: CommitId) -> str:
    """Return what it says once that was once too often."""
    return f"{', '.join(ids)}: failed to land on {short(tip)} once more, and was turned away"


def not_counted(problem: str) -> str:
    """Return that a landing that failed could not be counted."""
    return f"that its landing failed could not be remembered: {problem}"


def what_happened(head: str, base: BranchName, on: CommitId) -> str:
    """Return the paragraph of the report on such a kick."""
    return (
        f"Its head {head} was to land on {code_span(base)} at {code_span(short(on))} each time. "
        "Whatever refuses that, it is not its author's fault: nothing was found wrong with it."
    )
