"""The proxy's sockets: one for each request of a hook, and one to the runner's cache service.

A connection carries one request and is closed: what stands behind its body is read by nobody. Every
wait has an end, and so many connections are served at once and no more, so that a hook that would
hold them all harms the cache's use and not the queue.
"""

import contextlib
import json
import secrets
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from socketserver import ThreadingMixIn
from typing import Any

import requests
from requests.auth import AuthBase
from urllib3.exceptions import HTTPError

from mergequeue.cache.lookup import KINDS, PATH, Asked, Lookup, Refusal, decide_lookup
from mergequeue.cache.service import Service, stand_ins
from mergequeue.vocabulary import limits

_TOKEN_BYTES = 32
_CHUNK = 65536
_LINGER_BYTES = 1024 * 1024
_LINGER_SECONDS = 1.0
_POLL_SECONDS = 0.05
"""How soon it is seen that the proxy is to stop."""


@dataclass(frozen=True)
class Proxy:
    """A proxy that is running."""

    port: int
    variables: dict[str, str]
    """What a hook is given to find it."""


@contextlib.contextmanager
def lookup_proxy(service: Service) -> Iterator[Proxy]:
    """Serve lookups to this machine while the block runs.

    Raises OSError where there is no port to listen on.
    """
    token = secrets.token_hex(_TOKEN_BYTES)
    server = _Server(service, token)
    thread = threading.Thread(
        target=server.serve_forever, args=(_POLL_SECONDS,), name="cache proxy", daemon=True
    )
    thread.start()
    try:
        yield Proxy(server.server_port, stand_ins(server.server_port, token))
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass(frozen=True)
class _Answer:
    status: int
    kind: str
    raw: bytes


class _Bearer(AuthBase):
    """The runner's credential; with it, requests takes none from the person's `.netrc`."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._token}"
        return request


class _Server(ThreadingMixIn, HTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = limits.CACHE_CONNECTIONS

    def __init__(self, service: Service, token: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.token = token
        self._service = service
        self._free = threading.BoundedSemaphore(limits.CACHE_CONNECTIONS)

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 (as in the library)
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 (as in the library)
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 (as in the library)
        """A hook that goes away in the middle is nobody's business."""

    def look_up(self, kind: str, body: bytes) -> _Answer:
        """Ask the service, in a request that is written anew."""
        try:
            with requests.post(
                self._service.address + PATH.removeprefix("/"),
                data=body,
                headers={"Content-Type": kind, "Accept": kind, "User-Agent": "mergequeue"},
                auth=_Bearer(self._service.token),
                timeout=limits.CACHE_SECONDS,
                allow_redirects=False,
                stream=True,
            ) as response:
                return _answer_of(response)
        except (requests.RequestException, HTTPError, OSError):
            # In our own words: an exception's may hold the address.
            return _failed(HTTPStatus.BAD_GATEWAY, "the cache service did not answer")


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    timeout = limits.CACHE_SECONDS

    def handle(self) -> None:
        """Serve one request, and end whatever it came to before its time is over."""
        end = threading.Timer(limits.CACHE_REQUEST_SECONDS, self._hang_up)
        end.daemon = True
        end.start()
        try:
            self.close_connection = True
            self.handle_one_request()
            self._drain()
        finally:
            end.cancel()

    def _drain(self) -> None:
        """Read what the hook still sends, up to a limit, so that it gets to read its answer."""
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(_LINGER_SECONDS)
            left = _LINGER_BYTES
            while left > 0 and (read := self.connection.recv(_CHUNK)):
                left -= len(read)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (what the library looks up)
        """Serve every method alike: which may be is decided with the rest."""
        if name.startswith("do_"):
            return self._serve
        raise AttributeError(name)

    def _serve(self) -> None:
        words = self.requestline.split()
        asked = Asked(self.command, words[1], self.headers.items())
        decided = decide_lookup(asked, self.server.token)
        match decided:
            case Refusal(status=status, why=why):
                self._say(_failed(status, why))
            case Lookup(kind=kind, length=length):
                body = self.rfile.read(length)
                if len(body) == length:
                    self._say(self.server.look_up(kind, body))

    def _say(self, answer: _Answer) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(answer.raw)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(answer.raw)

    def version_string(self) -> str:
        """Tell a hook no versions."""
        return "mergequeue"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the library's word)
        """Print nothing: one module does, and what a hook asked for is its own affair."""

    def _hang_up(self) -> None:
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)


def _answer_of(response: requests.Response) -> _Answer:
    """Return what the service answered, where it is an answer to a lookup and within its size."""
    if response.is_redirect or 300 <= response.status_code < 400:  # noqa: PLR2004 (the redirects)
        return _failed(HTTPStatus.BAD_GATEWAY, "the cache service sends elsewhere")
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    raw = bytearray()
    for chunk in response.iter_content(_CHUNK):
        raw += chunk
        if len(raw) > limits.CACHE_ANSWER_BYTES:
            return _failed(HTTPStatus.BAD_GATEWAY, "the cache service's answer is too long")
    known = kind if kind in KINDS else "application/octet-stream"
    return _Answer(response.status_code, known, bytes(raw))


def _failed(status: HTTPStatus, why: str) -> _Answer:
    """Return an error as the service itself words one, for its clients to show."""
    raw = json.dumps({"code": _CODES.get(status, "unavailable"), "msg": f"mergequeue: {why}"})
    return _Answer(status, KINDS[0], raw.encode())


_CODES = {
    HTTPStatus.UNAUTHORIZED: "unauthenticated",
    HTTPStatus.FORBIDDEN: "permission_denied",
    HTTPStatus.METHOD_NOT_ALLOWED: "bad_route",
    HTTPStatus.BAD_REQUEST: "malformed",
    HTTPStatus.LENGTH_REQUIRED: "malformed",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "malformed",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "resource_exhausted",
}
