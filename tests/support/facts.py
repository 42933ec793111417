"""A `--facts` command that answers from a function, for tests of what it is asked and believed."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Tool:
    """A build tool that answers from a function, and remembers what it was asked."""

    answer: Callable[[str, bytes], bytes]
    asked: list[tuple[str, bytes]] = field(default_factory=list)
    cancelled: bool = False

    def ask(self, fact: str, given: bytes) -> bytes:
        self.asked.append((fact, given))
        return self.answer(fact, given)

    def is_cancelled(self) -> bool:
        return self.cancelled


def says(answer: object) -> Tool:
    """Return a tool that gives one answer: bytes as they are, anything else as JSON."""
    raw = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    return Tool(lambda _fact, _given: raw)
