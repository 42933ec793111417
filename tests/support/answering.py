"""A web server on this machine that answers as a test tells it to, and keeps what it was asked."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.wrappers import Request, Response

Handler = Callable[[Request], Response]


@dataclass
class Answers:
    """What the server answers from now on, and the requests that it got."""

    root: str
    handler: Handler = lambda _: Response(status=404)
    asked: list[Request] = field(default_factory=list)

    def script(self, *steps: Response | Handler | None) -> None:
        """Answer with these in order, the last one for ever; None breaks the connection."""
        left = list(steps)

        def handler(request: Request) -> Response:
            step = left.pop(0) if len(left) > 1 else left[0]
            if step is None:
                break_off(request)
                return Response()
            return step if isinstance(step, Response) else step(request)

        self.handler = handler

    @property
    def lines(self) -> list[str]:
        return [f"{request.method} {request.environ['RAW_URI']}" for request in self.asked]


class _Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002 (the base's name)
        """Say nothing."""


def break_off(request: Request) -> None:
    """Close the connection that a request came on, with no answer."""
    connection: socket.socket = request.environ["werkzeug.socket"]
    connection.shutdown(socket.SHUT_RDWR)


def told(body: object, status: int = 200, **headers: str) -> Response:
    """Return a JSON answer; a header's `_` stands for `-`."""
    response = Response(json.dumps(body), status, content_type="application/json")
    for name, value in headers.items():
        response.headers[name.replace("_", "-")] = value
    return response


def cut(body: bytes, whole: int) -> Response:
    """Return an answer that promises more bytes than come."""
    response = Response(body, 200, content_type="application/json")
    response.automatically_set_content_length = False
    response.headers["Content-Length"] = str(whole)
    response.headers["Connection"] = "close"
    return response


@contextmanager
def answering() -> Iterator[Answers]:
    """Serve on a port of 127.0.0.1 for as long as the block runs."""

    @Request.application
    def application(request: Request) -> Response:
        request.get_data()
        answers.asked.append(request)
        return answers.handler(request)

    server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=_Quiet)
    answers = Answers(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield answers
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@dataclass
class PassingClock:
    """The `Clock` port over a time that passes only while somebody sleeps."""

    time: datetime = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)
    slept: list[float] = field(default_factory=list)

    def now(self) -> datetime:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += timedelta(seconds=seconds)
