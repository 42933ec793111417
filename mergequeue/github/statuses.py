"""Commit statuses (facts 1.7). A status, and never a check run: GitHub's merge box ignores one of
those that is posted for a bare commit (CASES E).
"""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from mergequeue.documents.provider import StatusPost
from mergequeue.documents.record import CommitId
from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import Body, GitHubRecord, RefusedError
from mergequeue.github.asking import Ask, PullQueries
from mergequeue.github.certain import write_surely
from mergequeue.github.client import Client
from mergequeue.github.pulls import Pull, number_of
from mergequeue.report import github as words
from mergequeue.vocabulary.errors import BAD_ANSWER, PROVIDER_FAILED, MergequeueError
from mergequeue.vocabulary.limits import STATUS_DESCRIPTION_BYTES
from mergequeue.vocabulary.text import cut_inside
from mergequeue.vocabulary.words import StatusState

_AT_ONCE = 50
_LAG_SECONDS = 2.0
"""How long GitHub is given to see a push of the queue's own as a pull request's head."""


class _Head(GitHubRecord):
    head: Annotated[CommitId, Field(alias="headRefOid")]


class _Status(GitHubRecord):
    context: str
    state: str
    description: str | None


class Statuses:
    """Posts statuses in one repository, each on the head of its pull request alone."""

    def __init__(self, client: Client, repo: RepoName) -> None:
        self._client = client
        self._repo = repo
        self._queries = PullQueries(client, repo)

    def post(self, posts: Sequence[StatusPost]) -> None:
        """Record every status that can be; one that cannot keeps no other from it.

        Raises PROVIDER_FAILED with what kept some back, and at once what concerns them all.
        """
        heads, unread = self._heads(posts)
        problems: list[MergequeueError] = []
        for post in posts:
            number = number_of(post.change)
            try:
                if number in unread:
                    raise PROVIDER_FAILED(words.head_unread(number, unread[number]))
                self._post(post, heads[number])
            except MergequeueError as error:
                if error.code not in _OF_ONE:
                    raise
                problems.append(error)
        if len(problems) == 1:
            raise problems[0]
        if problems:
            raise PROVIDER_FAILED("; ".join(error.problem for error in problems))

    def _post(self, post: StatusPost, head: CommitId) -> None:
        if head != post.commit and not self._may_follow(post):
            raise PROVIDER_FAILED(words.status_not_on_head(post.change, post.commit, head))
        path = self._repo.path("statuses", post.commit)
        body = {
            "state": post.state.value,
            "context": post.context,
            "description": cut_inside(post.description, STATUS_DESCRIPTION_BYTES),
        }
        write_surely(
            lambda: self._client.write("POST", path, body, expect=(201,)),
            lambda: self._shows(post.commit, body),
        )

    def _may_follow(self, post: StatusPost) -> bool:
        """Whether a status may go on a commit that was not the head when that was read.

        It may where it takes back a success that stands there, since a push could bring the commit
        back; and where GitHub only was late to see the queue's own push.
        """
        if post.state is StatusState.PENDING and self._is_green(post):
            return True
        self._client.clock.sleep(_LAG_SECONDS)
        path = self._repo.path("pulls", number_of(post.change))
        return self._client.get(path).body.read(Pull).head.sha == post.commit

    def _is_green(self, post: StatusPost) -> bool:
        shown = self._shown(post.commit, post.context)
        return shown is not None and shown.state == StatusState.SUCCESS.value

    def _shows(self, commit: CommitId, body: dict[str, str]) -> bool:
        shown = self._shown(commit, body["context"])
        wanted = (body["state"], body["description"])
        return shown is not None and (shown.state, shown.description or "") == wanted

    def _shown(self, commit: CommitId, context: str) -> _Status | None:
        """Return the newest status of a context on a commit."""
        path = self._repo.path("commits", commit, "status")
        items = [item.read(_Status) for item in self._client.pages(path, inside="statuses")]
        return next((item for item in items if item.context == context), None)

    def _heads(self, posts: Sequence[StatusPost]) -> tuple[dict[int, CommitId], dict[int, str]]:
        """Return the head of each pull request, from one query about many of them."""
        numbers = list(dict.fromkeys(number_of(post.change) for post in posts))
        asks = [Ask(number, "headRefOid") for number in numbers]
        try:
            return self._queries.read(asks, _head, at_once=_AT_ONCE)
        except RefusedError:
            return self._heads_one_by_one(numbers)

    def _heads_one_by_one(
        self, numbers: Sequence[int]
    ) -> tuple[dict[int, CommitId], dict[int, str]]:
        heads: dict[int, CommitId] = {}
        failed: dict[int, str] = {}
        for number in numbers:
            try:
                path = self._repo.path("pulls", number)
                heads[number] = self._client.get(path).body.read(Pull).head.sha
            except MergequeueError as error:
                failed[number] = error.problem
        return heads, failed


_OF_ONE = frozenset({PROVIDER_FAILED.code, BAD_ANSWER.code})


def _head(_: int, body: Body) -> CommitId:
    return body.read(_Head).head
