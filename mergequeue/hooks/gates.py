"""The gate: a command that is green on exit 0, given a candidate's affected units."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from mergequeue.hooks.attempts import Attempts
from mergequeue.hooks.output import tagged
from mergequeue.hooks.retrying import NO_RETRY, Matching, Retrying
from mergequeue.hooks.surroundings import Surroundings
from mergequeue.ports import Clock, GateEnd, GateResult, GateRun
from mergequeue.vocabulary.ids import Unit


class CommandGates:
    """The `Gates` port: nothing is on its standard input."""

    def __init__(
        self,
        words: Sequence[str],
        surroundings: Surroundings,
        clock: Clock,
        limit: timedelta | None = None,
        retrying: Retrying = NO_RETRY,
    ) -> None:
        """Run `words`, for `limit` at most; `clock` times them and the pauses of a busy one.

        `retrying` says which red one is to be run again.
        """
        self._attempts = Attempts(words, surroundings, clock, limit)
        self._write_line = surroundings.write_line
        self._retrying = retrying

    def line(self, units: Sequence[Unit]) -> str:
        """Return the command as a person would type it, with these units."""
        return self._attempts.line(units)

    def run(self, run: GateRun) -> GateEnd:
        """Run the gate to its end; raise HOOK_NOT_STARTED where its program cannot be started.

        One that had all of its time is not run again, whatever it printed.
        """
        said = Matching(self._retrying.patterns, tagged(run.tag, ""), self._write_line)
        end = self._attempts.run(run.box, run.units, run.tag, write_line=said.take)
        may_retry = end.result is GateResult.RED and not end.is_over
        if may_retry and run.retries < self._retrying.retries:
            return replace(end, again=said.line)
        return end

    def cancel(self) -> None:
        """Cancel every running gate, and each that is started later."""
        self._attempts.cancel()

    def cancel_tag(self, tag: str) -> None:
        """Cancel the running gates with this tag."""
        self._attempts.cancel_tag(tag)
