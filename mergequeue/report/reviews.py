"""Why an approval does not count for a head, and that it does, each as part of one line."""

from collections.abc import Sequence

from mergequeue.vocabulary.ids import ChangeId, CommitId, RepoPath, short
from mergequeue.vocabulary.limits import PATH_BYTES_SHOWN
from mergequeue.vocabulary.text import cut, one_line, path_text

PLAIN_MERGE_MESSAGE = "The plain merge of a merge of the base into a change\n"
"""Of a commit that nobody sees: the base's regeneration runs on it."""

NO_REGENERATION = "nothing here regenerates them"
NO_ONE_FORK = "its own diff is not known, as it has several merge bases"
NO_GENERATOR = "no unit generates them"
REGENERATED_OTHERWISE = "the base's own regeneration makes something else of them"

_NAMED = 3
"""How many paths or changes a line names."""


def carried_over(old: CommitId, now: CommitId) -> str:
    """The rebase only moved what was approved."""
    return f"its approval at {short(old)} counts for {short(now)}, which only moved it"


def not_carried_over(old: CommitId, now: CommitId, why: str) -> str:
    """An approval stands at an older commit and does not count."""
    return f"its approval at {short(old)} does not carry over to {short(now)}, since {why}"


def unreachable(old: CommitId) -> str:
    """The approved commit is gone from the remote."""
    return f"{short(old)} cannot be fetched any more"


def unreadable(old: CommitId, problem: str) -> str:
    """The approved commit is broken."""
    return f"{short(old)} cannot be read: {one_line(problem)}"


def unread_beside(other: ChangeId) -> str:
    """Whether the approved commit holds a change cannot be known."""
    return f"the head of {other} cannot be read, so it may hold that one's commits"


def holds_unqueued(old: CommitId, other: ChangeId) -> str:
    """The approved commit holds a change that nobody queued."""
    return f"{short(old)} carries the commits of {other}, which is open and nobody queued"


def holds_unrelated(old: CommitId, others: Sequence[ChangeId]) -> str:
    """The approved commit holds changes side by side."""
    return f"{short(old)} carries {', '.join(others[:_NAMED])}, neither built on the other"


def holds_older(old: CommitId, other: ChangeId) -> str:
    """The approved commit holds a change as it was, and not as it is."""
    return f"{short(old)} carries commits of {other} without its head"


def starts_in_several(commit: CommitId) -> str:
    """There is no one diff to compare."""
    return f"{short(commit)} starts from more than one commit"


def replay_in_the_way(paths: Sequence[RepoPath]) -> str:
    """The approved diff conflicts with what the head starts from."""
    return f"replaying what was approved conflicts in {_named(paths)}"


def replay_differs(paths: Sequence[RepoPath]) -> str:
    """The head holds something else than the approved diff."""
    return f"replaying what was approved gives something else in {_named(paths)}"


def unproven(merge: CommitId, paths: Sequence[RepoPath], why: str) -> str:
    """A merge of the base has generated files that nobody reviewed."""
    return (
        f"its merge {short(merge)} of the base changes generated files ({_named(paths)}) that no "
        f"review covers, since {why}"
    )


def generation_unknown(unbounded_by: str) -> str:
    """What the regeneration runs is not known."""
    return f"what generates them is not known: {one_line(unbounded_by)}"


def generation_touched(code: Sequence[RepoPath]) -> str:
    """The regeneration runs the change's own code."""
    return f"it touches what generates them: {_named(code)}"


def regeneration_refused(why: str) -> str:
    """The regeneration failed, or left what it may not."""
    return f"regenerating them failed: {one_line(why)}"


def _named(paths: Sequence[RepoPath]) -> str:
    named = ", ".join(cut(path_text(path), PATH_BYTES_SHOWN) for path in paths[:_NAMED])
    more = len(paths) - _NAMED
    return f"{named} and {more} more" if more > 0 else named
