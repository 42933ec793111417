"""Pausing the queue of a base, and what that means for every change of it (pure).

While it is paused a plan admits nothing, and apply merges nothing from the next change on that it
would take. Each change waits with the reason that the person gave, until somebody resumes.
"""

from dataclasses import replace

from mergequeue.changes.decided import Decided, wait
from mergequeue.documents.memory import Pause
from mergequeue.ports import Memory, Remembered
from mergequeue.report import control as words
from mergequeue.vocabulary.codes import Code


def paused(memory: Memory, pause: Pause) -> Remembered:
    """Return the memory with a pause; a queue that is paused for that very reason stays as it is.

    Another reason takes the place of the one that was given, and begins anew.
    """
    now = memory.pause
    if now is not None and now.reason == pause.reason:
        return Remembered(memory)
    return Remembered(replace(memory, pause=pause), (words.paused_line(pause),))


def resumed(memory: Memory, by: str) -> Remembered:
    """Return the memory without a pause; one of a queue that is not paused stays as it is."""
    if memory.pause is None:
        return Remembered(memory)
    return Remembered(replace(memory, pause=None), (words.resumed_line(by),))


def decide_paused(pause: Pause) -> Decided:
    """Return why every change of a base waits whose queue is paused."""
    return wait(Code.WAIT_PAUSED, words.paused_sentence(pause))
