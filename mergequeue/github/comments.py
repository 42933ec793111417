"""The queue's own comments on a pull request: read, posted once a kick, minimized."""

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated

from pydantic import Field

from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import GitHubRecord, UnclearError
from mergequeue.github.client import Client
from mergequeue.github.shapes import Named, PageBack, PageForward
from mergequeue.report.github_comment import is_kick_comment, same_kick
from mergequeue.vocabulary.limits import LABEL_PAGES

_QUERY = """\
query Comments($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      comments(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id viewerDidAuthor isMinimized createdAt body }
      }
    }
  }
}
"""
_SINCE = """\
query Intent($owner: String!, $name: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      autoMergeRequest { enabledAt }
      timelineItems(itemTypes: [LABELED_EVENT], last: 100, before: $before) {
        pageInfo { hasPreviousPage startCursor }
        nodes { ... on LabeledEvent { createdAt label { name } } }
      }
    }
  }
}
"""
_MINIMIZE = """\
mutation Minimize($id: ID!) {
  minimizeComment(input: {subjectId: $id, classifier: OUTDATED}) { clientMutationId }
}
"""


class Comment(GitHubRecord):
    """A comment."""

    id: str
    ours: Annotated[bool, Field(alias="viewerDidAuthor")]
    minimized: Annotated[bool, Field(alias="isMinimized")]
    created: Annotated[str, Field(alias="createdAt")]
    body: str


class _Comments(GitHubRecord):
    page: Annotated[PageForward, Field(alias="pageInfo")]
    nodes: tuple[Comment, ...]


class _Posted(GitHubRecord):
    node_id: str


class _AutoMerge(GitHubRecord):
    enabled: Annotated[str | None, Field(alias="enabledAt")]


class _Event(GitHubRecord):
    created: Annotated[str, Field(alias="createdAt")]
    label: Named


class _Events(GitHubRecord):
    page: Annotated[PageBack, Field(alias="pageInfo")]
    nodes: tuple[_Event, ...]


class _Intent(GitHubRecord):
    auto_merge: Annotated[_AutoMerge | None, Field(alias="autoMergeRequest")]
    timeline: Annotated[_Events, Field(alias="timelineItems")]


class Comments:
    """Reads and writes comments in one repository."""

    def __init__(self, client: Client, repo: RepoName) -> None:
        self._client = client
        self._repo = repo

    def of_kicks(self, number: int) -> list[Comment]:
        """Return the kick-backs that this credential wrote and nobody minimized, oldest first.

        That is said by GitHub, and by the last line, which nobody else's text can be.
        """
        return standing_kicks(self.own(number))

    def own(self, number: int) -> list[Comment]:
        """Return what this credential wrote, as GitHub says, oldest first."""
        found: list[Comment] = []
        after: str | None = None
        while True:
            data = self._client.graphql(_QUERY, {**self._variables(number), "after": after})
            page = data.at("repository", "pullRequest", "comments").read(_Comments)
            found += [one for one in page.nodes if one.ours]
            after = page.page.after
            if after is None:
                return found

    def post_once(self, number: int, body: str, since: str) -> str:
        """Post a kick-back, unless the very same was posted since its intent was set.

        Returns the comment's id. A run that was killed between the comment and what follows it
        finds its own comment here, and adds none.
        """
        return self.post_unless(number, body, lambda: self._posted(number, body, since))

    def post_unless(self, number: int, body: str, posted: Callable[[], str | None]) -> str:
        """Post a comment unless `posted` finds it, and return its id."""
        there = posted()
        if there is not None:
            return there
        try:
            return self._post(number, body)
        except UnclearError:
            there = posted()
            return there if there is not None else self._post(number, body)

    def minimize(self, comment: str) -> None:
        """Hide a comment as outdated."""
        self._client.mutate(_MINIMIZE, {"id": comment})

    def intent_since(self, number: int, labels: Sequence[str]) -> str:
        """Return when a pull request was last asked to be queued, by auto-merge or by one of the
        intent labels that it shows; empty where that is not on record.
        """
        times: list[str] = []
        before: str | None = None
        for _ in range(LABEL_PAGES):
            data = self._client.graphql(_SINCE, {**self._variables(number), "before": before})
            intent = data.at("repository", "pullRequest").read(_Intent)
            times += [one.created for one in intent.timeline.nodes if one.label.name in labels]
            before = intent.timeline.page.after
            if times or before is None or not labels:
                auto = intent.auto_merge
                return max([*times, *([auto.enabled or ""] if auto else [])], default="")
        return ""

    def _posted(self, number: int, body: str, since: str) -> str | None:
        comments = self.of_kicks(number)
        return _newest(
            one for one in comments if one.created >= since and same_kick(one.body, body)
        )

    def _post(self, number: int, body: str) -> str:
        path = self._repo.path("issues", number, "comments")
        answer = self._client.write("POST", path, {"body": body}, expect=(201,))
        return answer.body.read(_Posted).node_id

    def _variables(self, number: int) -> dict[str, object]:
        return {"owner": self._repo.owner, "name": self._repo.name, "number": number}


def standing_kicks(comments: Iterable[Comment]) -> list[Comment]:
    """Return the kick-backs among the queue's own comments that nobody minimized."""
    return [one for one in comments if not one.minimized and is_kick_comment(one.body)]


def _newest(comments: Iterable[Comment]) -> str | None:
    return next((one.id for one in reversed(list(comments))), None)
