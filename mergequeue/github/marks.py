"""Showing a change's one mark as a label, and taking off what queued it (facts 2.10)."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from mergequeue.documents.provider import MarkRequest
from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import Body, GitHubRecord, RefusedError
from mergequeue.github.asking import Ask, PullQueries
from mergequeue.github.certain import write_surely
from mergequeue.github.client import Client
from mergequeue.github.labels import StatusLabel, moves_to
from mergequeue.github.pulls import number_of
from mergequeue.github.shapes import MoreOrNot, Named
from mergequeue.report import github as words
from mergequeue.vocabulary.errors import MergequeueError

_AT_ONCE = 50
_NOT_FOUND = 404
_UNPROCESSABLE = 422
_EXISTS = "already_exists"

_FIELDS = "labels(first: 100) { pageInfo { hasNextPage } nodes { name } }"


class _Labels(GitHubRecord):
    page: Annotated[MoreOrNot, Field(alias="pageInfo")]
    nodes: tuple[Named, ...]


class _Issue(GitHubRecord):
    labels: tuple[Named | str, ...]


class _Code(GitHubRecord):
    code: str


class _Invalid(GitHubRecord):
    errors: Annotated[tuple[_Code, ...], Field(min_length=1)]


class Marks:
    """Writes the labels of one repository's pull requests."""

    def __init__(self, client: Client, repo: RepoName) -> None:
        self._client = client
        self._repo = repo
        self._queries = PullQueries(client, repo)
        self._made: set[str] = set()

    def mark(self, marks: Sequence[MarkRequest]) -> tuple[str, ...]:
        """Show each change's one mark, and return in words what could not be shown.

        A change that shows it already is not written to.
        """
        shown, failed = self._shown(list(dict.fromkeys(number_of(one.change) for one in marks)))
        problems: list[str] = []
        for request in marks:
            number = number_of(request.change)
            try:
                if number in failed:
                    problems.append(words.not_marked(number, failed[number]))
                else:
                    self._move(number, request, shown[number])
            except MergequeueError as error:
                problems.append(words.not_marked(number, error.problem))
        return tuple(problems)

    def remove(self, number: int, label: str) -> None:
        """Take a label off; one that is gone already is a success."""
        path = self._repo.path("issues", number, "labels", label)
        write_surely(
            lambda: self._client.write("DELETE", path, expect=(200, _NOT_FOUND)),
            lambda: label not in self.labels(number),
        )

    def labels(self, number: int) -> tuple[str, ...]:
        """Return the labels that a pull request shows now."""
        issue = self._client.get(self._repo.path("issues", number)).body.read(_Issue)
        return tuple(one if isinstance(one, str) else one.name for one in issue.labels)

    def _move(self, number: int, request: MarkRequest, shown: Sequence[str]) -> None:
        moves = moves_to(request.mark, shown)
        for label in moves.add:
            self._add(number, label)
        for name in moves.remove:
            self.remove(number, name)

    def _add(self, number: int, label: StatusLabel) -> None:
        self._make(label)
        path = self._repo.path("issues", number, "labels")
        write_surely(
            lambda: self._client.write("POST", path, {"labels": [label.name]}, expect=(200,)),
            lambda: label.name in self.labels(number),
        )

    def _make(self, label: StatusLabel) -> None:
        """Create the label, once a run: adding one that is not there gives it a random colour."""
        if label.name in self._made:
            return
        body = {"name": label.name, "color": label.color, "description": label.description}
        try:
            write_surely(
                lambda: self._client.write("POST", self._repo.path("labels"), body, expect=(201,)),
                lambda: False,
            )
        except RefusedError as error:
            if not _exists_already(error):
                raise
        self._made.add(label.name)

    def _shown(self, numbers: Sequence[int]) -> tuple[dict[int, tuple[str, ...]], dict[int, str]]:
        """Return the labels of each pull request, from one query about many of them."""
        asks = [Ask(number, _FIELDS) for number in numbers]
        try:
            return self._queries.read(asks, self._names, at_once=_AT_ONCE)
        except RefusedError:
            return self._shown_one_by_one(numbers)

    def _names(self, number: int, body: Body) -> tuple[str, ...]:
        shown = body.at("labels").read(_Labels)
        more = shown.page.has_more
        return self.labels(number) if more else tuple(one.name for one in shown.nodes)

    def _shown_one_by_one(
        self, numbers: Sequence[int]
    ) -> tuple[dict[int, tuple[str, ...]], dict[int, str]]:
        shown: dict[int, tuple[str, ...]] = {}
        failed: dict[int, str] = {}
        for number in numbers:
            try:
                shown[number] = self.labels(number)
            except MergequeueError as error:
                failed[number] = error.problem
        return shown, failed


def _exists_already(error: RefusedError) -> bool:
    """Whether the one thing wrong with a label to create is that it is there (facts 1.9)."""
    if error.status != _UNPROCESSABLE:
        return False
    try:
        codes = error.answer.body.read(_Invalid).errors
    except MergequeueError:
        return False
    return all(one.code == _EXISTS for one in codes)
