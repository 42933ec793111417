"""What a build tool's `--facts` command says of the units (seed 1; facts H9, H10).

<command> affected   paths on stdin, one a line   {"affected": ["<unit>"], "unbounded_by": "<why>"}
<command> all                                     {"units": ["<unit>"]}
"""

from collections.abc import Sequence
from typing import Annotated, TypeVar

from pydantic import Field

from mergequeue.documents.reading import checked, parse_json
from mergequeue.documents.record import Record
from mergequeue.ports import Affected, FactsCommand
from mergequeue.vocabulary.errors import FACTS_FAILED, MergequeueError
from mergequeue.vocabulary.ids import RepoPath, Unit
from mergequeue.vocabulary.text import path_text

_Unit = Annotated[Unit, Field(pattern=r"^[^\x00]*$")]
_AnyUnit = Annotated[Unit, Field(pattern=r"^[^\x00-][^\x00]*$")]
_LINE_BREAKS = frozenset(b"\n\r")
_Answer = TypeVar("_Answer", bound=Record)


class _AffectedAnswer(Record):
    """The answer to `affected`."""

    affected: tuple[_Unit, ...] | None = None
    """The units; None where the tool knows none, which is no proof of anything."""
    unbounded_by: str = ""


class _AllAnswer(Record):
    """The answer to `all`: what a hook is given for every unit, so no option and not nothing."""

    units: Annotated[tuple[_AnyUnit, ...], Field(min_length=1)]


class CommandFacts:
    """The `Facts` port over a command, which is asked each question once."""

    def __init__(self, command: FactsCommand) -> None:
        """Ask nothing yet."""
        self._command = command
        self._affected: dict[frozenset[RepoPath], Affected] = {}
        self._all: tuple[Unit, ...] | None = None

    def affected(self, paths: Sequence[RepoPath]) -> Affected:
        """Return what the command says of these paths.

        A path with a line break would read as two, so it is never written, and makes the set no
        proof. Raises FACTS_FAILED where the command fails or prints another thing, and
        HOOK_NOT_STARTED.
        """
        key = frozenset(paths)
        if key not in self._affected:
            self._affected[key] = self._ask_affected(sorted(key))
        return self._affected[key]

    def affected_many(self, sets: Sequence[Sequence[RepoPath]]) -> tuple[Affected, ...]:
        """Return `affected` for each set."""
        return tuple(self.affected(paths) for paths in sets)

    def all_units(self) -> tuple[Unit, ...]:
        """Return how the command names every unit; asked once a run (facts V12)."""
        if self._all is None:
            self._all = self._ask("all", b"", _AllAnswer).units
        return self._all

    def _ask_affected(self, paths: Sequence[RepoPath]) -> Affected:
        broken = next((path for path in paths if {*path} & _LINE_BREAKS), None)
        if broken is not None:
            return Affected((), f"the path {path_text(broken)} holds a line break")
        answer = self._ask("affected", b"".join(path + b"\n" for path in paths), _AffectedAnswer)
        if answer.affected is None:
            return Affected((), answer.unbounded_by or "the facts command names no units")
        return Affected(tuple(sorted(set(answer.affected))), answer.unbounded_by)

    def _ask(self, fact: str, given: bytes, model: type[_Answer]) -> _Answer:
        what = f"what the facts command printed for {fact}"
        printed = self._command.ask(fact, given)
        try:
            data = parse_json(printed, what)
        except MergequeueError as error:
            raise FACTS_FAILED(error.problem) from error
        return checked(data, model, what, FACTS_FAILED)
