"""The writing side of the provider."""

from collections.abc import Callable, Sequence

from mergequeue.documents.provider import (
    KickBack,
    MarkRequest,
    MergeAnswer,
    MergeRequest,
    RetargetRequest,
    StatusPost,
)
from mergequeue.github.addresses import RepoName, repo_named
from mergequeue.github.certain import write_surely
from mergequeue.github.client import Client
from mergequeue.github.comments import Comments
from mergequeue.github.kicks import Kicks
from mergequeue.github.listing import Lists
from mergequeue.github.marks import Marks
from mergequeue.github.pull_merges import Merges
from mergequeue.github.pulls import Pull, number_of
from mergequeue.github.statuses import Statuses
from mergequeue.report import github as words
from mergequeue.vocabulary.errors import BAD_ANSWER


class GitHubWrites:
    """`ProviderWrites` over one repository of GitHub's."""

    def __init__(
        self, client: Client, repo: RepoName, *, tell: Callable[[str], None], app: str = ""
    ) -> None:
        """Write through `client`; `tell` is told what failed and stops nothing."""
        lists = Lists(client, repo, tell)
        self._client = client
        self._repo = repo
        self._app = app
        self._marks = Marks(client, repo)
        self._statuses = Statuses(client, repo)
        self._merges = Merges(client, repo, lists)
        self._kicks = Kicks(client, repo, lists, self._marks, Comments(client, repo), tell)

    def post_status(self, posts: Sequence[StatusPost]) -> None:
        """Record the statuses."""
        for post in posts:
            self._check(post.repo)
        if posts:
            self._statuses.post(posts)

    def retarget(self, request: RetargetRequest) -> None:
        """Point a pull request at another base; one that targets it already is a success."""
        self._check(request.repo)
        path = self._repo.path("pulls", number_of(request.change))

        def is_there() -> bool:
            return self._client.get(path).body.read(Pull).base.ref == request.base

        if not is_there():
            write_surely(
                lambda: self._client.write("PATCH", path, {"base": request.base}, expect=(200,)),
                is_there,
            )

    def merge_change(self, request: MergeRequest) -> MergeAnswer:
        """Merge a pull request at the pinned commit, or say why not."""
        self._check(request.change.repo)
        return self._merges.merge(request)

    def kick_back(self, kick: KickBack) -> None:
        """Hand a pull request back: the comment first, then the intent."""
        self._check(kick.change.repo)
        self._kicks.kick_back(kick)

    def mark(self, marks: Sequence[MarkRequest]) -> tuple[str, ...]:
        """Show each change's one mark; what could not be shown is returned in words."""
        for mark in marks:
            self._check(mark.repo)
        return self._marks.mark(marks) if marks else ()

    def _check(self, repo: str) -> None:
        """Raise BAD_ANSWER for a change of another repository, which this one has a number for."""
        if repo and not repo_named(repo).is_same(self._repo):
            raise BAD_ANSWER(words.other_repository(repo, str(self._repo)))
