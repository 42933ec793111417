"""Turned-away changes of the plain-git provider: what is recorded of them, and queueing them again.

A pushed branch is merge intent, so moving the branch, saying so and queueing the change are one
push: no run finds the one without the others.
"""

from collections.abc import Sequence

from mergequeue.documents.changes import Change
from mergequeue.documents.keeping import NoteRequest, TurnedAwayChange, Update
from mergequeue.documents.provider import Repository
from mergequeue.plaingit import edits
from mergequeue.plaingit.edits import Edit
from mergequeue.plaingit.intents import Intent
from mergequeue.plaingit.journal import Journal, Proposal
from mergequeue.plaingit.listing import Entry, entries_of
from mergequeue.plaingit.remote import Look, RemoteQueue
from mergequeue.plaingit.writing import Hands
from mergequeue.ports import RefMove, TurnedAway, Wanted
from mergequeue.report.keeping import BRANCH_MOVED, push_refused, says_off
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId


class PlainGitKeeping:
    """`ReadsTurnedAway`, `LeavesNotes` and `BringsUpToDate` over the references of the remote."""

    def __init__(self, hands: Hands, *, base: BranchName) -> None:
        """Keep the changes of one base's queue."""
        self._base = base
        self._reads = hands.reads
        self._queue = RemoteQueue(hands.reads, hands.named)
        self._journal = Journal(self._queue, hands.builds, hands.pushes, hands.clock, base)

    def turned_away(self, question: Repository) -> TurnedAway:
        """Return every change whose kick-back stands; its text is that of its commits."""
        look = self._queue.look(question.base)
        kicked = [entry for entry in entries_of(look) if entry.kicked and not entry.intent.refused]
        gone = self._reads.fetch_commits([Wanted(entry.intent.head) for entry in kicked])
        tip = look.base_tip
        return TurnedAway(
            tuple(
                _turned_away(question.base, entry, self._texts(entry.intent.head, tip))
                for entry in kicked
                if entry.intent.head not in gone
            ),
            {},
        )

    def say(self, request: NoteRequest) -> None:
        """Record a note on a change, once at a head; `mergequeue status` shows it."""

        def propose(look: Look) -> Proposal:
            intent = _named(look, request.change.id)
            made = edits.noted(look.state, intent, request.note) if intent else Edit(look.state)
            return Proposal(made)

        self._journal.record(propose)

    def bring(self, update: Update) -> str:
        """Move the branch, note it and queue the change in one push, or say why not."""

        def propose(look: Look) -> Proposal:
            intent = _named(look, update.change.id)
            if intent is None or intent.head != update.change.head:
                return Proposal(Edit(look.state, problems=(BRANCH_MOVED,)))
            edit = edits.brought(look.state, intent, update.note)
            return Proposal(edit, (RefMove(intent.ref, update.commit, update.change.head),))

        entered = self._journal.enter(propose)
        if entered.edit.problems:
            return entered.edit.problems[0]
        return push_refused(entered.refusal) if entered.refusal else ""

    def _texts(self, head: CommitId, tip: CommitId | None) -> Sequence[str]:
        """Return what the commits of a change say."""
        return [commit.message for commit in self._reads.line_of(head, tip)] if tip else []


def _named(look: Look, id_: ChangeId) -> Intent | None:
    return next((intent for intent in look.intents if intent.id == id_), None)


def _turned_away(base: BranchName, entry: Entry, texts: Sequence[str]) -> TurnedAwayChange:
    intent, record = entry.intent, entry.state
    if record is None or record.kick is None:
        msg = "an entry that was kicked back has its record"
        raise ValueError(msg)
    return TurnedAwayChange(
        change=Change(
            id=intent.id,
            head=intent.head,
            base=base,
            method=intent.method,
            ref=intent.ref if intent.can_be_named else None,
            branch=BranchName(intent.branch) if intent.can_be_named else None,
        ),
        code=record.kick.code,
        commit=record.kick.commit,
        off=any(map(says_off, texts)),
        in_stack=False,
        notes=record.notes,
    )
