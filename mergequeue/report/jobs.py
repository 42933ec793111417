"""What the jobs of a CI are called, and what they say of themselves."""

from collections.abc import Sequence

from mergequeue.vocabulary.ids import BranchName, ChangeId
from mergequeue.vocabulary.text import one_line

_NAMED = 4


def job_label(members: Sequence[ChangeId], *, is_try: bool = False) -> str:
    """Return how a job says which changes it validates: all of a batch, or how many."""
    named = ", ".join(f"#{change}" for change in members[:_NAMED])
    more = len(members) - _NAMED
    label = f"{named} and {more} more" if more > 0 else named
    return f"{label}, a try run" if is_try else label


def left_for_later(count: int) -> str:
    """Return that a plan holds more than the jobs of one run take."""
    changes = "change waits" if count == 1 else "changes wait"
    return (
        f"{count} {changes} for a later run, which starts once this one merged or handed back some"
    )


def nothing_to_validate(base: BranchName) -> str:
    """Return that a plan has no jobs."""
    return f"No change is queued for {base} that could be validated now"


def inputs_described(step: str) -> str:
    """Return where somebody who gave an action a wrong input reads what it takes."""
    return (
        f"An option is the input of the same name in the workflow: action-{step}/README.md says "
        f"what each takes, and `mergequeue action {step} --help` as well."
    )


def no_such_base(branch: str, bases: Sequence[str]) -> str:
    """Return that a run ran on a branch that the queue does not merge into."""
    return f"the run ran on {one_line(branch)}, and the queue's bases are {', '.join(bases)}"


def dispatched(workflow: str, base: BranchName) -> str:
    """Return that a run was started."""
    return f"{workflow} was started on {base}"


def another_dispatched(workflow: str, base: BranchName) -> str:
    """Return that the next run was started since nothing merged that would start it."""
    return (
        f"Nothing merged, and what waits behind those that were handed back needs another run: "
        f"{dispatched(workflow, base)}"
    )


def another_failed(problem: str, remedy: str) -> tuple[str, str]:
    """Return the title and the text of a warning that the next run could not be started."""
    until = "Changes wait for it until something is queued or merges"
    return "The next run was not started", f"{one_line(problem)}. {until}. {one_line(remedy)}"


def not_dispatched(why: str) -> str:
    """Return that none was."""
    return f"Nothing was started: {why}"


def not_shown(why: str) -> str:
    """Return that the dashboard could not be written."""
    return (
        f"The dashboard could not be written: {one_line(why)}. The queue goes on without it; the "
        "app needs the permission Issues: Read and write, and its owner has to accept that"
    )


def not_pinned(number: int, why: str) -> str:
    """Return that the dashboard was opened, and could not be pinned."""
    return f"The dashboard #{number} could not be pinned, pin it by hand: {one_line(why)}"


DASHBOARD_TITLE = "Merge queue"
WAITS_FOR_OLDER = "An older run of this workflow still merges; this one goes on after it"
SEEN_BY_A_RUN = "a run that has not ended will see it"
HEADS_NOTHING = "the commit heads no queued change"


def plan_awaited(*, began: bool) -> str:
    """Return how waiting for a plan ended."""
    if began:
        return "The plan has begun"
    return "The run ended, or was cancelled, before its plan began; there is nothing to follow"
