"""Facts 3.19: one lookup passes the proxy, and nothing else does, over real connections."""

import contextlib
import socket
from collections.abc import Iterator

import pytest
import requests
from werkzeug.wrappers import Response

from mergequeue.cache.lookup import PATH
from mergequeue.cache.proxy import Proxy, lookup_proxy
from mergequeue.cache.service import Service
from mergequeue.vocabulary import limits
from tests.support.answering import Answers, answering, told

REAL = "the-runners-own-token"
FOUND = {"ok": True, "signed_download_url": "https://blobs.example/entry?sig=x"}
BODY = b'{"key": "k", "restore_keys": [], "version": "v"}'
JSON = "application/json"


@pytest.fixture(scope="module")
def upstream() -> Iterator[Answers]:
    with answering() as answers:
        yield answers


@pytest.fixture(scope="module")
def running(upstream: Answers) -> Iterator[Proxy]:
    with lookup_proxy(Service(upstream.root + "/", REAL)) as proxy:
        yield proxy


@pytest.fixture
def proxy(running: Proxy, upstream: Answers) -> Proxy:
    upstream.asked.clear()
    upstream.handler = lambda _: told(FOUND)
    return running


def token(proxy: Proxy) -> str:
    return proxy.variables["ACTIONS_RUNTIME_TOKEN"]


def post(proxy: Proxy, path: str = PATH, body: bytes = BODY, **headers: str) -> requests.Response:
    """Ask as a client of the cache does that is given the hook's variables."""
    given = {"Authorization": f"Bearer {token(proxy)}", "Content-Type": JSON}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    root = proxy.variables["ACTIONS_RESULTS_URL"].rstrip("/")
    return requests.post(root + path, data=body, headers=given, timeout=60)


def raw(proxy: Proxy, *lines: str, body: bytes = b"") -> bytes:
    """Send bytes as they stand and return all that comes back until the connection ends."""
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=60) as made:
        made.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
        found = b""
        with contextlib.suppress(ConnectionResetError):
            while read := made.recv(65536):
                found += read
        return found


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def head(proxy: Proxy, *more: str, line: str = f"POST {PATH} HTTP/1.1") -> list[str]:
    """Return the head of a lookup, with other headers in it."""
    return [
        line,
        "Host: x",
        f"Authorization: Bearer {token(proxy)}",
        f"Content-Type: {JSON}",
        *more,
    ]


# --- what passes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [JSON, "application/json; charset=utf-8", "application/protobuf"])
def test_the_lookup_is_forwarded_with_the_runners_credential(
    proxy: Proxy, upstream: Answers, kind: str
) -> None:
    answer = post(proxy, Content_Type=kind, Cookie="c=1", X_Forwarded_For="1.2.3.4")
    assert (answer.status_code, answer.json()) == (200, FOUND)
    (asked,) = upstream.asked
    assert (asked.method, asked.path, asked.get_data()) == ("POST", PATH, BODY)
    assert asked.headers["Authorization"] == f"Bearer {REAL}"
    assert asked.headers["Content-Type"] == kind.partition(";")[0]
    assert not {"Cookie", "X-Forwarded-For"} & {name for name, _ in asked.headers}


def test_what_the_service_says_is_passed_on_and_not_its_headers(
    proxy: Proxy, upstream: Answers
) -> None:
    upstream.handler = lambda _: told({"code": "not_found"}, 404, Set_Cookie="c=1")
    answer = post(proxy)
    assert (answer.status_code, answer.json()) == (404, {"code": "not_found"})
    assert "Set-Cookie" not in answer.headers


def test_no_token_of_a_hooks_is_the_runners_or_can_be_guessed(upstream: Answers) -> None:
    with (
        lookup_proxy(Service(upstream.root + "/", REAL)) as one,
        lookup_proxy(Service(upstream.root + "/", REAL)) as other,
    ):
        assert len({token(one), token(other), REAL}) == 3
        assert len(bytes.fromhex(token(one))) == 32
        assert post(one, Authorization=f"Bearer {token(other)}").status_code == 401


def test_it_is_gone_when_validation_is_over(upstream: Answers) -> None:
    with lookup_proxy(Service(upstream.root + "/", REAL)) as proxy:
        pass
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", proxy.port), timeout=60)


