"""The HTTP server: every request through one door, held to GitHub's description on both sides."""

import hashlib
import json
import re
import threading
import traceback
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from werkzeug.http import http_date
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.wrappers import Request, Response

from tests.fakes.github import access, blobs, described, githttp, graphql, results
from tests.fakes.github.calls import Answer, Call, Refused, not_found
from tests.fakes.github.completed import completed
from tests.fakes.github.log import Seen
from tests.fakes.github.routes import routes
from tests.fakes.github.world import World

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

_VERSIONS = ("2022-11-28",)
_BY_ID = re.compile(r"/repositories/(\d+)(/.*)?")


class _Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"
    world: World

    def date_time_string(self, timestamp: float | None = None) -> str:
        """Return the fake's own time, for the `Date` of an answer."""
        del timestamp
        return http_date(self.world.clock.now)

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002  werkzeug's name
        """Say nothing: the log that counts is the world's."""


class Server:
    """A world behind a port of 127.0.0.1."""

    def __init__(self, world: World) -> None:
        self.world = world
        handler = type("Handler", (_Quiet,), {"world": world})
        self._server = make_server(
            "127.0.0.1", 0, self._application, threaded=True, request_handler=handler
        )
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )
        world.url = f"http://127.0.0.1:{self._server.server_port}"

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _application(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        request = Request(environ)
        seen = self._look(request)
        answer = partial(self._answer, request, seen)
        response = self.world.faults.around(seen, request, answer)
        return response(environ, start_response)

    def _look(self, request: Request) -> Seen:
        raw = str(request.environ.get("RAW_URI", request.path))
        path = re.sub(r"^https?://[^/]+", "", raw).partition("?")[0]
        with self.world.lock:
            seen = Seen(len(self.world.log.requests) + 1, request.method, path)
            seen.query = request.args.to_dict()
            self.world.log.requests.append(seen)
        return seen

    def _answer(self, request: Request, seen: Seen) -> Response:
        told: list[str] = []
        try:
            response = self._routed(request, seen, told)
        except Exception:  # noqa: BLE001  whatever it is, it is the test's to see
            self.world.log.broken.append(f"{seen.method} {seen.path}\n{traceback.format_exc()}")
            response = Response("the fake broke", 500)
        self._by_the_asked_name(request, response)
        seen.status = response.status_code
        self.world.limits.count(seen.status)
        if seen.writes:
            self.world.log.note(seen, told)
        response.headers["X-GitHub-Request-Id"] = f"FAKE:{seen.number}"
        return response

    def _by_the_asked_name(self, request: Request, response: Response) -> None:
        """Tell addresses by the name that was asked, as api.github.localhost through a proxy."""
        own = self.world.url
        asked = request.host_url.rstrip("/")
        if asked == own or response.mimetype != "application/json":
            return
        web = asked.replace("://api.", "://", 1)
        told = response.get_data().replace(f"{own}/repos/".encode(), f"{asked}/repos/".encode())
        response.set_data(told.replace(own.encode(), web.encode()))

    def _routed(self, request: Request, seen: Seen, told: list[str]) -> Response:
        if seen.path.startswith(blobs.PREFIX):
            return blobs.answer(self.world, request, seen)
        if seen.path.startswith(results.PREFIX):
            return results.answer(self.world, request, seen, told)
        if seen.path.startswith(results.UPLOADS):
            return results.uploaded(self.world, request, seen)
        if place := githttp.place_of(self.world, seen.path):
            return githttp.answer(self.world, request, seen, told, place)
        if seen.path == self.world.graphql_url.removeprefix(self.world.url):
            return graphql.answer(self.world, request, seen, told)
        answer = self._refusing(request, seen, told)
        return self._response(request, seen, answer)

    def _refusing(self, request: Request, seen: Seen, told: list[str]) -> Answer:
        try:
            self._refuse_oddities(request)
            return self._called(request, seen, told)
        except Refused as no:
            return no.answer()
        except described.NotDescribed as missing:
            self._complain(f"{missing} is no operation that the fake knows")
            return Refused(404, "Not Found").answer()

    def _refuse_oddities(self, request: Request) -> None:
        """Raise GitHub's refusal of a request that does not say who it is, or for which version."""
        if not request.headers.get("User-Agent"):
            raise Refused(403, "Request forbidden by administrative rules.")
        version = request.headers.get("X-GitHub-Api-Version", _VERSIONS[0])
        if version not in _VERSIONS:
            raise Refused(400, f"{version} is not a supported version of the API.")

    def _called(self, request: Request, seen: Seen, told: list[str]) -> Answer:
        """Answer a described operation; raises Refused and NotDescribed."""
        prefix = self.world.api_url.removeprefix(self.world.url)
        if not seen.path.startswith(f"{prefix}/"):
            raise described.NotDescribed(f"{seen.method} {seen.path}")
        operation, path = described.find(seen.method, self._by_name(seen.path[len(prefix) :]))
        seen.operation = operation.name
        try:
            answer = self._handled(request, seen, told, operation, path)
        except Refused as no:
            answer = no.answer()
        self._check_answer(operation, answer)
        return answer

    def _handled(
        self,
        request: Request,
        seen: Seen,
        told: list[str],
        operation: described.Operation,
        path: dict[str, str],
    ) -> Answer:
        route = routes()[operation.name]
        body = self._checked_body(request, operation)
        seen.body = body
        try:
            query = operation.read_query(request.args.to_dict())
        except ValueError as error:
            self._complain(f"{operation.name}: {error}")
            raise Refused(422, str(error)) from None
        try:
            values = operation.read_path(path)
        except ValueError:
            raise not_found() from None
        headers = {name: value for name, value in request.headers.items()}  # noqa: C416  no dict
        is_app = route.needs == access.APP
        token = None if is_app else access.token_of(self.world, headers)
        seen.login = token.login if token else ""
        if refused := self.world.limits.refuse(seen):
            return refused
        url = request.host_url.rstrip("/") + seen.path
        with self.world.lock:
            call = Call(self.world, operation.name, values, query, body, token, headers, url, told)
            if "owner" in path and "repo" in path:
                call.found = self.world.find_repository(path["owner"], path["repo"])
                if call.found is None:
                    raise not_found()
            access.check(call, route)
            answer = route.handler(call)
        if route.needs and not is_app:
            said = "; ".join(need.replace(":", "=") for need in route.needs)
            answer.headers.setdefault("X-Accepted-GitHub-Permissions", said)
        return answer

    def _by_name(self, path: str) -> str:
        """Return a path with a repository's id as the one with its name."""
        if found := _BY_ID.fullmatch(path):
            for repository in self.world.repositories.values():
                if repository.id == int(found[1]):
                    return f"/repos/{repository.full_name}{found[2] or ''}"
        return path

    def _checked_body(self, request: Request, operation: described.Operation) -> Any:
        data = request.get_data()
        body: Any = None
        if data:
            try:
                body = json.loads(data)
            except ValueError:
                raise Refused(400, "Problems parsing JSON") from None
        if wrong := operation.body_complaint(body, sent=bool(data)):
            self._complain(f"{operation.name}: the request's body: {wrong}")
            raise Refused(422, f"Invalid request.\n\n{wrong}")
        return body

    def _check_answer(self, operation: described.Operation, answer: Answer) -> None:
        described_answer = operation.answer_schema(answer.status)
        if described_answer is None:
            self._complain(f"{operation.name}: the fake answered {answer.status}, GitHub does not")
            return
        for fault in operation.header_complaints(answer.status, answer.headers):
            self._complain(f"{operation.name}: the fake's answer {answer.status}: {fault}")
        schema, pointer = described_answer
        if schema is None:
            return
        answer.body = completed(answer.body, schema)
        if wrong := described.complaint_of_answer(pointer, answer.body, self.world.url):
            self._complain(f"{operation.name}: the fake's answer {answer.status}: {wrong}")

    def _complain(self, sentence: str) -> None:
        self.world.log.broken.append(sentence)

    def _response(self, request: Request, seen: Seen, answer: Answer) -> Response:
        headers = {
            "X-GitHub-Media-Type": "github.v3; format=json",
            "X-GitHub-Api-Version-Selected": "2022-11-28",
            "Vary": "Accept, Authorization, Cookie, X-GitHub-OTP",
            **self.world.limits.headers(seen),
            **answer.headers,
        }
        if isinstance(answer.body, bytes):
            return Response(answer.body, answer.status, headers)
        if answer.body is None:
            return Response(b"", answer.status, headers)
        data = json.dumps(answer.body).encode()
        if answer.status == 200 and seen.method in {"GET", "HEAD"}:
            tag = f'W/"{hashlib.sha256(data).hexdigest()}"'
            headers |= {"ETag": tag, "Cache-Control": "private, max-age=60, s-maxage=60"}
            if request.headers.get("If-None-Match") in {tag, tag.removeprefix("W/")}:
                return Response(b"", 304, headers)
        kind = "application/json; charset=utf-8"
        return Response(data, answer.status, headers, content_type=kind)
