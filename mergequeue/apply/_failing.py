"""A part of the step: landings that failed, counted where a restart cannot lose it."""

from collections.abc import Sequence
from dataclasses import dataclass

from mergequeue.apply._telling import Telling
from mergequeue.apply.failing import Failure, decide_failed, failure_of, remember_failure, times_of
from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.ports import Landing, Memory, Remembered, WritesMemory
from mergequeue.report import landings as words
from mergequeue.vocabulary.errors import MergequeueError


@dataclass(frozen=True)
class Failing:
    """Counts them in the queue's memory."""

    memory: WritesMemory
    telling: Telling

    def count(self, landings: Sequence[Landing], ended: Sequence[Wait]) -> Kick | None:
        """Count what failed to land, once however many changes it was; return what becomes of each,
        None where they wait.

        What cannot be remembered is a notice, and they wait.
        """
        failure = failure_of(landings, ended)
        if failure is None:
            return None
        try:
            times = self._remember(failure)
        except MergequeueError as error:
            self.telling.notice(words.not_counted(error.problem), landings[-1].change.id)
            return None
        return decide_failed(failure, times)

    def _remember(self, failure: Failure) -> int:
        times = 0

        def edit(memory: Memory) -> Remembered:
            nonlocal times
            times = times_of(memory, failure)
            return remember_failure(memory, failure)

        self.memory.remember(edit)
        return times
