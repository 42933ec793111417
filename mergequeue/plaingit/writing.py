"""The writing side of the provider: every call is one push under leases, or none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mergequeue.documents.changes import MergedChange
from mergequeue.documents.preflight import RerunRequest
from mergequeue.documents.provider import (
    KickBack,
    MarkRequest,
    MergeAnswer,
    MergeMember,
    MergeRequest,
    RetargetRequest,
    StatusPost,
)
from mergequeue.documents.review import Review
from mergequeue.documents.trying import TryReport
from mergequeue.plaingit import edits
from mergequeue.plaingit.edits import Edit, Present
from mergequeue.plaingit.intents import Intent
from mergequeue.plaingit.journal import Journal, Proposal
from mergequeue.plaingit.landing import Lander, Made, NotMade
from mergequeue.plaingit.listing import Seen
from mergequeue.plaingit.remote import Look, Named, RemoteQueue, never_named
from mergequeue.plaingit.reviewing import Given, reviewed
from mergequeue.plaingit.state import State, kick_stands
from mergequeue.ports import Clock, GitBuilds, GitPushes, GitReads, Merging, RefMove
from mergequeue.report import plain_git as words
from mergequeue.vocabulary.errors import NO_COMMITTER, NO_SUCH_CHANGE, USAGE
from mergequeue.vocabulary.identity import Identity, parse_identity
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, branch_ref, short
from mergequeue.vocabulary.words import Mark


@dataclass(frozen=True)
class Hands:
    """What writing takes, each port with its one right."""

    reads: GitReads
    builds: GitBuilds
    pushes: GitPushes
    merging: Merging
    clock: Clock
    named: Named = never_named
    """Whether a base's queue takes only the branches that name it."""


