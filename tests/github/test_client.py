"""The calls over real HTTP: reads, listings, queries and writes (facts 1.1; CASES D)."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.wrappers import Request, Response

from mergequeue.github.addresses import ApiPath, api_path
from mergequeue.github.answers import GitHubRecord, RefusedError, UnclearError
from mergequeue.github.client import Client
from mergequeue.github.credentials import FixedToken
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import (
    BAD_ANSWER,
    CREDENTIAL_REFUSED,
    PROVIDER_FAILED,
    RATE_LIMITED,
    MergequeueError,
)
from tests.github.conftest import SECRET, Calls
from tests.support.answering import Answers, Handler, cut, told

PULL = api_path("repos", "acme", "app", "pulls", 7)
QUERY = "query Heads($n: Int!) { a }"


class Head(GitHubRecord):
    sha: str
    repo: str | None


class Pull(GitHubRecord):
    number: int
    head: Head


WHOLE = {"number": 7, "head": {"sha": "abc", "repo": None}, "more": [1, 2]}


# --- how a request is sent -----------------------------------------------------------------------


def test_every_request_carries_the_credential_and_the_version(
    server: Answers, calls: Calls
) -> None:
    server.script(told({}))
    calls.client.get(PULL, {"head": "acme:a b/c&d+e", "n": 2})
    sent = server.asked[0]
    assert sent.headers["Authorization"] == f"Bearer {SECRET}"
    assert sent.headers["Accept"] == "application/vnd.github+json"
    assert sent.headers["X-GitHub-Api-Version"] == "2022-11-28"
    assert server.lines == ["GET /repos/acme/app/pulls/7?head=acme%3Aa%20b%2Fc%26d%2Be&n=2"]


def test_a_persons_netrc_replaces_no_credential(
    server: Answers, calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password else\n")
    monkeypatch.setenv("NETRC", str(netrc))
    server.script(told({}))
    calls.client.get(PULL)
    assert server.asked[0].headers["Authorization"] == f"Bearer {SECRET}"


def test_a_write_sends_its_body_as_json(server: Answers, calls: Calls) -> None:
    server.script(told({"merged": True}))
    answer = calls.client.write("PUT", PULL, {"sha": "abc", "title": "ü"})
    assert server.asked[0].get_json() == {"sha": "abc", "title": "ü"}
    assert answer.body.at("merged").value is True


def test_an_answer_without_a_body_is_null(server: Answers, calls: Calls) -> None:
    server.script(Response(status=204))
    assert calls.client.write("DELETE", PULL).body.value is None


# --- bodies --------------------------------------------------------------------------------------


def test_a_body_is_read_as_a_record_that_names_what_it_needs(server: Answers, calls: Calls) -> None:
    server.script(told(WHOLE))
    read = calls.client.get(PULL).body.read(Pull)
    assert (read.number, read.head.sha, read.head.repo) == (7, "abc", None)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"number": 7}, "$.head:"),
        ({"number": 7, "head": {"sha": "a"}}, "$.head.repo:"),
        ({"number": 7, "head": {"sha": None, "repo": None}}, "$.head.sha:"),
        ({"number": "7", "head": {"sha": "a", "repo": None}}, "$.number:"),
        ({"number": None, "head": {"sha": "a", "repo": None}}, "$.number:"),
        ({"number": 7, "head": None}, "$.head:"),
        ([], "$:"),
        (None, "$:"),
    ],
)
def test_what_is_missing_or_of_another_type_is_an_error_naming_request_and_field(
    server: Answers, calls: Calls, body: object, field: str
) -> None:
    server.script(told(body))
    with pytest.raises(MergequeueError) as caught:
        calls.client.get(PULL).body.read(Pull)
    assert caught.value.code == BAD_ANSWER.code
    assert caught.value.problem.startswith(f"GET {PULL}: {field}")


@pytest.mark.parametrize("raw", [b"<html>", b'{"a": 1, "a": 2}', b'{"a": NaN}', b"\xff"])
def test_what_is_no_json_is_an_error_naming_the_request(
    server: Answers, calls: Calls, raw: bytes
) -> None:
    server.script(Response(raw, 200))
    with pytest.raises(MergequeueError) as caught:
        calls.client.get(PULL)
    assert caught.value.code == BAD_ANSWER.code
    assert caught.value.problem.startswith(f"GET {PULL}")


def _long(request: Request) -> Response:
    del request
    return Response((b"[" + b" " * (1 << 20) for _ in range(33)), 200)


def test_a_body_over_the_limit_is_an_error_and_never_a_shorter_answer(
    server: Answers, calls: Calls
) -> None:
    server.script(_long)
    with pytest.raises(MergequeueError) as caught:
        calls.client.get(PULL)
    assert caught.value.code == BAD_ANSWER.code
    assert f"GET {PULL}: $: it has more than {limits.ANSWER_BYTES} bytes" in caught.value.problem
    with pytest.raises(UnclearError):
        calls.client.write("PUT", PULL, {})


def test_one_bad_item_of_a_listing_is_named_and_the_others_read(
    server: Answers, calls: Calls
) -> None:
    server.script(told([WHOLE, {"number": 8, "head": None}]))
    first, second = calls.client.pages(PULL)
    assert first.read(Pull).number == 7
    with pytest.raises(MergequeueError, match=r"in \$\[1\]: \$\.head"):
        second.read(Pull)


# --- conditional requests ------------------------------------------------------------------------


def _tagged(request: Request) -> Response:
    if request.headers.get("If-None-Match") == '"one"':
        return Response(status=304, headers={"ETag": '"one"'})
    return told(WHOLE, ETag='"one"', Cache_Control="private, max-age=60", Vary="Authorization")


def test_what_did_not_change_is_asked_for_conditionally_and_never_taken_unasked(
    server: Answers, calls: Calls
) -> None:
    server.script(_tagged)
    answers = [calls.client.get(PULL) for _ in range(3)]
    assert [answer.body.read(Pull).number for answer in answers] == [7, 7, 7]
    assert [request.headers.get("If-None-Match") for request in server.asked] == [
        None,
        '"one"',
        '"one"',
    ]


def test_what_changed_is_read_anew(server: Answers, calls: Calls) -> None:
    server.script(
        told({"number": 1}, ETag='"1"', Cache_Control="private, max-age=60"),
        told({"number": 2}, ETag='"2"', Cache_Control="private, max-age=60"),
    )
    assert [calls.client.get(PULL).body.value for _ in range(2)] == [{"number": 1}, {"number": 2}]


def test_nothing_is_remembered_from_one_credential_to_the_next(
    server: Answers, calls: Calls
) -> None:
    server.script(told(WHOLE, ETag='"one"', Cache_Control="private, max-age=60"))
    calls.client.get(PULL)
    other = Client(calls.client.transport, calls.client.addresses, FixedToken("other"), calls.clock)
    other.get(PULL)
    calls.client.get(PULL)
    assert [request.headers.get("If-None-Match") for request in server.asked] == [None] * 3


def test_no_more_is_remembered_than_the_limit_and_the_newest_stays(
    server: Answers, calls: Calls
) -> None:
    big = Response(b"[%s]" % (b" " * (limits.REMEMBERED_BYTES * 2 // 5)))
    big.headers["ETag"] = '"big"'
    server.script(big)
    for number in (1, 2, 3, 3, 1):
        calls.client.get(api_path("big", number))
    asked = [request.headers.get("If-None-Match") for request in server.asked]
    assert asked == [None, None, None, '"big"', None]


def test_an_error_is_not_remembered(server: Answers, calls: Calls) -> None:
    server.script(told({"message": "Not Found"}, 404, ETag='"one"'), told(WHOLE))
    assert calls.client.get(PULL, expect=(404,)).status == 404
    assert calls.client.get(PULL).body.value == WHOLE
    assert server.asked[1].headers.get("If-None-Match") is None


# --- reads that go wrong -------------------------------------------------------------------------


def test_a_read_is_asked_again_when_github_breaks(server: Answers, calls: Calls) -> None:
    server.script(Response("<html>", 502), None, cut(b'{"number"', 400), told(WHOLE))
    assert calls.client.get(PULL).body.value == WHOLE
    assert calls.clock.slept == [1.0, 2.0, 4.0]


@pytest.mark.parametrize("step", [Response(status=503), None, cut(b"[", 9)])
def test_a_read_that_never_works_is_an_error_naming_it(
    server: Answers, calls: Calls, step: Response | None
) -> None:
    server.script(step)
    with pytest.raises(MergequeueError) as caught:
        calls.client.get(PULL)
    assert caught.value.code == PROVIDER_FAILED.code
    assert caught.value.problem.startswith(f"GET {PULL}: ")
    assert len(server.asked) == limits.READ_TRIES


def test_an_answer_that_never_ends_is_given_up(server: Answers, calls: Calls) -> None:
    def trickle(request: Request) -> Response:
        del request

        def parts() -> Iterator[bytes]:
            for _ in range(99):
                calls.clock.sleep(limits.ANSWER_SECONDS / 10)
                yield b" " * 70000

        return Response(parts(), 200)

    server.script(trickle)
    with pytest.raises(MergequeueError, match="was not over after 300 seconds, 4 times"):
        calls.client.get(PULL)


def test_a_status_that_is_not_expected_is_githubs_word_on_it(server: Answers, calls: Calls) -> None:
    words = {"message": "Validation Failed", "errors": [{"resource": "Label", "code": "custom"}]}
    server.script(told(words, 422))
    with pytest.raises(RefusedError) as caught:
        calls.client.get(PULL)
    assert (caught.value.status, caught.value.message) == (422, "Validation Failed; Label custom")
    assert caught.value.problem == (
        f"GET {PULL} was answered with 422: Validation Failed; Label custom"
    )


def test_a_status_that_is_expected_is_an_answer(server: Answers, calls: Calls) -> None:
    server.script(told({"message": "Not Found"}, 404))
    answer = calls.client.get(PULL, expect=(200, 404))
    assert (answer.status, answer.message) == (404, "Not Found")


def test_a_rate_limit_is_waited_for_and_told(server: Answers, calls: Calls) -> None:
    server.script(told({"message": "odd words"}, 403, Retry_After="72"), told(WHOLE))
    assert calls.client.get(PULL).body.value == WHOLE
    assert calls.clock.slept == [72.0]
    assert calls.said == ["waiting 72 seconds for GitHub: its rate limit"]


def test_a_rate_limit_that_lasts_is_an_error_that_says_until_when(
    server: Answers, calls: Calls
) -> None:
    reset = str(int(calls.clock.now().timestamp()) + 3000)
    limited = told({}, 403, X_RateLimit_Remaining="0", X_RateLimit_Reset=reset)
    limited.headers["Date"] = "Mon, 30 Nov 2026 12:00:00 GMT"
    server.script(limited)
    with pytest.raises(MergequeueError) as caught:
        calls.client.get(PULL)
    assert caught.value.code == RATE_LIMITED.code
    assert "12:50:01 UTC" in caught.value.problem


def test_a_401_is_the_credential_and_never_anything_else(server: Answers, calls: Calls) -> None:
    server.script(told({"message": f"Bad credentials {SECRET}"}, 401))
    with pytest.raises(MergequeueError) as read:
        calls.client.get(PULL, expect=(200, 401))
    with pytest.raises(MergequeueError) as written:
        calls.client.write("PUT", PULL, {})
    assert {read.value.code, written.value.code} == {CREDENTIAL_REFUSED.code}


# --- listings ------------------------------------------------------------------------------------


def _paged(items: list[object], *, inside: str = "", total: int | None = None) -> Handler:
    def handler(request: Request) -> Response:
        page, size = int(request.args.get("page", 1)), 2
        part = items[(page - 1) * size : page * size]
        body = {"total_count": total, inside: part} if inside else part
        response = told(body)
        if page * size < len(items):
            # GitHub names the repository by its number in there, and an empty page comes at times.
            link = f"{request.url_root}repositories/1/things?page={page + 1}"
            response.headers["Link"] = f'<{link}>; rel="next", <{link}9>; rel="last"'
        return response

    return handler


def values(calls: Calls, **given: str) -> list[object]:
    return [item.value for item in calls.client.pages(PULL, {"state": "open"}, **given)]


def test_a_listing_follows_its_links_to_the_end(server: Answers, calls: Calls) -> None:
    server.handler = _paged([1, 2, 3, 4, 5])
    assert values(calls) == [1, 2, 3, 4, 5]
    assert server.lines == [
        "GET /repos/acme/app/pulls/7?per_page=100&state=open",
        "GET /repositories/1/things?page=2",
        "GET /repositories/1/things?page=3",
    ]


def test_a_short_page_ends_nothing(server: Answers, calls: Calls) -> None:
    more = f'<{server.root}/p?page=2>; rel="next"'
    server.script(told([], Link=more), told([7]))
    assert values(calls) == [7]


def test_a_listing_shorter_than_its_own_count_is_an_error(server: Answers, calls: Calls) -> None:
    server.handler = _paged([{"id": 1}, {"id": 2}, {"id": 3}], inside="runs", total=4)
    with pytest.raises(MergequeueError) as caught:
        values(calls, inside="runs")
    assert caught.value.code == PROVIDER_FAILED.code
    assert "lists 3 of 4" in caught.value.problem


def test_a_listing_that_changed_meanwhile_is_made_again(server: Answers, calls: Calls) -> None:
    link = f'<{server.root}/p?page=2>; rel="next"'
    whole = {"total_count": 2, "runs": [{"id": 1}, {"id": 2}]}
    server.script(
        told({"total_count": 2, "runs": [{"id": 2}]}, Link=link),
        told({"total_count": 2, "runs": [{"id": 2}]}),
        told(whole),
    )
    assert [it.value for it in calls.client.pages(PULL, inside="runs")] == whole["runs"]


def test_results_that_github_calls_incomplete_are_an_error(server: Answers, calls: Calls) -> None:
    server.script(told({"total_count": 1, "incomplete_results": True, "items": [1]}))
    with pytest.raises(MergequeueError, match="incomplete"):
        values(calls, inside="items")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"total_count": 0}, "items is missing"),
        ({"total_count": 0, "items": None}, "a list is wanted"),
        ({"total_count": "1", "items": []}, "total_count"),
        (None, "items is missing"),
    ],
)
def test_a_page_without_its_list_is_never_an_empty_one(
    server: Answers, calls: Calls, body: object, words: str
) -> None:
    server.script(told(body))
    with pytest.raises(MergequeueError, match=words) as caught:
        values(calls, inside="items")
    assert caught.value.code == BAD_ANSWER.code


def test_any_page_that_fails_fails_the_listing(server: Answers, calls: Calls) -> None:
    link = f'<{server.root}/p?page=2>; rel="next"'
    server.script(told([1], Link=link), told({"message": "no"}, 404))
    with pytest.raises(RefusedError):
        values(calls)


@pytest.mark.parametrize("to", ["http://127.0.0.2:1/x", "http://127.0.0.1:1/x", "/x", "file:///x"])
def test_a_link_to_anywhere_else_is_not_followed(server: Answers, calls: Calls, to: str) -> None:
    server.script(told([1], Link=f'<{to}>; rel="next"'))
    with pytest.raises(MergequeueError, match="Link leads elsewhere"):
        values(calls)
    assert len(server.asked) == 1


def test_links_that_go_round_in_a_circle_are_an_error(server: Answers, calls: Calls) -> None:
    server.script(told([1], Link=f'<{server.root}/p>; rel="next"'))
    with pytest.raises(MergequeueError, match="Link leads elsewhere"):
        values(calls)
    assert len(server.asked) == 2


# --- redirects -----------------------------------------------------------------------------------


def _to(address: str, status: int) -> Response:
    return Response(status=status, headers={"Location": address})


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_repository_that_was_renamed_is_found(server: Answers, calls: Calls, status: int) -> None:
    server.script(_to("/repositories/1/pulls/7", status), told(WHOLE))
    assert calls.client.get(PULL, {"a": "b"}).body.value == WHOLE
    assert server.lines[1] == "GET /repositories/1/pulls/7"
    assert server.asked[1].headers["Authorization"] == f"Bearer {SECRET}"


@pytest.mark.parametrize("to", ["http://localhost:{port}/x", "http://127.0.0.1:1/x", "https://a/x"])
def test_no_credential_goes_to_another_host(server: Answers, calls: Calls, to: str) -> None:
    port = server.root.rpartition(":")[2]
    server.script(_to(to.format(port=port), 302))
    with pytest.raises(MergequeueError, match="another host"):
        calls.client.get(PULL)
    assert len(server.asked) == 1


def test_a_write_is_sent_on_as_a_write_or_not_at_all(server: Answers, calls: Calls) -> None:
    server.script(_to("/moved", 307), told({}))
    calls.client.write("PUT", PULL, {"sha": "abc"})
    assert server.lines[1] == "PUT /moved"
    assert server.asked[1].get_json() == {"sha": "abc"}
    server.script(_to("/moved", 302))
    with pytest.raises(MergequeueError, match="make a read of a write"):
        calls.client.write("PUT", PULL, {})


def test_redirects_without_an_end_are_an_error(server: Answers, calls: Calls) -> None:
    server.script(_to("/again", 302))
    with pytest.raises(MergequeueError, match="more than 10 times"):
        calls.client.get(PULL)


# --- writes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "step",
    [
        Response("done, and no word of it", 502),
        Response(status=500),
        None,
        cut(b'{"merged"', 90),
        Response("no json", 200),
    ],
)
def test_a_write_without_a_clear_answer_is_unclear_and_sent_once(
    server: Answers, calls: Calls, step: Response | None
) -> None:
    server.script(step)
    with pytest.raises(UnclearError, match="may or may not have been carried out"):
        calls.client.write("PUT", PULL, {"sha": "abc"})
    assert len(server.asked) == 1
    assert calls.clock.slept == []


def test_a_write_that_was_refused_says_githubs_words(server: Answers, calls: Calls) -> None:
    server.script(told({"message": "Head branch was modified"}, 409))
    with pytest.raises(RefusedError, match="Head branch was modified"):
        calls.client.write("PUT", PULL, {})
    assert calls.client.write("PUT", PULL, {}, expect=(200, 409)).status == 409


def test_an_unknown_403_on_a_write_waits_a_minute_once_then_fails_with_its_words(
    server: Answers, calls: Calls
) -> None:
    server.script(told({"message": "a new kind of limit"}, 403))
    with pytest.raises(RefusedError, match="a new kind of limit"):
        calls.client.write("POST", PULL, {})
    assert calls.clock.slept == [60.0]
    assert len(server.asked) == 2


def test_writes_are_paced_and_reads_are_not(server: Answers, calls: Calls) -> None:
    server.script(told({}))
    for _ in range(limits.WRITES_A_MINUTE + 1):
        calls.client.get(PULL)
    assert calls.clock.slept == []
    for _ in range(limits.WRITES_A_MINUTE):
        calls.client.write("POST", PULL, {})
    assert calls.clock.slept == []
    calls.client.write("POST", PULL, {})
    assert calls.clock.slept == [60.0]
    assert len(calls.said) == 1


def test_a_server_that_is_not_there_is_no_unclear_write(calls: Calls) -> None:
    gone = Client(
        calls.client.transport,
        type(calls.client.addresses)("http://127.0.0.1:9", "http://127.0.0.1:9/graphql", ""),
        FixedToken(SECRET),
        calls.clock,
    )
    with pytest.raises(MergequeueError) as caught:
        gone.write("PUT", PULL, {})
    assert not isinstance(caught.value, UnclearError)
    assert caught.value.code == PROVIDER_FAILED.code
    assert calls.clock.slept == [1.0, 2.0, 4.0]


# --- GraphQL -------------------------------------------------------------------------------------


def test_a_query_sends_its_values_as_variables(server: Answers, calls: Calls) -> None:
    server.script(told({"data": {"a": {"b": 1}}}))
    assert calls.client.graphql(QUERY, {"n": 7}).at("a", "b").value == 1
    assert server.asked[0].path == "/graphql"
    assert json.loads(server.asked[0].get_data()) == {"query": QUERY, "variables": {"n": 7}}


def test_any_error_in_an_answer_fails_the_query_though_there_is_data(
    server: Answers, calls: Calls
) -> None:
    error = {"type": "NOT_FOUND", "path": ["repository"], "message": "Could not resolve"}
    server.script(told({"data": {"a": 1}, "errors": [error]}))
    with pytest.raises(RefusedError, match="GraphQL Heads was answered with 200: Could not") as got:
        calls.client.graphql(QUERY, {})
    assert got.value.errors == (error,)


@pytest.mark.parametrize("errors", [["odd"], "odd", {"message": "odd"}, [None]])
def test_errors_of_any_form_fail_the_query(server: Answers, calls: Calls, errors: object) -> None:
    server.script(told({"data": {"a": 1}, "errors": errors}))
    with pytest.raises(RefusedError):
        calls.client.graphql(QUERY, {})


def test_an_answer_without_data_is_an_error(server: Answers, calls: Calls) -> None:
    server.script(told({}))
    with pytest.raises(MergequeueError, match=r"GraphQL Heads: \$: data is missing"):
        calls.client.graphql(QUERY, {})


def test_a_query_is_asked_again_and_a_mutation_is_not(server: Answers, calls: Calls) -> None:
    server.script(Response(status=502), told({"data": {}}))
    calls.client.graphql(QUERY, {})
    server.script(Response(status=502))
    with pytest.raises(UnclearError, match="GraphQL Do may or may not"):
        calls.client.mutate("mutation Do($a: ID!) { b }", {})


def test_a_limit_that_graphql_names_under_200_is_waited_for(server: Answers, calls: Calls) -> None:
    limited = {"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]}
    server.script(told(limited, Retry_After="9"), told({"data": {}}))
    calls.client.graphql(QUERY, {})
    assert calls.clock.slept == [9.0]


# --- secrets -------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [403, 404, 422, 500])
def test_no_error_shows_the_credential(server: Answers, calls: Calls, status: int) -> None:
    server.script(told({"message": f"you sent {SECRET}"}, status))
    for call in (
        lambda: calls.client.get(PULL),
        lambda: calls.client.write("PUT", PULL, {}),
        lambda: calls.client.graphql(QUERY, {}),
    ):
        with pytest.raises(MergequeueError) as caught:
            call()
        error: BaseException | None = caught.value
        while error is not None:
            assert SECRET not in f"{error!r} {error}"
            error = error.__cause__
    assert all(SECRET not in line for line in calls.said)
    assert SECRET not in repr(calls.client)


def test_the_path_is_all_that_an_error_shows_of_a_request(server: Answers, calls: Calls) -> None:
    server.script(None)
    with pytest.raises(MergequeueError) as caught:
        calls.client.get(ApiPath("/x"), {"q": "secret"})
    assert "secret" not in caught.value.problem
