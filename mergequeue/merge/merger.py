"""The step that lands a change and alone moves the queue's status (seed 1, Applying; facts A17 to
A21).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mergequeue.apply.outcomes import Wait
from mergequeue.documents.changes import Change
from mergequeue.documents.provider import (
    CheckQuestion,
    GreenChange,
    GreenQuestion,
    Repository,
)
from mergequeue.merge import shape, status
from mergequeue.merge._asking import ask, question_of
from mergequeue.merge._showing import Showing
from mergequeue.merge._together import Together
from mergequeue.merge.answers import (
    AskAgain,
    BaseSeen,
    Carried,
    NotMerged,
    ReadAgain,
    Unexplained,
    decide_answer,
    decide_not_merged,
    decide_obstacle,
    is_merged_by_provider,
    waits,
)
from mergequeue.merge.batch import decide_batch_answer
from mergequeue.merge.stack import decide_stack_answer
from mergequeue.ports import (
    Events,
    GitReads,
    Landed,
    Landing,
    ProviderReads,
    ProviderWrites,
    Waiting,
)
from mergequeue.vocabulary.errors import UNEXPECTED_SHAPE, UNEXPECTED_TREE
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.words import STATUS_CONTEXT


@dataclass(frozen=True)
class StatusMerger:
    """Lands changes through a provider, behind the queue's status."""

    git: GitReads
    reads: ProviderReads
    writes: ProviderWrites
    events: Events

    def land(self, landing: Landing) -> Landed:
        """Read everything again, turn the status green, merge, and check what the base then
        carries.

        Raises as the port says. Whatever ends this before the change is seen on the base, a program
        told to stop included, the success goes back to pending first.
        """
        again = self._read_again(landing)
        if is_merged_by_provider(landing, again, self.git.tree_of(again.tip)):
            self._showing.merged([landing], [again.tip], by_provider=True)
            return Landed(tip=again.tip, by_provider=True)
        obstacle = decide_obstacle(landing, again)
        if obstacle is not None:
            return waits(obstacle)
        carried = False
        try:
            self._showing.turn_green([landing])
            ending = self._merge(landing)
            carried = isinstance(ending, Landed)
        finally:
            if not carried:
                self._showing.set_back([landing])
        if isinstance(ending, Landed):
            self._check(landing, ending)
            return ending
        return waits(ending)

    def land_stack(self, landings: Sequence[Landing]) -> Mapping[ChangeId, Landed]:
        """Land changes stacked on each other, lowest first, in one call through the top."""
        return self._together.land(landings, decide_stack_answer)

    def land_batch(self, landings: Sequence[Landing]) -> Mapping[ChangeId, Landed]:
        """Land the changes of a batch, lowest first, in one call through the top."""
        return self._together.land(landings, decide_batch_answer)

    def post_waiting(self, waiting: Sequence[Waiting]) -> None:
        """Set the status of each to pending, all in one post."""
        self.writes.post_status([status.waits(one) for one in waiting])

    def post_standing(self, standing: Sequence[Waiting]) -> None:
        """Set the status of each to pending, with where it stands, all in one post."""
        self.writes.post_status([status.stands(one) for one in standing])

    def post_kicked(self, change: Change, commit: CommitId) -> None:
        """Set the status to failure."""
        self.writes.post_status([status.kicked(change, commit)])

    def revoke(self, question: Repository) -> tuple[GreenChange, ...]:
        """Set every success on an open change back to pending, whatever its base, and return those
        changes.
        """
        asked = GreenQuestion(
            base=question.base, remote_url=question.remote_url, context=STATUS_CONTEXT
        )
        greens = self.reads.list_green(asked)
        if greens:
            self._showing.post([status.left_over(green) for green in greens])
        return greens

    def _read_again(self, landing: Landing) -> ReadAgain:
        """Read checks, the change and the base, in this order: the base is the last that can move
        unseen.
        """
        change = landing.change
        checks = self.reads.required_checks(CheckQuestion(change=change, commit=landing.commit))
        question = question_of(landing)
        answer = self.reads.approvals_at([question])[change.id]
        pushed = landing.commit != change.head
        if pushed and not isinstance(answer, str) and answer.head == change.head:
            # A provider may need a moment to see the queue's own push; nobody else's is waited for.
            answer = self.reads.approvals_at([question])[change.id]
        tip = self.git.fetch_branch(change.base)
        return ReadAgain(
            answer, checks, tip, carries_tip=self.git.is_ancestor(landing.tip, landing.commit)
        )

    def _merge(self, landing: Landing) -> Landed | Wait:
        for first in (True, False):
            answer = ask(self.writes, [landing])
            tip = self.git.fetch_branch(landing.change.base)
            match decide_answer(landing, answer, BaseSeen(tip, self.git.tree_of(tip)), first=first):
                case Carried(by_provider=by_provider):
                    return Landed(tip=tip, by_provider=by_provider)
                case NotMerged(words=words):
                    return decide_not_merged(landing, self._read_again(landing), words)
                case Unexplained(problem=problem):
                    raise UNEXPECTED_TREE(problem)
                case AskAgain():
                    continue
        msg = "a second failure is never asked again"
        raise AssertionError(msg)

    def _check(self, landing: Landing, landed: Landed) -> None:
        """Tell that it merged, then hold the base to what was predicted (facts A21)."""
        tip = landed.tip or landing.tip
        self._showing.merged([landing], [tip], by_provider=landed.by_provider)
        problem = shape.tree_problem(landing, tip, self.git.tree_of(tip))
        if problem:
            raise UNEXPECTED_TREE(problem)
        problem = shape.shape_problem(
            landing, self.git.commit(tip), self.git.line_of(tip, landing.tip)
        )
        if problem:
            raise UNEXPECTED_SHAPE(problem)

    @property
    def _showing(self) -> Showing:
        return Showing(self.writes, self.events)

    @property
    def _together(self) -> Together:
        return Together(self.git, self.reads, self.writes, self._showing)
