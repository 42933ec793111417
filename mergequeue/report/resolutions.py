"""What is said of conflicts that were settled, and of those that were not (seed 1, Auto-resolving).

Plain text, on one line each. A settled file has one entry: the classifier's line, and each region
with its kind. A file that stayed a conflict has the places that did not settle, or that line.
"""

from collections.abc import Iterable, Sequence

from mergequeue.ports import Conflict, Region, Resolved
from mergequeue.vocabulary.ids import RepoPath
from mergequeue.vocabulary.text import path_text
from mergequeue.vocabulary.words import ConflictKind, Rule

_NAMED = 10
"""How many entries one line holds before it only counts them."""

KINDS = {
    ConflictKind.CONTENT: "it is no regular file on every side",
    ConflictKind.ADDED_BY_BOTH: "both sides added it, so it is absent at the merge base",
    ConflictKind.CHANGED_AND_DELETED: "one side changed it, and the other took it out",
    ConflictKind.KINDS: "it is a file on one side and something else on the other",
    ConflictKind.MODES: "each side gave it another mode",
    ConflictKind.SUBMODULE: "both sides moved a submodule, which is never settled",
    ConflictKind.RENAMES: "both sides renamed it, or something to it",
}
"""Why a conflict of each kind is not settled; one of content may be, in a regular file."""

BY_RENAMES = "merged by following renames, since merging path by path conflicts"
SEVERAL_BASES = "the two histories have several merge bases"
TOO_LARGE = "a version of it is too large"
TOO_MANY_FILES = "too many files conflict for any to be settled"


def place_label(path: RepoPath, place: str) -> str:
    """Return `path#declaration`, where lines stand that both sides changed."""
    return f"{path_text(path)}#{place}"


def stayed(path: RepoPath, why: str) -> str:
    """Return why a file stayed a conflict as a whole."""
    return f"{path_text(path)}: {why}"


def unsettled(places: Iterable[tuple[str, str]]) -> str:
    """Return which places of a file did not settle, given their labels and why not."""
    return "; ".join(dict.fromkeys(f"{label}: {why}" for label, why in places))


def settled_entry(resolved: Resolved) -> str:
    """Return the entry of a file that was settled."""
    regions = dict.fromkeys(map(_region, resolved.regions))
    return "; ".join([resolved.line, *regions])


def settled_note(resolved: Sequence[Resolved]) -> str:
    """Return the entries of every file that was settled; nothing where there is none."""
    return few([settled_entry(each) for each in resolved])


def merge_notes(rule: Rule, resolved: Sequence[Resolved]) -> list[str]:
    """Return what was done to a merge that is not clean by itself: its `resolved` events."""
    notes = [BY_RENAMES] if rule is Rule.RENAMES else []
    return [*notes, *([settled_note(resolved)] if resolved else [])]


def conflict_note(conflicts: Sequence[Conflict]) -> str:
    """Return why each of these files stayed a conflict, where that is known."""
    return few([each.why for each in conflicts if each.why])


def _region(region: Region) -> str:
    return f"{region.label}: kind {region.kind}"


def few(entries: Sequence[str]) -> str:
    """Return an entry of each file on one line; many are counted at its end."""
    more = len(entries) - _NAMED
    shown = ". ".join(entries[:_NAMED])
    return f"{shown}. And {more} files more" if more > 0 else shown
