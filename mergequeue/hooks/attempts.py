"""Hooks of one line of words, each run until it is not busy, and cancelled together or one by one.

Keeps seed 1, Hooks on each candidate: exit 75 is tried again, and red the third time running.
"""

import threading
from collections.abc import Sequence
from datetime import timedelta

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

    def __init__(self, words: Sequence[str], surroundings: Surroundings, clock: Clock) -> None:
        """Run `words`, and let `clock` time them and the pauses of a busy one."""
        self._words = tuple(words)
        self._surroundings = surroundings
        self._clock = clock
        self._leashes: set[Leash] = set()
        # Reentrant, since a signal's handler may cancel while its own thread starts a hook.
        self._lock = threading.RLock()
        self._cancelled = False

    def line(self, units: Sequence[Unit]) -> str:
        """Return the command as a person would type it, with these units."""
        return join_words((*self._words, *units))

    def run(self, box: Box, units: Sequence[Unit], tag: str, given: bytes = b"") -> GateEnd:
        """Run the hook to its end (facts H5, H6).

        Green on exit 0. Exit 75 is tried again after a pause, and red the third time running. Any
        other status is red, and so is death by a signal, whoever sent it but the queue. Raises
        HOOK_NOT_STARTED where the program cannot be started: the machine's fault, and never red.
        """
        started = self._clock.now()
        leash = self._new_leash(tag)
        words = (*self._words, *units)
        around = self._surroundings
        command = around.command(box, words, tag, given)
        try:
            result, summary = self._tried(command, leash)
        finally:
            with self._lock:
                self._leashes.discard(leash)
        duration = max(self._clock.now() - started, timedelta())
        milliseconds = duration // timedelta(milliseconds=1)
        return GateEnd(result, summary, milliseconds, join_words(words))

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

    def _tried(self, command: Command, leash: Leash) -> tuple[GateResult, str]:
        around = self._surroundings
        for attempt in range(limits.BUSY_TRIES):
            if attempt:
                self._clock.sleep(limits.BUSY_PAUSE_SECONDS)
            if leash.is_cancelled():
                return GateResult.CANCELLED, _CANCELLED
            ended = run_hook(command, leash, around.write_line, around.graces.output)
            if leash.is_cancelled():
                return GateResult.CANCELLED, _CANCELLED
            if ended.status != limits.BUSY_EXIT:
                return _meaning(ended)
        return GateResult.RED, f"busy (exit status {limits.BUSY_EXIT}) three times running"


_CANCELLED = "cancelled by the queue"


def _meaning(ended: HookEnd) -> tuple[GateResult, str]:
    if ended.status == 0:
        return GateResult.GREEN, ""
    return GateResult.RED, ended.text()
