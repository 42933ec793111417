"""Whether the base's required reviewers let a change on (seed 2, Pre-flights, its gates).

A change waits for a review of its head by each of them. One that asks for changes has it handed
back, until that one reviews again or a person who may push approves the head since. So has one that
does not answer within the wait: a reviewer who is away holds a change for that long and no longer.
What the queue remembers only turns away here: no memory is ever a review. What cannot be told
blames nobody.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from mergequeue.documents.config import ReviewersTable
from mergequeue.documents.memory import Entry
from mergequeue.documents.provider import Approval
from mergequeue.documents.review import Review
from mergequeue.report import reviewers as words
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import CommitId
from mergequeue.vocabulary.words import ReviewState


@dataclass(frozen=True)
class Since:
    """Since when the required reviewers can have looked at a head."""

    now: datetime | None = None
    queued_at: datetime | None = None
    """When the change was last queued; None where nothing remembers it, and no wait has begun."""
    head_at: datetime | None = None
    """When its head was first seen in the queue."""

    def is_over(self, wait: timedelta) -> bool:
        """Whether the wait has passed since the change was last queued, or its head came."""
        if self.now is None or self.queued_at is None or self.head_at is None:
            return False
        return self.now >= max(self.queued_at, self.head_at) + wait


@dataclass(frozen=True)
class Lacks:
    """What keeps a change from going on."""

    code: Code
    reason: str
    untold: bool = False
    """Whether it may have its reviews, and only this credential cannot tell."""


def since_of(entry: Entry | None, head: CommitId, now: datetime | None) -> Since:
    """Return since when a head can have been reviewed, by what the queue remembers of it."""
    if entry is None or entry.head != head:
        return Since(now)
    return Since(now, entry.queued_at, entry.head_at)


def decide_reviewed(
    asked: ReviewersTable, answer: Approval, covered: Collection[CommitId], since: Since
) -> Lacks | None:
    """Return what the required reviewers make of a change; None where they let it on.

    `covered` are the commits a review of which is a review of the head, itself among them.
    """
    if not asked.required:
        return None
    if answer.reviews is None:
        return Lacks(Code.WAIT_REVIEW, words.NOT_TOLD)
    return _Judged(asked, answer, covered, since).decide()


def approvers_of(answer: Approval, covered: Collection[CommitId]) -> tuple[str, ...]:
    """Return who approves a head, in the order in which they did."""
    here = _newest(one for one in answer.reviews or () if one.commit in covered)
    return tuple(one.by for one in here if one.state is ReviewState.APPROVED)


class _Judged:
    """The reviews of one head, the newest of each account."""

    def __init__(
        self, asked: ReviewersTable, answer: Approval, covered: Collection[CommitId], since: Since
    ) -> None:
        self._asked = asked
        self._answer = answer
        self._since = since
        self._here = _newest(one for one in answer.reviews or () if one.commit in covered)

    def decide(self) -> Lacks | None:
        against = [
            one
            for one in self._here
            if _asks(one) and one.stands_for and not self._is_stood_in_for(one.at)
        ]
        if against:
            latest = max(against, key=lambda one: one.at)
            reason = words.asks_for_changes(
                latest.by, self._answer.head, latest.stands_for, latest.remark
            )
            return Lacks(Code.KICK_REVIEW, reason)
        left = self._unanswered()
        missing = [name for name in left if name not in self._untold()]
        if missing:
            return self._decide_missing(missing)
        if left:
            why = words.cannot_tell(left[0], self._answer.unread[left[0]])
            return Lacks(Code.WAIT_REVIEW, why, untold=True)
        return None

    def _decide_missing(self, missing: Sequence[str]) -> Lacks:
        head, wait = self._answer.head, self._asked.wait
        unplaced = [name for name in missing if name in self._answer.unread]
        if unplaced and any(map(_asks, self._here)):
            return Lacks(Code.WAIT_REVIEW, words.changes_asked(missing, head))
        if self._since.is_over(wait):
            return Lacks(Code.KICK_REVIEW, words.never_answered(missing, head, wait))
        return Lacks(Code.WAIT_REVIEW, words.waits_for(missing, head))

    def _unanswered(self) -> list[str]:
        return [
            name
            for name in self._asked.required
            if not any(name in one.stands_for and self._answers(one, name) for one in self._here)
        ]

    def _untold(self) -> list[str]:
        """Return the reviewers who may have approved, as far as anybody can tell."""
        return [
            name
            for name in self._answer.unread
            if any(not _asks(one) and self._answers(one, name) for one in self._here)
        ]

    def _answers(self, review: Review, name: str) -> bool:
        """Whether a review says all that this reviewer is asked for.

        A request that still stands has been found before; one that does not has a stand-in.
        """
        return review.state in _ANSWERS or (
            review.state is ReviewState.COMMENTED and name in self._asked.comments
        )

    def _is_stood_in_for(self, since: datetime) -> bool:
        """Whether one who is no required reviewer approves the head, and has since then."""
        return any(
            one.state is ReviewState.APPROVED
            and one.collaborator
            and not one.stands_for
            and one.at > since
            for one in self._here
        )


_ANSWERS = frozenset({ReviewState.APPROVED, ReviewState.CHANGES_REQUESTED})


def _asks(review: Review) -> bool:
    return review.state is ReviewState.CHANGES_REQUESTED


def _newest(reviews: Iterable[Review]) -> list[Review]:
    """Return the newest review of each account; a comment takes back nothing said before."""
    newest: dict[str, Review] = {}
    for one in sorted(reviews, key=lambda one: one.at):
        before = newest.get(one.by)
        answered = before is not None and before.state in _ANSWERS
        if not (answered and one.state is ReviewState.COMMENTED):
            newest[one.by] = one
    return sorted(newest.values(), key=lambda one: one.at)
