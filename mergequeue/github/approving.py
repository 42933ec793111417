"""A change as it is now: its head, target, method, intent and reviews (facts 1.6).

Few changes are read one by one; many come from one listing of all open pull requests, and what
GraphQL alone knows, their reviews, from one query about many. Intent is proven anew each time,
whoever set the label then, and a closed pull request carries none, whatever it shows.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from mergequeue.documents.provider import Approval, ApprovalQuestion
from mergequeue.documents.record import CommitId
from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import Body, GitHubRecord, RefusedError
from mergequeue.github.asking import Ask, PullQueries
from mergequeue.github.client import Client
from mergequeue.github.intent import Labelled, Wish, target_of, wish_of
from mergequeue.github.labelers import Labeler, Labelers
from mergequeue.github.listing import Lists
from mergequeue.github.permissions import Permissions
from mergequeue.github.pulls import (
    OPEN,
    Pull,
    Pulls,
    WholePull,
    branch_named,
    number_of,
    read_pulls,
)
from mergequeue.github.required import RequiredReviewers
from mergequeue.github.reviews import Review, decide_reviews
from mergequeue.github.rules import Base
from mergequeue.github.shapes import PageBack
from mergequeue.report import github as words
from mergequeue.vocabulary.errors import BAD_ANSWER, MergequeueError
from mergequeue.vocabulary.ids import BranchName, ChangeId

_FEW = 3
"""As many changes as are read one by one."""
_AT_ONCE = 25
_OPEN = "OPEN"

_FIELDS = """
number state headRefOid reviewDecision
reviews(last: 100, before: $after) {
  pageInfo { hasPreviousPage startCursor }
  nodes {
    state submittedAt authorCanPushToRepository
    author { __typename login }
    commit { oid }
  }
}
"""


class _Reviews(GitHubRecord):
    page: Annotated[PageBack, Field(alias="pageInfo")]
    nodes: tuple[Review, ...]


class _Now(GitHubRecord):
    state: str
    head: Annotated[CommitId, Field(alias="headRefOid")]
    decision: Annotated[str | None, Field(alias="reviewDecision")]
    reviews: _Reviews


class _RestUser(GitHubRecord):
    login: str


class _RestReview(GitHubRecord):
    state: str
    submitted_at: str | None = None
    """Absent while it is not submitted."""
    commit_id: CommitId | None
    user: _RestUser | None


@dataclass(frozen=True)
class _Standing:
    """How a pull request stands, whatever it asks for."""

    is_open: bool
    head: CommitId
    decision: str | None
    reviews: tuple[Review, ...]


@dataclass(frozen=True)
class _Seen:
    """A pull request, and what other open ones mean for it."""

    pull: Pull
    wish: Wish | None
    shared_with: tuple[ChangeId, ...]


class Approvals:
    """Reads changes of one repository as they are now."""

    def __init__(self, client: Client, repo: RepoName, lists: Lists, members: Client) -> None:
        self._client = client
        self._reviewers = RequiredReviewers(members)
        self._repo = repo
        self._lists = lists
        self._queries = PullQueries(client, repo)

    def read(self, questions: Sequence[ApprovalQuestion]) -> Mapping[ChangeId, Approval | str]:
        """Return each change as it is now, or why it could not be read.

        Raises where the rules of the base do not read: how many approvals it needs is no guess.
        """
        seen, failed = self._seen([number_of(question.change.id) for question in questions])
        required = {base: self._base(base).rules().approvals for base in _bases(questions)}
        labels = [one.wish.labelled for one in seen.values() if one.wish and one.wish.labelled]
        judged = Labelers(self._client, self._repo).judge(labels)
        standings, unread = self._standings(list(seen))
        failed |= unread
        found: dict[ChangeId, Approval | str] = {}
        for question in questions:
            number = number_of(question.change.id)
            found[question.change.id] = (
                words.unread(failed[number])
                if number in failed
                else self._told(
                    question,
                    seen[number].pull,
                    standings[number],
                    _approval(
                        question,
                        seen[number],
                        standings[number],
                        judged,
                        required[question.change.base],
                    ),
                )
            )
        return found

    def _told(
        self,
        question: ApprovalQuestion,
        pull: Pull,
        standing: _Standing,
        answer: Approval | str,
    ) -> Approval | str:
        """Return an answer with the reviews and the description, where they were asked for."""
        if isinstance(answer, str) or not (question.reviewers or question.described):
            return answer
        try:
            told = self._reviewers.tell(question.reviewers, standing.reviews)
        except MergequeueError as error:
            return words.unread(error.problem)
        description = (pull.body or "") if question.described else None
        more = {"reviews": told.reviews, "unread": told.unread, "description": description}
        return answer.model_copy(update=more)

    def _base(self, base: BranchName) -> Base:
        return Base(self._client, self._repo, base)

    # --- the pull requests -----------------------------------------------------------------------

    def _seen(self, numbers: Sequence[int]) -> tuple[dict[int, _Seen], dict[int, str]]:
        if len(numbers) > _FEW:
            pulls = self._lists.open_pulls()
            failed = {number: one.problem for number, one in pulls.unread.items()}
            alone = [one for one in numbers if one not in pulls.read and one not in failed]
            seen = {
                number: _Seen(pull, wish_of(pull, pulls), pulls.sharing_branch_with(pull))
                for number in numbers
                for pull in [pulls.read.get(number)]
                if pull is not None
            }
        else:
            alone, failed, seen = list(numbers), {}, {}
        for number in alone:
            try:
                seen[number] = self._seen_alone(number)
            except MergequeueError as error:
                failed[number] = error.problem
        return seen, failed

    def _seen_alone(self, number: int) -> _Seen:
        pull = self._client.get(self._repo.path("pulls", number)).body.read(WholePull)
        if pull.stack is not None:
            pulls = self._lists.open_pulls()
            return _Seen(pull, wish_of(pull, pulls), pulls.sharing_branch_with(pull))
        return _Seen(pull, wish_of(pull, Pulls({number: pull})), self._sharing_with(pull))

    def _sharing_with(self, pull: Pull) -> tuple[ChangeId, ...]:
        if pull.is_fork or pull.head.repo is None:
            return ()
        owner = pull.head.repo.full_name.partition("/")[0]
        query = {"state": "open", "head": f"{owner}:{pull.head.ref}"}
        pulls = read_pulls(self._client.pages(self._repo.path("pulls"), query))
        others = pulls.sharing_branch_with(pull)
        return (*others, *(ChangeId(str(number)) for number in pulls.unread))

    # --- their reviews ---------------------------------------------------------------------------

    def _standings(self, numbers: Sequence[int]) -> tuple[dict[int, _Standing], dict[int, str]]:
        try:
            return self._standings_at_once(numbers)
        except RefusedError:
            return self._standings_one_by_one(numbers)

    def _standings_at_once(
        self, numbers: Sequence[int]
    ) -> tuple[dict[int, _Standing], dict[int, str]]:
        found: dict[int, _Standing] = {}
        failed: dict[int, str] = {}
        asks = [Ask(number, _FIELDS) for number in numbers]
        while asks:
            read, unread = self._queries.read(asks, _now, at_once=_AT_ONCE)
            failed |= unread
            for number, now in read.items():
                newer = found[number].reviews if number in found else ()
                found[number] = _Standing(
                    now.state == _OPEN, now.head, now.decision, (*now.reviews.nodes, *newer)
                )
            asks = [
                Ask(number, _FIELDS, now.reviews.page.after)
                for number, now in read.items()
                if now.reviews.page.after is not None
            ]
        return found, failed

    def _standings_one_by_one(
        self, numbers: Sequence[int]
    ) -> tuple[dict[int, _Standing], dict[int, str]]:
        """Return the same from REST, which does not say whether GitHub itself wants more reviews:
        it refuses the merge then.
        """
        found: dict[int, _Standing] = {}
        failed: dict[int, str] = {}
        for number in numbers:
            try:
                found[number] = self._standing_alone(number)
            except MergequeueError as error:
                failed[number] = error.problem
        return found, failed

    def _standing_alone(self, number: int) -> _Standing:
        path = self._repo.path("pulls", number, "reviews")
        listed = [item.read(_RestReview) for item in self._client.pages(path)]
        logins = sorted({one.user.login for one in listed if one.user is not None})
        roles = Permissions(self._client, self._repo).roles(logins)
        unread = next((role.unread for role in roles.values() if role.unread), "")
        if unread:
            raise BAD_ANSWER(words.reviewers_unread(unread))
        reviews = tuple(
            Review.of(
                one.state,
                one.submitted_at,
                one.user.login if one.user else None,
                one.commit_id,
                may_push=one.user is not None and roles[one.user.login].may_write,
            )
            for one in listed
        )
        pull = self._client.get(self._repo.path("pulls", number)).body.read(Pull)
        return _Standing(pull.state == OPEN, pull.head.sha, None, reviews)


def _bases(questions: Iterable[ApprovalQuestion]) -> list[BranchName]:
    return sorted({question.change.base for question in questions})


def _now(_: int, body: Body) -> _Now:
    return body.read(_Now)


def _approval(
    question: ApprovalQuestion,
    seen: _Seen,
    standing: _Standing,
    judged: Mapping[Labelled, Labeler],
    required: int,
) -> Approval | str:
    pull, wish = seen.pull, seen.wish
    labeler = judged[wish.labelled] if wish and wish.labelled else None
    if labeler is not None and labeler.unread:
        return words.unread(labeler.why_not)
    base = branch_named(wish.base if wish else target_of(pull))
    if base is None:
        return words.unread(words.strange_base(pull.number))
    queued = wish is not None and standing.is_open and (labeler is None or labeler.counts)
    reviewed = decide_reviews(standing.reviews, standing.decision, required, question.commit)
    return Approval(
        approved=reviewed.approved,
        head=standing.head,
        base=base,
        method=wish.method if wish else question.change.method,
        queued=queued,
        shared_with=seen.shared_with,
        reason=reviewed.reason if queued else _why_not_queued(seen, standing, labeler),
        approved_commit=reviewed.at,
    )


def _why_not_queued(seen: _Seen, standing: _Standing, labeler: Labeler | None) -> str:
    pull = seen.pull
    if not standing.is_open or pull.state != OPEN:
        merged = isinstance(pull, WholePull) and pull.merged
        return words.MERGED_MEANWHILE if merged else words.CLOSED_MEANWHILE
    if pull.draft:
        return words.IS_DRAFT
    return labeler.why_not if labeler is not None else words.INTENT_GONE
