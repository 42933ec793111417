"""Who set an intent label, and whether they may write (seed 1, Providers; facts 1.5).

A label is intent only where the one who last put it there holds write access, or is the app that
the base requires the queue's status from: the queue itself queues what its keeper brought up to
date. That somebody does not is known; that it could not be read is something else, and both concern
that label alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import Body, GitHubRecord, RefusedError
from mergequeue.github.asking import Ask, PullQueries
from mergequeue.github.client import Client
from mergequeue.github.intent import Labelled
from mergequeue.github.own_labels import OwnLabels, is_app
from mergequeue.github.permissions import Permissions, Role
from mergequeue.github.shapes import Actor, Named, PageBack
from mergequeue.report import github as words
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.limits import LABEL_PAGES

_AT_ONCE = 25

_FIELDS = """
timelineItems(itemTypes: [LABELED_EVENT], last: 100, before: $after) {
  pageInfo { hasPreviousPage startCursor }
  nodes { ... on LabeledEvent { label { name } actor { __typename login } } }
}
"""


@dataclass(frozen=True)
class Labeler:
    """Whether an intent label counts."""

    counts: bool
    why_not: str = ""
    unread: bool = False
    """Whether that is because it could not be read who set it, or what they may do."""


class _Event(GitHubRecord):
    label: Named
    actor: Actor | None


class _Items(GitHubRecord):
    page: Annotated[PageBack, Field(alias="pageInfo")]
    nodes: tuple[_Event, ...]


class _Login(GitHubRecord):
    login: str


class _RestEvent(GitHubRecord):
    label: Named
    actor: _Login | None


class _Kind(GitHubRecord):
    event: str = ""
    """Some entries of a timeline, such as commits by hand, have no name."""


def _unread(why: str) -> Labeler:
    return Labeler(counts=False, why_not=why, unread=True)


class Labelers:
    """Reads who set labels; each login's permission is asked for once a reading."""

    def __init__(self, client: Client, repo: RepoName) -> None:
        self._client = client
        self._repo = repo
        self._queries = PullQueries(client, repo)
        self._permissions = Permissions(client, repo)
        self._own = OwnLabels(client, repo)

    def judge(self, labelled: Iterable[Labelled]) -> Mapping[Labelled, Labeler]:
        """Return of each label whether it counts."""
        setters = self._setters(list(dict.fromkeys(labelled)))
        logins = sorted({who for who in setters.values() if isinstance(who, str)})
        roles = self._permissions.roles(logins)
        judged = {
            one: who if isinstance(who, Labeler) else _judged(one, who, roles[who])
            for one, who in setters.items()
        }
        apps = [one for one, who in setters.items() if isinstance(who, str) and is_app(who)]
        return judged | {one: self._judged_again(one, judged[one]) for one in apps}

    def _judged_again(self, one: Labelled, judged: Labeler) -> Labeler:
        """Return whether a label counts that an app set, which is nobody with write access."""
        try:
            own = judged.counts or self._own.is_own(one)
        except MergequeueError as error:
            return _unread(error.problem)
        return Labeler(counts=True) if own else judged

    # --- who -------------------------------------------------------------------------------------

    def _setters(self, labelled: Sequence[Labelled]) -> dict[Labelled, str | Labeler]:
        """Return who last set each label, or why that is not known."""
        try:
            return self._setters_at_once(labelled)
        except RefusedError:
            return {one: self._setter_alone(one) for one in labelled}

    def _setters_at_once(self, labelled: Sequence[Labelled]) -> dict[Labelled, str | Labeler]:
        found: dict[Labelled, str | Labeler] = {}
        places: dict[Labelled, str | None] = dict.fromkeys(labelled)
        for _ in range(LABEL_PAGES):
            asks = [Ask(one.number, _FIELDS, place) for one, place in places.items()]
            read, failed = self._queries.read(asks, _items, at_once=_AT_ONCE)
            left: dict[Labelled, str | None] = {}
            for one in places:
                items = read.get(one.number)
                if items is None:
                    found[one] = _unread(failed[one.number])
                    continue
                setter = _last(one.label, [(node.label, node.actor) for node in items.nodes])
                if setter is not None:
                    found[one] = setter
                elif items.page.after is None:
                    found[one] = _unread(words.nobody_labelled(one.label))
                else:
                    left[one] = items.page.after
            places = left
            if not places:
                return found
        return found | {one: _unread(words.timeline_too_long(one.number)) for one in places}

    def _setter_alone(self, one: Labelled) -> str | Labeler:
        """Return the same from REST, which has no list of labels alone."""
        path = self._repo.path("issues", one.number, "timeline")
        events: list[tuple[Named, _Login | None]] = []
        try:
            for page in range(1, LABEL_PAGES + 1):
                answer = self._client.get(path, {"per_page": 100, "page": page})
                events += [_rest_event(item) for item in answer.body.each() if _is_labeled(item)]
                if 'rel="next"' not in answer.headers.get("link", ""):
                    return _last(one.label, events) or _unread(words.nobody_labelled(one.label))
        except MergequeueError as error:
            return _unread(error.problem)
        return _unread(words.timeline_too_long(one.number))


def _judged(one: Labelled, login: str, role: Role) -> Labeler:
    if role.unread:
        return _unread(role.unread)
    if role.may_write:
        return Labeler(counts=True)
    return Labeler(counts=False, why_not=words.labeler_cannot_write(one.label, login))


def _items(_: int, body: Body) -> _Items:
    return body.at("timelineItems").read(_Items)


def _last(
    label: str, events: Sequence[tuple[Named, Actor | _Login | None]]
) -> str | Labeler | None:
    """Return who set a label last in these events; None where nobody did in them."""
    for named, actor in reversed(events):
        if named.name == label:
            return _unread(words.labeler_gone(label)) if actor is None else actor.login
    return None


def _is_labeled(item: Body) -> bool:
    return item.read(_Kind).event == "labeled"


def _rest_event(item: Body) -> tuple[Named, _Login | None]:
    event = item.read(_RestEvent)
    return event.label, event.actor
