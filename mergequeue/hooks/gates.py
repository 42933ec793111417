"""The gate: a command that is green on exit 0, given a candidate's affected units."""

from collections.abc import Sequence

from mergequeue.hooks.attempts import Attempts
from mergequeue.hooks.surroundings import Surroundings
from mergequeue.ports import Clock, GateEnd, GateRun
from mergequeue.vocabulary.ids import Unit


class CommandGates:
    """The `Gates` port: nothing is on its standard input."""

    def __init__(
        self,
        words: Sequence[str],
        surroundings: Surroundings,
        clock: Clock,
    ) -> None:
        """Run `words`, and let `clock` time them and the pauses of a busy one."""
        self._attempts = Attempts(words, surroundings, clock)

    def line(self, units: Sequence[Unit]) -> str:
        """Return the command as a person would type it, with these units."""
        return self._attempts.line(units)

    def run(self, run: GateRun) -> GateEnd:
        """Run the gate to its end; raise HOOK_NOT_STARTED where its program cannot be started."""
        return self._attempts.run(run.box, run.units, run.tag)

    def cancel(self) -> None:
        """Cancel every running gate, and each that is started later."""
        self._attempts.cancel()

    def cancel_tag(self, tag: str) -> None:
        """Cancel the running gates with this tag."""
        self._attempts.cancel_tag(tag)
