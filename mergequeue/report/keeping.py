"""What the keeper of turned-away changes says: on a change, in its commit, and to who runs it."""

import json
import re
from collections.abc import Sequence
from typing import Final

from mergequeue.documents.keeping import Note, NoteKind
from mergequeue.ports import Conflict, Resolved
from mergequeue.report.messages import unskipped
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, short
from mergequeue.vocabulary.limits import PATH_BYTES_SHOWN, PATHS_SHOWN
from mergequeue.vocabulary.text import code_span, cut, one_line, path_text

NOTHING_TURNED_AWAY = "no change that the queue turned away is open"
TURNED_OFF = "it says `Keeper: off`"
PUSHED_SINCE = "it was pushed to since it was turned away, so its author is at work on it"
NO_CONFLICT = "it does not conflict with the base any more; whoever wants it queues it again"
NOT_PUSHABLE = "its branch is not its own: it is a fork's, the default branch, shared, or a base"
IN_STACK = "others are stacked on it or beneath it, which only their author restacks"
BY_REBASE = "it merges by rebase, which takes the base in only by rewriting its commits"
GENERATED = "generated files conflict too, and it takes a regeneration to make them"
GONE = "its head is gone from the remote"
BRANCH_MOVED = "its branch moved meanwhile"
QUEUED_MEANWHILE = "it was queued again meanwhile"
NO_COMMITTER = "nothing names who commits the merge"

_TITLE: Final = "**Merge queue, keeper**"
_MARKER: Final = re.compile(r"<!-- mergequeue keeper (\{[^\n]*\}) -->\Z")
_NAME_BYTES = 300


# --- why one is left alone ------------------------------------------------------------------------


def not_a_conflict(code: Code) -> str:
    """Return why a change is left alone that was turned away for something else."""
    return f"it was turned away with {code}, which is its author's to settle"


def tried_enough(attempts: int) -> str:
    """Return why a change is left alone that keeps conflicting."""
    times = "once" if attempts == 1 else f"{attempts} times"
    return f"it was brought up to date {times}, and still conflicts: somebody has to settle it"


def left_to_author(conflicts: Sequence[Conflict], *, said: bool) -> str:
    """Return why a change takes judgement, and whether its author is told now."""
    named = ", ".join(path_text(conflict.path) for conflict in conflicts[:3])
    more = f" and {len(conflicts) - 3} more" if len(conflicts) > 3 else ""  # noqa: PLR2004 (as many as are named)
    told = "its author is told" if said else "its author was told at this head"
    return f"it takes judgement in {named}{more}; {told}"


# --- what its author reads ------------------------------------------------------------------------


def merge_message(change: ChangeId, base: BranchName, resolved: Sequence[Resolved]) -> str:
    """Return the message of the merge that brings the base into a change's branch."""
    places = places_of(resolved)
    more = len(places) - PATHS_SHOWN
    lines = [*places[:PATHS_SHOWN], *([f"and {more} more"] if more > 0 else [])]
    named = "\n".join(f"  {line}" for line in lines)
    return unskipped(
        f"Merge {base} into change {change}\n\n"
        "Made by the merge queue's keeper. Both sides had only added lines, or made the same\n"
        f"change, and all of it is kept in:\n\n{named}\n"
    )


def brought_text(base: BranchName, tip: CommitId, commit: CommitId, places: Sequence[str]) -> str:
    """Return what is said on a change that was brought up to date."""
    return (
        f"{_TITLE}: {code_span(base)} at {code_span(short(tip))} is merged into this branch, which "
        f"is at {code_span(commit)} now, and the change is queued again.\n\n"
        "Both sides had only added lines, or made the same change, and all of that is kept:\n\n"
        f"{_items(places)}\n\n"
        "Where that is not what was meant, push what is; the queue takes the new head. "
        "`Keeper: off`, on a line of its own in the description, keeps the keeper away."
    )


def left_text(
    base: BranchName, tip: CommitId, head: CommitId, conflicts: Sequence[Conflict]
) -> str:
    """Return what is said, once at a head, on a change that takes judgement."""
    whys = [conflict.why or path_text(conflict.path) for conflict in conflicts]
    return (
        f"{_TITLE}: bringing {code_span(base)} at {code_span(short(tip))} into "
        f"{code_span(short(head))} takes judgement, so nothing was pushed:\n\n"
        f"{_items(whys)}\n\n"
        f"Merge {code_span(base)} into it, settle these files, push, and queue it again."
    )


