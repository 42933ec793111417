"""What is said of the priority lane, of a paused queue, and of what the base's file allows."""

from mergequeue.documents.memory import Pause
from mergequeue.vocabulary.ids import BranchName, ChangeId
from mergequeue.vocabulary.text import one_line

PRIORITY_IS_OFF = (
    "its priority counts for nothing, since mergequeue.toml on the base does not say "
    "`priority = true` under [control]"
)
TRIES_ARE_OFF = (
    "its try run is not made, since mergequeue.toml on the base does not say "
    "`tries = true` under [control]"
)


def priority_answer(id_: ChangeId, *, on: bool, changed: bool, heeded: bool) -> str:
    """Return what came of marking a change for the priority lane, or of taking that off."""
    if not changed:
        return f"{id_} {'has' if on else 'had no'} priority already; nothing was written"
    if not on:
        return f"{id_} stands in the queue as any other again, from the next plan on"
    if not heeded:
        return f"{id_} is marked, but {PRIORITY_IS_OFF}"
    return f"{id_} goes before all others from the next plan on; gates that run are left alone"


def paused_sentence(pause: Pause) -> str:
    """Return that the queue is paused, since when, by whom and why, in one line without an end."""
    since = pause.since.strftime("%Y-%m-%d %H:%M UTC")
    by = f" by {one_line(pause.by)}" if pause.by else ""
    return f"the queue is paused since {since}{by}: {one_line(pause.reason).rstrip('.')}"


def pause_answer(base: BranchName, pause: Pause, *, changed: bool) -> str:
    """Return what came of pausing a queue."""
    if not changed:
        return f"{base}: {paused_sentence(pause)}; nothing was written"
    return (
        f"{base}: {paused_sentence(pause)}. Gates that run go on, nothing merges any more; "
        "`mergequeue resume` ends it"
    )


def resume_answer(base: BranchName, *, changed: bool) -> str:
    """Return what came of resuming a queue."""
    if not changed:
        return f"the queue of {base} was not paused; nothing was written"
    return f"the queue of {base} goes on with the next run"


def paused_line(pause: Pause) -> str:
    """Return the audit log's line for a pause."""
    return paused_sentence(pause)


def resumed_line(by: str) -> str:
    """Return the audit log's line for the end of a pause."""
    return f"the queue was resumed by {one_line(by)}" if by else "the queue was resumed"
