"""What each thing that apply writes does to the records: pure functions from one state to the next.

An edit that finds its own work done already changes nothing, so that it can be made again after any
interruption.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mergequeue.documents.changes import MergedChange
from mergequeue.documents.keeping import Note
from mergequeue.documents.provider import KickBack, MarkRequest, StatusPost
from mergequeue.documents.state import ChangeState
from mergequeue.plaingit.intents import Intent
from mergequeue.plaingit.state import State, kick_stands
from mergequeue.report import plain_git as words
from mergequeue.report.keeping import QUEUED_MEANWHILE, brought_line, noted_line, same_note
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.words import Mark

Present = Mapping[ChangeId, Intent]
"""The intents that the remote has now, by id."""


@dataclass(frozen=True)
class Edit:
    """What an edit made of the records."""

    state: State
    lines: tuple[str, ...] = ()
    """What happened, for the audit log; empty where nothing changed."""
    problems: tuple[str, ...] = ()
    """What was asked for and could not be recorded, in words."""
    finished: tuple[Intent, ...] = ()
    """Branches with nothing left to merge, to be deleted where they are."""


def marked(
    state: State, present: Present, requests: Sequence[MarkRequest], carried: frozenset[CommitId]
) -> Edit:
    """Return the records with each change's one mark.

    A change that is queued for the first time takes the next place; several of them do in the order
    of their ids, in which they were listed. `carried` are the heads that the base carries.
    """
    edit = Edit(state)
    for request in sorted(requests, key=lambda request: request.change):
        edit = _and(edit, _one_marked(edit.state, present.get(request.change), request, carried))
    return edit


def posted(state: State, present: Present, posts: Sequence[StatusPost]) -> Edit:
    """Return the records with the newest statuses, but for changes that have no branch."""
    edit = Edit(state)
    for post in posts:
        record = _record(edit.state, post.change)
        if post.change in present and record.status != post:
            line = words.status_line(post.change, post.state, post.commit, post.description)
            kept = _with(edit.state, record.model_copy(update={"status": post}))
            edit = _and(edit, Edit(kept, (line,)))
    return edit


def kicked(state: State, intent: Intent | None, kick: KickBack) -> Edit:
    """Return the records with a kick-back, where the branch still is what was kicked back."""
    id_ = kick.change.id
    shown = kick.model_copy(
        update={
            "paths": kick.paths[: limits.PATHS_SHOWN],
            "with_": kick.with_[: limits.PATHS_SHOWN],
        }
    )
    record = _record(state, id_).model_copy(update={"place": None, "kick": shown})
    if (
        intent is None
        or not kick_stands(record, intent)
        or kick_stands(state.changes.get(id_), intent)
    ):
        return Edit(state)
    record = record.model_copy(update={"mark": Mark.KICKED_BACK})
    return Edit(_with(state, record), (words.kicked_line(id_, kick.code, kick.commit),))


def requeued(state: State, intent: Intent) -> Edit:
    """Return the records with a kicked-back change in the queue again, behind all others."""
    record = _record(state, intent.id)
    if not kick_stands(record, intent):
        return Edit(state)
    again = {"place": _next_place(state), "kick": None, "mark": Mark.NONE}
    line = words.requeued_line(intent.id, intent.head)
    return Edit(_with(state, record.model_copy(update=again)), (line,))


def prioritised(state: State, intent: Intent, *, first: bool) -> Edit:
    """Return the records with a change before all others, or as any other again."""
    record = _record(state, intent.id)
    if record.priority == first:
        return Edit(state)
    line = words.priority_line(intent.id, first=first)
    return Edit(_with(state, record.model_copy(update={"priority": first})), (line,))


def noted(state: State, intent: Intent, note: Note) -> Edit:
    """Return the records with what the keeper said of a change, once at a head."""
    record = _record(state, intent.id)
    if any(same_note(note, said) for said in record.notes):
        return Edit(state)
    noting = record.model_copy(update={"notes": _notes(record, note)})
    return Edit(_with(state, noting), (noted_line(intent.id, note),))


def brought(state: State, intent: Intent, note: Note) -> Edit:
    """Return the records with a turned-away change in the queue again, behind all others.

    The branch moves with them to the head that the note names.
    """
    record = _record(state, intent.id)
    if not kick_stands(record, intent):
        return Edit(state, problems=(QUEUED_MEANWHILE,))
    again = {"place": _next_place(state), "kick": None, "mark": Mark.NONE}
    queued = record.model_copy(update={**again, "notes": _notes(record, note)})
    return Edit(_with(state, queued), (brought_line(intent.id, note.head),))


def changed(state: State, record: ChangeState, line: str) -> Edit:
    """Return the records with one change's written anew."""
    return Edit(_with(state, record), (line,))


