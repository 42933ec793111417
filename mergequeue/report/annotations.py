"""What a CI's runner reads in a log: its commands, with whatever was typed made harmless."""

from collections.abc import Mapping
from enum import StrEnum

from mergequeue.vocabulary.text import one_line

_IN_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_PROPERTY = {**_IN_DATA, ":": "%3A", ",": "%2C"}


class Level(StrEnum):
    """How loudly something is said."""

    ERROR = "error"
    """Somebody has to do something, or the job failed."""
    WARNING = "warning"
    """Somebody may want to do something."""
    NOTICE = "notice"


def command_line(name: str, data: str = "", properties: Mapping[str, str] | None = None) -> str:
    """Return a runner's command as one line: `::<name> <properties>::<data>`.

    Line breaks of `data` reach its reader as line breaks and end no command; nothing in `data` or
    in a property can start another.
    """
    given = ",".join(
        f"{key}={_escaped(value, _IN_PROPERTY)}" for key, value in (properties or {}).items()
    )
    return f"::{name}{' ' if given else ''}{given}::{_escaped(data, _IN_DATA)}"


def annotation(level: Level, title: str, message: str) -> str:
    """Return the command that shows `message` beside the run, every line of it as text."""
    shown = "\n".join(one_line(line) for line in message.splitlines())
    return command_line(level, shown, {"title": one_line(title)})


def _escaped(text: str, table: Mapping[str, str]) -> str:
    return "".join(table.get(character, character) for character in text)
