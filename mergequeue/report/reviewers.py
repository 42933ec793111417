"""What a required reviewer keeps a change from, each as part of one line.

None of them names a command that approves: every reader is shown the same words.
"""

from collections.abc import Sequence
from datetime import timedelta

from mergequeue.vocabulary.ids import CommitId, short
from mergequeue.vocabulary.text import code_span, cut, one_line

NOT_TOLD = "the provider does not tell who reviewed it, and the base requires reviews"

_NAMED = 5
_REMARK_BYTES = 300


def asks_for_changes(who: str, head: CommitId, reviewers: Sequence[str], remark: str) -> str:
    """A required reviewer, or one of a team that is, wants the head changed."""
    stands_for = [name for name in reviewers if _bare(name) != _bare(who)]
    on_behalf = f", for {_spans(stands_for)}," if stands_for else ""
    said = f" and says {code_span(cut(one_line(remark), _REMARK_BYTES))}" if remark else ""
    return f"{code_span(who)}{on_behalf} asks for changes to {code_span(short(head))}{said}."


def never_answered(reviewers: Sequence[str], head: CommitId, wait: timedelta) -> str:
    """A required reviewer let the time pass that a change waits for a review."""
    return (
        f"It lacks a review of {code_span(short(head))} by {_spans(reviewers)}, "
        f"and has waited {_span_of(wait)} for it."
    )


def waits_for(reviewers: Sequence[str], head: CommitId) -> str:
    """No required reviewer has answered yet."""
    return f"it waits for a review of {short(head)} by {_plain(reviewers)}"


def changes_asked(reviewers: Sequence[str], head: CommitId) -> str:
    """Somebody asked for changes, and whether that is for a required reviewer is not known."""
    return (
        f"changes to {short(head)} were asked for, and no review of it by "
        f"{_plain(reviewers)} is known"
    )


def cannot_tell(reviewer: str, why: str) -> str:
    """Whose reviews are a team's is not known."""
    return f"whether it has a review by {one_line(reviewer)} cannot be told: {one_line(why)}"


def left_to_apply(reason: str) -> str:
    """Planning cannot tell, and the credential that merges may."""
    return f"{reason}; that is looked at again before it merges"


def _spans(names: Sequence[str]) -> str:
    return _listed([code_span(name) for name in names])


def _plain(names: Sequence[str]) -> str:
    return _listed([one_line(name) for name in names])


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return f"{', '.join(names[:_NAMED])} and {more} more" if more > 0 else ", ".join(names)


def _bare(name: str) -> str:
    return name.removeprefix("@").casefold()


def _span_of(wait: timedelta) -> str:
    minutes = round(wait.total_seconds() / 60)
    return f"{minutes} minutes" if minutes != 1 else "1 minute"
