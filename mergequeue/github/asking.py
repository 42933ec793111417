"""One GraphQL query about many pull requests, so that requests grow with pages and not with them.

Each pull request has a name of its own in the query, `p482`; where GitHub has no such pull request,
or will not say it of one, that one alone is left out and its words are kept.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import Body, RefusedError
from mergequeue.github.client import Client
from mergequeue.vocabulary.errors import MergequeueError

Key = TypeVar("Key")
Read = TypeVar("Read")

_ALIAS = re.compile(r"p([1-9][0-9]*)\Z")


@dataclass(frozen=True)
class Ask:
    """What is asked about one pull request."""

    number: int
    fields: str
    """The fields, with `$after` where the place in a list belongs."""
    after: str | None = None
    """Where a list goes on; None for its start."""


@dataclass
class Asked:
    """What became of asking about many."""

    bodies: dict[int, Body] = field(default_factory=dict)
    failed: dict[int, str] = field(default_factory=dict)
    """Why one could not be read."""


class PullQueries:
    """Asks about the pull requests of one repository."""

    def __init__(self, client: Client, repo: RepoName) -> None:
        self._client = client
        self._repo = repo

    def ask(self, asks: Iterable[Ask], *, at_once: int) -> Asked:
        """Return what GitHub says of each, `at_once` of them in one request.

        Raises RefusedError where it answers none of them, such as where the host lacks a field.
        """
        left = list(asks)
        asked = Asked()
        while left:
            some, left = left[:at_once], left[at_once:]
            self._ask_some(some, asked)
        return asked

    def read(
        self, asks: Iterable[Ask], reader: Callable[[int, Body], Read], *, at_once: int
    ) -> tuple[dict[int, Read], dict[int, str]]:
        """Return what `reader` makes of each answer, and why the others have none."""
        asked = self.ask(asks, at_once=at_once)
        read: dict[int, Read] = {}
        failed = dict(asked.failed)
        for number, body in asked.bodies.items():
            try:
                read[number] = reader(number, body)
            except MergequeueError as error:
                failed[number] = error.problem
        return read, failed

    def _ask_some(self, asks: Sequence[Ask], asked: Asked) -> None:
        try:
            data = self._client.graphql(_query(asks), self._variables(asks))
        except RefusedError as error:
            refused = _refused_one_by_one(error) & {ask.number for ask in asks}
            if not refused:
                raise
            asked.failed |= dict.fromkeys(refused, error.message)
            rest = [ask for ask in asks if ask.number not in refused]
            if rest:
                self._ask_some(rest, asked)
            return
        repository = data.at("repository")
        for ask in asks:
            body = repository.at(f"p{ask.number}")
            if body.value is None:
                asked.failed[ask.number] = f"{body.what}: {body.where} is null"
            else:
                asked.bodies[ask.number] = body

    def _variables(self, asks: Sequence[Ask]) -> Mapping[str, object]:
        places = {f"after{ask.number}": ask.after for ask in asks if "$after" in ask.fields}
        return {"owner": self._repo.owner, "name": self._repo.name, **places}


def _query(asks: Sequence[Ask]) -> str:
    places = "".join(f", $after{ask.number}: String" for ask in asks if "$after" in ask.fields)
    parts = [
        f"p{ask.number}: pullRequest(number: {ask.number}) "
        f"{{ {ask.fields.replace('$after', f'$after{ask.number}')} }}"
        for ask in asks
    ]
    return (
        f"query PullRequests($owner: String!, $name: String!{places}) "
        f"{{ repository(owner: $owner, name: $name) {{ {' '.join(parts)} }} }}"
    )


def _refused_one_by_one(error: RefusedError) -> set[int]:
    """Return the pull requests that GitHub's errors are about; none where one is about more."""
    numbers: set[int] = set()
    for entry in error.errors:
        path = entry.get("path")
        found = _ALIAS.match(str(path[1])) if isinstance(path, list) and len(path) > 1 else None
        if found is None or entry.get("type") == "FORBIDDEN":
            return set()
        numbers.add(int(found[1]))
    return numbers