def places_of(resolved: Sequence[Resolved]) -> list[str]:
    """Return where lines of both sides were kept, as `path#declaration`."""
    labels = [[region.label for region in each.regions] for each in resolved]
    places = [
        cut(one_line(place), _NAME_BYTES)
        for each, named in zip(resolved, labels, strict=True)
        for place in named or [path_text(each.path)]
    ]
    return list(dict.fromkeys(places))


def _items(texts: Sequence[str]) -> str:
    shown = [f"- {code_span(cut(text, PATH_BYTES_SHOWN))}" for text in texts[:PATHS_SHOWN]]
    more = len(texts) - PATHS_SHOWN
    return "\n".join([*shown, *([f"- and {more} more"] if more > 0 else [])])


# --- the note as a comment ------------------------------------------------------------------------


def note_comment(note: Note) -> str:
    """Return a note as a comment, whose last line `note_of` knows again."""
    fields = note.model_dump(mode="json", exclude={"text"})
    return f"{note.text.rstrip()}\n\n<!-- mergequeue keeper {json.dumps(fields)} -->"


def note_of(body: str) -> Note | None:
    """Return the note that a comment of the queue's own is; None where it is none."""
    text, _, last = body.replace("\r\n", "\n").rstrip().rpartition("\n")
    found = _MARKER.match(last)
    if found is None:
        return None
    try:
        note = Note.model_validate_json(found[1])
    except ValueError:
        return None
    return note.model_copy(update={"text": text.rstrip()})


def same_note(one: Note, other: Note) -> bool:
    """Whether two notes say one thing: on one head, whatever the base's tip was."""
    return (one.kind, one.head) == (other.kind, other.head)


def says_off(text: str) -> bool:
    """Whether a text has a line of its own that keeps the keeper away."""
    return any(line.strip().casefold() == "keeper: off" for line in text.splitlines())


# --- what who runs it reads -----------------------------------------------------------------------


def kept_line(change: ChangeId, words: str) -> str:
    """Return the line of one change."""
    return f"{change}: {words}"


def brought_words(base: BranchName, tip: CommitId, commit: CommitId) -> str:
    """Return that a change was brought up to date."""
    return f"brought up to date with {base} at {short(tip)} as {short(commit)}, and queued again"


def would_bring(base: BranchName, tip: CommitId) -> str:
    """Return what a dry run would have done."""
    return f"would be brought up to date with {base} at {short(tip)}, and queued again"


def resumed_words(commit: CommitId) -> str:
    """Return that a change was queued which an earlier run had brought up to date."""
    return f"queued again at {short(commit)}, to which an earlier run brought it up to date"


def would_resume(commit: CommitId) -> str:
    """Return what a dry run would have done where an earlier run was killed."""
    return f"would be queued again at {short(commit)}, to which an earlier run brought it"


def not_brought(why: str) -> str:
    """Return why a change was not brought up to date that could have been."""
    return f"not brought up to date: {one_line(why)}"


def push_refused(reason: str) -> str:
    """Return why a branch was not moved."""
    return f"its branch refused the push: {one_line(reason)}"


def left_words(why: str) -> str:
    """Return that a change was left alone."""
    return f"left alone: {why}"


def brought_line(id_: ChangeId, commit: CommitId) -> str:
    """Return the audit log's line for a change that was brought up to date on plain git."""
    return f"{id_}: brought up to date as {short(commit)}, and queued again"


def noted_line(id_: ChangeId, note: Note) -> str:
    """Return the audit log's line for a note on plain git."""
    word = "brought up to date" if note.kind is NoteKind.BROUGHT else "left to its author"
    return f"{id_}: noted as {word} at {short(note.head)}"


def other_head(id_: ChangeId, wanted: CommitId, found: CommitId) -> str:
    """Return why a change was not queued again: its head is another by now."""
    return f"{id_} is at {short(found)} and no longer at {short(wanted)}, so it was not queued"


def not_open(id_: ChangeId) -> str:
    """Return why a change was not queued again that is closed or a draft by now."""
    return f"{id_} is closed or a draft, so it was not queued"
