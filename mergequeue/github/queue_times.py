"""When each pull request was queued: when auto-merge was switched on, or its label was put there.

It is told and counted, and decides nothing; so what cannot be read is left out.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated

from pydantic import AwareDatetime, Field

from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import Body, GitHubRecord, RefusedError
from mergequeue.github.asking import Ask, PullQueries
from mergequeue.github.client import Client
from mergequeue.github.intent import Wish
from mergequeue.github.shapes import Named

_AT_ONCE = 50
_FIELDS = """
autoMergeRequest { enabledAt }
timelineItems(itemTypes: [LABELED_EVENT], last: 20) {
  nodes { ... on LabeledEvent { createdAt label { name } } }
}
"""


class _AutoMerge(GitHubRecord):
    enabled: Annotated[AwareDatetime | None, Field(alias="enabledAt")]


class _Event(GitHubRecord):
    created: Annotated[AwareDatetime, Field(alias="createdAt")]
    label: Named


class _Items(GitHubRecord):
    nodes: tuple[_Event, ...]


class _Asked(GitHubRecord):
    auto: Annotated[_AutoMerge | None, Field(alias="autoMergeRequest")]
    items: Annotated[_Items, Field(alias="timelineItems")]


def read_queue_times(
    client: Client, repo: RepoName, wishes: Mapping[int, Wish]
) -> Mapping[int, datetime]:
    """Return when each of the pull requests was queued, as far as GitHub tells; in UTC."""
    numbers = {_told_by(number, wish) for number, wish in wishes.items()}
    read = _read(client, repo, sorted(numbers))
    times = {
        number: _time_of(wish, asked)
        for number, wish in wishes.items()
        if (asked := read.get(_told_by(number, wish))) is not None
    }
    return {number: time for number, time in times.items() if time is not None}


def _read(client: Client, repo: RepoName, numbers: Iterable[int]) -> Mapping[int, _Asked]:
    asks = [Ask(number, _FIELDS) for number in numbers]
    try:
        read, _ = PullQueries(client, repo).read(asks, _asked, at_once=_AT_ONCE)
    except RefusedError:
        return {}
    return read


def _told_by(number: int, wish: Wish) -> int:
    """Return the pull request that says it: its own, or the top of its stack."""
    return number if wish.labelled is None else wish.labelled.number


def _time_of(wish: Wish, asked: _Asked) -> datetime | None:
    if wish.labelled is None:
        return asked.auto.enabled if asked.auto is not None else None
    label = wish.labelled.label
    times = (event.created for event in asked.items.nodes if event.label.name == label)
    return max(times, default=None)


def _asked(_: int, body: Body) -> _Asked:
    return body.read(_Asked)
