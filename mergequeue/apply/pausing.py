"""What a pause means for what would merge now, and for what would wait for something else (pure).

A queue that is paused while apply runs merges nothing from the next change on. Whatever then only
waits for a next run waits for the end of the pause, since no run gates or merges before that.
"""

from mergequeue.apply.outcomes import Wait
from mergequeue.documents.memory import Pause
from mergequeue.report.control import paused_sentence
from mergequeue.vocabulary.codes import Code

_FOR_A_NEXT_RUN = frozenset(
    {
        Code.WAIT_BEHIND,
        Code.WAIT_REVALIDATE,
        Code.WAIT_BELOW,
        Code.WAIT_CONFLICT_AHEAD,
    }
)


def decide_paused(pause: Pause) -> Wait:
    """Return why a green change does not merge now."""
    return Wait(Code.WAIT_PAUSED, paused_sentence(pause))


def decide_shown(wait: Wait, pause: Pause | None) -> Wait:
    """Return the wait that a change shows: the pause, where it waits for no more than a next run.

    What the change itself lacks, such as an approval, it goes on showing.
    """
    if pause is None or wait.code not in _FOR_A_NEXT_RUN:
        return wait
    return Wait(Code.WAIT_PAUSED, paused_sentence(pause), head=wait.head)
