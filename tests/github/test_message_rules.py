"""Rules about messages that a title breaks, whatever follows it (CASES G)."""

import pytest

from mergequeue.github.message_rules import MessageRule, broken_by

TITLE = "Fix the parser (#7)"


@pytest.mark.parametrize(
    ("operator", "pattern", "negate", "is_broken"),
    [
        ("starts_with", "Fix", False, False),
        ("starts_with", "feat:", False, True),
        ("starts_with", "Fix the parser (#7)\n\nMore", False, False),
        ("starts_with", "Fix", True, True),
        ("contains", "parser", True, True),
        ("contains", "JIRA-", False, False),
        ("ends_with", "!", False, False),
        ("regex", r"^(feat|fix)(\(\w+\))?: .+", False, True),
        ("regex", r"^(Fix|Add) .+", False, False),
        ("regex", r"^[A-Z][a-z]+ .*", False, False),
        ("regex", r"^[0-9]+ .*", False, True),
        ("regex", r"^Fix", True, True),
        ("regex", r"feat: ", False, False),
        ("regex", r"^feat: .*$", False, False),
        ("regex", r"^feat|JIRA-\d+", False, False),
        ("regex", r"^(?s).*JIRA", False, False),
        ("regex", r"^[^J]*JIRA", False, False),
        ("regex", r"^\W*JIRA", False, False),
        ("regex", r"^.*\n\nJIRA", False, False),
        ("regex", r"^(", False, False),
        ("odd", "x", False, False),
    ],
)
def test_only_what_no_message_with_the_title_can_keep_is_broken(
    operator: str, pattern: str, *, negate: bool, is_broken: bool
) -> None:
    rule = MessageRule(operator, pattern, negate)
    assert (broken_by(TITLE, (rule,)) is not None) is is_broken
