"""From intents and records to what the provider answers: the listing, and a change as it is now."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from mergequeue.documents.changes import Change, ClosedChange, Listing, MergedChange, UnqueuedChange
from mergequeue.documents.provider import Approval, ApprovalQuestion, GreenChange
from mergequeue.documents.state import ChangeState
from mergequeue.plaingit.intents import Intent, id_of_name, second_merge_id
from mergequeue.plaingit.reviewing import told
from mergequeue.plaingit.state import State, kick_stands, queue_order
from mergequeue.report import plain_git as words
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, RefName
from mergequeue.vocabulary.words import Mark, StatusState


@dataclass(frozen=True)
class Seen:
    """The remote's queue at one moment."""

    intents: tuple[Intent, ...]
    state: State


@dataclass(frozen=True)
class Heads:
    """What the commits of the intents say."""

    titles: Mapping[CommitId, str]
    """The title of each head; one that is missing has no readable date."""
    merged: tuple[MergedChange, ...] = ()
    """The merges that the base has and whose heads a queued change carries, oldest first."""


@dataclass(frozen=True)
class Entry:
    """One change as the queue has it, for people."""

    intent: Intent
    state: ChangeState | None
    """What is recorded of it; None where nothing is yet."""
    kicked: bool
    """Whether it is out of the queue until its branch names another commit or method."""


@dataclass(frozen=True)
class Records:
    """A base's queue at one moment, for people."""

    entries: tuple[Entry, ...]
    """Every change in queue order, those that were kicked back behind the others."""
    merged: tuple[MergedChange, ...]
    """The merges that are remembered, oldest first."""
    strays: tuple[RefName, ...]
    """Branches that start as intents do and queue nothing, since they name no merge method."""


def entries_of(seen: Seen) -> tuple[Entry, ...]:
    """Return every change in queue order, those that were kicked back behind the others."""
    entries = [
        Entry(intent, record, kick_stands(record, intent))
        for intent in queue_order(seen.intents, seen.state)
        for record in [seen.state.changes.get(intent.id)]
    ]
    return tuple(sorted(entries, key=lambda entry: entry.kicked))


def listing_of(base: BranchName, seen: Seen, heads: Heads) -> Listing:
    """Return what is queued, merged beneath that, kicked back, and recorded without a branch."""
    entries = entries_of(seen)
    taken = {intent.id for intent in seen.intents} | set(seen.state.changes)
    return Listing(
        changes=tuple(_change(base, entry, heads) for entry in entries if not entry.kicked),
        merged=_with_ids_of_their_own(heads.merged, taken),
        unqueued=tuple(_unqueued(entry) for entry in entries if entry.kicked),
        closed=tuple(
            ClosedChange(id=id_)
            for id_ in sorted(set(seen.state.changes) - {intent.id for intent in seen.intents})
        ),
    )


def green_of(seen: Seen, context: str) -> tuple[GreenChange, ...]:
    """Return the changes whose branch is at the commit that their newest status calls a success."""
    return tuple(
        GreenChange(id=intent.id, head=intent.head)
        for intent in seen.intents
        for record in [seen.state.changes.get(intent.id)]
        if record is not None and record.status is not None
        if record.status.state is StatusState.SUCCESS and record.status.context == context
        if record.status.commit == intent.head
    )


def approval_of(seen: Seen, question: ApprovalQuestion) -> Approval:
    """Return a change as it is now; the base asks for no approval, but may require reviewers."""
    change = question.change
    intent = next((intent for intent in seen.intents if intent.id == change.id), None)
    if intent is None:
        return _approval(change, change.head, change, _why_gone(seen, change))
    record = seen.state.changes.get(change.id)
    why = ""
    if record is not None and record.kick is not None and kick_stands(record, intent):
        why = words.kicked_reason(record.kick.code, intent.head)
    answer = _approval(change, intent.head, intent, why)
    if not (question.reviewers or question.described):
        return answer
    reviews = record.reviews if record is not None else ()
    return answer.model_copy(update={"reviews": told(reviews, question.reviewers)})


def _approval(change: Change, head: CommitId, now: Change | Intent, why: str) -> Approval:
    return Approval(
        approved=True,
        head=head,
        base=change.base,
        method=now.method,
        queued=not why,
        shared_with=(),
        reason=why,
    )


def _why_gone(seen: Seen, change: Change) -> str:
    colliding = next((intent for intent in seen.intents if _gives(intent, change.id)), None)
    if colliding is not None:
        return colliding.refused
    merge = next((merge for merge in seen.state.merged if merge.head == change.head), None)
    if merge is not None:
        return words.merged_reason(merge.commit)
    return words.gone_reason(change.branch or change.id)


def _gives(intent: Intent, id_: ChangeId) -> bool:
    return intent.refused != "" and id_of_name(intent.name) == id_


def _change(base: BranchName, entry: Entry, heads: Heads) -> Change:
    intent = entry.intent
    dated = intent.head in heads.titles
    return Change(
        id=intent.id,
        head=intent.head,
        base=base,
        method=intent.method,
        ref=intent.ref if intent.can_be_named else None,
        branch=BranchName(intent.branch) if intent.can_be_named else None,
        title=heads.titles.get(intent.head, ""),
        priority=entry.state is not None and entry.state.priority,
        refused=intent.refused or ("" if dated else words.date_refusal(intent.head)),
    )


def _unqueued(entry: Entry) -> UnqueuedChange:
    intent = entry.intent
    return UnqueuedChange(
        id=intent.id,
        head=intent.head,
        ref=intent.ref if intent.can_be_named else None,
        mark=entry.state.mark if entry.state else Mark.NONE,
    )


def _with_ids_of_their_own(
    merges: Sequence[MergedChange], taken: Collection[ChangeId]
) -> tuple[MergedChange, ...]:
    given = set(taken)
    renamed: list[MergedChange] = []
    for merge in reversed(merges):
        id_ = merge.id if merge.id not in given else second_merge_id(merge.head)
        given.add(id_)
        renamed.append(merge.model_copy(update={"id": id_}))
    return tuple(reversed(renamed))
