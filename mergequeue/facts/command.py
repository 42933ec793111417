"""What a build tool's `--facts` command says of the units (seed 1; facts H9, H10).

<command> affected   paths on stdin, one a line   {"affected": ["<unit>"], "unbounded_by": "<why>"}
<command> all                                     {"units": ["<unit>"]}
<command> outputs    paths on stdin               {"outputs": ["<path>"], "updated": ["<path>"],
                                                   "maintained": ["<path>"]}
<command> generation outputs, an empty line and   {"units": ["<unit>"], "code": ["<path>"],
                     changed paths on stdin        "unbounded": "<why>"}
<command> auto_resolve
                     {"path": "<path>", "base":   {"verdict": "<its class, and why>", "ok": true}
                     "<content>", "merged":
                     "<content>"} on stdin
"""

import json
from collections.abc import Collection, Sequence
from typing import Annotated, TypeVar

from pydantic import Field

from mergequeue.documents.reading import checked, parse_json
from mergequeue.documents.record import Record
from mergequeue.facts.generators import code_of_words
from mergequeue.ports import Affected, AutoResolve, FactsCommand, Generation, Outputs
from mergequeue.vocabulary.errors import FACTS_FAILED, MergequeueError
from mergequeue.vocabulary.ids import RepoPath, Unit
from mergequeue.vocabulary.limits import CLAIM_BYTES
from mergequeue.vocabulary.text import cut, holds_line_break, one_line, path_text

_Unit = Annotated[Unit, Field(pattern=r"^[^\x00]*$")]
_AnyUnit = Annotated[Unit, Field(pattern=r"^[^\x00-][^\x00]*$")]
_Answer = TypeVar("_Answer", bound=Record)


class _AffectedAnswer(Record):
    """The answer to `affected`."""

    affected: tuple[_Unit, ...] | None = None
    """The units; None where the tool knows none, which is no proof of anything."""
    unbounded_by: str = ""


class _AllAnswer(Record):
    """The answer to `all`: what a hook is given for every unit, so no option and not nothing."""

    units: Annotated[tuple[_AnyUnit, ...], Field(min_length=1)]


class _OutputsAnswer(Record):
    """The answer to `outputs`: a key that is missing names none."""

    outputs: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    maintained: tuple[str, ...] = ()


class _GenerationAnswer(Record):
    """The answer to `generation`."""

    units: tuple[_AnyUnit, ...] = ()
    """The units that generate the outputs; without any, nothing is proven."""
    code: tuple[str, ...] = ()
    """The changed paths that their regeneration runs or reads."""
    unbounded: str = ""


class _AutoResolveAnswer(Record):
    """The answer to `auto_resolve`."""

    verdict: str
    """The class of risk of the edit and why, in words."""
    ok: bool
    """Whether a conflict in it may be settled."""


class CommandFacts:
    """The `Facts` port over a command, which is asked each question once."""

    def __init__(self, command: FactsCommand, regenerate: Sequence[str] = ()) -> None:
        """Ask nothing yet; `regenerate` is the words of the regeneration that runs."""
        self._command = command
        self._words = tuple(regenerate)
        self._outputs: dict[frozenset[RepoPath], Outputs] = {}
        self._affected: dict[frozenset[RepoPath], Affected] = {}
        self._all: tuple[Unit, ...] | None = None
        self._classed: dict[tuple[RepoPath, bytes, bytes], AutoResolve] = {}

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

    def outputs(self, paths: Collection[RepoPath]) -> Outputs:
        """Return what the command says of how these paths are generated.

        A path with a line break is never written, and so is source. What is named and was not
        asked for is passed over, and so is a second naming of a path: what is written whole is
        generated, whatever else rewrites it. Raises as `affected` does.
        """
        key = frozenset(path for path in paths if not holds_line_break(path))
        if key and key not in self._outputs:
            answer = self._ask("outputs", _lines(sorted(key)), _OutputsAnswer)
            outputs, updated, maintained = (
                key.intersection(name.encode() for name in names)
                for names in (answer.outputs, answer.updated, answer.maintained)
            )
            self._outputs[key] = Outputs(outputs, updated - outputs, maintained - outputs - updated)
        return self._outputs.get(key, Outputs())

    def generation(
        self, outputs: Collection[RepoPath], changed: Collection[RepoPath]
    ) -> Generation:
        """Return what the command says that regenerating these outputs runs and reads.

        A path with a line break is never written and makes it unbounded. Raises as `affected` does.
        """
        always = code_of_words(self._words, changed)
        broken = min(filter(holds_line_break, {*outputs, *changed}), default=None)
        if broken is not None:
            return Generation((), tuple(sorted(always)), _broken_reason(broken))
        given = _lines(sorted(outputs)) + b"\n" + _lines(sorted(changed))
        answer = self._ask("generation", given, _GenerationAnswer)
        code = always | {RepoPath(path.encode()) for path in answer.code}
        units = tuple(sorted(set(answer.units)))
        reason = answer.unbounded or ("" if units else "the facts command names no units")
        return Generation(units, tuple(sorted(code)), reason)

    def auto_resolve(self, path: RepoPath, base: bytes, merged: bytes) -> AutoResolve:
        """Return what the command says of an edit of a file.

        One that fails or knows no such fact settles nothing, and neither does a path or a content
        that is no UTF-8, which it is not asked about. Raises only where the queue was told to stop,
        and HOOK_NOT_STARTED.
        """
        key = (path, base, merged)
        if key not in self._classed:
            self._classed[key] = self._ask_auto_resolve(path, base, merged)
        return self._classed[key]

    def _ask_auto_resolve(self, path: RepoPath, base: bytes, merged: bytes) -> AutoResolve:
        try:
            asked = {"path": path.decode(), "base": base.decode(), "merged": merged.decode()}
        except UnicodeDecodeError:
            return AutoResolve(f"{path_text(path)}: its name or content is no UTF-8", settles=False)
        try:
            answer = self._ask("auto_resolve", json.dumps(asked).encode(), _AutoResolveAnswer)
        except MergequeueError as error:
            if error.code != FACTS_FAILED.code or self._command.is_cancelled():
                raise
            line = f"{path_text(path)}: the facts command cannot tell its class of risk"
            return AutoResolve(line, settles=False)
        said = cut(one_line(answer.verdict), CLAIM_BYTES)
        return AutoResolve(f"{path_text(path)}: {said}", answer.ok)

    def _ask_affected(self, paths: Sequence[RepoPath]) -> Affected:
        broken = next(filter(holds_line_break, paths), None)
        if broken is not None:
            return Affected((), _broken_reason(broken))
        answer = self._ask("affected", _lines(paths), _AffectedAnswer)
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


def _broken_reason(path: RepoPath) -> str:
    return f"the path {path_text(path)} holds a line break"


def _lines(paths: Sequence[RepoPath]) -> bytes:
    return b"".join(path + b"\n" for path in paths)
