"""Where in a file some lines stand: the heading or function that a diff of it would show (pure).

git finds that by the file's diff driver. The driver is the one that the repository's attributes
name; where they name none, git knows no driver for a file, and its name's ending says here which of
git's own fits. The patterns are ours, since git's words for them change with its version; they name
a place for people, and decide nothing.
"""

import re
from collections.abc import Mapping, Sequence

from mergequeue.vocabulary.text import cut, one_line

_SHOWN_BYTES = 80

_READ_BYTES = 400
"""How much of a line is looked at."""

_CLASSES = (
    r"(?:[\w.<>\[\],?@&*]+\s+)*"
    r"(?:class|enum|interface|module|namespace|object|record|struct|trait|union)\s+\w"
)
_MODIFIERS = (
    r"(?:(?:export|default|abstract|async|declare|final|open|override|private|protected|public"
    r"|static)\s+)*"
)
_METHODS = r"(?!return\b|new\b|else\b)[\w<>\[\],.?]+\s+\w+\s*\([^;]*$"
_FUNCTIONS = r"(?:function\b|class\s|enum\s|interface\s|namespace\s|type\s)"
_DRIVERS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(pattern)
    for name, pattern in {
        "bash": r"\s*(?:function\s+[\w:.-]+|[\w:.-]+\s*\(\s*\))",
        "cpp": r"(?!\w+\s*:\s*$)[A-Za-z_](?!.*;\s*$)",
        "csharp": rf"\s*(?:{_CLASSES}|{_MODIFIERS}{_METHODS})",
        "css": r"(?!\s|[}*/]).*[{,]\s*$",
        "elixir": r"\s*(?:defmodule|defp?|defmacrop?|defimpl|defprotocol|describe|test)\s",
        "golang": r"(?:func|type)\s",
        "html": r"\s*<h[1-6][\s>]",
        "ini": r"\s*\[",
        "java": rf"\s*(?:{_CLASSES}|{_MODIFIERS}{_METHODS})",
        "javascript": rf"\s*{_MODIFIERS}{_FUNCTIONS}",
        "kotlin": rf"\s*(?:{_CLASSES}|(?:\w+\s+)*fun\s)",
        "make": r"[^\s#=][^=]*:(?!=)",
        "markdown": r" {0,3}#{1,6}\s",
        "perl": r"\s*(?:sub|package)\s",
        "php": rf"\s*{_MODIFIERS}(?:function|class|enum|interface|trait)\s",
        "python": r"\s*(?:class|(?:async\s+)?def)\s",
        "ruby": r"\s*(?:class|module|def)\s",
        "rust": (
            r"\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:async|const|default|unsafe)\s+)*"
            r"(?:enum|extern|fn|impl|macro_rules!|mod|struct|trait|union)\b"
        ),
        "tex": r"\s*\\(?:part|chapter|(?:sub){0,2}section|(?:sub)?paragraph)\b",
        "yaml": r"[\w\"'][^:]*:(?:\s|$)",
    }.items()
}

_BY_ENDING: Mapping[str, str] = {
    ending: driver
    for driver, endings in {
        "bash": "bash sh zsh",
        "cpp": "c cc cpp cxx h hh hpp hxx m mm",
        "csharp": "cs",
        "css": "css less scss",
        "elixir": "ex exs",
        "golang": "go",
        "html": "htm html xhtml",
        "ini": "cfg conf ini toml",
        "java": "java",
        "javascript": "cjs js jsx mjs ts tsx",
        "kotlin": "kt kts scala swift",
        "make": "mak mk",
        "markdown": "markdown md mdx",
        "perl": "pl pm",
        "php": "php",
        "python": "py pyi",
        "ruby": "gemspec rake rb",
        "rust": "rs",
        "tex": "tex",
        "yaml": "yaml yml",
    }.items()
    for ending in endings.split()
}
_BY_NAME: Mapping[str, str] = {
    "makefile": "make",
    "gnumakefile": "make",
    "gemfile": "ruby",
    "rakefile": "ruby",
}


def driver_of(name: str, named: str) -> str:
    """Return the driver of a file: the one that attributes named, or that its own name tells."""
    if named in _DRIVERS:
        return named
    lowered = name.lower()
    return _BY_NAME.get(lowered) or _BY_ENDING.get(lowered.rpartition(".")[2], "")


def place_text(driver: str, before: Sequence[bytes], our_line: int) -> str:
    """Return the declaration that lines stand in, given the lines of the file before them.

    Where the driver knows none, it is the line of our side, counted from 0 and told from 1.
    """
    pattern = _DRIVERS.get(driver)
    if pattern is not None:
        for raw in reversed(before):
            line = raw[:_READ_BYTES].decode(errors="replace")
            if pattern.match(line):
                return cut(one_line(line.strip().rstrip(" \t:{")), _SHOWN_BYTES)
    return f"line {our_line + 1}"
