"""What GraphQL tells of a repository, and what it answers to what is not there."""

import threading
from typing import Any

from tests.fakes.client import Client, client
from tests.fakes.github.story import GitHub


def repository(app: Client, fields: str) -> Any:
    answer = app.query(f'{{ repository(owner: "acme", name: "acme") {{ {fields} }} }}')
    assert "errors" not in answer, answer
    return answer["data"]["repository"]


def test_what_is_not_there_is_null_with_an_error_that_names_it(app: Client) -> None:
    answer = app.query("""{ repository(owner: "acme", name: "acme") {
      one: pullRequest(number: 7) { number } databaseId } }""")
    assert answer["data"]["repository"]["one"] is None
    assert answer["data"]["repository"]["databaseId"]
    (error,) = answer["errors"]
    assert (error["type"], error["path"], error["message"]) == (
        "NOT_FOUND",
        ["repository", "one"],
        "Could not resolve to a PullRequest with the number of 7.",
    )
    missing = app.query('{ repository(owner: "acme", name: "other") { id } }')
    said = "Could not resolve to a Repository with the name of 'acme/other'."
    assert (missing["data"], missing["errors"][0]["message"]) == ({"repository": None}, said)


def test_a_private_repository_is_not_there_for_who_may_not_see_it(github: GitHub) -> None:
    github.repository.private = True
    with client(github, github.token("outsider")) as outsider:
        answer = outsider.query('{ repository(owner: "acme", name: "acme") { id } }')
    assert answer["errors"][0]["type"] == "NOT_FOUND"


def test_a_bot_is_told_without_its_ending_and_the_viewer_with_it(
    github: GitHub, app: Client
) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.comment(pull, "Hello", by="acme-queue[bot]")
    shown = repository(
        app,
        "pullRequest(number: 1) { comments(first: 1) { nodes { author { __typename login } } } }",
    )
    (comment,) = shown["pullRequest"]["comments"]["nodes"]
    assert comment["author"] == {"__typename": "Bot", "login": "acme-queue"}
    assert app.query("{ viewer { login } }")["data"]["viewer"]["login"] == "acme-queue[bot]"


def test_a_deleted_account_has_no_name_in_either_interface(github: GitHub, app: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.approve(pull, by="reviewer")
    github.label(pull, "blue", by="reviewer")
    github.delete_account("reviewer")
    shown = repository(
        app,
        """pullRequest(number: 1) { reviews(last: 1) { nodes { author { login } } }
          timelineItems(itemTypes: [LABELED_EVENT], last: 1) {
            nodes { ... on LabeledEvent { actor { login } } } } }""",
    )
    assert shown["pullRequest"]["reviews"]["nodes"] == [{"author": None}]
    assert shown["pullRequest"]["timelineItems"]["nodes"] == [{"actor": None}]
    assert app.get("pulls/1/reviews").json()[0]["user"] is None
    github.delete_account("author")
    assert app.get("pulls").json()[0]["user"] is None
    assert repository(app, "pullRequest(number: 1) { author { login } }") == {
        "pullRequest": {"author": None}
    }


def test_who_may_what_is_asked_for_one_login(github: GitHub, app: Client) -> None:
    fields = 'collaborators(login: "%s", first: 1) { edges { permission node { login } } }'
    found = {
        login: repository(app, fields % login)["collaborators"]["edges"]
        for login in ("admin", "maintainer", "author", "reader", "outsider")
    }
    assert {login: [one["permission"] for one in edges] for login, edges in found.items()} == {
        "admin": ["ADMIN"],
        "maintainer": ["MAINTAIN"],
        "author": ["WRITE"],
        "reader": ["READ"],
        "outsider": [],
    }
    github.verify()


def test_pull_requests_are_chosen_by_state_base_head_and_order(github: GitHub, app: Client) -> None:
    github.commit("release", {"r": "1\n"})
    github.open_pull("one", {"a": "1\n"})
    github.open_pull("two", {"b": "1\n"}, base="release")
    github.merge(github.open_pull("three", {"c": "1\n"}))

    def numbers(chosen: str) -> list[int]:
        shown = repository(app, f"pullRequests(first: 100, {chosen}) {{ nodes {{ number }} }}")
        return [one["number"] for one in shown["pullRequests"]["nodes"]]

    assert numbers("states: OPEN") == [1, 2]
    assert numbers("states: [MERGED]") == [3]
    assert numbers('baseRefName: "release"') == [2]
    assert numbers('headRefName: "one"') == [1]
    newest_first = "orderBy: {field: CREATED_AT, direction: DESC}, states: OPEN"
    assert numbers(newest_first) == [2, 1]


def test_merge_settings_branches_and_state_are_told(github: GitHub, app: Client) -> None:
    github.repository.settings.allow_merge_commit = False
    pull = github.open_pull("fix-it", {"README.md": "mine\n"})
    github.commit("main", {"README.md": "theirs\n"})
    shown = repository(
        app,
        """mergeCommitAllowed squashMergeAllowed autoMergeAllowed viewerPermission
          defaultBranchRef { name target { oid } } ref(qualifiedName: "refs/heads/nowhere") { name }
          object(expression: "main") { oid }
          pullRequest(number: 1) { mergeable mergeStateStatus baseRefOid headRefName
            commits(last: 1) { totalCount nodes { commit { message author { name } } } } }""",
    )
    assert shown["mergeCommitAllowed"] is False
    assert shown["defaultBranchRef"] == {"name": "main", "target": {"oid": github.tip()}}
    assert (shown["ref"], shown["object"]) == (None, {"oid": github.tip()})
    assert shown["pullRequest"]["mergeable"] == "CONFLICTING"
    assert shown["pullRequest"]["mergeStateStatus"] == "DIRTY"
    commits = shown["pullRequest"]["commits"]
    assert commits["totalCount"] == 1
    assert commits["nodes"][0]["commit"]["author"] == {"name": "Author"}
    assert pull.head_sha


def test_fragments_variables_and_several_operations_are_read(github: GitHub, app: Client) -> None:
    github.open_pull("fix-it", {"a": "1\n"})
    text = """query Chosen($n: Int!) { repository(owner: "acme", name: "acme") {
      pullRequest(number: $n) { ...Small } } }
      fragment Small on PullRequest { number title }
      query Other { viewer { login } }"""
    body = {"query": text, "variables": {"n": 1}, "operationName": "Chosen"}
    answer = app.session.post(github.graphql_url, json=body, timeout=60).json()
    assert answer["data"]["repository"]["pullRequest"] == {"number": 1, "title": "Fix it"}


def test_a_query_that_cannot_be_read_fails_the_test(github: GitHub, app: Client) -> None:
    answer = app.query("{ viewer { login }")
    assert "Syntax Error" in answer["errors"][0]["message"]
    assert len(github.complaints()) == 1


def test_graphql_is_not_for_nobody(anybody: Client) -> None:
    answer = anybody.session.post(
        anybody.github.graphql_url, json={"query": "{ viewer { login } }"}, timeout=60
    )
    assert answer.status_code == 401


def test_many_clients_at_once_see_whole_answers(github: GitHub) -> None:
    for name in ("one", "two", "three"):
        github.open_pull(name, {name: "1\n"})
    wrong: list[object] = []

    def ask() -> None:
        with client(github, github.reader) as own:
            for _ in range(5):
                found = own.every("pulls")
                if [one["number"] for one in found] != [3, 2, 1]:
                    wrong.append(found)

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
