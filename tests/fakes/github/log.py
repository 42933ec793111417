"""What was asked, what was written, and what was wrong: what a test reads, and what may fail it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Seen:
    """One request, and how it ended."""

    number: int
    method: str
    path: str
    operation: str = ""
    login: str = ""
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    status: int = 0
    fault: str = ""
    """What a test let happen to it."""

    @property
    def writes(self) -> bool:
        return self.method not in {"GET", "HEAD"} and self.operation not in {"query", "fetch"}


@dataclass
class Write:
    """Something that was changed over HTTP, or was to be changed and refused, as a sentence."""

    sentence: str
    explained: bool = False


class Log:
    """Requests, writes and faults of one fake."""

    def __init__(self) -> None:
        self.requests: list[Seen] = []
        self.writes: list[Write] = []
        self.broken: list[str] = []

    def note(self, seen: Seen, told: list[str]) -> None:
        """Keep what a request wrote."""
        who = seen.login or "nobody"
        if seen.status >= 400:
            said = "; ".join(told) or f"{seen.method} {seen.path}"
            self.writes.append(Write(f"{who}: refused {seen.status}: {said}"))
            return
        for sentence in told or [f"{seen.method} {seen.path}"]:
            self.writes.append(Write(f"{who}: {sentence}"))

    def wrote(self, pattern: str = "") -> list[str]:
        """Return what was written since the last look, oldest first, as explained from now on.

        With a pattern (a regular expression), only what it is found in.
        """
        found = [
            one for one in self.writes if not one.explained and re.search(pattern, one.sentence)
        ]
        for one in found:
            one.explained = True
        return [one.sentence for one in found]

    def unexplained(self) -> list[str]:
        """Return the writes that no look took."""
        return [one.sentence for one in self.writes if not one.explained]