# --- what does not -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given",
    ["", "Bearer", "Bearer x", f"Bearer {REAL}", "Basic {}", "bearer {}", "Bearer {} ", "{}"],
)
def test_only_the_stand_in_token_opens_it(proxy: Proxy, upstream: Answers, given: str) -> None:
    lines = [f"POST {PATH} HTTP/1.1", f"Content-Type: {JSON}", "Content-Length: 2"]
    lines.append(f"Authorization: {given.format(token(proxy))}")
    assert status(raw(proxy, *lines, body=b"{}")) == 401
    assert upstream.asked == []


def test_no_header_and_two_headers_of_it_open_nothing(proxy: Proxy, upstream: Answers) -> None:
    right = f"Authorization: Bearer {token(proxy)}"
    line = f"POST {PATH} HTTP/1.1"
    for lines in ([line], [line, right, right], [line, right, "Authorization: Bearer x"]):
        assert status(raw(proxy, *lines, "Content-Length: 0")) == 401
    assert upstream.asked == []


@pytest.mark.parametrize(
    "method", ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "post", "X"]
)
def test_only_a_post_is_looked_at(proxy: Proxy, upstream: Answers, method: str) -> None:
    lines = head(proxy, "Content-Length: 2", line=f"{method} {PATH} HTTP/1.1")
    assert status(raw(proxy, *lines, body=b"{}")) == 405
    assert upstream.asked == []


SERVICE = PATH.rpartition("/")[0]


@pytest.mark.parametrize(
    "target",
    [
        f"{SERVICE}/CreateCacheEntry",
        f"{SERVICE}/FinalizeCacheEntryUpload",
        f"{SERVICE}/DeleteCacheEntry",
        "/twirp/github.actions.results.api.v1.ArtifactService/CreateArtifact",
        f"{SERVICE}/%2e%2e/x/CreateCacheEntry",
        f"{SERVICE}/../{SERVICE.rpartition('/')[2]}/CreateCacheEntry",
        f"{PATH}/../CreateCacheEntry",
        f"{PATH}%2f..%2fCreateCacheEntry",
        PATH.replace("Get", "%47et"),
        PATH.lower(),
        f"/{PATH}",
        f"{PATH}/",
        f"{PATH}?x=1",
        f"{PATH}#x",
        f"{PATH};x",
        f"{PATH}\\..\\CreateCacheEntry",
        f"http://elsewhere.example{PATH}",
        "*",
        "/",
    ],
)
def test_only_the_one_path_is_forwarded_byte_for_byte(
    proxy: Proxy, upstream: Answers, target: str
) -> None:
    lines = head(proxy, "Content-Length: 2", line=f"POST {target} HTTP/1.1")
    assert status(raw(proxy, *lines, body=b"{}")) == 403
    assert upstream.asked == []


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (["Transfer-Encoding: chunked"], 411),
        (["Transfer-Encoding: chunked", "Content-Length: 2"], 411),
        (["Transfer-Encoding: identity", "Content-Length: 2"], 411),
        ([], 411),
        (["Content-Length: 2", "Content-Length: 2"], 400),
        (["Content-Length: 2", "Content-Length: 60"], 400),
        (["Content-Length: 2, 2"], 400),
        (["Content-Length: +2"], 400),
        (["Content-Length: -1"], 400),
        (["Content-Length: 0x2"], 400),
        (["Content-Length: \xb2"], 400),
        (["Content-Length: 65537"], 413),
        (["Content-Length: " + "9" * 5000], 413),
        (["Content-Length: 2", "Content-Type: application/json"], 415),
    ],
)
def test_a_body_whose_end_is_not_said_once_and_plainly_is_not_read(
    proxy: Proxy, upstream: Answers, more: list[str], expected: int
) -> None:
    assert status(raw(proxy, *head(proxy, *more), body=b"2\r\n{}\r\n0\r\n\r\n")) == expected
    assert upstream.asked == []


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_body_in_another_form_than_the_services_is_refused(
    proxy: Proxy, upstream: Answers, kind: str
) -> None:
    assert post(proxy, Content_Type=kind).status_code == 415
    assert upstream.asked == []


def test_a_request_hidden_behind_the_first_is_read_by_nobody(
    proxy: Proxy, upstream: Answers
) -> None:
    hidden = "\r\n".join([*head(proxy, "Content-Length: 2"), "", "{}"]).encode()
    answer = raw(
        proxy, *head(proxy, "Content-Length: 2", "Connection: keep-alive"), body=b"{}" + hidden
    )
    assert answer.count(b"HTTP/1.1") == 1
    assert b"Connection: close" in answer
    assert len(upstream.asked) == 1
    assert upstream.asked[0].get_data() == b"{}"


