"""What an error tells a person: what is wrong, and the way out."""

from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.text import one_line


def error_lines(error: MergequeueError) -> list[str]:
    """Return the lines of a known error: its code and problem, then what to do."""
    return [f"error {error.code}: {one_line(error.problem)}", f"  {one_line(error.remedy)}"]


def warning_lines(warning: MergequeueError) -> list[str]:
    """Return the lines of what is not as it should be, and stops nothing."""
    return [f"warning {warning.code}: {one_line(warning.problem)}", f"  {one_line(warning.remedy)}"]


UNEXPECTED_IN_A_JOB = (
    "Something that mergequeue did not foresee; nothing further was done. Please report the lines "
    "above this one in the log"
)


def unexpected_lines(version: str, python: str, system: str, trace: str) -> list[str]:
    """Return the lines of an error nobody foresaw: versions and traceback, ready for a report."""
    return [
        (
            "error: something that mergequeue did not foresee; nothing further was done. "
            "Please report these lines:"
        ),
        f"  mergequeue {version}, Python {python}, {system}",
        *(f"  | {line}" for line in trace.rstrip().splitlines()),
    ]
