"""Whether reviews approve a commit (seed 1, What a review covers; facts 2.8 and 3.8, R1 to R6).

Pure. Each account's latest decisive review counts, of those that may push. What GitHub itself says
of the pull request (`reviewDecision`) can only hold it back, never let it through.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from mergequeue.documents.record import CommitId
from mergequeue.github.answers import GitHubRecord
from mergequeue.github.shapes import Actor
from mergequeue.report import github as words

APPROVED = "APPROVED"
CHANGES_REQUESTED = "CHANGES_REQUESTED"
REVIEW_REQUIRED = "REVIEW_REQUIRED"
_DISMISSED = "DISMISSED"
_DECISIVE = frozenset({APPROVED, CHANGES_REQUESTED, _DISMISSED})


class ReviewedCommit(GitHubRecord):
    """The commit that a review was given on."""

    oid: CommitId


class Review(GitHubRecord):
    """One review."""

    state: str
    submitted: Annotated[str | None, Field(alias="submittedAt")]
    """When, in ISO form; None while it is not submitted."""
    may_push: Annotated[bool, Field(alias="authorCanPushToRepository")]
    author: Actor | None
    """None where the account is gone."""
    commit: ReviewedCommit | None
    """None where the commit is gone."""

    @classmethod
    def of(
        cls,
        state: str,
        submitted: str | None,
        login: str | None,
        commit: CommitId | None,
        *,
        may_push: bool,
    ) -> "Review":
        """Return a review from what REST says of it."""
        return cls(
            state=state,
            submitted=submitted,
            may_push=may_push,
            author=Actor(kind="", bare_login=login) if login is not None else None,
            commit=ReviewedCommit(oid=commit) if commit is not None else None,
        )


@dataclass(frozen=True)
class Reviewed:
    """What reviews say about a commit."""

    approved: bool
    reason: str = ""
    at: CommitId | None = None
    """An older commit that enough approvals stand at."""


def decide_reviews(
    reviews: Iterable[Review], decision: str | None, required: int, commit: CommitId
) -> Reviewed:
    """Return whether a commit is approved; `required` is the most that a rule asks for.

    `decision` is GitHub's own, None where no rule asks for a review.
    """
    latest = _latest(reviews)
    against = sorted(login for login, one in latest.items() if one.state == CHANGES_REQUESTED)
    if against:
        return Reviewed(approved=False, reason=words.changes_requested(against))
    if decision == CHANGES_REQUESTED:
        return Reviewed(approved=False, reason=words.changes_requested(()))
    need = max(required, 1 if decision else 0)
    approvals = [one for one in latest.values() if one.state == APPROVED]
    here = [one for one in approvals if one.commit is not None and one.commit.oid == commit]
    if len(here) < need:
        at = None if decision == REVIEW_REQUIRED else _older(approvals, need)
        return Reviewed(approved=False, reason=words.approvals_short(len(here), need), at=at)
    if decision == REVIEW_REQUIRED:
        return Reviewed(approved=False, reason=words.REVIEW_STILL_REQUIRED)
    return Reviewed(approved=True)


def _latest(reviews: Iterable[Review]) -> dict[str, Review]:
    """Return the latest decisive review of each account that may push, by its login."""
    decisive = [
        one for one in reviews if one.state in _DECISIVE and one.may_push and one.author is not None
    ]
    in_order = sorted(decisive, key=lambda one: one.submitted or "")
    return {one.author.login.casefold(): one for one in in_order if one.author is not None}


def _older(approvals: Sequence[Review], need: int) -> CommitId | None:
    """Return the commit with enough approvals that was approved last."""
    in_order = sorted(approvals, key=lambda one: one.submitted or "", reverse=True)
    commits = [one.commit.oid for one in in_order if one.commit is not None]
    return next((commit for commit in commits if commits.count(commit) >= need), None)
