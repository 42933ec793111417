"""The `--facts` command, run in a checkout of the base commit and nowhere else (facts H10)."""

import contextlib
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from mergequeue.hooks.command import HookEnd
from mergequeue.hooks.leash import Leash
from mergequeue.hooks.process import run_hook
from mergequeue.hooks.surroundings import Surroundings
from mergequeue.hooks.words import join_words
from mergequeue.ports import Box, Boxes
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import FACTS_FAILED
from mergequeue.vocabulary.ids import CommitId, short


class BoxedFactsCommand:
    """The `FactsCommand` port: one box of the base commit, made when a fact is first asked for."""

    def __init__(
        self,
        words: Sequence[str],
        surroundings: Surroundings,
        boxes: Boxes,
        base_commit: CommitId,
    ) -> None:
        """Run `words` and a fact's name; a context manager, which closes the box at its end."""
        self._words = tuple(words)
        self._boxes = boxes
        self._base_commit = base_commit
        self._surroundings = surroundings
        self._leash = Leash(f"{short(base_commit)} facts", surroundings.graces.term)
        self._box: Box | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        """Make nothing yet."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the box, if there is one."""
        with self._lock, contextlib.ExitStack() as stack:
            if self._box is not None:
                stack.callback(self._boxes.close, self._box)
                self._box = None

    def ask(self, fact: str, given: bytes) -> bytes:
        """Run the command with the fact's name and return its standard output; its stderr is shown.

        Raises FACTS_FAILED where it ends with anything but 0 or prints more than a document may
        hold, HOOK_NOT_STARTED where it cannot be started.
        """
        with self._lock:
            box = self._opened()
            around = self._surroundings
            words = (*self._words, fact)
            command = around.command(box, words, self._leash.tag, given, limits.DOCUMENT_BYTES)
            ended = run_hook(command, self._leash, around.write_line, around.graces.output)
        self._check(ended, join_words(command.words))
        return ended.output

    def is_cancelled(self) -> bool:
        """Whether no other fact is asked."""
        return self._leash.is_cancelled()

    def cancel(self) -> None:
        """Stop the command where it runs, and let no other fact be asked."""
        self._leash.cancel()

    def _opened(self) -> Box:
        if self._leash.is_cancelled():
            raise FACTS_FAILED("the facts command was cancelled")
        if self._box is None:
            self._box = self._boxes.open(self._base_commit)
        return self._box

    def _check(self, ended: HookEnd, line: str) -> None:
        if self._leash.is_cancelled():
            raise FACTS_FAILED("the facts command was cancelled")
        if ended.overflowed:
            raise FACTS_FAILED(f"`{line}` printed more than {limits.DOCUMENT_BYTES} bytes")
        if ended.status != 0:
            said = f": {ended.last_line}" if ended.last_line else ""
            raise FACTS_FAILED(f"`{line}` ended with {ended.text()}{said}")
