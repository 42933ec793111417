"""The step that lands a change and alone moves the queue's status (seed 1, Applying; facts A17 to
A21).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mergequeue.apply.outcomes import Wait
from mergequeue.documents.changes import Change
from mergequeue.documents.event import Happening
from mergequeue.documents.provider import (
    ApprovalQuestion,
    CheckQuestion,
    GreenChange,
    GreenQuestion,
    MarkRequest,
    MergeAnswer,
    MergeRequest,
    Pin,
    Repository,
    StatusPost,
)
from mergequeue.merge import shape, stack, status
from mergequeue.merge.answers import (
    AskAgain,
    BaseSeen,
    Carried,
    Failed,
    NotMerged,
    ReadAgain,
    Unexplained,
    decide_answer,
    decide_not_merged,
    decide_obstacle,
    is_merged_by_provider,
)
from mergequeue.ports import (
    Events,
    GitReads,
    Landed,
    Landing,
    ProviderReads,
    ProviderWrites,
    Waiting,
)
from mergequeue.report import applying
from mergequeue.vocabulary.errors import (
    STATUS_FAILED,
    UNEXPECTED_SHAPE,
    UNEXPECTED_TREE,
    MergequeueError,
)
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.words import STATUS_CONTEXT, EventKind, Mark


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
            self._tell_merged(landing, again.tip, by_provider=True)
            return Landed(tip=again.tip, by_provider=True)
        obstacle = decide_obstacle(landing, again)
        if obstacle is not None:
            return _waits(obstacle)
        carried = False
        try:
            self._post_success(landing)
            ending = self._merge(landing)
            carried = isinstance(ending, Landed)
        finally:
            if not carried:
                self._set_back([landing])
        if isinstance(ending, Landed):
            self._check(landing, ending)
            return ending
        return _waits(ending)

    def land_stack(self, landings: Sequence[Landing]) -> Mapping[ChangeId, Landed]:
        """Read every member again, turn all green from the bottom, merge them through the top, and
        check what the base then carries.

        Raises as the port says; all that is green and not seen on the base goes back to pending.
        """
        obstacles = stack.decide_obstacles(landings, self._read_stack(landings))
        if obstacles:
            return {id_: _waits(wait) for id_, wait in obstacles.items()}
        green: list[Landing] = []
        carried = 0
        try:
            for landing in landings:
                green.append(landing)
                self._post_success(landing)
            ending = self._merge_stack(landings)
            carried = len(ending.tips) if isinstance(ending, stack.StackSeen) else 0
        finally:
            self._set_back(green[carried:])
        if isinstance(ending, stack.StackSeen):
            return self._check_stack(landings, ending)
        return {id_: _waits(wait) for id_, wait in ending.items()}

    def post_waiting(self, waiting: Sequence[Waiting]) -> None:
        """Set the status of each to pending, all in one post."""
        self.writes.post_status([status.waits(one) for one in waiting])

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
            self._post([status.left_over(green) for green in greens])
        return greens

    def _read_again(self, landing: Landing) -> ReadAgain:
        """Read checks, the change and the base, in this order: the base is the last that can move
        unseen.
        """
        change = landing.change
        checks = self.reads.required_checks(CheckQuestion(change=change, commit=landing.commit))
        question = ApprovalQuestion(change=change, commit=landing.covered)
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
            answer = self._ask(landing)
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

    def _read_stack(self, landings: Sequence[Landing]) -> tuple[ReadAgain, ...]:
        """Read as `_read_again` does, of all members before the base."""
        checks = [
            self.reads.required_checks(CheckQuestion(change=one.change, commit=one.commit))
            for one in landings
        ]
        answers = self.reads.approvals_at(
            [ApprovalQuestion(change=one.change, commit=one.covered) for one in landings]
        )
        tip = self.git.fetch_branch(landings[0].change.base)
        return tuple(
            ReadAgain(
                answers[one.change.id],
                read,
                tip,
                carries_tip=self.git.is_ancestor(one.tip, one.commit),
            )
            for one, read in zip(landings, checks, strict=True)
        )

    def _merge_stack(
        self, landings: Sequence[Landing]
    ) -> stack.StackSeen | Mapping[ChangeId, Wait]:
        beneath = tuple(Pin(id=one.change.id, commit=one.commit) for one in landings[:-1])
        answer = self._ask(landings[-1], beneath)
        tip = self.git.fetch_branch(landings[-1].change.base)
        line = self.git.line_of(tip, landings[0].tip)
        meaning = stack.decide_stack_answer(landings, answer, stack.BaseLine(tip, line))
        if isinstance(meaning, stack.StackSeen):
            return meaning
        again = self._read_stack(landings)
        return {
            one.change.id: decide_not_merged(one, read, meaning.words)
            for one, read in zip(landings, again, strict=True)
        }

    def _check_stack(
        self, landings: Sequence[Landing], seen: stack.StackSeen
    ) -> Mapping[ChangeId, Landed]:
        """Tell which members merged, then hold the base to all of them (facts A21)."""
        for landing, tip in zip(landings, seen.tips, strict=False):
            self._tell_merged(landing, tip, by_provider=seen.by_provider)
        if seen.wrong_tree:
            raise UNEXPECTED_TREE(seen.wrong_tree)
        if seen.wrong_shape:
            raise UNEXPECTED_SHAPE(seen.wrong_shape)
        return {
            landing.change.id: Landed(tip=tip, by_provider=seen.by_provider)
            for landing, tip in zip(landings, seen.tips, strict=True)
        }

    def _ask(self, landing: Landing, through: tuple[Pin, ...] = ()) -> MergeAnswer | Failed:
        request = MergeRequest(
            change=landing.change,
            commit=landing.commit,
            onto=landing.tip,
            tree=landing.tree,
            stack_base=landing.change.stack_base,
            message=landing.message,
            on_top=landing.on_top,
            committer=landing.committer,
            app=landing.app,
            through=through,
        )
        try:
            return self.writes.merge_change(request)
        except MergequeueError as error:
            return Failed(error.problem)

    def _check(self, landing: Landing, landed: Landed) -> None:
        """Tell that it merged, then hold the base to what was predicted (facts A21)."""
        tip = landed.tip or landing.tip
        self._tell_merged(landing, tip, by_provider=landed.by_provider)
        problem = shape.tree_problem(landing, tip, self.git.tree_of(tip))
        if problem:
            raise UNEXPECTED_TREE(problem)
        problem = shape.shape_problem(
            landing, self.git.commit(tip), self.git.line_of(tip, landing.tip)
        )
        if problem:
            raise UNEXPECTED_SHAPE(problem)

    def _tell_merged(self, landing: Landing, tip: CommitId, *, by_provider: bool) -> None:
        change = landing.change
        self.events.emit(
            Happening(
                kind=EventKind.MERGED,
                change=change.id,
                commit=landing.commit,
                reason=applying.landed(change.base, tip),
                by_provider=by_provider,
            )
        )
        try:
            failures = self.writes.mark(
                [
                    MarkRequest(
                        change=change.id, repo=change.repo, mark=Mark.NONE, head=landing.commit
                    )
                ]
            )
        except MergequeueError as error:
            failures = (error.problem,)
        for failure in failures:
            self._notice(landing, failure)

    def _post_success(self, landing: Landing) -> None:
        self._post([status.about_to_merge(landing)])

    def _set_back(self, landings: Sequence[Landing]) -> None:
        """Set each success back; one that fails keeps no other green."""
        failed: MergequeueError | None = None
        for landing in landings:
            try:
                self._post([status.not_followed_through(landing)])
            except MergequeueError as error:
                self._notice(landing, f"its success could not be set back: {error.problem}")
                failed = failed or error
        if failed is not None:
            raise failed

    def _post(self, posts: list[StatusPost]) -> None:
        try:
            self.writes.post_status(posts)
        except MergequeueError as error:
            raise STATUS_FAILED(error.problem) from error

    def _notice(self, landing: Landing, reason: str) -> None:
        self.events.emit(Happening(kind=EventKind.NOTICE, change=landing.change.id, reason=reason))


def _waits(wait: Wait) -> Landed:
    return Landed(code=wait.code, reason=wait.reason, head=wait.head)
