"""A change brought up to date where the branch, the words and the queue are three writes.

Where a push alone queues a change, its provider does all of it in one (`ports.BringsUpToDate`).
"""

from dataclasses import dataclass

from mergequeue.documents.keeping import NoteRequest, QueueAgain, Update
from mergequeue.ports import GitPushes, LeavesNotes, PushOutcome, QueuesAgain, RefMove
from mergequeue.report import keeping as words
from mergequeue.vocabulary.ids import branch_ref


@dataclass(frozen=True)
class StepwiseBringing:
    """`BringsUpToDate`: a branch moved, the change noted, and the change queued, in this order."""

    pushes: GitPushes
    notes: LeavesNotes
    queues: QueuesAgain

    def bring(self, update: Update) -> str:
        """Return why nothing was pushed; nothing where all is done.

        Whatever stops it in between, the next run finds the branch at the merge and goes on. Raises
        what saying so or queueing raised.
        """
        change = update.change
        if change.head != update.commit:
            # The lease names the head: whoever pushed since keeps what they pushed.
            move = RefMove(branch_ref(change.branch or ""), update.commit, expected=change.head)
            pushed = self.pushes.push([move])
            if pushed.outcome is PushOutcome.STALE:
                return words.BRANCH_MOVED
            if pushed.outcome is PushOutcome.REJECTED:
                return words.push_refused(pushed.reason)
        self.notes.say(NoteRequest(change=change, note=update.note))
        self.queues.queue_again(QueueAgain(change=change, commit=update.commit))
        return ""
