"""Pages, links, tags: how the fake hands out lists."""

import pytest

from tests.fakes.client import Client
from tests.fakes.github.githost import Person
from tests.fakes.github.story import GitHub


def numbers(answer: list[dict[str, int]]) -> list[int]:
    return [one["number"] for one in answer]


def test_a_page_holds_two_whatever_is_asked_for(github: GitHub, app: Client) -> None:
    for name in ("one", "two", "three", "four", "five"):
        github.open_pull(name, {name: "1\n"})
    first = app.get("pulls?state=open&sort=created&direction=asc&per_page=100")
    assert numbers(first.json()) == [1, 2]
    assert set(first.links) == {"next", "last"}
    assert f"/repositories/{github.repository.id}/pulls" in first.links["next"]["url"]
    last = app.session.get(first.links["last"]["url"], timeout=60)
    assert (numbers(last.json()), set(last.links)) == ([5], {"prev", "first"})
    every = app.every("pulls", state="open", sort="created", direction="asc", per_page="100")
    assert numbers(every) == [1, 2, 3, 4, 5]
    github.page_size = 100
    assert len(app.get("pulls?per_page=100").json()) == 5


def test_a_wrapped_list_says_how_many_there_are(github: GitHub, app: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    for name in ("one", "two", "three"):
        github.status(pull, name)
    github.status(pull, "one", "failure")
    first = app.get(f"commits/{pull.head_sha}/status").json()
    assert (first["total_count"], len(first["statuses"]), first["state"]) == (3, 2, "failure")
    every = app.every(f"commits/{pull.head_sha}/status", inside="statuses")
    assert {one["context"]: one["state"] for one in every} == {
        "one": "failure",
        "two": "success",
        "three": "success",
    }
    assert len(app.every(f"commits/{pull.head_sha}/statuses")) == 4


def test_pull_requests_are_listed_by_state_base_and_head(github: GitHub, app: Client) -> None:
    github.commit("release", {"r": "1\n"})
    github.open_pull("one", {"a": "1\n"})
    github.open_pull("two", {"b": "1\n"}, base="release")
    github.close(github.open_pull("three", {"c": "1\n"}))
    assert numbers(app.every("pulls")) == [2, 1]  # the newest first, unless somebody says
    assert numbers(app.every("pulls", state="all")) == [3, 2, 1]
    assert numbers(app.every("pulls", base="release")) == [2]
    assert numbers(app.every("pulls", head="acme:one")) == [1]
    assert app.every("pulls", head="outsider:one") == []
    assert numbers(app.every("pulls", head="one")) == [2, 1]  # no owner, so no filter


def test_what_did_not_change_is_a_304_to_who_holds_its_tag(github: GitHub, app: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    first = app.get("pulls/1")
    tag = {"If-None-Match": first.headers["ETag"]}
    again = app.get("pulls/1", headers=tag)
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    github.label(pull, "blue")
    assert app.get("pulls/1", headers=tag).status_code == 200


def test_github_lets_its_answers_be_kept_for_a_minute(app: Client) -> None:
    shown = app.get("").headers
    assert shown["Cache-Control"] == "private, max-age=60, s-maxage=60"
    assert "Authorization" in shown["Vary"]


def test_graphql_pages_by_two_in_both_directions(github: GitHub, app: Client) -> None:
    for name in ("one", "two", "three"):
        github.open_pull(name, {name: "1\n"})
    text = """query($after: String) { repository(owner: "acme", name: "acme") {
      pullRequests(first: 100, after: $after, states: OPEN) {
        totalCount pageInfo { hasNextPage endCursor } nodes { number }
    } } }"""
    first = app.query(text)["data"]["repository"]["pullRequests"]
    assert (first["totalCount"], numbers(first["nodes"])) == (3, [1, 2])
    assert first["pageInfo"]["hasNextPage"] is True
    second = app.query(text, after=first["pageInfo"]["endCursor"])
    page = second["data"]["repository"]["pullRequests"]
    assert (numbers(page["nodes"]), page["pageInfo"]["hasNextPage"]) == ([3], False)
    last = """{ repository(owner: "acme", name: "acme") { pullRequests(last: 100) {
      pageInfo { hasPreviousPage startCursor } nodes { number } } } }"""
    page = app.query(last)["data"]["repository"]["pullRequests"]
    assert (numbers(page["nodes"]), page["pageInfo"]["hasPreviousPage"]) == ([2, 3], True)


def test_a_search_finds_by_any_of_several_labels(github: GitHub, app: Client) -> None:
    for name, label in (("one", "merge-queue: queued"), ("two", "other"), ("three", "needs: it")):
        github.close(github.open_pull(name, {name: "1\n"}, labels=[label]))
    query = 'repo:acme/acme is:pr is:closed label:"merge-queue: queued","needs: it"'
    assert numbers(app.every("/search/issues", inside="items", q=query)) == [3, 1]
    github.search_is_incomplete = True
    shown = app.get("/search/issues", params={"q": query}).json()
    assert (shown["total_count"], shown["incomplete_results"]) == (2, True)


def test_a_search_that_the_fake_does_not_know_fails_the_test(github: GitHub, app: Client) -> None:
    app.get("/search/issues", params={"q": "is:pr mentions:me words"})
    assert github.complaints() == [
        "the fake searches no free text: 'words'",
        "the fake does not search by ['mentions']",
    ]


@pytest.mark.parametrize("prefix", ["/api/v3", ""])
def test_an_enterprise_server_has_its_api_beneath_a_path(
    github: GitHub, app: Client, prefix: str
) -> None:
    github.enterprise = bool(prefix)
    assert github.api_url == f"{github.url}{prefix}"
    for name in ("one", "two", "three"):
        github.open_pull(name, {name: "1\n"})
    assert len(app.every("pulls")) == 3
    assert app.query("{ viewer { login } }")["data"]["viewer"]["login"] == "acme-queue[bot]"


def test_a_commit_of_nobody_that_github_knows_has_no_author(github: GitHub, app: Client) -> None:
    who = Person("Stranger", "stranger@example.com")
    git = github.repository.git
    made = git.commit({"a": "1\n"}, "Strange", parents=[github.tip()], author=who)
    github.move("strange", made)
    shown = app.get("commits/strange").json()
    assert (shown["author"], shown["committer"]) == (None, None)
    assert app.get("commits/main").json()["author"]["login"] == "admin"
    assert app.get("branches/strange").json()["commit"]["committer"] is None


def test_two_commits_are_compared_by_what_each_has_alone(github: GitHub, app: Client) -> None:
    github.commit("side", {"a": "1\n"})
    github.commit("side", {"a": "2\n"})
    github.commit("main", {"b": "1\n"})
    shown = app.get("compare/main...side").json()
    assert (shown["status"], shown["ahead_by"], shown["behind_by"]) == ("diverged", 2, 1)
    assert [one["filename"] for one in shown["files"]] == ["a"]
    assert app.get("compare/main...nowhere").status_code == 404
    assert len(app.every("commits", sha="side")) == 3


def test_a_list_can_fall_short_of_its_count(github: GitHub, app: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    for name in ("one", "two", "three"):
        github.status(pull, name)
    github.short_lists = {"statuses"}
    path = f"commits/{pull.head_sha}/status"
    assert app.get(path).json()["total_count"] == 3
    assert len(app.every(path, inside="statuses")) == 2


def test_commits_of_a_pull_request_stop_at_250(github: GitHub, app: Client) -> None:
    github.page_size = 100
    git, who, tip = github.repository.git, github.person("author"), github.tip()
    for number in range(251):
        tip = git.commit({"a": f"{number}\n"}, "Step", parents=[tip], author=who)
    github.move("long", tip)
    github.open_pull("long", title="Long")
    assert app.get("pulls/1").json()["commits"] == 251
    assert len(app.every("pulls/1/commits", per_page="100")) == 250


def test_a_request_says_who_it_is_and_for_which_version(app: Client) -> None:
    assert app.get("", headers={"X-GitHub-Api-Version": "2022-11-28"}).ok
    assert app.get("", headers={"X-GitHub-Api-Version": "2021-01-01"}).status_code == 400
    assert app.get("", headers={"User-Agent": ""}).status_code == 403
