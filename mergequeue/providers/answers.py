"""What a person's provider must answer: every key that has no `?` in the table of functions.

The documents know defaults, since files that people keep may leave keys out; an answer may not: a
`fork` that is missing and read as false would admit what the provider meant to refuse (seed 1,
Providers).
"""

from typing import Annotated

from pydantic import Field

from mergequeue.documents.capabilities import Refused
from mergequeue.documents.changes import Change, Listing, MergedChange, UnqueuedChange
from mergequeue.documents.preflight import NamedCheck, NamedChecksQuestion, RerunRequest
from mergequeue.documents.provider import ApprovalQuestion, Check, GreenChange
from mergequeue.documents.record import Record


class AnsweredChange(Change):
    """A queued change that says whether it is a fork's."""

    fork: bool


class AnsweredListing(Listing):
    """A listing that names each of its lists but the closed changes."""

    changes: tuple[AnsweredChange, ...]
    merged: tuple[MergedChange, ...]
    unqueued: tuple[UnqueuedChange, ...]


class AnsweredGreen(GreenChange):
    """A green change that names its repository."""

    repo: str


class AnsweredGreens(Record):
    """What `list_green` returns."""

    changes: tuple[AnsweredGreen, ...]


class AnsweredChecks(Record):
    """What `required_checks` returns."""

    checks: tuple[Check, ...]


class AnsweredApprovals(Record):
    """What `approvals_at` returns, before each is looked at by itself."""

    approvals: dict[str, dict[str, object]]
    """By the change's id: an approval, or `{"failed": "<why>"}`."""


class AnsweredNamedChecks(Record):
    """What `named_checks` returns, before each is looked at by itself."""

    named: dict[str, dict[str, object]]
    """By the change's id: `{"checks": [...]}`, or `{"failed": "<why>"}`."""


class NamedChecksOf(Record):
    """The checks of one change."""

    checks: tuple[NamedCheck, ...]


class AnsweredReruns(Record):
    """What `rerun_checks` returns."""

    failed: dict[str, str]
    """Why those of a change could not be run again, by its id."""


class FailedAnswer(Record):
    """Why one change could not be read."""

    failed: Annotated[str, Field(min_length=1)]


class AnsweredRefusal(Record):
    """What `describe` returns where it can describe no setup."""

    refused: Refused


class ApprovalQuestions(Record):
    """What `approvals_at` is given."""

    questions: tuple[ApprovalQuestion, ...]


class NamedChecksQuestions(Record):
    """What `named_checks` is given."""

    questions: tuple[NamedChecksQuestion, ...]


class RerunRequests(Record):
    """What `rerun_checks` is given."""

    requests: tuple[RerunRequest, ...]
