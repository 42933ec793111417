"""Who asks, and whether GitHub lets them."""

import base64
import binascii
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tests.fakes.github.calls import Call, Refused, not_for_integrations, not_found
from tests.fakes.github.records import Repository, Token
from tests.fakes.github.routes import Route

if TYPE_CHECKING:
    from tests.fakes.github.world import World

APP = ("app",)
"""What a route needs that an app asks for with a signed claim; its handler looks at it."""
_LEVELS = ("read", "write", "admin")


def text_of(authorization: str) -> str | None:
    """Return the token of a header: bearer, token, or the password of a basic one."""
    kind, _, value = authorization.partition(" ")
    if kind.lower() in {"bearer", "token"}:
        return value.strip()
    if kind.lower() == "basic":
        try:
            return base64.b64decode(value, validate=True).decode().partition(":")[2]
        except (binascii.Error, UnicodeDecodeError):
            return ""
    return None


def token_of(world: "World", headers: Mapping[str, str]) -> Token | None:
    """Return who asks, None for nobody; raises Refused for a token that is not good."""
    text = text_of(headers.get("Authorization", ""))
    if text is None:
        return None
    token = world.tokens.get(text)
    if token is None or token.revoked or world.is_expired(token):
        raise Refused(401, "Bad credentials")
    return token


def asking(world: "World", headers: Mapping[str, str]) -> Token:
    """Return who asks, where nobody may not."""
    token = token_of(world, headers)
    if token is None:
        raise Refused(401, "This endpoint requires you to be authenticated.")
    return token


def holds(token: Token, need: str) -> bool:
    """Whether an app's token holds a permission, as `statuses:write`."""
    family, _, level = need.partition(":")
    held = (token.permissions or {}).get(family, "read" if family == "metadata" else "")
    return held in _LEVELS and _LEVELS.index(held) >= _LEVELS.index(level)


def sees(token: Token | None, repository: Repository) -> bool:
    """Whether a repository is there at all for a token."""
    if not repository.private:
        return True
    if token is None:
        return False
    if token.permissions is not None:
        return reaches(token, repository)
    return repository.role_of(token.login) is not None


def reaches(token: Token, repository: Repository) -> bool:
    """Whether an app's token was made for a repository."""
    return token.repositories is None or repository.full_name in token.repositories


def check(call: Call, route: Route) -> None:
    """Raise Refused unless the token may do this."""
    if call.found is not None and not sees(call.token, call.found):
        raise not_found()
    if not route.needs or route.needs == APP:
        return
    token = call.token
    if token is None:
        if route.role == "read":
            return
        raise Refused(401, "Requires authentication")
    if token.permissions is not None:
        outside = call.found is not None and not reaches(token, call.found)
        if outside or not any(holds(token, need) for need in route.needs):
            raise not_for_integrations()
    elif call.found is not None and not call.found.may(token.login, route.role):
        if route.role == "admin":
            raise Refused(403, "Must have admin rights to Repository.")
        raise not_found()