def merged(state: State, merges: Sequence[MergedChange]) -> Edit:
    """Return the records after changes merged in one push, lowest first: their own are gone, and
    the merges are remembered.
    """
    edit = Edit(state)
    for merge in merges:
        edit = _and(edit, _one_merged(edit.state, merge))
    return edit


def _one_merged(state: State, merge: MergedChange) -> Edit:
    others = tuple(record for record in state.merged if record.head != merge.head)
    newest = (*others, merge)[-limits.MERGES_REMEMBERED :]
    line = words.merged_line(merge.id, merge.head, merge.commit)
    return Edit(replace(_without(state, merge.id), merged=newest), (line,))


def _one_marked(
    state: State, intent: Intent | None, request: MarkRequest, carried: frozenset[CommitId]
) -> Edit:
    record = _record(state, request.change)
    if request.mark is Mark.NONE:
        return _unmarked(state, intent, request, carried)
    if intent is None:
        return Edit(state, problems=(words.mark_without_branch(request.change),))
    stands = kick_stands(record, intent)
    if request.mark is Mark.QUEUED and stands:
        return Edit(state, problems=(words.mark_of_kicked(request.change, intent.head),))
    if request.mark is not Mark.QUEUED and not stands:
        return Edit(state, problems=(words.mark_without_kick(request.change),))
    update: dict[str, object] = {"mark": request.mark}
    if request.mark is Mark.QUEUED:
        update |= {"kick": None, "place": record.place or _next_place(state)}
    return _changed(state, record, record.model_copy(update=update), request)


def _unmarked(
    state: State, intent: Intent | None, request: MarkRequest, carried: frozenset[CommitId]
) -> Edit:
    record = _record(state, request.change)
    if intent is not None and intent.head in carried and request.head in {None, intent.head}:
        line = words.marked_line(request.change, Mark.NONE)
        return Edit(_without(state, request.change), (line,), finished=(intent,))
    kicked_back = intent is not None and kick_stands(record, intent)
    if kicked_back or request.change not in state.changes:
        return Edit(state)
    return Edit(_without(state, request.change), (words.marked_line(request.change, Mark.NONE),))


def _changed(state: State, old: ChangeState, new: ChangeState, request: MarkRequest) -> Edit:
    if new == old:
        return Edit(state)
    return Edit(_with(state, new), (words.marked_line(request.change, request.mark),))


def _record(state: State, id_: ChangeId) -> ChangeState:
    return state.changes.get(id_) or ChangeState(id=id_)


def _notes(record: ChangeState, note: Note) -> tuple[Note, ...]:
    return (*record.notes, note)[-limits.NOTES_REMEMBERED :]


def _with(state: State, record: ChangeState) -> State:
    return replace(state, changes={**state.changes, record.id: record})


def _without(state: State, id_: ChangeId) -> State:
    return replace(
        state, changes={key: record for key, record in state.changes.items() if key != id_}
    )


def _next_place(state: State) -> int:
    return 1 + max((record.place or 0 for record in state.changes.values()), default=0)


def _and(one: Edit, other: Edit) -> Edit:
    return Edit(
        other.state,
        one.lines + other.lines,
        one.problems + other.problems,
        one.finished + other.finished,
    )
