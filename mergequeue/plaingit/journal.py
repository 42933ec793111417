"""Writing the queue's records: a commit on their reference, and what has to move with it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from mergequeue.plaingit.edits import Edit
from mergequeue.plaingit.remote import Look, RemoteQueue
from mergequeue.plaingit.state import files_of, is_a_record
from mergequeue.ports import Clock, GitBuilds, GitPushes, Pushed, PushOutcome, RefMove
from mergequeue.report.plain_git import state_message
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import PROVIDER_FAILED, STATE_MOVED, MergequeueError
from mergequeue.vocabulary.identity import QUEUE
from mergequeue.vocabulary.ids import BranchName, CommitId, RefName
from mergequeue.vocabulary.records import state_ref


@dataclass(frozen=True)
class Entered:
    """What became of an edit."""

    edit: Edit
    refusal: str = ""
    """Why the remote refused the push, in its words; empty where the edit stands."""


@dataclass(frozen=True)
class Proposal:
    """An edit, and the references that move with it or not at all."""

    edit: Edit
    moves: tuple[RefMove, ...] = ()


class Journal:
    """The records of one base's queue: their history is the audit log."""

    def __init__(
        self,
        queue: RemoteQueue,
        builds: GitBuilds,
        pushes: GitPushes,
        clock: Clock,
        base: BranchName,
    ) -> None:
        self._queue = queue
        self._builds = builds
        self._pushes = pushes
        self._clock = clock
        self._base = base

    def enter(self, propose: Callable[[Look], Proposal]) -> Entered:
        """Write what `propose` makes of the queue as it is, anew where another writer came first.

        A proposal that changes nothing writes nothing. Raises STATE_MOVED where others come first
        again and again, and what the push raised where nothing says that it came through.
        """
        reason = ""
        for _ in range(limits.STATE_ROUNDS):
            look = self._queue.look(self._base)
            proposal = propose(look)
            if not proposal.edit.lines:
                return Entered(proposal.edit)
            pushed = self._push(look, proposal)
            if pushed.outcome is PushOutcome.DONE:
                return Entered(proposal.edit)
            if pushed.outcome is PushOutcome.REJECTED:
                return Entered(proposal.edit, pushed.reason)
            reason = pushed.reason
        raise STATE_MOVED(
            f"{state_ref(self._base)} moved {limits.STATE_ROUNDS} times while it was written, "
            f"last: {reason}"
        )

    def record(self, propose: Callable[[Look], Proposal]) -> Edit:
        """Do as `enter` does; raise PROVIDER_FAILED, with the remote's words, where it refuses."""
        entered = self.enter(propose)
        if entered.refusal:
            raise PROVIDER_FAILED(
                f"the remote refused a push to {state_ref(self._base)}: {entered.refusal}"
            )
        return entered.edit

    def _push(self, look: Look, proposal: Proposal) -> Pushed:
        now = self._clock.now()
        log = self._queue.log_of(self._base, look.state_commit, now)
        commit = self._write(look, proposal.edit, log, now)
        moves = [RefMove(state_ref(self._base), commit, look.state_commit), *proposal.moves]
        if log is not None:
            moves.append(RefMove(log, look.state_commit, None))
        try:
            pushed = self._pushes.push(moves)
        except MergequeueError:
            if not self._came_through(commit):
                raise
            pushed = Pushed(PushOutcome.DONE)
        if pushed.outcome is PushOutcome.DONE:
            self._queue.remember(commit, proposal.edit.state)
        return pushed

    def _write(self, look: Look, edit: Edit, log: RefName | None, now: datetime) -> CommitId:
        signed = (QUEUE, now)
        parents = [look.state_commit] if look.state_commit and log is None else []
        over = self._queue.tree_of(look.state_commit)
        tree = self._builds.write_files(
            files_of(edit.state), over=over, keep=lambda path: not is_a_record(path)
        )
        return self._builds.write_commit(
            tree, parents, state_message(edit.lines, log), author=signed, committer=signed
        )

    def _came_through(self, commit: CommitId) -> bool:
        # The push is atomic, so the records' history says whether everything in it happened.
        return self._queue.is_in_history(commit, self._queue.look(self._base).state_commit)
