"""What the demo says: at its start, what each change is there to show, and where to look then."""

from collections.abc import Sequence
from dataclasses import dataclass

from mergequeue.documents.changes import MergedChange
from mergequeue.documents.provider import KickBack
from mergequeue.report.columns import folded
from mergequeue.report.ending import Outcome
from mergequeue.report.status import report_lines
from mergequeue.vocabulary.ids import ChangeId, short

_INDENT = "    "
_QUOTE = "    | "


@dataclass(frozen=True)
class Story:
    """One change of the demo, at its end."""

    change: ChangeId
    shows: str
    """What it is there to show."""
    outcome: Outcome
    merged: MergedChange | None = None
    """Its merge, as the queue's records have it."""
    kick: KickBack | None = None
    """Its kick-back, likewise."""


def opening_lines(folder: str, changes: int) -> list[str]:
    """Return what the demo is about to do."""
    return [
        f"In {folder} there is now a project with a bare remote.",
        f"It has {changes} changes queued: each is a branch mq/<method>/<name> that somebody",
        "pushed. The queue lists, plans, validates and applies them, twice or more,",
        "until nothing moves.",
        "",
    ]


def closing_lines(
    stories: Sequence[Story],
    history: Sequence[str],
    folder: str,
    seconds: float,
    width: int | None,
) -> list[str]:
    """Return what happened to each change and why, the base's history, and how to look further.

    Both repositories are in `folder`. A kicked-back change's report is the one that its author
    reads.
    """
    origin, clone = f"{folder}/origin.git", f"{folder}/clone"
    lines = ["", "What became of each change"]
    for story in stories:
        lines += ["", *_story_lines(story, width)]
    lines += ["", "The base's history, newest first", ""]
    lines += [f"  {line}" for line in history]
    lines += [
        "",
        f"That took {seconds:.0f} seconds. Both repositories are yours to look at:",
        "",
        "  # the base",
        f"  git -C {origin} log --graph --stat main",
        "  # the changes still there: kicked back, or waiting",
        f"  git -C {origin} for-each-ref refs/heads/mq",
        "  # the queue's own records, one commit a step",
        f"  git -C {origin} log refs/mergequeue/state/main",
        "  # the queue as a page for a browser",
        f"  mergequeue -C {clone} page --out {folder}/page",
    ]
    return lines


def _story_lines(story: Story, width: int | None) -> list[str]:
    outcome, merge, kick = story.outcome, story.merged, story.kick
    lines = folded(f"{story.change}: {outcome.word}", width, "  ")
    lines += folded(f"(it {story.shows})", width, _INDENT)
    if merge is not None:
        landed = f"its head {short(merge.head)} is on the base as {short(merge.commit)}"
        return lines + folded(f"{landed}, by {merge.method}", width, _INDENT)
    if kick is None:
        return lines + folded(outcome.why, width, _INDENT)
    inside = None if width is None else width - len(_QUOTE)
    lines.append(f"{_INDENT}{kick.code}; its author reads:")
    lines += [f"{_QUOTE}{line}".rstrip() for line in report_lines(kick, inside)]
    return lines
