"""A bare repository with a queue in it, and machines that each have a clone of their own."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from mergequeue.conflicts.merging import TwoRuleMerging
from mergequeue.documents.changes import Change, Listing
from mergequeue.documents.config import Configuration
from mergequeue.documents.provider import (
    Approval,
    ApprovalQuestion,
    KickBack,
    MarkRequest,
    MergeAnswer,
    MergeRequest,
    Repository,
    StatusPost,
)
from mergequeue.facts.units import UnitFacts
from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.plaingit.reading import PlainGitReads
from mergequeue.plaingit.writing import Hands, PlainGitWrites
from mergequeue.ports import Pushed, RefMove, ThreeWay
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, TreeId
from mergequeue.vocabulary.words import STATUS_CONTEXT, Mark, Method, StatusState
from tests.support.repositories import Content, Playground

MAIN = BranchName("main")
STATE = "refs/mergequeue/state/main"
OPERATOR = Identity("Operator", "operator@example.invalid")


class Ticks:
    """A clock that a minute passes on each time it is read."""

    def __init__(self) -> None:
        self._now = datetime(2030, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        self._now += timedelta(minutes=1)
        return self._now

    def sleep(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)


class Meddled:
    """Pushing with something that happens right before or after the first pushes."""

    def __init__(
        self,
        workshop: Workshop,
        before: Callable[[], object],
        after: Callable[[], object],
        times: int,
    ) -> None:
        self._pushes = workshop.pushes
        self._before = before
        self._after = after
        self._left = times

    def push(self, moves: Sequence[RefMove]) -> Pushed:
        if not self._left:
            return self._pushes.push(moves)
        self._left -= 1
        self._before()
        pushed = self._pushes.push(moves)
        self._after()
        return pushed


@dataclass(frozen=True)
class Machine:
    """A clone that the queue runs in."""

    workshop: Workshop
    hands: Hands
    reads: PlainGitReads
    writes: PlainGitWrites

    def listed(self) -> Listing:
        return self.reads.list_changes(Repository(base=MAIN, remote_url="u"))

    def ids(self) -> list[str]:
        return [change.id for change in self.listed().changes]

    def change(self, id_: str) -> Change:
        return next(change for change in self.listed().changes if change.id == id_)

    def approval(self, change: Change) -> Approval:
        question = ApprovalQuestion(change=change, commit=change.head)
        answer = self.reads.approvals_at([question])[change.id]
        assert isinstance(answer, Approval)
        return answer

    def mark(self, mark: Mark, *ids: str, head: CommitId | None = None) -> tuple[str, ...]:
        marks = [MarkRequest(change=ChangeId(id_), mark=mark, head=head) for id_ in ids]
        return self.writes.mark(marks)

    def post(self, id_: str, commit: CommitId, state: StatusState = StatusState.SUCCESS) -> None:
        post = StatusPost(
            change=ChangeId(id_),
            commit=commit,
            context=STATUS_CONTEXT,
            state=state,
            description="a description",
        )
        self.writes.post_status([post])

    def kick(self, change: Change, **more: object) -> None:
        kick = KickBack(change=change, commit=change.head, code=Code.KICK_RED, report="It is red.")
        self.writes.kick_back(kick.model_copy(update=more))

    def request(self, change: Change, tree: str, **more: object) -> MergeRequest:
        request = MergeRequest(
            change=change,
            commit=change.head,
            onto=self.workshop.reads.fetch_branch(MAIN),
            tree=TreeId(tree),
            message="* the change's own words",
        )
        return request.model_copy(update=more)

    def predicted(self, change: Change) -> TreeId:
        """The tree of merging the change onto the base as it is."""
        reads = self.workshop.reads
        tip = reads.fetch_branch(MAIN)
        [merged] = GitMerges(self.workshop).merge_by_paths([ThreeWay(tip, change.head)])
        assert merged.tree is not None
        return merged.tree

    def merge(self, change: Change, **more: object) -> MergeAnswer:
        request = self.request(change, self.predicted(change))
        return self.writes.merge_change(request.model_copy(update=more))

    def meddled(
        self,
        before: Callable[[], object] = lambda: None,
        after: Callable[[], object] = lambda: None,
        times: int = 1,
    ) -> "Machine":
        """The same machine, interrupted in its first pushes."""
        hands = replace(self.hands, pushes=Meddled(self.workshop, before, after, times))
        return replace(self, hands=hands, writes=PlainGitWrites(hands, base=MAIN, user=OPERATOR))


class World:
    def __init__(self, playground: Playground, stack: ExitStack) -> None:
        self.playground = playground
        self._stack = stack
        self._count = 0
        self.base = playground.branch(
            "main", playground.commit({"a": "1\n", "b": "1\n", "c": "1\n"})
        )

    def machine(self) -> Machine:
        self._count += 1
        clone = self.playground.clone(f"machine{self._count}")
        workshop = self._stack.enter_context(open_workshop(clone, "origin"))
        hands = Hands(
            reads=workshop.reads,
            builds=workshop.builds,
            pushes=workshop.pushes,
            merging=TwoRuleMerging(GitMerges(workshop), workshop.reads, UnitFacts(Configuration())),
            clock=Ticks(),
        )
        return Machine(
            workshop,
            hands,
            PlainGitReads(workshop.reads, remote="origin", user=OPERATOR),
            PlainGitWrites(hands, base=MAIN, user=OPERATOR),
        )

    def queue(
        self,
        name: str,
        files: dict[str | bytes, Content],
        method: Method = Method.SQUASH,
        on: CommitId | None = None,
        message: str | bytes = "Change something\n\nFor a reason.\n",
    ) -> CommitId:
        """Push a change of one commit as its author would."""
        commit = self.playground.commit(
            files,
            parents=on or self.base,
            message=message,
            author=("Author", "author@example.invalid"),
        )
        return self.playground.branch(f"mq/{method}/{name}", commit)

    def tip(self) -> CommitId:
        return self.playground.tip("main")

    def state_log(self) -> list[str]:
        """The messages of the records' commits, newest first."""
        return [self.playground.message(commit) for commit in self.playground.log(STATE)]

    def parents(self, commit: CommitId) -> list[str]:
        return self.playground.run("show", "-s", "--format=%P", commit).decode().split()


def make_world(playground: Playground) -> Iterator[World]:
    with ExitStack() as stack:
        yield World(playground, stack)
