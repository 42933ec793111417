"""The writing side of the provider."""

from collections.abc import Callable, Mapping, Sequence

from mergequeue.documents.preflight import RerunRequest
from mergequeue.documents.provider import (
    KickBack,
    MarkRequest,
    MergeAnswer,
    MergeRequest,
    RetargetRequest,
    StatusPost,
)
from mergequeue.documents.trying import TryReport
from mergequeue.github.addresses import RepoName, repo_named
from mergequeue.github.certain import write_surely
from mergequeue.github.client import Client
from mergequeue.github.comments import Comments
from mergequeue.github.kicks import Kicks
from mergequeue.github.listing import Lists
from mergequeue.github.marks import Marks
from mergequeue.github.named_checks import Reruns
from mergequeue.github.pull_merges import Merges
from mergequeue.github.pulls import Pull, number_of
from mergequeue.github.statuses import Statuses
from mergequeue.github.tries import TryReports
from mergequeue.report import github as words
from mergequeue.vocabulary.errors import BAD_ANSWER
from mergequeue.vocabulary.ids import ChangeId


class GitHubWrites:
    """`ProviderWrites` over one repository of GitHub's."""

    def __init__(
        self,
        client: Client,
        repo: RepoName,
        *,
        tell: Callable[[str], None],
        rerunning: Callable[[], Client],
        app: str = "",
    ) -> None:
        """Write through `client`; `tell` is told what failed and stops nothing.

        `rerunning` gives what may run checks again, and is asked where any have to be.
        """
        lists = Lists(client, repo, tell)
        self._client = client
        self._repo = repo
        self._app = app
        self._marks = Marks(client, repo)
        self._reruns = Reruns(rerunning, repo)
        self._statuses = Statuses(client, repo)
        self._merges = Merges(client, repo, lists)
        self._kicks = Kicks(client, repo, lists, self._marks, Comments(client, repo), tell)
        self._tries = TryReports(client, repo, self._marks, Comments(client, repo))

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

    def rerun_checks(self, requests: Sequence[RerunRequest]) -> Mapping[ChangeId, str]:
        """Run the jobs again that did not succeed; return why those of a change could not be."""
        for request in requests:
            self._check(request.repo)
        return self._reruns.rerun(requests) if requests else {}

    def merge_change(self, request: MergeRequest) -> MergeAnswer:
        """Merge a pull request at the pinned commit, or say why not."""
        self._check(request.change.repo)
        return self._merges.merge(request)

    def kick_back(self, kick: KickBack) -> None:
        """Hand a pull request back: the comment first, then the intent."""
        self._check(kick.change.repo)
        self._kicks.kick_back(kick)

    def report_try(self, report: TryReport) -> None:
        """Comment on what a try run came to, then take the label off that asked for it."""
        self._check(report.repo)
        self._tries.report(report)

    def mark(self, marks: Sequence[MarkRequest]) -> tuple[str, ...]:
        """Show each change's one mark; what could not be shown is returned in words."""
        for mark in marks:
            self._check(mark.repo)
        return self._marks.mark(marks) if marks else ()

    def _check(self, repo: str) -> None:
        """Raise BAD_ANSWER for a change of another repository, which this one has a number for."""
        if repo and not repo_named(repo).is_same(self._repo):
            raise BAD_ANSWER(words.other_repository(repo, str(self._repo)))
