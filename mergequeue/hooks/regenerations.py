"""The regeneration: a command that rewrites the generated files it is told of on its stdin."""

from collections.abc import Sequence

from mergequeue.hooks.attempts import Attempts
from mergequeue.hooks.surroundings import Surroundings
from mergequeue.ports import Clock, GateEnd, RegenerationRun
from mergequeue.vocabulary.text import holds_line_break


class CommandRegenerations:
    """The `Regenerations` port: units as arguments, generated paths one a line."""

    def __init__(
        self,
        words: Sequence[str],
        surroundings: Surroundings,
        clock: Clock,
    ) -> None:
        """Run `words`, and let `clock` time the pauses of a busy one."""
        self._attempts = Attempts(words, surroundings, clock)

    def run(self, run: RegenerationRun) -> GateEnd:
        """Run it to its end; raise HOOK_NOT_STARTED where its program cannot be started.

        Raises ValueError for a path with a line break, which would read as two (facts H9).
        """
        if any(map(holds_line_break, run.paths)):
            msg = "a path with a line break is never written to a hook"
            raise ValueError(msg)
        given = b"".join(path + b"\n" for path in run.paths)
        return self._attempts.run(run.box, run.units, run.tag, given)

    def cancel(self) -> None:
        """Cancel what runs, and what is started later."""
        self._attempts.cancel()
