"""Rules about commit messages that a squash's title already breaks (CASES G). Pure.

The rest of the message is not known when a change is listed, so only what no message with that
title can keep is decided here; everything else GitHub decides itself, when it merges.
"""

import re
from dataclasses import dataclass

_WITHIN_A_LINE = re.compile(
    r"""
      \\[dwb.()|{}+*?\[\]/:-]   # an escape that matches no line's end
    | \[ (?!\^) [^\]\\\n]+ \]  # one of some characters
    | \(\?: | \((?!\?) | \)    # a group
    | [^\\^$\[\]()\n]          # a character, or what repeats one or parts two
    """,
    re.VERBOSE,
)
"""What a pattern may be made of for its match to end where the first line does."""


@dataclass(frozen=True)
class MessageRule:
    """A rule about the messages of commits on the base."""

    operator: str
    pattern: str
    negate: bool = False
    name: str = ""


def broken_by(title: str, rules: tuple[MessageRule, ...]) -> MessageRule | None:
    """Return the first rule that every message with this title breaks; None where none is known."""
    return next((rule for rule in rules if _is_broken(rule, title)), None)


def _is_broken(rule: MessageRule, title: str) -> bool:
    match rule.operator:
        case "starts_with":
            if rule.negate:
                return title.startswith(rule.pattern)
            return not title.startswith(rule.pattern) and not rule.pattern.startswith(title)
        case "contains":
            return rule.negate and rule.pattern in title
        case "regex":
            return _is_regex_broken(rule, title)
        case _:
            return False


def _is_regex_broken(rule: MessageRule, title: str) -> bool:
    if not _is_about_the_first_line(rule.pattern):
        return False
    try:
        found = re.match(rule.pattern, title) is not None
    except re.error:
        return False
    return found if rule.negate else not found


def _is_about_the_first_line(pattern: str) -> bool:
    """Whether a pattern begins where a message does, and matches nothing beyond its first line."""
    if not pattern.startswith("^"):
        return False
    at, depth = 1, 0
    while at < len(pattern):
        part = _WITHIN_A_LINE.match(pattern, at)
        if part is None or (part[0] == "|" and depth == 0):
            return False
        depth += part[0].startswith("(") - (part[0] == ")")
        at = part.end()
    return depth == 0
