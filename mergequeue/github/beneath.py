"""Which merged pull requests lie beneath the queued ones (facts 1.5, merged beneath).

A pull request counts where it merged into the base and its head is a commit that a queued one
carries. Asked of GraphQL for many at once; where the host or the token has none of that, of REST,
commit by commit.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from pydantic import Field

from mergequeue.documents.changes import MergedChange
from mergequeue.documents.record import CommitId
from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import GitHubRecord, RefusedError
from mergequeue.github.asking import Ask, PullQueries
from mergequeue.github.client import Client
from mergequeue.github.pulls import BaseSide, Pull
from mergequeue.github.shapes import MoreOrNot, PageForward
from mergequeue.report import github as words
from mergequeue.vocabulary.errors import BAD_ANSWER, MergequeueError
from mergequeue.vocabulary.ids import BranchName, ChangeId
from mergequeue.vocabulary.words import Method

_AT_ONCE = 10
"""As many as GitHub answers in its time: each is up to 100 commits of up to 20 pull requests."""
_COMMITS_LISTED = 250
"""REST lists no more commits of a pull request than these."""
_MERGED = "MERGED"

_FIELDS = """
commits(first: 100, after: $after) {
  pageInfo { hasNextPage endCursor }
  nodes { commit { oid associatedPullRequests(first: 20) {
    pageInfo { hasNextPage }
    nodes {
      number state baseRefName headRefOid
      baseRepository { databaseId }
      mergeCommit { oid parents(first: 1) { totalCount } }
    }
  } } }
}
"""


class _Count(GitHubRecord):
    total: Annotated[int, Field(alias="totalCount")]


class _MergeCommit(GitHubRecord):
    oid: CommitId
    parents: _Count


class _Repository(GitHubRecord):
    id: Annotated[int | None, Field(alias="databaseId")]


class _Associated(GitHubRecord):
    number: int
    state: str
    base: Annotated[str, Field(alias="baseRefName")]
    head: Annotated[CommitId, Field(alias="headRefOid")]
    repository: Annotated[_Repository | None, Field(alias="baseRepository")]
    merge: Annotated[_MergeCommit | None, Field(alias="mergeCommit")]


class _AssociatedList(GitHubRecord):
    page: Annotated[MoreOrNot, Field(alias="pageInfo")]
    nodes: tuple[_Associated, ...]


class _Commit(GitHubRecord):
    oid: CommitId
    associated: Annotated[_AssociatedList, Field(alias="associatedPullRequests")]


class _Node(GitHubRecord):
    commit: _Commit


class _Commits(GitHubRecord):
    page: Annotated[PageForward, Field(alias="pageInfo")]
    nodes: tuple[_Node, ...]


class _Sha(GitHubRecord):
    sha: CommitId


class _Parents(GitHubRecord):
    parents: tuple[_Sha, ...]


class _RestAssociated(GitHubRecord):
    number: int
    merged_at: str | None
    base: BaseSide
    head: _Sha
    merge_commit_sha: CommitId | None


class Beneath:
    """Reads what merged beneath pull requests of one repository and base."""

    def __init__(self, client: Client, repo: RepoName, base: BranchName) -> None:
        self._client = client
        self._repo = repo
        self._base = base
        self._queries = PullQueries(client, repo)

    def read(self, queued: Sequence[Pull]) -> tuple[tuple[MergedChange, ...], Mapping[int, str]]:
        """Return every merged change whose head one of them carries, each once.

        With it, why that is not known of some: a list that was cut could leave out one beneath.
        """
        try:
            found, failed = self._at_once(queued)
        except RefusedError:
            found, failed = self._one_by_one(queued)
        return tuple({merged.id: merged for merged in found}.values()), failed

    def _at_once(self, queued: Sequence[Pull]) -> tuple[list[MergedChange], dict[int, str]]:
        pulls = {pull.number: pull for pull in queued}
        found: list[MergedChange] = []
        failed: dict[int, str] = {}
        asks = [Ask(number, _FIELDS) for number in pulls]
        while asks:
            read, unread = self._queries.read(
                asks,
                lambda number, body: self._page(pulls[number], body.at("commits").read(_Commits)),
                at_once=_AT_ONCE,
            )
            failed |= unread
            found += [merged for merges, _ in read.values() for merged in merges]
            asks = [Ask(number, _FIELDS, after) for number, (_, after) in read.items() if after]
        return found, failed

    def _page(self, pull: Pull, page: _Commits) -> tuple[list[MergedChange], str | None]:
        """Return the merges of one page of a pull request's commits, and where the next starts."""
        found: list[MergedChange] = []
        for commit in (node.commit for node in page.nodes):
            if commit.associated.page.has_more:
                raise BAD_ANSWER(words.too_many_pulls(commit.oid))
            for other in commit.associated.nodes:
                ours = other.repository is not None and other.repository.id == pull.base.repo.id
                landed = (
                    other.merge if other.state == _MERGED and other.base == self._base else None
                )
                if ours and landed is not None and other.head == commit.oid:
                    found.append(
                        _merged(other.number, other.head, landed.oid, landed.parents.total)
                    )
        return found, page.page.after

    def _one_by_one(self, queued: Sequence[Pull]) -> tuple[list[MergedChange], dict[int, str]]:
        found: list[MergedChange] = []
        failed: dict[int, str] = {}
        for pull in queued:
            try:
                found += self._alone(pull)
            except MergequeueError as error:
                failed[pull.number] = error.problem
        return found, failed

    def _alone(self, pull: Pull) -> list[MergedChange]:
        """Return what merged beneath one pull request, from REST."""
        commits = self._client.pages(self._repo.path("pulls", pull.number, "commits"))
        if len(commits) >= _COMMITS_LISTED:
            raise BAD_ANSWER(words.too_many_commits(pull.number))
        found: list[MergedChange] = []
        for commit in (item.read(_Sha).sha for item in commits):
            for item in self._client.pages(self._repo.path("commits", commit, "pulls")):
                other = item.read(_RestAssociated)
                found += self._of_rest(other, commit, pull.base.repo.id)
        return found

    def _of_rest(
        self, other: _RestAssociated, commit: CommitId, repository: int
    ) -> Iterable[MergedChange]:
        landed = other.merge_commit_sha
        ours = other.base.repo.id == repository and other.base.ref == self._base
        if landed is None or other.merged_at is None or not ours or other.head.sha != commit:
            return
        merge = self._client.get(self._repo.path("commits", landed)).body.read(_Parents)
        yield _merged(other.number, other.head.sha, landed, len(merge.parents))


def _merged(number: int, head: CommitId, commit: CommitId, parents: int) -> MergedChange:
    """Return the record; a rebase reads as a squash, since it too leaves one parent."""
    method = Method.MERGE if parents > 1 else Method.SQUASH
    return MergedChange(id=ChangeId(str(number)), head=head, commit=commit, method=method)
