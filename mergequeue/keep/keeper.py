"""The step: it reads what was turned away, asks `decisions`, and carries out what they return."""

from collections.abc import Callable
from dataclasses import dataclass

from mergequeue.documents.keeping import NoteRequest, TurnedAwayChange, Update
from mergequeue.documents.provider import Repository
from mergequeue.keep import decisions
from mergequeue.keep.decisions import Bring, Leave, Left
from mergequeue.ports import (
    BringsUpToDate,
    Clock,
    GitBuilds,
    GitReads,
    LeavesNotes,
    Merging,
    ReadsTurnedAway,
    Settled,
    ThreeWay,
    Wanted,
)
from mergequeue.report import keeping as words
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId


@dataclass(frozen=True)
class Keeping:
    """How the keeper is run."""

    base: BranchName
    attempts: int
    """How many times one change is brought up to date at most."""
    committer: Callable[[], Identity | None]
    """Gives who commits the merges; asked when there is one to make."""
    dry_run: bool = False


@dataclass(frozen=True)
class Kept:
    """What became of one turned-away change."""

    change: ChangeId
    words: str
    commit: CommitId | None = None
    """The head at which it was queued again; None where it was not."""
    failure: MergequeueError | None = None


@dataclass(frozen=True)
class Keeper:
    """Brings turned-away changes up to date; each port with its one right."""

    git: GitReads
    merging: Merging
    """The one merge function, which says whether a change conflicts."""
    lenient: Merging
    """The same, where the risk of an edit counts for nothing."""
    builds: GitBuilds
    reads: ReadsTurnedAway
    notes: LeavesNotes
    brings: BringsUpToDate
    clock: Clock

    def keep(self, settings: Keeping) -> tuple[Kept, ...]:
        """Look at every turned-away change once, and return what became of each.

        What fails with one holds up no other; it is what that one came to, and the next run looks
        at it again.
        """
        tip = self.git.fetch_branch(settings.base)
        question = Repository(base=settings.base, remote_url=self.git.remote_url())
        found = self.reads.turned_away(question)
        unread = [Kept(id_, words.left_words(why)) for id_, why in found.unread.items()]
        return (*(self._keep(turned, tip, settings) for turned in found.changes), *unread)

    def _keep(self, turned: TurnedAwayChange, tip: CommitId, settings: Keeping) -> Kept:
        id_ = turned.change.id
        try:
            left = decisions.decide_turned_away(turned)
            if left is not None:
                return Kept(id_, words.left_words(left.why))
            if self._is_gone(turned):
                return Kept(id_, words.left_words(words.GONE))
            if turned.change.head != turned.commit:
                return self._resume(turned, tip, settings)
            return self._look(turned, tip, settings)
        except MergequeueError as error:
            return Kept(id_, words.not_brought(error.problem), failure=error)

    def _is_gone(self, turned: TurnedAwayChange) -> bool:
        change = turned.change
        wanted = [Wanted(change.head, change.ref), Wanted(turned.commit)]
        return change.head in self.git.fetch_commits(wanted)

    def _look(self, turned: TurnedAwayChange, tip: CommitId, settings: Keeping) -> Kept:
        """Do what is due with a change at the head that was turned away."""
        head, id_ = turned.change.head, turned.change.id
        own = self._merged(self.merging, tip, head)
        lenient = own if own.tree is not None else self._merged(self.lenient, tip, head)
        decided = decisions.decide_merge(turned, tip, own, lenient, attempts=settings.attempts)
        match decided:
            case Leave(why):
                return Kept(id_, words.left_words(why))
            case Left(conflicts, note):
                if note is not None and not settings.dry_run:
                    self.notes.say(NoteRequest(change=turned.change, note=note))
                said = words.left_to_author(conflicts, said=note is not None)
                return Kept(id_, words.left_words(said))
            case Bring():
                return self._bring(turned, tip, decided, settings)

    def _bring(
        self, turned: TurnedAwayChange, tip: CommitId, decided: Bring, settings: Keeping
    ) -> Kept:
        id_, base = turned.change.id, settings.base
        if settings.dry_run:
            return Kept(id_, words.would_bring(base, tip))
        committer = settings.committer()
        if committer is None:
            return Kept(id_, words.not_brought(words.NO_COMMITTER))
        signed = (committer, self.clock.now())
        message = decisions.message_of_bringing(turned, base, decided.resolved)
        parents = (turned.change.head, tip)
        commit = self.builds.write_commit(
            decided.tree, parents, message, author=signed, committer=signed
        )
        why = self._carry_out(turned, tip, commit, decided)
        if why:
            return Kept(id_, words.not_brought(why))
        return Kept(id_, words.brought_words(base, tip, commit), commit)

    def _resume(self, turned: TurnedAwayChange, tip: CommitId, settings: Keeping) -> Kept:
        """Go on where an earlier run had pushed its merge and did not queue it."""
        id_, head = turned.change.id, turned.change.head
        facts = self.git.commit(head)
        into = decisions.merged_in(turned, facts)
        if into is None or not self.git.is_ancestor(into, tip):
            return Kept(id_, words.left_words(words.PUSHED_SINCE))
        decided = decisions.decide_own(
            turned, facts, self._merged(self.lenient, into, turned.commit)
        )
        if isinstance(decided, Leave):
            return Kept(id_, words.left_words(decided.why))
        if settings.dry_run:
            return Kept(id_, words.would_resume(head))
        self._carry_out(turned, into, head, decided)
        return Kept(id_, words.resumed_words(head), head)

    def _carry_out(
        self, turned: TurnedAwayChange, tip: CommitId, commit: CommitId, decided: Bring
    ) -> str:
        note = decisions.note_of_bringing(turned, tip, commit, decided.resolved)
        return self.brings.bring(Update(change=turned.change, commit=commit, note=note))

    @staticmethod
    def _merged(merging: Merging, tip: CommitId, head: CommitId) -> Settled:
        (made,) = merging.merge([ThreeWay(tip, head)])
        return made
