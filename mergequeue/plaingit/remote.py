"""Reading the remote's queue: branches and records of one moment, and the commits they name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from mergequeue.documents.changes import MergedChange
from mergequeue.plaingit.intents import REF_PREFIX, Intent, intents_of, strays_of, title_of
from mergequeue.plaingit.listing import Heads, Seen
from mergequeue.plaingit.state import State, is_a_record, kick_stands, state_of
from mergequeue.ports import GitReads, Wanted
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import NO_BASE, PROVIDER_FAILED, UNDATED, MergequeueError
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import BranchName, CommitId, RefName, TreeId, branch_ref, short
from mergequeue.vocabulary.records import log_ref, state_ref


@dataclass(frozen=True)
class Look(Seen):
    """The remote's queue at one moment, and the commits that its leases name."""

    base_tip: CommitId | None
    """The base's tip; None where the remote has no such branch."""
    state_commit: CommitId | None
    """The commit of the records; None where there is none yet."""
    strays: tuple[RefName, ...] = ()
    """The branches that start as intents do and are none."""


Named = Callable[[CommitId], bool]
"""Whether a base's file, as a commit of it holds it, has its queue take only what names it."""


def never_named(_: CommitId) -> bool:
    """Stand for a file that says nothing of it."""
    return False


class RemoteQueue:
    """The queue of one remote, read anew each time it is asked."""

    def __init__(self, reads: GitReads, named: Named = never_named) -> None:
        self._reads = reads
        self._named = named
        self._names: dict[CommitId, bool] = {}
        self._known: dict[CommitId, State] = {}

    def look(self, base: BranchName) -> Look:
        """Return the queue as it is now; raise BAD_STATE where its records do not read."""
        for _ in range(limits.STATE_ROUNDS):
            refs = self._reads.list_refs((REF_PREFIX, state_ref(base), branch_ref(base)))
            commit = refs.get(state_ref(base))
            state = self._state(base, commit)
            tip = refs.get(branch_ref(base))
            named = False if tip is None else self._is_named(base, tip)
            if state is not None and named is not None:
                intents = intents_of(refs, base, named=named)
                return Look(intents, state, tip, commit, strays_of(refs))
        raise PROVIDER_FAILED(
            f"{state_ref(base)} or {base} names a commit that the remote does not give"
        )

    def remember(self, commit: CommitId, state: State) -> None:
        """Take the records of a commit as known, since this process has written it."""
        self._known = {commit: state}

    def tree_of(self, commit: CommitId | None) -> TreeId | None:
        """Return the tree of a commit of the records that was looked at; None for no commit."""
        return None if commit is None else self._reads.tree_of(commit)

    def log_of(self, base: BranchName, last: CommitId | None, now: datetime) -> RefName | None:
        """Return the reference that keeps the records' history up to `last`, once it is over."""
        return None if last is None else log_ref(base, last, self._reads.committed(last), now)

    def heads(self, base: BranchName, look: Look) -> tuple[Look, Heads]:
        """Return what the intents' commits say; an intent whose commit went meanwhile is left out.

        Raises NO_BASE where the remote has no such branch.
        """
        if look.base_tip is None:
            raise NO_BASE(f"the remote has no branch {base}")
        gone = self._reads.fetch_commits(
            [Wanted(look.base_tip, branch_ref(base)), *(_wanted(intent) for intent in look.intents)]
        )
        if look.base_tip in gone:
            raise PROVIDER_FAILED(f"{base} names a commit that the remote does not give")
        here = tuple(intent for intent in look.intents if intent.head not in gone)
        kept = Look(here, look.state, look.base_tip, look.state_commit)
        titles = {
            intent.head: title for intent in here if (title := self._title(intent)) is not None
        }
        return kept, Heads(titles, self._merged_beneath(kept, look.base_tip))

    def author_of(self, intent: Intent) -> Identity:
        """Return who wrote a change's head; raise PROVIDER_FAILED where the remote lacks it."""
        if self._reads.fetch_commits([_wanted(intent)]):
            raise PROVIDER_FAILED(f"the remote does not give {short(intent.head)}")
        return self._reads.commit(intent.head).author

    def carried(self, look: Look, intents: Sequence[Intent]) -> frozenset[CommitId]:
        """Return the heads among these intents' that the base carries."""
        tip = look.base_tip
        if tip is None or not intents:
            return frozenset()
        gone = self._reads.fetch_commits([Wanted(tip), *(_wanted(intent) for intent in intents)])
        known = {intent.head for intent in intents if tip not in gone} - gone
        return frozenset(head for head in known if self._reads.is_ancestor(head, tip))

    def is_in_history(self, commit: CommitId, tip: CommitId | None) -> bool:
        """Whether a commit that this process has is what a remote's reference names, or beneath."""
        if tip is None or tip == commit:
            return tip is not None
        return not self._reads.fetch_commits([Wanted(tip)]) and self._reads.is_ancestor(commit, tip)

    def _is_named(self, base: BranchName, tip: CommitId) -> bool | None:
        """Whether the base's queue takes only what names it; None where its tip cannot be had."""
        if tip not in self._names:
            if self._reads.fetch_commits([Wanted(tip, branch_ref(base))]):
                return None
            self._names = {tip: self._named(tip)}
        return self._names[tip]

    def _state(self, base: BranchName, commit: CommitId | None) -> State | None:
        if commit is None:
            return State()
        if commit not in self._known:
            if self._reads.fetch_commits([Wanted(commit, state_ref(base))]):
                return None
            where = f"{state_ref(base)} at {short(commit)}"
            files = {
                path: self._reads.read_file(commit, path)
                for path in self._reads.paths(commit)
                if is_a_record(path)
            }
            self.remember(commit, state_of(files, where))
        return self._known[commit]

    def _title(self, intent: Intent) -> str | None:
        try:
            return title_of(self._reads.commit(intent.head).message)
        except MergequeueError as error:
            if error.code != UNDATED.code:
                raise
            return None

    def _merged_beneath(self, look: Look, tip: CommitId) -> tuple[MergedChange, ...]:
        if not look.state.merged:
            return ()
        queued = [
            intent.head
            for intent in look.intents
            if not kick_stands(look.state.changes.get(intent.id), intent)
        ]
        carried = self._reads.graph(queued, tip).parents
        return tuple(
            merge
            for merge in look.state.merged
            if merge.head in carried and self._reads.is_ancestor(merge.commit, tip)
        )


def _wanted(intent: Intent) -> Wanted:
    return Wanted(intent.head, intent.ref if intent.can_be_named else None)