class PlainGitWrites:
    """`ProviderWrites` over the references of the remote, for the queue of one base."""

    def __init__(self, hands: Hands, *, base: BranchName, user: Identity | None) -> None:
        """Write the queue of `base`; `user` commits merges where a request names nobody."""
        self._base = base
        self._user = user
        self._queue = RemoteQueue(hands.reads, hands.named)
        self._journal = Journal(self._queue, hands.builds, hands.pushes, hands.clock, base)
        self._clock = hands.clock
        self._lander = Lander(hands.reads, hands.builds, hands.merging, hands.clock)

    def post_status(self, posts: Sequence[StatusPost]) -> None:
        """Record the statuses in one push, but for changes whose branch is gone."""
        self._journal.record(lambda look: Proposal(edits.posted(look.state, _present(look), posts)))

    def retarget(self, request: RetargetRequest) -> None:
        """Do nothing: an intent names no base, so it targets the one that the queue is run for."""

    def rerun_checks(self, requests: Sequence[RerunRequest]) -> Mapping[ChangeId, str]:  # noqa: ARG002 (there are none, of any change)
        """Do nothing: no check runs beside a plain repository."""
        return {}

    def merge_change(self, request: MergeRequest) -> MergeAnswer:
        """Move the base, delete the branches and record the merges in one push, or say why not.

        Raises NO_COMMITTER where nothing names who commits, and what the push raised where nothing
        says that it came through.
        """
        made = self._lander.make(request, self._committer(request))
        if isinstance(made, NotMade):
            return MergeAnswer(merged=False, reason=made.reason)
        entered = self._journal.enter(lambda look: self._merge(look, request, made))
        if entered.edit.problems:
            return MergeAnswer(merged=False, reason=entered.edit.problems[0])
        if entered.refusal:
            return MergeAnswer(merged=False, reason=entered.refusal)
        return MergeAnswer(merged=True)

    def kick_back(self, kick: KickBack) -> None:
        """Record why a change is out of the queue; its branch stays, and a new push queues it."""
        self._journal.record(
            lambda look: Proposal(
                edits.kicked(look.state, _present(look).get(kick.change.id), kick)
            )
        )

    def report_try(self, report: TryReport) -> None:
        """Do nothing: `mergequeue try` tries a branch, and says itself what that came to."""

    def mark(self, marks: Sequence[MarkRequest]) -> tuple[str, ...]:
        """Record the marks in one push, and the place of each change that is new in the queue.

        A branch that the base carries is deleted when its change is marked as in no queue.
        """
        return self._journal.record(lambda look: self._marked(look, marks)).problems

    def requeue(self, id_: ChangeId) -> bool:
        """Queue a kicked-back change again as it stands, for a person; return whether it was out.

        Raises NO_SUCH_CHANGE where no branch has that id.
        """
        return bool(
            self._journal.record(
                lambda look: Proposal(edits.requeued(look.state, _known(look, id_)))
            ).lines
        )

    def review(self, id_: ChangeId, given: Given) -> CommitId:
        """Record a review of a change's head, and return that head.

        Raises NO_SUCH_CHANGE where no branch has that id, USAGE where its head is another than was
        looked at, or is the reviewer's own.
        """
        heads: list[CommitId] = []

        def propose(look: Look) -> Proposal:
            intent = _known(look, id_)
            if not intent.head.startswith(given.commit):
                raise USAGE(
                    f"the head of {id_} is {short(intent.head)}, and not {given.commit}",
                    "Look at what it is now, and review that.",
                )
            if self._queue.author_of(intent).email.casefold() == given.by.email.casefold():
                raise USAGE(f"{given.by} wrote the head of {id_}", "Have somebody else review it.")
            heads.append(intent.head)
            review = Review(
                by=str(given.by),
                state=given.state,
                commit=intent.head,
                at=self._clock.now(),
                collaborator=True,
                remark=given.remark,
            )
            return Proposal(reviewed(look.state, intent, review))

        self._journal.record(propose)
        return heads[-1]

    def prioritise(self, id_: ChangeId, *, first: bool) -> bool:
        """Have a change go before all others, or as any other again; return whether that is new.

        Raises NO_SUCH_CHANGE where no branch has that id.
        """
        return bool(
            self._journal.record(
                lambda look: Proposal(edits.prioritised(look.state, _known(look, id_), first=first))
            ).lines
        )

    def _marked(self, look: Look, marks: Sequence[MarkRequest]) -> Proposal:
        leaving = {request.change for request in marks if request.mark is Mark.NONE}
        carried = self._queue.carried(look, [i for i in look.intents if i.id in leaving])
        edit = edits.marked(look.state, _present(look), marks, carried)
        return Proposal(edit, tuple(RefMove(i.ref, None, i.head) for i in edit.finished))

    def _merge(self, look: Look, request: MergeRequest, made: Made) -> Proposal:
        why_not = _obstacle(look, self._base, request)
        if why_not:
            return Proposal(Edit(look.state, problems=(why_not,)))
        present = _present(look)
        merges = [
            MergedChange(id=one.id, head=one.commit, commit=tip, method=one.change.method)
            for one, tip in zip(request.members, made.tips, strict=True)
        ]
        moves = [RefMove(branch_ref(self._base), made.tips[-1], request.onto)]
        moves += [RefMove(present[one.id].ref, None, one.commit) for one in request.members]
        return Proposal(edits.merged(look.state, merges), tuple(moves))

    def _committer(self, request: MergeRequest) -> Identity:
        if request.committer:
            try:
                return parse_identity(request.committer)
            except ValueError as error:
                raise NO_COMMITTER(f"the committer is {error}") from error
        if self._user is None:
            raise NO_COMMITTER(f"nothing names who commits the merge of {request.change.id}")
        return self._user


def _present(seen: Seen) -> Present:
    return {intent.id: intent for intent in seen.intents}


def _known(seen: Seen, id_: ChangeId) -> Intent:
    """Return the branch of a change that a person named; raise NO_SUCH_CHANGE where none is."""
    intent = _present(seen).get(id_)
    if intent is None:
        raise NO_SUCH_CHANGE(f"no branch of the remote is the change {id_}")
    return intent


def _obstacle(look: Look, base: BranchName, request: MergeRequest) -> str:
    """Return why the queue as it is now does not allow the merge; empty where it does."""
    present = _present(look)
    of_members = (_obstacle_of(look.state, present, member) for member in request.members)
    why_not = next(filter(None, of_members), "")
    if not why_not and look.base_tip != request.onto:
        return words.base_moved_reason(base, request.onto, look.base_tip)
    return why_not


def _obstacle_of(state: State, present: Present, member: MergeMember) -> str:
    change = member.change
    intent = present.get(change.id)
    if intent is None:
        return words.gone_reason(change.branch or change.id)
    if intent.head != member.commit:
        return words.head_moved_reason(member.commit, intent.head)
    if intent.method != change.method:
        return words.method_moved_reason(change.method, intent.method)
    record = state.changes.get(change.id)
    if record is not None and record.kick is not None and kick_stands(record, intent):
        return words.kicked_reason(record.kick.code, intent.head)
    return ""
