"""Hooks of one line of words, each run until it is not busy, and cancelled together or one by one.

Keeps seed 1, Hooks on each candidate: exit 75 is tried again, and red the third time running. All
of that has to happen within the time limit, where there is one.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta

from mergequeue.documents.duration import duration_of
from mergequeue.hooks.command import Command, HookEnd
from mergequeue.hooks.leash import Leash
from mergequeue.hooks.process import run_hook
from mergequeue.hooks.surroundings import Surroundings
from mergequeue.hooks.words import join_words
from mergequeue.ports import Box, Clock, GateEnd, GateResult
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.ids import Unit


class Attempts:
    """The hooks that some words start. May be used by several threads at once."""

    def __init__(
        self,
        words: Sequence[str],
        surroundings: Surroundings,
        clock: Clock,
        limit: timedelta | None = None,
    ) -> None:
        """Run `words`, for `limit` at most; `clock` times them and the pauses of a busy one."""
        self._words = tuple(words)
        self._limit = limit
        self._surroundings = surroundings
        self._clock = clock
        self._leashes: set[Leash] = set()
        # Reentrant, since a signal's handler may cancel while its own thread starts a hook.
        self._lock = threading.RLock()
        self._cancelled = False

    def line(self, units: Sequence[Unit]) -> str:
        """Return the command as a person would type it, with these units."""
        return join_words((*self._words, *units))

    def run(
        self,
        box: Box,
        units: Sequence[Unit],
        tag: str,
        given: bytes = b"",
        write_line: Callable[[str], None] | None = None,
    ) -> GateEnd:
        """Run the hook to its end (facts H5, H6); `write_line` takes its output, where it is given.

        Green on exit 0. Exit 75 is tried again after a pause, and red the third time running. Any
        other status is red, and so is death by a signal, whoever sent it but the queue, and
        whatever it comes to once its time is over. Raises
        HOOK_NOT_STARTED where the program cannot be started: the machine's fault, and never red.
        """
        started = self._clock.now()
        leash = self._new_leash(tag)
        words = (*self._words, *units)
        around = self._surroundings
        command = around.command(box, words, tag, given)
        try:
            with self._timed(leash):
                result, summary = self._tried(command, leash, write_line or around.write_line)
        finally:
            with self._lock:
                self._leashes.discard(leash)
        duration = max(self._clock.now() - started, timedelta())
        milliseconds = duration // timedelta(milliseconds=1)
        return GateEnd(
            result,
            summary,
            milliseconds,
            join_words(words),
            limit=self._limit,
            longest_ms=milliseconds,
            is_over=leash.is_expired(),
        )

    def cancel(self) -> None:
        """Cancel every running hook, and each that is started later."""
        with self._lock:
            self._cancelled = True
            for leash in tuple(self._leashes):
                leash.cancel()

    def cancel_tag(self, tag: str) -> None:
        """Cancel the running hooks with this tag."""
        with self._lock:
            for leash in tuple(self._leashes):
                if leash.tag == tag:
                    leash.cancel()

    def _new_leash(self, tag: str) -> Leash:
        leash = Leash(tag, self._surroundings.graces.term)
        with self._lock:
            self._leashes.add(leash)
            if self._cancelled:
                leash.cancel()
        return leash

    @contextlib.contextmanager
    def _timed(self, leash: Leash) -> Iterator[None]:
        """Stop what the leash holds once its time is over."""
        if self._limit is None:
            yield
            return
        timer = threading.Timer(self._limit.total_seconds(), leash.expire)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _tried(
        self, command: Command, leash: Leash, write_line: Callable[[str], None]
    ) -> tuple[GateResult, str]:
        for attempt in range(limits.BUSY_TRIES):
            if attempt:
                self._clock.sleep(limits.BUSY_PAUSE_SECONDS)
            if leash.is_stopped():
                return self._stopped(leash)
            ended = run_hook(command, leash, write_line, self._surroundings.graces.output)
            if leash.is_stopped():
                return self._stopped(leash)
            if ended.status != limits.BUSY_EXIT:
                return _meaning(ended)
        return GateResult.RED, f"busy (exit status {limits.BUSY_EXIT}) three times running"

    def _stopped(self, leash: Leash) -> tuple[GateResult, str]:
        if leash.is_expired() and self._limit is not None:
            return GateResult.RED, f"over its time limit of {duration_of(self._limit)}"
        return GateResult.CANCELLED, "cancelled by the queue"


def _meaning(ended: HookEnd) -> tuple[GateResult, str]:
    if ended.status == 0:
        return GateResult.GREEN, ""
    return GateResult.RED, ended.text()
