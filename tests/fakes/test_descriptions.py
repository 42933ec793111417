"""The fake is held to GitHub's own descriptions, and holds its clients to them."""

import json
from pathlib import Path

import pytest

from tests.fakes.client import Client
from tests.fakes.github import described
from tests.fakes.github.calls import Answer
from tests.fakes.github.descriptions import slim
from tests.fakes.github.routes import Route, routes
from tests.fakes.github.story import GitHub
from tests.fakes.needs import NPM


@pytest.mark.slow
@pytest.mark.network
@NPM
def test_the_slim_copies_are_what_the_script_makes(
    tmp_path: Path, real_home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", real_home)  # npm's settings say where packages come from
    slim.make(tmp_path)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made == {name: (slim.HERE / name).read_bytes() for name in made}
    assert sorted(made) == ["LICENSES.txt", "openapi.json", "schema.graphql", "sources.json"]


def test_the_copies_say_what_they_were_made_from() -> None:
    sources = json.loads((slim.HERE / "sources.json").read_text("utf-8"))
    assert [(one["package"], one["version"]) for one in sources] == [
        slim.OPENAPI[:2],
        slim.GRAPHQL[:2],
    ]
    assert all(one["integrity"].startswith("sha512-") for one in sources)


def test_the_fake_answers_every_operation_of_the_copy_and_no_other() -> None:
    assert {one.name for one in described.operations()} == set(routes())


def test_an_operation_that_the_fake_does_not_know_fails_the_test_by_name(
    github: GitHub, app: Client
) -> None:
    assert app.get("/repos/acme/acme/stargazers").status_code == 404
    assert github.complaints() == [
        "GET /repos/acme/acme/stargazers is no operation that the fake knows"
    ]


def test_a_query_parameter_that_github_does_not_have_fails_the_test(
    github: GitHub, app: Client
) -> None:
    app.get("pulls?sate=open")
    assert github.complaints() == [
        "GET /repos/{owner}/{repo}/pulls: no query parameter 'sate'",
    ]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"state": "green"}, "'green' is not one of"),
        ({"state": "success", "contxt": "x"}, "'contxt' was unexpected"),
        ({"context": "x"}, "'state' is a required property"),
    ],
)
def test_a_body_that_github_does_not_describe_fails_the_test(
    github: GitHub, app: Client, body: dict[str, str], said: str
) -> None:
    answer = app.ask("POST", f"statuses/{github.tip()}", json=body)
    assert answer.status_code == 422
    (complaint,) = github.complaints()
    assert said in complaint
    github.explain("refused 422")


def test_a_body_that_is_missing_fails_the_test(github: GitHub, app: Client) -> None:
    assert app.ask("POST", f"statuses/{github.tip()}").status_code == 422
    (complaint,) = github.complaints()
    assert "a body is missing" in complaint
    github.explain("refused 422")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer(200, {"login": 7}), "7 is not of type 'string'"),
        (Answer(200, {"login": "x", "colour": "red"}), "colour"),
        (Answer(299, {}), "the fake answered 299, GitHub does not"),
    ],
)
def test_an_answer_of_the_fake_that_github_does_not_describe_fails_the_test(
    github: GitHub, app: Client, monkeypatch: pytest.MonkeyPatch, answer: Answer, said: str
) -> None:
    name = "GET /orgs/{org}"
    wrong = Route(name, lambda _: answer, (), "read")
    monkeypatch.setitem(routes(), name, wrong)  # the fake's own table, made wrong on purpose
    app.get("/orgs/acme")
    (complaint,) = github.complaints()
    assert said in complaint


def test_what_a_description_requires_is_filled_in_with_what_nobody_takes_for_data(
    app: Client,
) -> None:
    shown = app.get("/users/author").json()
    assert shown["login"] == "author"
    assert shown["repos_url"] == "https://example.invalid/not-modelled"
    assert shown["company"] is None


def test_a_field_that_github_does_not_have_fails_the_test(github: GitHub, app: Client) -> None:
    answer = app.query("{ viewer { loginn } }")
    assert "data" not in answer
    (complaint,) = github.complaints()
    assert "Cannot query field 'loginn' on type 'User'" in complaint


def test_a_field_that_the_fake_does_not_have_fails_the_test(github: GitHub, app: Client) -> None:
    app.query("{ viewer { bioHTML } }")
    assert github.complaints() == ["GraphQL: the fake has no User.bioHTML"]


def test_githubs_own_command_line_may_ask_for_more(app: Client) -> None:
    app.session.headers["User-Agent"] = "GitHub CLI 2.103.3"
    answer = app.query("{ viewer { login newerThanTheSchema bioHTML } }")
    assert answer["data"]["viewer"] == {"login": "acme-queue[bot]", "bioHTML": ""}


def test_the_schema_can_be_asked_for_its_types(app: Client) -> None:
    answer = app.query('{ __type(name: "PullRequest") { fields { name } } }')
    names = {one["name"] for one in answer["data"]["__type"]["fields"]}
    assert {"autoMergeRequest", "mergeStateStatus", "reviewDecision"} <= names


def test_a_connection_without_a_size_or_with_too_large_a_one_is_refused(app: Client) -> None:
    query = '{ repository(owner: "acme", name: "acme") { pullRequests%s { %s } } }'
    (missing,) = app.query(query % ("", "nodes { number }"))["errors"]
    (large,) = app.query(query % ("(first: 101)", "totalCount"))["errors"]
    counted = app.query(query % ("", "totalCount"))["data"]["repository"]["pullRequests"]
    assert counted == {"totalCount": 0}
    assert missing["type"] == "MISSING_PAGINATION_BOUNDARIES"
    assert large["type"] == "EXCESSIVE_PAGINATION"


def test_a_query_of_too_many_nodes_is_refused(app: Client) -> None:
    deep = """{ repository(owner: "acme", name: "acme") { pullRequests(first: 100) { nodes {
      commits(first: 100) { nodes { commit { associatedPullRequests(first: 100) { totalCount } } } }
    } } } }"""
    (error,) = app.query(deep)["errors"]
    assert error["type"] == "MAX_NODE_LIMIT_EXCEEDED"
    assert "1,010,100" in error["message"]
