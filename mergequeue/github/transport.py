"""The one module that opens sockets to GitHub.

It sends a request, and returns whole what came back for it.

It decides nothing about what came. What it does keep:

- a credential goes to the API's own address alone: a redirect there is followed, one to anywhere
  else is an error, and no `.netrc` or other setting of the person's adds or replaces one;
- a body is read no further than its limit, and a longer one is an error, never a shorter answer;
- an answer to a GET is kept in memory, for the very credential that it was given to, and asked for
  again conditionally: where nothing changed, GitHub counts nothing. It is never used unasked, since
  what was true a minute ago is no ground to merge on.
"""

import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol
from urllib.parse import SplitResult, quote, urlencode, urljoin, urlsplit

import requests
from cachecontrol import CacheControlAdapter
from cachecontrol.cache import BaseCache
from requests.adapters import HTTPAdapter
from requests.auth import AuthBase
from urllib3.exceptions import HTTPError

from mergequeue.github.addresses import is_safe
from mergequeue.vocabulary import limits

ACCEPT = "application/vnd.github+json"
_VERSION = "2022-11-28"
_AGENT = "mergequeue"
_CHUNK = 65536
_MOVED = frozenset({301, 302, 307, 308})
_KEPT_METHOD = frozenset({307, 308})
_PORTS = {"https": 443, "http": 80}


@dataclass(frozen=True)
class Sent:
    """A request as it is sent."""

    method: str
    url: str
    """Its whole address, without the query."""
    query: tuple[tuple[str, str], ...] = ()
    body: object = None
    """What is sent as JSON; None sends nothing."""

    @property
    def address(self) -> str:
        """Its whole address, every value of the query percent-encoded."""
        return f"{self.url}?{_encoded(self.query)}" if self.query else self.url


@dataclass(frozen=True)
class Received:
    """A whole answer."""

    status: int
    headers: Mapping[str, str]
    """Their names in small letters."""
    raw: bytes


class LostError(Exception):
    """No whole answer came."""

    def __init__(self, why: str, *, reached: bool = True) -> None:
        """Say why, and whether the request may have reached the other side."""
        super().__init__(why)
        self.why = why
        self.reached = reached


class TooLongError(Exception):
    """The body is longer than its limit."""


class StrayError(Exception):
    """A redirect leads where it may not be followed."""


class Now(Protocol):
    """What the time is."""

    def now(self) -> datetime:
        """Return it, in UTC."""


class Transport:
    """Requests to one API with one credential after another."""

    def __init__(self, clock: Now) -> None:
        """Send nothing yet."""
        self._clock = clock
        self._token = ""
        self._session = requests.Session()

    def send(self, sent: Sent, token: str) -> Received:
        """Send a request and return its whole answer, with redirects on the same host followed.

        Raises LostError, TooLongError, or StrayError.
        """
        session = self._session_of(token)
        here = sent
        for _ in range(limits.REDIRECTS + 1):
            received = self._once(session, here)
            if received.status not in _MOVED or "location" not in received.headers:
                return received
            here = _moved(here, received)
        raise StrayError(f"it was sent on more than {limits.REDIRECTS} times")

    def _once(self, session: requests.Session, sent: Sent) -> Received:
        data = None if sent.body is None else json.dumps(sent.body).encode()
        headers = {"Content-Type": "application/json"} if data is not None else {}
        response = _opened(session, sent.method, sent.address, headers, data)
        with response:
            try:
                raw = _read(response, self._clock, limits.ANSWER_BYTES)
            except (LostError, TooLongError):
                _forget(response)
                raise
            return Received(response.status_code, _small(response.headers), raw)

    def _session_of(self, token: str) -> requests.Session:
        """Return a session for this credential, with a memory of its own (never across tokens)."""
        if token != self._token:
            self._session.close()
            self._session = _session(CacheControlAdapter(_Memory()), _Bearer(token))
            self._session.headers.update(
                {
                    "Accept": ACCEPT,
                    "X-GitHub-Api-Version": _VERSION,
                    # Asked each time whether it changed, never taken from memory unasked.
                    "Cache-Control": "max-age=0",
                }
            )
            self._token = token
        return self._session


class Downloader:
    """The `Downloads` port: what a listing names is fetched from wherever it is kept."""

    def __init__(self, clock: Now) -> None:
        """Fetch nothing yet."""
        self._clock = clock
        self._session = _session(HTTPAdapter(), _Nothing())

    def open(self, url: str, headers: Mapping[str, str]) -> Received:
        """Return what is at an address, following its redirects (facts F4).

        The headers go to the address's own host alone. Raises LostError, TooLongError, or
        StrayError for anything but https.
        """
        here, carried = url, dict(headers)
        for _ in range(limits.REDIRECTS + 1):
            if not is_safe(_split(here)):
                raise StrayError("it is not at an https address")
            received = self._once(here, carried)
            if received.status not in _MOVED or "location" not in received.headers:
                return received
            there = urljoin(here, received.headers["location"])
            carried = carried if _is_same_host(_split(here), _split(there)) else {}
            here = there
        raise StrayError(f"it was sent on more than {limits.REDIRECTS} times")

    def _once(self, url: str, headers: Mapping[str, str]) -> Received:
        with _opened(self._session, "GET", url, headers, None) as response:
            raw = _read(response, self._clock, limits.ARTIFACT_BYTES)
            return Received(response.status_code, _small(response.headers), raw)


