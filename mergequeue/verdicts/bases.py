"""Which commits are gated as they stand, and for whom: once a run with the same units (V8), and not
where a batch's gate was green on that very commit.
"""

from collections import deque
from dataclasses import dataclass
from typing import Generic, TypeVar

from mergequeue.ports import GateResult
from mergequeue.vocabulary.ids import CommitId, Unit

Asker = TypeVar("Asker")


@dataclass(frozen=True)
class Question:
    """Whether a commit is green by itself, with these units."""

    commit: CommitId
    units: tuple[Unit, ...]
    preflight: str = ""
    """The pre-flight that is asked about in place of the gate."""


class BaseGates(Generic[Asker]):
    """The questions of a run, over all its partitions."""

    def __init__(self) -> None:
        """Start without a question."""
        self._answers: dict[Question, GateResult] = {}
        self._askers: dict[Question, list[Asker]] = {}
        self._waiting: deque[Question] = deque()

    def ask(self, question: Question, asker: Asker) -> GateResult | None:
        """Return the answer, or None where there is none yet; `asker` is told of it then."""
        if question in self._answers:
            return self._answers[question]
        if question not in self._askers:
            self._askers[question] = []
            self._waiting.append(question)
        self._askers[question].append(asker)
        return None

    def know(self, question: Question, result: GateResult) -> None:
        """Keep how a commit's gate ended that ran for something else: nobody has to ask that."""
        self._answers.setdefault(question, result)

    def is_asked(self, question: Question) -> bool:
        """Whether somebody asked that before, or need not."""
        return question in self._askers or question in self._answers

    def next(self) -> Question | None:
        """Return the next question that nobody looks into yet; None where there is none."""
        return self._waiting.popleft() if self._waiting else None

    def answer(self, question: Question, result: GateResult | None) -> list[Asker]:
        """Keep an answer, None where there can be none, and return who waits for it."""
        if result is not None:
            self._answers[question] = result
        return self._askers[question]

    def drop(self) -> None:
        """Look into nothing more."""
        self._waiting.clear()
