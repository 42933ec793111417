"""The reading side of the provider: it can name nothing that writes."""

from collections.abc import Mapping, Sequence

from mergequeue.documents.capabilities import Capabilities, Committer, Credential, Setup
from mergequeue.documents.changes import Listing
from mergequeue.documents.preflight import NamedCheck, NamedChecksQuestion
from mergequeue.documents.provider import (
    Approval,
    ApprovalQuestion,
    Check,
    CheckQuestion,
    DescribeQuestion,
    GreenChange,
    GreenQuestion,
    Repository,
)
from mergequeue.plaingit.intents import PREFIX
from mergequeue.plaingit.listing import Records, approval_of, entries_of, green_of, listing_of
from mergequeue.plaingit.remote import Named, RemoteQueue, never_named
from mergequeue.ports import GitReads
from mergequeue.report.plain_git import setup_steps
from mergequeue.vocabulary.errors import NO_BASE
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import BranchName, ChangeId
from mergequeue.vocabulary.words import Method, ProviderMerges, StackMerge


class PlainGitReads:
    """`ProviderReads` over the references of the remote (DESIGN, The plain-git provider)."""

    def __init__(
        self,
        reads: GitReads,
        *,
        remote: str,
        user: Identity | None,
        named: Named = never_named,
    ) -> None:
        """Read through `reads`; `remote` is the remote's name, `user` who the person is to git.

        `named` says whether a base's queue takes only the branches that name it.
        """
        self._queue = RemoteQueue(reads, named)
        self._remote = remote
        self._user = user

    def describe(self, question: DescribeQuestion) -> Capabilities:
        """Return what a plain repository can do: it takes the very tree that it is handed."""
        user = self._user
        return Capabilities(
            merges=ProviderMerges.EXACT,
            stack_merge=StackMerge.SEQUENTIAL,
            batch_merge=StackMerge.ATOMIC,
            linear_stacks=False,
            shows_status=False,
            methods=tuple(Method),
            required_approvals=0,
            queue_label=PREFIX,
            committer=Committer(name=user.name, email=user.email) if user else None,
            setup=self._setup(question) if question.status_context else None,
        )

    def list_changes(self, question: Repository) -> Listing:
        """Return the queue; other branches are no changes, so what is unqueued was kicked back."""
        look, heads = self._queue.heads(question.base, self._queue.look(question.base))
        return listing_of(question.base, look, heads)

    def approvals_at(
        self, questions: Sequence[ApprovalQuestion]
    ) -> Mapping[ChangeId, Approval | str]:
        """Return each change as it is now, from one reading of the remote a base."""
        bases = {question.change.base for question in questions}
        looks = {base: self._queue.look(base) for base in sorted(bases)}
        return {
            question.change.id: approval_of(looks[question.change.base], question)
            for question in questions
        }

    def list_green(self, question: GreenQuestion) -> tuple[GreenChange, ...]:
        """Return the changes that a run left green; statuses are records of this base's queue."""
        return green_of(self._queue.look(question.base), question.context)

    def required_checks(self, question: CheckQuestion) -> tuple[Check, ...]:  # noqa: ARG002 (there are none, of any change)
        """Return no check: a plain repository requires none."""
        return ()

    def named_checks(
        self,
        questions: Sequence[NamedChecksQuestion],  # noqa: ARG002 (there are none, of any change)
    ) -> Mapping[ChangeId, tuple[NamedCheck, ...] | str]:
        """Return no check: nothing runs beside a plain repository."""
        return {}

    def records(self, base: BranchName) -> Records:
        """Return what is recorded of a base's queue; raise NO_BASE where there is no such base."""
        look = self._queue.look(base)
        if look.base_tip is None:
            raise NO_BASE(f"the remote has no branch {base}")
        return Records(entries_of(look), look.state.merged, look.strays)

    def _setup(self, question: DescribeQuestion) -> Setup:
        steps = setup_steps(question.base, self._remote) if question.setup_steps else ()
        return Setup(
            status_context=question.status_context, credential=Credential(id="git"), steps=steps
        )
