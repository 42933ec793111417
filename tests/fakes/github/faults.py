"""Failure as a knob: what happens to a call on its way, whatever it would have been answered.

    github.faults.add("PUT .*/merge", Fault.DONE_AND_BROKEN)       the first such call
    github.faults.add("GET .*/pulls", Fault.REFUSED, times=3, status=503)
    github.faults.at(17, Fault.LOST)                               the 17th request of all

What it is told as: `GET /repos/acme/acme/pulls`, or `POST /graphql Listing` with the name of the
GraphQL operation behind it.
"""

import re
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Event

from werkzeug.wrappers import Request, Response

from tests.fakes.github.log import Seen

_LONGEST_DELAY = 30.0


class Fault(StrEnum):
    """What can happen to a call."""

    REFUSED = "refused"
    """It is not carried out, and answered with a status."""
    LOST = "lost"
    """It is not carried out, and the connection breaks."""
    CUT = "cut"
    """It is carried out, and half of its answer comes."""
    DONE_AND_BROKEN = "done and broken"
    """It is carried out, and answered with a status, 502 unless told."""
    DONE_AND_LOST = "done and lost"
    """It is carried out, and the connection breaks."""
    DELAYED = "delayed"
    """It is carried out once the test says so (`release`)."""
    TWICE = "twice"
    """It is carried out twice, as where a proxy repeats it, and answered once."""


@dataclass
class _Planned:
    pattern: re.Pattern[str]
    fault: Fault
    times: int
    status: int
    headers: Mapping[str, str]
    message: str


@dataclass
class Faults:
    """Stands around every request. Nothing fails until a test says so."""

    met: list[str] = field(default_factory=list)
    """The calls that something happened to, in order."""
    arrived: Event = field(default_factory=Event)
    """Set once a delayed call is here and waits."""
    _planned: list[_Planned] = field(default_factory=list)
    _at: dict[int, _Planned] = field(default_factory=dict)
    _released: Event = field(default_factory=Event)

    def add(
        self,
        pattern: str,
        fault: Fault = Fault.REFUSED,
        *,
        times: int = 1,
        status: int = 502,
        headers: Mapping[str, str] | None = None,
        message: str = "the fake was told to",
    ) -> None:
        """Let the next calls that a pattern fits fail."""
        made = _Planned(re.compile(pattern), fault, times, status, headers or {}, message)
        self._planned.append(made)

    def at(self, number: int, fault: Fault, *, status: int = 502) -> None:
        """Let one request fail by its number, counted from 1."""
        self._at[number] = _Planned(re.compile(""), fault, 1, status, {}, "the fake was told to")

    def clear(self) -> None:
        """Let nothing fail any more."""
        self._planned.clear()
        self._at.clear()
        self.release()

    def release(self) -> None:
        """Let delayed calls go on."""
        self._released.set()

    def around(self, seen: Seen, request: Request, answer: Callable[[], Response]) -> Response:
        """Answer a request, or do to it what the test asked for."""
        planned = self._for(seen, request)
        if planned is None:
            return answer()
        self.met.append(f"{planned.fault}: {seen.method} {seen.path}")
        seen.fault = planned.fault
        match planned.fault:
            case Fault.REFUSED:
                seen.status = planned.status
                return _broken(planned)
            case Fault.LOST:
                return _lost(request)
            case Fault.CUT:
                return _halved(answer())
            case Fault.DONE_AND_BROKEN:
                answer()
                return _broken(planned)
            case Fault.DONE_AND_LOST:
                answer()
                return _lost(request)
            case Fault.DELAYED:
                self.arrived.set()
                self._released.wait(_LONGEST_DELAY)
                return answer()
            case Fault.TWICE:
                answer()
                return answer()

    def _for(self, seen: Seen, request: Request) -> _Planned | None:
        if seen.number in self._at:
            return self._at.pop(seen.number)
        said = f"{seen.method} {seen.path}{_operation(request)}"
        for planned in self._planned:
            if planned.times > 0 and planned.pattern.search(said):
                planned.times -= 1
                return planned
        return None


def _operation(request: Request) -> str:
    if not request.path.endswith("/graphql"):
        return ""
    found = re.search(r'"(?:query|mutation)\s+(\w+)', request.get_data(as_text=True))
    return f" {found[1]}" if found else ""


def _broken(planned: _Planned) -> Response:
    body = f'{{"message": "{planned.message}"}}'
    return Response(body, planned.status, planned.headers, content_type="application/json")


def _halved(whole: Response) -> Response:
    data = whole.get_data()
    half = Response(data[: len(data) // 2], whole.status_code, whole.headers)
    half.automatically_set_content_length = False
    half.headers["Content-Length"] = str(max(len(data), 2))
    half.headers["Connection"] = "close"
    return half


def _lost(request: Request) -> Response:
    connection: socket.socket = request.environ["werkzeug.socket"]
    connection.shutdown(socket.SHUT_RDWR)
    return Response()
