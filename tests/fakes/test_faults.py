"""Failure and limits as knobs: what a client meets, and what was done all the same."""

import threading

import pytest
import requests

from tests.fakes.client import Client
from tests.fakes.github.faults import Fault
from tests.fakes.github.records import Pull
from tests.fakes.github.story import GitHub


@pytest.fixture
def pull(github: GitHub) -> Pull:
    return github.open_pull("fix-it", {"a": "1\n"})


def comment(app: Client) -> requests.Response:
    return app.ask("POST", "issues/1/comments", json={"body": "Hello"})


def test_a_refused_call_is_not_carried_out(github: GitHub, app: Client, pull: Pull) -> None:
    github.faults.add("POST .*/comments", Fault.REFUSED, status=503, headers={"Retry-After": "7"})
    answer = comment(app)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "7")
    assert pull.comments == []
    assert comment(app).status_code == 201  # once, unless told otherwise
    github.explain("comment on #1")


def test_a_lost_call_is_not_carried_out_and_not_answered(
    github: GitHub, app: Client, pull: Pull
) -> None:
    github.faults.add("POST .*/comments", Fault.LOST)
    with pytest.raises(requests.ConnectionError):
        comment(app)
    assert pull.comments == []


def test_a_call_can_be_done_and_answered_502(github: GitHub, app: Client, pull: Pull) -> None:
    github.faults.add("PUT .*/merge", Fault.DONE_AND_BROKEN)
    answer = app.ask("PUT", "pulls/1/merge", json={"sha": pull.head_sha})
    assert (answer.status_code, pull.merged) == (502, True)
    github.explain("merge of #1")


def test_a_call_can_be_done_and_never_answered(github: GitHub, app: Client, pull: Pull) -> None:
    github.faults.add("POST .*/comments", Fault.DONE_AND_LOST)
    with pytest.raises(requests.ConnectionError):
        comment(app)
    assert len(pull.comments) == 1
    github.explain("comment on #1")


def test_an_answer_can_be_cut(github: GitHub, app: Client, pull: Pull) -> None:
    github.faults.add("GET .*/pulls/1", Fault.CUT)
    with pytest.raises(requests.RequestException):
        app.get("pulls/1").json()
    assert app.get("pulls/1").json()["number"] == pull.number


def test_a_call_can_be_done_twice(github: GitHub, app: Client, pull: Pull) -> None:
    github.faults.add("POST .*/comments", Fault.TWICE)
    assert comment(app).status_code == 201
    assert len(pull.comments) == 2
    github.explain("comment on #1")


def test_a_call_can_be_held_until_the_test_lets_it_go(
    github: GitHub, app: Client, pull: Pull
) -> None:
    github.faults.add("POST .*/comments", Fault.DELAYED)
    asking = threading.Thread(target=comment, args=(app,))
    asking.start()
    assert github.faults.arrived.wait(60)
    assert pull.comments == []
    github.faults.release()
    asking.join()
    assert len(pull.comments) == 1
    github.explain("comment on #1")


def test_one_request_of_all_can_be_met_by_its_number(github: GitHub, app: Client) -> None:
    github.faults.at(2, Fault.REFUSED, status=500)
    assert [app.get("").status_code for _ in range(3)] == [200, 500, 200]


def test_graphql_is_met_by_the_name_of_its_operation(github: GitHub, app: Client) -> None:
    github.faults.add("POST /graphql Second")
    assert app.query("query First { viewer { login } }")["data"]
    asked = {"query": "query Second { viewer { login } }"}
    assert app.session.post(github.graphql_url, json=asked, timeout=60).status_code == 502


# --- limits --------------------------------------------------------------------------------------


def test_what_is_left_is_told_and_what_did_not_change_is_free(github: GitHub, app: Client) -> None:
    github.limits.primary, github.limits.reset = 2, 1_767_229_200
    first = app.get("")
    assert first.headers["X-RateLimit-Reset"] == "1767229200"
    tag = {"If-None-Match": first.headers["ETag"]}
    assert [app.get("", headers=tag).status_code for _ in range(3)] == [304] * 3
    assert app.get("").status_code == 200
    over = app.get("")
    assert (over.status_code, over.headers["X-RateLimit-Remaining"]) == (403, "0")
    assert "rate limit exceeded" in over.json()["message"]
    github.limits.primary = None
    assert app.get("").status_code == 200


@pytest.mark.parametrize("odd", ["", "You are doing that too often."])
def test_a_secondary_limit_is_met_by_writes(
    github: GitHub, app: Client, pull: Pull, odd: str
) -> None:
    github.limits.secondary_after, github.limits.odd_words = 1, odd
    assert comment(app).status_code == 201
    over = comment(app)
    assert over.status_code == 403
    assert over.headers.get("Retry-After") == (None if odd else "60")
    assert over.json()["message"] == odd or "secondary rate limit" in over.json()["message"]
    assert len(pull.comments) == 1
    github.explain("comment on #1|refused 403")