def test_a_lookup_of_the_largest_size_passes_and_one_byte_more_does_not(
    proxy: Proxy, upstream: Answers
) -> None:
    assert post(proxy, body=b"x" * limits.CACHE_REQUEST_BYTES).status_code == 200
    assert post(proxy, body=b"x" * (limits.CACHE_REQUEST_BYTES + 1)).status_code == 413
    assert post(proxy, body=b"x" * 1_000_000).status_code == 413
    assert len(upstream.asked) == 1


@pytest.mark.parametrize(
    "more",
    [
        ["X: " + "x" * 70_000],
        [f"X{number}: x" for number in range(200)],
        ["X" * 70_000],
    ],
)
def test_headers_without_end_are_refused(proxy: Proxy, upstream: Answers, more: list[str]) -> None:
    assert status(raw(proxy, *head(proxy, "Content-Length: 2", *more), body=b"{}")) == 431
    assert upstream.asked == []


def test_what_is_no_request_at_all_is_answered_with_an_error(
    proxy: Proxy, upstream: Answers
) -> None:
    for line in (
        "\x16\x03\x01 hello there",
        f"POST {PATH} HTTP/9.9",
        "x" * 70_000,
        f"POST  {PATH}",
    ):
        answer = raw(proxy, line)
        assert b"200" not in answer.split(b"\r\n")[0]
    assert upstream.asked == []


def test_a_body_that_does_not_come_holds_up_nobody(proxy: Proxy, upstream: Answers) -> None:
    with contextlib.ExitStack() as kept:
        for _ in range(8):
            slow = kept.enter_context(socket.create_connection(("127.0.0.1", proxy.port)))
            slow.sendall("\r\n".join([*head(proxy, "Content-Length: 60000"), "", "{"]).encode())
        assert post(proxy).status_code == 200
    assert len(upstream.asked) == 1


def test_a_body_that_is_cut_is_not_forwarded(proxy: Proxy, upstream: Answers) -> None:
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=60) as made:
        made.sendall("\r\n".join([*head(proxy, "Content-Length: 60"), "", "{}"]).encode())
        made.shutdown(socket.SHUT_WR)
        assert made.recv(65536) == b""
    assert upstream.asked == []


def test_so_many_connections_are_served_and_no_more(proxy: Proxy, upstream: Answers) -> None:
    del upstream
    with contextlib.ExitStack() as kept:
        held = [
            kept.enter_context(socket.create_connection(("127.0.0.1", proxy.port), timeout=60))
            for _ in range(limits.CACHE_CONNECTIONS)
        ]
        for each in held:
            each.sendall(b"POST ")
        with socket.create_connection(("127.0.0.1", proxy.port), timeout=60) as more:
            assert more.recv(1) == b""


# --- what the service may not do -----------------------------------------------------------------


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308, 300])
def test_the_service_sends_the_credential_nowhere_else(
    proxy: Proxy, upstream: Answers, code: int
) -> None:
    elsewhere = f"{upstream.root}/elsewhere"
    upstream.handler = lambda _: Response(status=code, headers={"Location": elsewhere})
    answer = post(proxy)
    assert answer.status_code == 502
    assert "Location" not in answer.headers
    assert len(upstream.asked) == 1


def test_an_answer_that_is_too_long_is_no_answer(proxy: Proxy, upstream: Answers) -> None:
    upstream.handler = lambda _: Response(b"x" * limits.CACHE_ANSWER_BYTES, content_type=JSON)
    assert len(post(proxy).content) == limits.CACHE_ANSWER_BYTES
    upstream.handler = lambda _: Response(b"x" * (limits.CACHE_ANSWER_BYTES + 1), content_type=JSON)
    assert post(proxy).status_code == 502


def test_a_service_that_breaks_off_is_said_in_our_words(proxy: Proxy, upstream: Answers) -> None:
    upstream.script(None)
    answer = post(proxy)
    assert answer.status_code == 502
    assert answer.json() == {
        "code": "unavailable",
        "msg": "mergequeue: the cache service did not answer",
    }
    assert REAL not in answer.text
