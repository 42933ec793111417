"""Who may ask what: tokens, permissions, roles."""

import pytest

from tests.fakes.client import Client, client
from tests.fakes.github.story import READER, GitHub

FORBIDDEN = (403, "Resource not accessible by integration")


def said(answer: object) -> tuple[int, str]:
    status: int = answer.status_code  # type: ignore[attr-defined]  # an answer of requests
    words: str = answer.json()["message"]  # type: ignore[attr-defined]  # as above
    return status, words


def test_a_bad_token_is_a_401_and_none_reads_what_is_public(
    github: GitHub, anybody: Client
) -> None:
    assert anybody.get("pulls").status_code == 200
    anybody.session.headers["Authorization"] = "Bearer nonsense"
    assert said(anybody.get("pulls")) == (401, "Bad credentials")
    assert anybody.query("{ viewer { login } }")["message"] == "Bad credentials"
    github.verify()


def test_a_revoked_and_an_expired_token_are_bad_credentials(github: GitHub, app: Client) -> None:
    github.writer.expires_at = github.clock.now.timestamp() + 3600
    assert app.get("pulls").status_code == 200
    github.clock.advance(minutes=61)
    assert said(app.get("pulls")) == (401, "Bad credentials")
    github.writer.expires_at, github.writer.revoked = None, True
    assert said(app.get("pulls")) == (401, "Bad credentials")


@pytest.mark.parametrize(
    ("method", "path", "body", "family"),
    [
        ("POST", "statuses/{sha}", {"state": "success"}, "statuses"),
        ("POST", "issues/1/comments", {"body": "x"}, "pull_requests"),
        ("PATCH", "pulls/1", {"base": "main"}, "pull_requests"),
        ("PUT", "pulls/1/merge", {"sha": "{sha}"}, "contents"),
        ("POST", "rulesets", {"name": "r", "enforcement": "active"}, "administration"),
    ],
)
def test_an_apps_token_writes_only_what_its_permissions_say(
    github: GitHub, job: Client, method: str, path: str, body: dict[str, str], family: str
) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    path = path.format(sha=pull.head_sha)
    body = {key: value.format(sha=pull.head_sha) for key, value in body.items()}
    assert said(job.ask(method, path, json=body)) == FORBIDDEN
    allowed = github.token("github-actions[bot]", {**READER, family: "write"})
    with client(github, allowed) as writer:
        assert writer.ask(method, path, json=body).ok
    github.explain("refused 403")
    github.wrote()


def test_an_apps_token_reads_only_what_its_permissions_say(github: GitHub) -> None:
    token = github.token("github-actions[bot]", {"contents": "read"})
    with client(github, token) as narrow:
        assert said(narrow.get("pulls")) == FORBIDDEN
        assert narrow.get("branches/main").ok
        asked = narrow.query(
            '{ repository(owner: "acme", name: "acme") { pullRequests(first: 1) { totalCount } } }'
        )
        assert asked["errors"][0]["type"] == "FORBIDDEN"


def test_github_says_which_permission_it_wanted(job: Client) -> None:
    shown = job.get("pulls").headers["X-Accepted-GitHub-Permissions"]
    assert shown == "pull_requests=read"


def test_an_apps_token_for_another_repository_changes_nothing_here(github: GitHub) -> None:
    token = github.token("acme-queue[bot]", {"statuses": "write"}, repositories=["acme/other"])
    with client(github, token) as other:
        answer = other.ask("POST", f"statuses/{github.tip()}", json={"state": "success"})
        assert said(answer) == FORBIDDEN
        github.repository.private = True
        assert said(other.get("")) == (404, "Not Found")
    github.explain("refused 403")


def test_a_private_repository_is_not_there_for_who_may_not_see_it(
    github: GitHub, anybody: Client
) -> None:
    github.repository.private = True
    assert said(anybody.get("")) == (404, "Not Found")
    for login, status in (("outsider", 404), ("reader", 200)):
        with client(github, github.token(login)) as person:
            assert person.get("").status_code == status


def test_a_person_may_what_the_role_in_the_repository_says(github: GitHub) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    rules = {"name": "r", "enforcement": "active"}
    with client(github, github.token("reader")) as reader:
        status = reader.ask("POST", f"statuses/{pull.head_sha}", json={"state": "success"})
        assert said(status) == (404, "Not Found")
        assert reader.ask("POST", "issues/1/comments", json={"body": "x"}).ok
    with client(github, github.token("maintainer")) as maintainer:
        assert maintainer.ask("POST", f"statuses/{pull.head_sha}", json={"state": "success"}).ok
        answer = maintainer.ask("POST", "rulesets", json=rules)
        assert said(answer) == (403, "Must have admin rights to Repository.")
    assert github.wrote() == [
        f"reader: refused 404: POST /repos/acme/acme/statuses/{pull.head_sha}",
        "reader: comment on #1",
        "maintainer: status default is success on #1",
        "maintainer: refused 403: POST /repos/acme/acme/rulesets",
    ]


def test_merge_settings_are_shown_to_who_may_push(app: Client, job: Client) -> None:
    assert app.get("").json()["allow_squash_merge"] is True
    assert "allow_squash_merge" not in job.get("").json()


@pytest.mark.parametrize(
    ("login", "permission", "role"),
    [
        ("admin", "admin", "admin"),
        ("maintainer", "write", "maintain"),
        ("author", "write", "write"),
        ("outsider", "read", "read"),
    ],
)
def test_a_collaborators_permission_is_told_by_its_old_and_its_new_name(
    app: Client, login: str, permission: str, role: str
) -> None:
    shown = app.get(f"collaborators/{login}/permission").json()
    assert (shown["permission"], shown["role_name"]) == (permission, role)


def test_nobody_of_that_name_is_a_404(app: Client) -> None:
    answer = app.get("collaborators/nobody/permission")
    assert said(answer) == (404, "nobody is not a user")
