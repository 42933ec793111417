"""What the demo says: at its start, what each change is there to show, and where to look then."""

from collections.abc import Mapping, Sequence

from mergequeue.report.ending import Outcome
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.text import one_line


def opening_lines(folder: str, changes: int) -> list[str]:
    """Return what the demo is about to do."""
    return [
        (
            f"A project with a bare remote, made in {folder}, has {changes} changes queued: "
            "each is a branch"
        ),
        (
            "mq/<method>/<name> that somebody pushed. "
            "The queue lists, plans, validates and applies them, twice"
        ),
        "or more, until nothing moves.",
        "",
    ]


def closing_lines(
    shows: Mapping[str, str],
    outcomes: Mapping[ChangeId, Outcome],
    history: Sequence[str],
    origin: str,
    seconds: float,
) -> list[str]:
    """Return what happened to each change and why, the base's history, and how to look further."""
    lines = ["", "What became of each change", ""]
    for name, meant in shows.items():
        outcome = outcomes.get(ChangeId(name), Outcome("not seen", ""))
        lines += [
            one_line(f"  {name}: {outcome.word}"),
            one_line(f"      {outcome.why}"),
            f"      (it {meant})",
        ]
    lines += ["", "The base's history, newest first", ""]
    lines += [f"  {line}" for line in history]
    lines += [
        "",
        f"That took {seconds:.0f} seconds. Both repositories are yours to look at:",
        "",
        f"  git -C {origin} log --graph --stat main",
        (
            f"  git -C {origin} log refs/mergequeue/state/main      "
            "# the queue's own records, one commit a step"
        ),
        (
            f"  git -C {origin} for-each-ref refs/heads/mq          "
            "# the changes still there: kicked back, or waiting"
        ),
    ]
    return lines
