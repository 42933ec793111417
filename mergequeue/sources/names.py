"""Which source of verdicts a name means: a directory, or a validation run (seed 1, Commands)."""

import re

from mergequeue.vocabulary.errors import NO_SOURCE, USAGE
from mergequeue.vocabulary.text import quoted

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(.*)\Z", re.DOTALL)
_RUN = "run"


def run_of(text: str) -> str | None:
    """Return the run that a name means, as the provider names it; None where it is a directory.

    What stands before its first `:` is a scheme where it has two letters or more; one letter is a
    Windows drive, and `./x:y` a directory. Raises NO_SOURCE for another scheme than `run`, and
    for no name at all.
    """
    if not text:
        raise NO_SOURCE("an empty name is no source")
    scheme = _SCHEME.match(text)
    if scheme is None:
        return None
    if scheme[1] != _RUN:
        raise NO_SOURCE(
            f"{quoted(text)} is a source of the kind {scheme[1]}:, which there is not",
            f"Name a directory, or run:<run>; a directory of this very name is ./{quoted(text)}.",
        )
    if not scheme[2]:
        raise NO_SOURCE("run: names no run", "Name it as the provider does behind run:.")
    return scheme[2]


def check_workflow(run: str | None, workflow: str) -> None:
    """Raise USAGE where a run is named without what it must have run, or a directory with it."""
    if run is not None and not workflow:
        raise USAGE(
            "a run is followed only where --workflow says which definition it must have run",
            "Name the definition's file, such as --workflow .github/workflows/queue.yaml.",
        )
    if run is None and workflow:
        raise USAGE("--workflow says what a run must have run, and a directory is the caller's own")
