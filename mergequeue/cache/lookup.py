"""Whether a request is the one lookup that is forwarded, byte for byte (facts 3.19).

Nothing of a request is put right: a path that is spelled otherwise, or a length that is said twice,
is refused. What is forwarded is written anew, so of a hook's request its body and the kind of its
body are all that reaches the service.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

from mergequeue.vocabulary import limits

PATH = "/twirp/github.actions.results.api.v1.CacheService/GetCacheEntryDownloadURL"
"""The lookup: its answer is an address at which the entry is downloaded with no credential."""
KINDS = ("application/json", "application/protobuf")
"""The two forms in which the service speaks."""


@dataclass(frozen=True)
class Asked:
    """A request's head, as it was received."""

    method: str
    target: str
    headers: Sequence[tuple[str, str]]

    def every(self, name: str) -> list[str]:
        """Return every value of a header."""
        return [value for each, value in self.headers if each.lower() == name]


@dataclass(frozen=True)
class Lookup:
    """A request whose body is read and forwarded."""

    kind: str
    length: int


@dataclass(frozen=True)
class Refusal:
    """A request that is not."""

    status: HTTPStatus
    why: str


def decide_lookup(asked: Asked, token: str) -> Lookup | Refusal:
    """Return what becomes of a request; the stand-in `token` is looked at before anything else."""
    if not _has_token(asked, token):
        return Refusal(HTTPStatus.UNAUTHORIZED, "the token is not this proxy's")
    if asked.method != "POST":
        return Refusal(HTTPStatus.METHOD_NOT_ALLOWED, "only POST is")
    if asked.target != PATH:
        return Refusal(HTTPStatus.FORBIDDEN, "only the lookup of a cache entry is forwarded")
    length = _length_of(asked)
    if isinstance(length, Refusal):
        return length
    kind = _kind_of(asked)
    if kind is None:
        known = " or ".join(KINDS)
        return Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"the body has to be {known}")
    return Lookup(kind, length)


def _has_token(asked: Asked, token: str) -> bool:
    given = asked.every("authorization")
    expected = f"Bearer {token}".encode()
    # One by one in constant time; several are refused however many of them are right.
    matches = [hmac.compare_digest(each.encode("utf-8", "replace"), expected) for each in given]
    return matches == [True]


def _length_of(asked: Asked) -> int | Refusal:
    if asked.every("transfer-encoding"):
        return Refusal(HTTPStatus.LENGTH_REQUIRED, "the body has to come whole, with its length")
    match asked.every("content-length"):
        case []:
            return Refusal(HTTPStatus.LENGTH_REQUIRED, "the length of the body is missing")
        case [said] if said.isascii() and said.isdigit():
            digits = said.lstrip("0") or "0"
        case _:
            return Refusal(HTTPStatus.BAD_REQUEST, "the length of the body is not one number")
    # Compared as digits first: a number of a million digits is not read.
    if len(digits) > len(str(limits.CACHE_REQUEST_BYTES)) or int(digits) > (
        limits.CACHE_REQUEST_BYTES
    ):
        most = limits.CACHE_REQUEST_BYTES
        return Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a lookup has at most {most} bytes")
    return int(digits)


def _kind_of(asked: Asked) -> str | None:
    match asked.every("content-type"):
        case [said]:
            kind = said.partition(";")[0].strip().lower()
            return kind if kind in KINDS else None
        case _:
            return None
