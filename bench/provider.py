"""The provider that benches plan with, and that tests build theirs on."""

from collections.abc import Mapping, Sequence

from mergequeue.documents.capabilities import Capabilities
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
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Method, ProviderMerges, StackMerge


def approve(questions: Sequence[ApprovalQuestion]) -> dict[ChangeId, Approval]:
    """Return an approval of each change as it is listed."""
    return {
        question.change.id: Approval(
            approved=True,
            head=question.change.head,
            base=question.change.base,
            method=question.change.method,
            queued=True,
            shared_with=(),
        )
        for question in questions
    }


class Listed:
    """A provider that approves everything at once, so that only planning is measured."""

    def describe(self, question: DescribeQuestion) -> Capabilities:
        """Return the capabilities of plain git."""
        del question
        return Capabilities(
            merges=ProviderMerges.EXACT,
            stack_merge=StackMerge.SEQUENTIAL,
            linear_stacks=False,
            methods=tuple(Method),
            required_approvals=0,
        )

    def list_changes(self, question: Repository) -> Listing:
        """Return nothing: the listing is handed to the planner."""
        del question
        return Listing(changes=())

    def approvals_at(
        self, questions: Sequence[ApprovalQuestion]
    ) -> Mapping[ChangeId, Approval | str]:
        """Approve each change as it is listed."""
        return approve(questions)

    def list_green(self, question: GreenQuestion) -> tuple[GreenChange, ...]:
        """Return none."""
        del question
        return ()

    def named_checks(
        self, questions: Sequence[NamedChecksQuestion]
    ) -> Mapping[ChangeId, tuple[NamedCheck, ...] | str]:
        """Return none."""
        del questions
        return {}

    def required_checks(self, question: CheckQuestion) -> tuple[Check, ...]:
        """Return none."""
        del question
        return ()
