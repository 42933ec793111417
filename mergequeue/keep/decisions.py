"""What becomes of a change that the queue turned away (seed 2, Keeping turned-away pulls moving).

Pure. A conflict settles here as everywhere: every region in one of the two ways of the table, kind
1 or 2, or the whole file stays a conflict (`conflicts.settling`). What else was in the way of the
change, such as a red gate, is its author's.
"""

from dataclasses import dataclass

from mergequeue.documents.keeping import Note, NoteKind, TurnedAwayChange
from mergequeue.ports import CommitFacts, Conflict, Resolved, Settled
from mergequeue.report import keeping as words
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, CommitId, TreeId
from mergequeue.vocabulary.words import Method


@dataclass(frozen=True)
class Leave:
    """Nothing is written."""

    why: str


@dataclass(frozen=True)
class Left:
    """It takes judgement: its author is told, once at this head."""

    conflicts: tuple[Conflict, ...]
    note: Note | None
    """What is said; None where it was said at this head before."""


@dataclass(frozen=True)
class Bring:
    """The base is merged in, and the change is queued again."""

    tree: TreeId
    resolved: tuple[Resolved, ...]


def decide_turned_away(turned: TurnedAwayChange) -> Leave | None:
    """Return why a change is left alone whatever it conflicts with; None where it is looked at."""
    change = turned.change
    if turned.off:
        return Leave(words.TURNED_OFF)
    if turned.code is not Code.KICK_CONFLICT:
        return Leave(words.not_a_conflict(turned.code))
    if change.fork or change.branch is None:
        return Leave(words.NOT_PUSHABLE)
    if turned.in_stack or change.parent is not None:
        return Leave(words.IN_STACK)
    if change.method is Method.REBASE:
        return Leave(words.BY_REBASE)
    return None


def decide_merge(
    turned: TurnedAwayChange, tip: CommitId, own: Settled, lenient: Settled, *, attempts: int
) -> Leave | Left | Bring:
    """Return what becomes of a change, by what merging its head onto the base's tip gives.

    `own` is the queue's merge, and `lenient` what it is where the risk of an edit counts for
    nothing.
    """
    if own.tree is not None:
        return Leave(words.NO_CONFLICT)
    if lenient.tree is None:
        return _left(turned, tip, lenient)
    if lenient.generated:
        return Leave(words.GENERATED)
    if brought_before(turned) >= attempts:
        return Leave(words.tried_enough(attempts))
    return Bring(lenient.tree, lenient.resolved)


def _left(turned: TurnedAwayChange, tip: CommitId, lenient: Settled) -> Left:
    head, base = turned.change.head, turned.change.base
    text = words.left_text(base, tip, head, lenient.conflicts)
    note = Note(kind=NoteKind.LEFT, head=head, tip=tip, text=text)
    told = any(words.same_note(note, said) for said in turned.notes)
    return Left(lenient.conflicts, None if told else note)


def brought_before(turned: TurnedAwayChange) -> int:
    """Return how many times a change was brought up to date."""
    return len({note.head for note in turned.notes if note.kind is NoteKind.BROUGHT})


def note_of_bringing(
    turned: TurnedAwayChange, tip: CommitId, commit: CommitId, resolved: tuple[Resolved, ...]
) -> Note:
    """Return what is said on a change that is brought up to date."""
    text = words.brought_text(turned.change.base, tip, commit, words.places_of(resolved))
    return Note(kind=NoteKind.BROUGHT, head=commit, tip=tip, text=text)


def message_of_bringing(
    turned: TurnedAwayChange, base: BranchName, resolved: tuple[Resolved, ...]
) -> str:
    """Return the message of the merge, which nothing but the change and the conflict goes into."""
    return words.merge_message(turned.change.id, base, resolved)


def merged_in(turned: TurnedAwayChange, head: CommitFacts) -> CommitId | None:
    """Return what a head merges into the one that was turned away; None where it is no such merge.

    Only then may it be the keeper's own, which an earlier run pushed and did not queue.
    """
    if len(head.parents) == 2 and head.parents[0] == turned.commit:  # noqa: PLR2004 (a merge of two)
        return head.parents[1]
    return None


def decide_own(turned: TurnedAwayChange, head: CommitFacts, lenient: Settled) -> Leave | Bring:
    """Return that a head is the keeper's own merge, or that its author has pushed since.

    `lenient` is the same merge made again: it is the keeper's own where nothing differs.
    """
    own = message_of_bringing(turned, turned.change.base, lenient.resolved)
    if (
        lenient.tree is None
        or lenient.generated
        or (head.tree, head.message) != (lenient.tree, own)
    ):
        return Leave(words.PUSHED_SINCE)
    return Bring(lenient.tree, lenient.resolved)
