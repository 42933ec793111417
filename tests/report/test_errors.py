"""What an error tells a person."""

from mergequeue.report.errors import error_lines, unexpected_lines
from mergequeue.vocabulary.errors import GIT_FAILED


def test_a_known_error_says_its_code_what_is_wrong_and_what_to_do() -> None:
    assert error_lines(GIT_FAILED("git said\n\x1b[2Jno", "Read\nit.")) == [
        "error MQ3001: git said\\x0a\\x1b[2Jno",
        "  Read\\x0ait.",
    ]


def test_an_unforeseen_error_says_what_to_report() -> None:
    trace = 'Traceback (most recent call last):\n  File "x"\nKeyError: 1\n'
    said, versions, *rest = unexpected_lines("0.1.0", "3.11.2", "Linux", trace)
    assert said.endswith("Please report these lines:")
    assert versions == "  mergequeue 0.1.0, Python 3.11.2, Linux"
    assert rest == [
        "  | Traceback (most recent call last):",
        '  |   File "x"',
        "  | KeyError: 1",
    ]
