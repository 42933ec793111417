"""Where the runner's cache service is, and what a hook is told instead."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from mergequeue.vocabulary.errors import NO_CACHE

ADDRESS = "ACTIONS_RESULTS_URL"
TOKEN = "ACTIONS_RUNTIME_TOKEN"  # noqa: S105 (the name of a variable)
_SECOND_VERSION = "ACTIONS_CACHE_SERVICE_V2"


@dataclass(frozen=True)
class Service:
    """The runner's cache service."""

    address: str
    """Its address, with a `/` at the end."""
    token: str = field(repr=False)


def service_of(environ: Mapping[str, str]) -> Service:
    """Return the service that the runner names to its steps.

    Raises NO_CACHE where it names none: a cache that silently is not there would only look slow
    (facts 6.6). The token goes to an https address, or to this machine, and nowhere else.
    """
    missing = [name for name in (ADDRESS, TOKEN) if not environ.get(name)]
    if missing:
        raise NO_CACHE(f"{' and '.join(missing)} not set")
    address, token = environ[ADDRESS], environ[TOKEN]
    if not _is_safe(address):
        raise NO_CACHE(f"{ADDRESS} is no plain https address")
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise NO_CACHE(f"{TOKEN} is no token")
    return Service(address.rstrip("/") + "/", token)


def stand_ins(port: int, token: str) -> dict[str, str]:
    """Return the variables that a hook is given in place of the runner's own.

    They are what a client of the second version of the cache service looks for. The first version
    has another address, which is not served, and which no hook is told.
    """
    return {ADDRESS: f"http://127.0.0.1:{port}/", TOKEN: token, _SECOND_VERSION: "true"}


def _is_safe(address: str) -> bool:
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    host = parts.hostname or ""
    plain = not (parts.query or parts.fragment or parts.username or parts.password)
    if not host or not plain or not address.isprintable():
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and _is_here(host))


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