class Uploader:
    """Bytes put at an address that is itself the right to put them there."""

    def __init__(self, clock: Now) -> None:
        """Send nothing yet."""
        self._clock = clock
        self._session = _session(HTTPAdapter(), _Nothing())

    def put(self, url: str, headers: Mapping[str, str], content: bytes) -> Received:
        """Put the content there and return the answer, no redirect followed.

        Raises LostError, TooLongError, or StrayError for anything but https.
        """
        if not is_safe(_split(url)):
            raise StrayError("it is not at an https address")
        with _opened(self._session, "PUT", url, headers, content) as response:
            raw = _read(response, self._clock, limits.ANSWER_BYTES)
            return Received(response.status_code, _small(response.headers), raw)


class _Bearer(AuthBase):
    """The credential of an API request."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._token}"
        return request


class _Nothing(AuthBase):
    """No credential at all: without this, requests takes one from the person's `.netrc`."""

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        return request


class _Memory(BaseCache):
    """The newest answers, as many as the limit allows."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0

    def get(self, key: str) -> bytes | None:
        return self._kept.get(key)

    def set(self, key: str, value: bytes, expires: int | datetime | None = None) -> None:  # noqa: ARG002 (the library's own)
        self.delete(key)
        self._kept[key] = value
        self._size += len(value)
        while self._size > limits.REMEMBERED_BYTES:
            self._size -= len(self._kept.popitem(last=False)[1])

    def delete(self, key: str) -> None:
        self._size -= len(self._kept.pop(key, b""))


def _encoded(query: Sequence[tuple[str, str]]) -> str:
    return urlencode(query, safe="", quote_via=quote)


def _session(adapter: HTTPAdapter, auth: AuthBase) -> requests.Session:
    session = requests.Session()
    session.auth = auth
    session.headers["User-Agent"] = _AGENT
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    return session


def _opened(
    session: requests.Session,
    method: str,
    url: str,
    headers: Mapping[str, str],
    data: bytes | None,
) -> requests.Response:
    try:
        return session.request(
            method,
            url,
            headers=dict(headers),
            data=data,
            timeout=limits.REQUEST_SECONDS,
            allow_redirects=False,
            stream=True,
        )
    except (requests.exceptions.ConnectTimeout, requests.exceptions.ProxyError) as error:
        raise LostError(_why(error), reached=False) from None
    except requests.exceptions.ConnectionError as error:
        raise LostError(_why(error), reached=not _never_connected(error)) from None
    except (requests.RequestException, HTTPError, OSError) as error:
        raise LostError(_why(error)) from None


def _read(response: requests.Response, clock: Now, most: int) -> bytes:
    """Return the body, decoded; raise where it is longer than `most`, is cut, or takes too long."""
    until = clock.now() + timedelta(seconds=limits.ANSWER_SECONDS)
    found = bytearray()
    try:
        for chunk in response.iter_content(_CHUNK):
            found += chunk
            if len(found) > most:
                raise TooLongError(f"it has more than {most} bytes")
            if clock.now() > until:
                raise LostError(f"its answer was not over after {limits.ANSWER_SECONDS:g} seconds")
    except (requests.RequestException, HTTPError, OSError) as error:
        raise LostError(_why(error)) from None
    return bytes(found)


def _forget(response: requests.Response) -> None:
    """Close the file that an answer, were it read to its end, is remembered from."""
    kept = getattr(getattr(response.raw, "_fp", None), "_CallbackFileWrapper__buf", None)
    if kept is not None:
        kept.close()


def _moved(sent: Sent, received: Received) -> Sent:
    there = urljoin(sent.address, received.headers["location"])
    old, new = _split(sent.address), _split(there)
    if not _is_same_host(old, new):
        raise StrayError("it was sent on to another host, where the credential must not go")
    if sent.method != "GET" and received.status not in _KEPT_METHOD:
        raise StrayError("it was sent on in a way that would make a read of a write")
    return Sent(sent.method, there, (), sent.body)


def _is_same_host(one: SplitResult, other: SplitResult) -> bool:
    def origin(address: SplitResult) -> tuple[str, str | None, int | None]:
        return address.scheme, address.hostname, address.port or _PORTS.get(address.scheme)

    return origin(one) == origin(other)


def _split(url: str) -> SplitResult:
    try:
        address = urlsplit(url)
        _ = address.port
    except ValueError:
        raise StrayError("it was sent on to something that is no address") from None
    return address


def _small(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _never_connected(error: requests.exceptions.ConnectionError) -> bool:
    reason = getattr(error.args[0], "reason", None) if error.args else None
    return type(reason).__name__ in {"NewConnectionError", "NameResolutionError", "SSLError"}


def _why(error: Exception) -> str:
    """Return what went wrong in our own words: an exception's may hold an address with a secret."""
    if isinstance(error, requests.exceptions.Timeout):
        return f"nothing came for {limits.REQUEST_SECONDS:g} seconds"
    if isinstance(error, requests.exceptions.SSLError):
        return "its certificate was not accepted"
    if isinstance(error, requests.exceptions.ProxyError):
        return "the proxy could not be reached"
    return "the connection broke"
