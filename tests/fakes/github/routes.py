"""Which function answers which operation, and what it asks of the token."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from tests.fakes.github.calls import Answer, Call
from tests.fakes.github.records import Role

AREAS = (
    "actions",
    "apps",
    "branches",
    "checks",
    "issues",
    "labels",
    "merges",
    "people",
    "pulls",
    "repositories",
    "reviews",
    "rules",
    "search",
    "secrets",
    "stacks",
    "statuses",
)
"""The modules that hold functions with `@route`."""

Handler = Callable[[Call], Answer]


@dataclass(frozen=True)
class Route:
    """An operation's function; `needs` is empty where any token, or none, will do."""

    operation: str
    handler: Handler
    needs: tuple[str, ...]
    role: Role


_ROUTES: dict[str, Route] = {}


def route(operation: str, *needs: str, role: Role | None = None) -> Callable[[Handler], Handler]:
    """Make a function the answer to an operation, given as `GET /path/{parameter}`.

    `needs` are permissions of which an app's token must hold one, as `statuses:write`; `role` is
    what a person must be in the repository (by default `write` for a writing permission).
    """
    writes = any(need.endswith(":write") for need in needs)

    def keep(handler: Handler) -> Handler:
        assert operation not in _ROUTES, operation
        _ROUTES[operation] = Route(
            operation, handler, needs, role or ("write" if writes else "read")
        )
        return handler

    return keep


@cache
def routes() -> dict[str, Route]:
    """Return the route of every operation that the fake has."""
    for area in AREAS:
        importlib.import_module(f"tests.fakes.github.{area}")
    return _ROUTES
