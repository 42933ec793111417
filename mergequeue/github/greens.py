"""Which open pull requests carry the queue's status at success (facts 1.7)."""

from typing import Annotated

from pydantic import Field

from mergequeue.documents.provider import GreenChange, GreenQuestion
from mergequeue.documents.record import CommitId
from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import GitHubRecord, RefusedError
from mergequeue.github.client import Client
from mergequeue.github.listing import Lists
from mergequeue.github.shapes import PageForward
from mergequeue.vocabulary.ids import ChangeId

_GREEN = "SUCCESS"

_QUERY = """\
query Greens($owner: String!, $name: String!, $context: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequests(states: OPEN, first: 100, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes {
        number headRefOid
        commits(last: 1) { nodes { commit { oid status { context(name: $context) { state } } } } }
      }
    }
  }
}
"""


class _Context(GitHubRecord):
    state: str


class _Status(GitHubRecord):
    context: _Context | None


class _Commit(GitHubRecord):
    oid: CommitId
    status: _Status | None
    """None where the commit has no status at all."""


class _Node(GitHubRecord):
    commit: _Commit


class _Commits(GitHubRecord):
    nodes: tuple[_Node, ...]


class _Pull(GitHubRecord):
    number: int
    head: Annotated[CommitId, Field(alias="headRefOid")]
    commits: _Commits


class _Pulls(GitHubRecord):
    page: Annotated[PageForward, Field(alias="pageInfo")]
    nodes: tuple[_Pull, ...]


class _RestStatus(GitHubRecord):
    context: str
    state: str


class Greens:
    """Reads which heads of one repository are green."""

    def __init__(self, client: Client, repo: RepoName, lists: Lists) -> None:
        self._client = client
        self._repo = repo
        self._lists = lists

    def read(self, question: GreenQuestion) -> tuple[GreenChange, ...]:
        """Return every open pull request, whatever its base, whose head is green."""
        try:
            return tuple(self._at_once(question.context))
        except RefusedError:
            return tuple(self._one_by_one(question.context))

    def _at_once(self, context: str) -> list[GreenChange]:
        variables = {"owner": self._repo.owner, "name": self._repo.name, "context": context}
        found: list[GreenChange] = []
        after: str | None = None
        while True:
            data = self._client.graphql(_QUERY, {**variables, "after": after})
            pulls = data.at("repository", "pullRequests").read(_Pulls)
            found += [
                self._green(pull.number, pull.head) for pull in pulls.nodes if _is_green(pull)
            ]
            after = pulls.page.after
            if after is None:
                return found

    def _one_by_one(self, context: str) -> list[GreenChange]:
        pulls = self._lists.open_pulls()
        heads = {number: pull.head.sha for number, pull in pulls.read.items()}
        heads |= {number: one.head for number, one in pulls.unread.items()}
        return [
            self._green(number, head)
            for number, head in heads.items()
            if self._state(head, context) == _GREEN
        ]

    def _state(self, head: CommitId, context: str) -> str:
        path = self._repo.path("commits", head, "status")
        items = [item.read(_RestStatus) for item in self._client.pages(path, inside="statuses")]
        return next((item.state.upper() for item in items if item.context == context), "")

    def _green(self, number: int, head: CommitId) -> GreenChange:
        return GreenChange(id=ChangeId(str(number)), head=head, repo=str(self._repo))


def _is_green(pull: _Pull) -> bool:
    return any(
        commit.oid == pull.head
        and commit.status is not None
        and commit.status.context is not None
        and commit.status.context.state == _GREEN
        for commit in (node.commit for node in pull.commits.nodes)
    )
