"""When a red gate is run again: where a line of its output has a pattern that the base names.

Most gates that are red for no reason say so: a registry that did not answer, a port that was taken.
The base lists such lines as regular expressions; what a change's own code prints counts as well, so
a retry makes nothing green that would not be so by itself.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mergequeue.vocabulary.limits import MATCHED_CHARACTERS


@dataclass(frozen=True)
class Retrying:
    """What a base says of it."""

    patterns: tuple[re.Pattern[str], ...] = ()
    retries: int = 0
    """How often a gate is run again at most."""


NO_RETRY = Retrying()


def retrying_of(patterns: Sequence[str], retries: int) -> Retrying:
    """Return what some regular expressions mean; raise re.error for one that is none."""
    return Retrying(tuple(map(re.compile, patterns)), retries if patterns else 0)


class Matching:
    """Looks at each line of a hook's output as it passes, from the one thread that reads it."""

    def __init__(
        self, patterns: Sequence[re.Pattern[str]], prefix: str, write_line: Callable[[str], None]
    ) -> None:
        """Hand each line on to `write_line`; each begins with `prefix`, which is not the hook's."""
        self._patterns = patterns
        self._start = len(prefix)
        self._write_line = write_line
        self.line = ""
        """The first line that has one of the patterns."""

    def take(self, line: str) -> None:
        """Take one line."""
        self._write_line(line)
        said = line[self._start :][:MATCHED_CHARACTERS]
        if not self.line and any(pattern.search(said) for pattern in self._patterns):
            self.line = said
