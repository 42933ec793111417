"""The pinned issue that shows the queue: found again by who wrote it and by its last line.

Somebody else's issue is never written to, whatever it holds. What cannot be written is told, and
raised to nobody: the queue goes on without its page.
"""

import hashlib
from collections.abc import Callable, Iterator

from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import GitHubRecord, UnclearError
from mergequeue.github.apps import writer_of
from mergequeue.github.certain import write_surely
from mergequeue.github.client import Client
from mergequeue.report.jobs import DASHBOARD_TITLE, not_pinned, not_shown
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.limits import ISSUE_BYTES

_PIN = """\
mutation Pin($id: ID!) {
  pinIssue(input: {issueId: $id}) { clientMutationId }
}
"""
_MARKER_BYTES = 100

PAGE_BYTES = ISSUE_BYTES - _MARKER_BYTES
"""How long a page may be, to fit with its last line."""


class _User(GitHubRecord):
    login: str


class _Issue(GitHubRecord):
    number: int
    node_id: str
    state: str
    body: str | None
    user: _User | None


class Dashboard:
    """The issue of one base's queue."""

    def __init__(
        self, client: Client, repo: RepoName, base: BranchName, tell: Callable[[str], None]
    ) -> None:
        """Ask nothing yet; `tell` is told what could not be done."""
        self._client = client
        self._repo = repo
        self._marker = marker_of(base)
        self.tell = tell

    def show(self, page: str) -> None:
        """Have the issue show a page of at most PAGE_BYTES, and write nothing where it does.

        The first time it is opened and pinned; one that somebody closed is opened again.
        """
        body = f"{page.rstrip()}\n\n{self._marker}"
        try:
            self._show(body)
        except MergequeueError as error:
            self.tell(not_shown(error.problem))

    def _show(self, body: str) -> None:
        login = writer_of(self._client)
        found = self._find(login)
        if found is None:
            self._open(login, body)
        elif found.state != "open" or _plain(found.body) != body:
            path = self._repo.path("issues", found.number)
            wanted = {"body": body, "state": "open"}
            write_surely(lambda: self._client.write("PATCH", path, wanted), lambda: False)

    def _open(self, login: str, body: str) -> None:
        try:
            made = self._post(body)
        except UnclearError:
            made = self._find(login) or self._post(body)
        try:
            self._client.mutate(_PIN, {"id": made.node_id})
        except MergequeueError as error:
            self.tell(not_pinned(made.number, error.problem))

    def _post(self, body: str) -> _Issue:
        path, wanted = self._repo.path("issues"), {"title": DASHBOARD_TITLE, "body": body}
        return self._client.write("POST", path, wanted, expect=(201,)).body.read(_Issue)

    def _find(self, login: str) -> _Issue | None:
        """Return the oldest issue of this credential's own that is the dashboard."""
        return min(self._own(login), key=lambda issue: issue.number, default=None)

    def _own(self, login: str) -> Iterator[_Issue]:
        query = {"creator": login, "state": "all"}
        for item in self._client.pages(self._repo.path("issues"), query):
            if isinstance(item.value, dict) and "pull_request" in item.value:
                continue
            issue = item.read(_Issue)
            # The filter is GitHub's word; whose it is stands in the issue itself.
            is_own = issue.user is not None and issue.user.login.casefold() == login.casefold()
            if is_own and _plain(issue.body).endswith(self._marker):
                yield issue


def marker_of(base: BranchName) -> str:
    """Return the last line of the dashboard of a base: a comment that nobody is shown."""
    digest = hashlib.sha256(base.encode()).hexdigest()
    return f"<!-- mergequeue dashboard {digest[:16]} -->"


def _plain(body: str | None) -> str:
    return (body or "").replace("\r\n", "\n").rstrip()
