"""The four lists: queued, merged beneath, unqueued, closed with labels (facts 1.5).

Every list is read to its last page, or the listing fails: a cut one would read as a shorter queue.
What cannot be read of one pull request holds that one alone: it is listed as unqueued, and its mark
is left out, so that nothing is written to it for that.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import Field

from mergequeue.documents.changes import (
    Change,
    ClosedChange,
    Listing,
    UnqueuedChange,
)
from mergequeue.documents.provider import Repository
from mergequeue.github.addresses import RepoName, api_path
from mergequeue.github.answers import GitHubRecord, RefusedError
from mergequeue.github.asked_labels import AskedLabels
from mergequeue.github.beneath import Beneath
from mergequeue.github.client import Client
from mergequeue.github.intent import Wish, target_of, wish_of
from mergequeue.github.labelers import Labelers
from mergequeue.github.labels import ALL, FIRST, TRY, mark_of
from mergequeue.github.message_rules import MessageRule, broken_by
from mergequeue.github.pulls import Pull, Pulls, Unread, head_ref, read_pulls
from mergequeue.github.queue_times import read_queue_times
from mergequeue.github.rules import Base
from mergequeue.github.shapes import PageForward
from mergequeue.report import github as words
from mergequeue.vocabulary.errors import PROVIDER_FAILED
from mergequeue.vocabulary.ids import BranchName, ChangeId, parse_branch
from mergequeue.vocabulary.words import Mark, Method

_OLDEST_FIRST = {"state": "open", "sort": "created", "direction": "asc"}


_A_PAGE = 100
_LISTINGS = 4
_OPEN = """\
query Open($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequests(states: OPEN, first: 100, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { number }
    }
  }
}
"""


class _Found(GitHubRecord):
    number: int


class _Open(GitHubRecord):
    page: Annotated[PageForward, Field(alias="pageInfo")]
    nodes: tuple[_Found, ...]


@dataclass(frozen=True)
class _Queued:
    pull: Pull
    wish: Wish


class Lists:
    """Reads the lists of one repository; `tell` says what held a pull request back."""

    def __init__(self, client: Client, repo: RepoName, tell: Callable[[str], None]) -> None:
        self._client = client
        self._repo = repo
        self._tell = tell
        self._asked = AskedLabels(client, repo, tell)

    def open_pulls(self) -> Pulls:
        """Return every open pull request, the oldest first, which is the queue's order.

        One that closes while several pages are read moves another to a page that was read already,
        so that nothing shows it. GraphQL's pages do not move: what it knows as open afterwards has
        to be there, or all is read again. Raises PROVIDER_FAILED where that never comes right.
        """
        for _ in range(_LISTINGS):
            listed = self._client.pages(self._repo.path("pulls"), _OLDEST_FIRST)
            pulls = read_pulls(listed)
            if len(listed) <= _A_PAGE or self._open_numbers() <= {*pulls.read, *pulls.unread}:
                return pulls
        raise PROVIDER_FAILED(words.LISTING_MOVES)

    def _open_numbers(self) -> set[int]:
        """Return which pull requests are open now; none where only REST answers."""
        variables = {"owner": self._repo.owner, "name": self._repo.name}
        numbers: set[int] = set()
        after: str | None = None
        try:
            while True:
                data = self._client.graphql(_OPEN, {**variables, "after": after})
                page = data.at("repository", "pullRequests").read(_Open)
                numbers |= {node.number for node in page.nodes}
                after = page.page.after
                if after is None:
                    return numbers
        except RefusedError:
            return set()

    def list_changes(self, question: Repository) -> Listing:
        """Return the four lists of a base."""
        pulls = self.open_pulls()
        queued, held = self._queued(pulls, question.base)
        own = [one.pull for one in queued if not one.pull.is_fork]
        merged, unread = Beneath(self._client, self._repo, question.base).read(own)
        held |= {number: words.beneath_unread(number, why) for number, why in unread.items()}
        held |= {number: words.pull_unread(one.problem) for number, one in pulls.unread.items()}
        for number, why in held.items():
            self._tell(words.held(number, why))
        changes = self._changes([one for one in queued if one.pull.number not in held], pulls)
        taken = {change.id for change in changes}
        return Listing(
            changes=tuple(changes),
            merged=merged,
            unqueued=self._unqueued(pulls, taken, held, question.base),
            closed=self._closed(pulls, {change.id for change in merged}),
        )

    def _queued(self, pulls: Pulls, base: BranchName) -> tuple[list[_Queued], dict[int, str]]:
        """Return the pull requests whose intent counts, and why others are held back."""
        asking = [
            _Queued(pull, wish)
            for pull in pulls.read.values()
            for wish in [wish_of(pull, pulls)]
            if wish is not None and wish.base == base
        ]
        labels = {one.wish.labelled for one in asking if one.wish.labelled is not None}
        judged = Labelers(self._client, self._repo).judge(
            sorted(labels, key=lambda label: label.number)
        )
        queued: list[_Queued] = []
        held: dict[int, str] = {}
        for one in asking:
            labeler = judged[one.wish.labelled] if one.wish.labelled is not None else None
            if labeler is None or labeler.counts:
                queued.append(one)
            elif labeler.unread:
                held[one.pull.number] = labeler.why_not
            else:
                self._tell(words.not_queued(one.pull.number, labeler.why_not))
        return queued, held

    def _changes(self, queued: Sequence[_Queued], pulls: Pulls) -> list[Change]:
        squashed = next((one for one in queued if one.wish.method is Method.SQUASH), None)
        base = None if squashed is None else parse_branch(squashed.wish.base)
        rules = () if base is None else Base(self._client, self._repo, base).rules().messages
        first = self._asked.counting((one.pull for one in queued), FIRST)
        wishes = {one.pull.number: one.wish for one in queued}
        times = read_queue_times(self._client, self._repo, wishes) if wishes else {}
        return [
            self._change(one, _refused(one, rules, pulls), first, times.get(one.pull.number))
            for one in queued
        ]

    def _change(
        self,
        one: _Queued,
        refused: str,
        first: Container[int],
        queued_at: datetime | None,
    ) -> Change:
        pull, wish = one.pull, one.wish
        return Change(
            id=pull.id,
            head=pull.head.sha,
            base=parse_branch(wish.base),
            method=wish.method,
            repo=str(self._repo),
            ref=head_ref(pull.number),
            branch=pull.branch,
            title=pull.title,
            parent=wish.parent,
            fork=pull.is_fork,
            refused=refused,
            queued_at=queued_at,
            priority=pull.number in first,
        )

    def _unqueued(
        self, pulls: Pulls, taken: set[ChangeId], held: Mapping[int, str], base: BranchName
    ) -> tuple[UnqueuedChange, ...]:
        open_: list[Pull | Unread] = [*pulls.read.values(), *pulls.unread.values()]
        tried = self._asked.counting(
            (
                pull
                for pull in pulls.read.values()
                if pull.id not in taken and not pull.is_fork and target_of(pull) == base
            ),
            TRY,
        )
        return tuple(
            UnqueuedChange(
                id=ChangeId(str(pull.number)),
                head=pull.head.sha if isinstance(pull, Pull) else pull.head,
                repo=str(self._repo),
                ref=head_ref(pull.number),
                mark=mark_of(pull.label_names)
                if isinstance(pull, Pull) and pull.number not in held
                else Mark.NONE,
                tried=pull.number in tried,
            )
            for pull in open_
            if ChangeId(str(pull.number)) not in taken
        )

    def _closed(self, pulls: Pulls, merged: set[ChangeId]) -> tuple[ClosedChange, ...]:
        """Return the closed pull requests that still show a label of the queue, from one search.

        The search's index may lag: what is open by now is not closed.
        """
        labels = ",".join(f'"{label}"' for label in ALL)
        query = f"repo:{self._repo} is:pr is:closed label:{labels}"
        items = self._client.pages(api_path("search", "issues"), {"q": query}, inside="items")
        open_ = {*pulls.read, *pulls.unread}
        numbers = dict.fromkeys(item.read(_Found).number for item in items)
        return tuple(
            ClosedChange(id=ChangeId(str(number)), repo=str(self._repo))
            for number in numbers
            if number not in open_ and ChangeId(str(number)) not in merged
        )


def _refused(one: _Queued, rules: tuple[MessageRule, ...], pulls: Pulls) -> str:
    """Return why GitHub could never merge it, or must not; empty where it may."""
    return _green_elsewhere(one, pulls) or _title_refused(one, rules)


def _green_elsewhere(one: _Queued, pulls: Pulls) -> str:
    """Return which other pull request GitHub would merge by the queue's status on this one's head.

    A status is a commit's, and the other was never validated on the base that it merges into.
    """
    for other in pulls.read.values():
        is_same = other.head.sha == one.pull.head.sha and other.number != one.pull.number
        if is_same and other.auto_merge is not None and target_of(other) != one.wish.base:
            return words.green_elsewhere(other.number, target_of(other))
    return ""


def _title_refused(one: _Queued, rules: tuple[MessageRule, ...]) -> str:
    """Return which rule about messages does not take its title; empty where none is known."""
    if one.wish.method is not Method.SQUASH:
        return ""
    auto = one.pull.auto_merge
    title = (auto.commit_title if auto else None) or words.squash_title(
        one.pull.title, one.pull.number
    )
    broken = broken_by(title, rules)
    return "" if broken is None else words.title_refused(broken.operator, broken.pattern)
