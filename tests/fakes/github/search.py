"""Searching for pull requests: the few words of GitHub's search that a queue uses."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.fakes.github import access
from tests.fakes.github.calls import Answer, Call, Refused
from tests.fakes.github.issues import issue
from tests.fakes.github.paging import paged
from tests.fakes.github.records import Pull, Repository, Token
from tests.fakes.github.routes import route

if TYPE_CHECKING:
    from tests.fakes.github.world import World

_TERM = re.compile(
    r'(?P<not>-)?(?P<key>[a-z]+):(?P<value>(?:"[^"]*"|[^\s",]+)(?:,(?:"[^"]*"|[^\s",]+))*)'
)


def found_pulls(world: "World", token: Token | None, query: str) -> list[tuple[Repository, Pull]]:
    """Return what a search finds, newest first."""
    if len(query) > 256:
        raise Refused(422, "The search is longer than 256 characters.")
    if rest := _TERM.sub("", query).strip():
        world.log.broken.append(f"the fake searches no free text: {rest!r}")
    asked = [
        (
            one["key"],
            [part.strip('"') for part in re.findall(r'"[^"]*"|[^,]+', one["value"])],
            bool(one["not"]),
        )
        for one in _TERM.finditer(query)
    ]
    if unknown := {key for key, _, _ in asked} - set(_TESTS):
        world.log.broken.append(f"the fake does not search by {sorted(unknown)}")
        return []
    found = [
        (repository, pull)
        for repository in world.repositories.values()
        if access.sees(token, repository)
        for pull in repository.pulls.values()
        if all(_fits(repository, pull, key, values) != negated for key, values, negated in asked)
    ]
    return sorted(found, key=lambda one: one[1].created_at, reverse=True)


def _is(repository: Repository, pull: Pull, value: str) -> bool:
    del repository
    merged = "merged" if pull.merged else "unmerged"
    return value in {"pr", pull.state, merged, "draft" if pull.draft else "pr"}


_TESTS: dict[str, Callable[[Repository, Pull, str], bool]] = {
    "repo": lambda repository, _, value: repository.full_name.lower() == value.lower(),
    "is": _is,
    "type": lambda _, __, value: value == "pr",
    "state": lambda _, pull, value: value == pull.state,
    "label": lambda _, pull, value: value.lower() in {name.lower() for name in pull.labels},
    "author": lambda _, pull, value: value.lower() == pull.author.lower(),
    "base": lambda _, pull, value: value == pull.base,
    "head": lambda _, pull, value: value == pull.head,
    "draft": lambda _, pull, value: (value == "true") == pull.draft,
    "sort": lambda *_: True,
    "archived": lambda *_: True,
}


def _fits(repository: Repository, pull: Pull, key: str, values: list[str]) -> bool:
    return any(_TESTS[key](repository, pull, value) for value in values)


@route("GET /search/issues")
def search_issues(call: Call) -> Answer:
    found = found_pulls(call.world, call.token, call.query["q"])
    shown = [{**issue(call.world, *one), "score": 1} for one in found]
    answer = paged(call, shown, inside="items")
    answer.body["incomplete_results"] = call.world.search_is_incomplete
    return answer
