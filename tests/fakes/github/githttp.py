"""git over HTTP: `git http-backend` behind tokens, and pushes that GitHub would refuse refused."""

import re
import subprocess
from http import HTTPStatus
from typing import TYPE_CHECKING

from werkzeug.wrappers import Request, Response

from tests.fakes.github import access, gitpushes
from tests.fakes.github.calls import Refused
from tests.fakes.github.githost import bare_environment
from tests.fakes.github.log import Seen
from tests.fakes.github.records import Repository, Token

if TYPE_CHECKING:
    from tests.fakes.github.world import World

_PLACE = re.compile(
    r"/(?P<name>[^/]+/[^/]+?)(?:\.git)?/(?P<rest>info/refs|git-upload-pack|git-receive-pack)"
)
Place = tuple[str, str]


def place_of(world: "World", path: str) -> Place | None:
    """Return the repository's name and the rest of a path of git's protocol."""
    del world
    found = _PLACE.fullmatch(path)
    return None if found is None else (found["name"], found["rest"])


def answer(world: "World", request: Request, seen: Seen, told: list[str], place: Place) -> Response:
    """Answer one request of git."""
    name, rest = place
    is_push = "receive-pack" in (rest + request.args.get("service", ""))
    seen.operation = "push" if rest == "git-receive-pack" else "fetch"
    try:
        token = access.token_of(world, dict(request.headers.items()))
    except Refused:
        return _unauthorized("Invalid username or token.")
    seen.login = token.login if token else ""
    owner, _, repository_name = name.partition("/")
    repository = world.find_repository(owner, repository_name)
    if repository is None or not access.sees(token, repository):
        return _unauthorized() if token is None else _said(404, "Repository not found.")
    if refusal := _refusal(token, repository, is_push=is_push):
        return refusal
    body = request.get_data()
    if seen.operation != "push":
        return _backend(request, repository, rest, body)
    assert token is not None
    push = gitpushes.Push.read(repository, token, body)
    if not push.commands:  # git asks whether it may, before a push in pieces
        seen.operation = "fetch"
        return _backend(request, repository, rest, body)
    return _push(world, request, told, push)


def _refusal(token: Token | None, repository: Repository, *, is_push: bool) -> Response | None:
    if token is None:
        return _unauthorized() if is_push or repository.private else None
    if token.permissions is None:
        if repository.may(token.login, "write" if is_push else "read"):
            return None
    elif access.reaches(token, repository):
        if access.holds(token, "contents:write" if is_push else "contents:read"):
            return None
    elif not is_push and not repository.private:
        return None
    return _said(403, f"Permission to {repository.full_name}.git denied to {token.login}.")


def _push(world: "World", request: Request, told: list[str], push: gitpushes.Push) -> Response:
    repository, by = push.repository, push.token.login
    with world.lock:
        told += [f"pushed {command.words()}" for command in push.commands]
        refused = gitpushes.refusals(world, push)
        if refused:
            told[:] = [f"push of {one} refused: {why}" for one, why in refused.items()]
            kind = "application/x-git-receive-pack-result"
            return Response(gitpushes.report(push, refused), 200, content_type=kind)
        before = repository.git.refs()
        response = _backend(request, repository, "git-receive-pack", push.body)
        after = repository.git.refs()
        moved = False
        for command in push.commands:
            if before.get(command.ref) != after.get(command.ref):
                moved = True
                gitpushes.follow(world, repository, command.ref, before, after, by)
        if not moved:
            told[:] = [f"{one} (nothing moved)" for one in told]
    return response


def _backend(request: Request, repository: Repository, rest: str, body: bytes) -> Response:
    env = {
        **bare_environment(),
        "GIT_PROJECT_ROOT": str(repository.git.path),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": f"/{rest}",
        "QUERY_STRING": request.query_string.decode(),
        "REQUEST_METHOD": request.method,
        "CONTENT_TYPE": request.headers.get("Content-Type", ""),
        "CONTENT_LENGTH": str(len(body)),
        "HTTP_CONTENT_ENCODING": request.headers.get("Content-Encoding", ""),
        "GIT_PROTOCOL": request.headers.get("Git-Protocol", ""),
        "REMOTE_USER": "x-access-token",
        "REMOTE_ADDR": "127.0.0.1",
    }
    said = subprocess.run(
        ["git", "http-backend"], input=body, capture_output=True, check=True, env=env
    )
    head, _, content = said.stdout.partition(b"\r\n\r\n")
    headers = [
        (name.strip(), value.strip())
        for name, _, value in (line.partition(":") for line in head.decode().split("\r\n"))
    ]
    status = next((value.partition(" ")[0] for name, value in headers if name == "Status"), "200")
    return Response(content, int(status), [pair for pair in headers if pair[0] != "Status"])


def _said(status: int, words: str) -> Response:
    return Response(f"{words}\n", status, content_type="text/plain; charset=UTF-8")


def _unauthorized(words: str = "No anonymous write access.") -> Response:
    response = _said(HTTPStatus.UNAUTHORIZED, words)
    response.headers["WWW-Authenticate"] = 'Basic realm="GitHub"'
    return response
