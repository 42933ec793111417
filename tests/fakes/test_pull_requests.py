"""Pull requests, labels, comments, reviews and statuses, as their verbs and requests leave them."""

import pytest

from tests.fakes.client import Client, client
from tests.fakes.github.story import GitHub


def test_opening_one_is_refused_without_commits_or_where_there_is_one(
    github: GitHub, admin: Client
) -> None:
    github.move("same", github.tip())
    body = {"title": "T", "head": "same", "base": "main"}
    empty = admin.ask("POST", "pulls", json=body)
    assert empty.status_code == 422
    assert empty.json()["errors"][0]["message"] == "No commits between main and same"
    github.commit("work", {"a": "1\n"})
    assert admin.ask("POST", "pulls", json={**body, "head": "work"}).status_code == 201
    again = admin.ask("POST", "pulls", json={**body, "head": "work"})
    assert "already exists for acme:work" in again.json()["errors"][0]["message"]
    assert github.repository.git.ref("refs/pull/1/head") == github.tip("work")
    github.explain("")


def test_a_push_moves_the_head_and_its_ref(github: GitHub, app: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    new = github.push(pull, {"a": "2\n"})
    assert app.get("pulls/1").json()["head"]["sha"] == new
    assert github.repository.git.ref("refs/pull/1/head") == new


def test_a_fork_is_there_until_it_is_deleted(github: GitHub, app: Client) -> None:
    fork = github.fork("outsider")
    pull = github.open_pull("fix-it", {"a": "1\n"}, author="outsider", fork=fork)
    head = app.get("pulls/1").json()["head"]
    assert (head["repo"]["full_name"], head["label"]) == ("outsider/acme", "outsider:fix-it")
    assert github.repository.git.ref("refs/pull/1/head") == pull.head_sha
    github.delete_fork(fork)
    assert app.get("pulls/1").json()["head"]["repo"] is None
    asked = app.query("""{ repository(owner: "acme", name: "acme") { pullRequest(number: 1) {
      headRepository { databaseId } isCrossRepository headRefOid } } }""")
    shown = asked["data"]["repository"]["pullRequest"]
    assert shown == {
        "headRepository": None,
        "isCrossRepository": True,
        "headRefOid": pull.head_sha,
    }


def test_a_branch_that_goes_closes_what_is_on_it(github: GitHub, app: Client) -> None:
    github.open_pull("lower", {"a": "1\n"})
    upper = github.open_pull("upper", {"b": "1\n"}, base="lower")
    github.delete_branch("lower")
    assert upper.state == "closed"
    assert app.ask("PATCH", "pulls/2", json={"state": "open"}).status_code == 422
    assert app.ask("PATCH", "pulls/2", json={"base": "main"}).status_code == 422
    github.commit("lower", {"a": "2\n"})
    assert app.ask("PATCH", "pulls/2", json={"state": "open"}).json()["state"] == "open"
    github.explain("refused 422")
    github.explain("reopened #2")


def test_a_branch_that_goes_closes_its_own_pull_request(github: GitHub) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.delete_branch("fix-it")
    assert (pull.state, pull.merged) == ("closed", False)


def test_what_was_retargeted_before_survives_the_branch(github: GitHub, app: Client) -> None:
    github.open_pull("lower", {"a": "1\n"})
    upper = github.open_pull("upper", {"b": "1\n"}, base="lower")
    assert app.ask("PATCH", "pulls/2", json={"base": "main"}).json()["base"]["ref"] == "main"
    github.delete_branch("lower")
    assert upper.state == "open"
    github.explain("retargeted #2 to main")


def test_githubs_own_deletion_of_a_merged_branch_retargets_what_is_on_it(github: GitHub) -> None:
    lower = github.open_pull("lower", {"a": "1\n"})
    upper = github.open_pull("upper", {"b": "1\n"}, base="lower")
    github.repository.settings.delete_branch_on_merge = True
    github.merge(lower, "squash")
    assert (upper.state, upper.base) == ("open", "main")
    assert github.repository.git.tip("lower") is None


def test_a_base_that_does_not_exist_is_a_422(github: GitHub, app: Client) -> None:
    github.open_pull("fix-it", {"a": "1\n"})
    answer = app.ask("PATCH", "pulls/1", json={"base": "nowhere"})
    said = answer.json()["errors"][0]["message"]
    assert said == "Proposed base branch 'nowhere' was not found"
    github.explain("refused 422")


# --- labels and comments -------------------------------------------------------------------------


def test_a_label_is_made_once(github: GitHub, app: Client) -> None:
    label = {"name": "merge-queue: queued", "color": "1d76db", "description": "In the queue"}
    assert app.ask("POST", "labels", json=label).status_code == 201
    again = app.ask("POST", "labels", json={**label, "name": "Merge-Queue: Queued"})
    assert again.status_code == 422
    assert [one["code"] for one in again.json()["errors"]] == ["already_exists"]
    long = app.ask("POST", "labels", json={"name": "x", "description": "x" * 101})
    assert (long.status_code, long.json()["errors"][0]["code"]) == (422, "custom")
    github.explain("label")


def test_a_label_that_is_put_on_without_being_there_is_made(github: GitHub, app: Client) -> None:
    github.open_pull("fix-it", {"a": "1\n"})
    app.ask("POST", "issues/1/labels", json={"labels": ["new"]})
    (shown,) = app.get("issues/1").json()["labels"]
    assert (shown["name"], shown["color"]) == ("new", "ededed")
    assert app.ask("DELETE", "issues/1/labels/new").json() == []
    gone = app.ask("DELETE", "issues/1/labels/new")
    assert (gone.status_code, gone.json()["message"]) == (404, "Label does not exist")
    github.explain("label")


def test_a_timeline_says_who_put_a_label_on(github: GitHub, app: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.label(pull, "merge-queue: squash", by="outsider")
    github.unlabel(pull, "merge-queue: squash", by="maintainer")
    github.label(pull, "merge-queue: squash", by="maintainer")
    lines = [
        (one["event"], one["actor"]["login"], one["label"]["name"])
        for one in app.every("issues/1/timeline")
    ]
    name = "merge-queue: squash"
    assert lines == [
        ("labeled", "outsider", name),
        ("unlabeled", "maintainer", name),
        ("labeled", "maintainer", name),
    ]
    asked = app.query("""{ repository(owner: "acme", name: "acme") { pullRequest(number: 1) {
      timelineItems(itemTypes: [LABELED_EVENT], last: 1) { nodes {
        ... on LabeledEvent { label { name } actor { __typename login } } } } } } }""")
    assert asked["data"]["repository"]["pullRequest"]["timelineItems"]["nodes"] == [
        {"label": {"name": name}, "actor": {"__typename": "User", "login": "maintainer"}}
    ]


def test_a_comment_has_a_limit(github: GitHub, app: Client) -> None:
    github.open_pull("fix-it", {"a": "1\n"})
    fits = app.ask("POST", "issues/1/comments", json={"body": "x" * 65_536})
    assert fits.status_code == 201
    assert app.ask("POST", "issues/1/comments", json={"body": "x" * 65_537}).status_code == 422
    assert app.ask("POST", "issues/1/comments", json={"body": " "}).status_code == 422
    github.explain("comment on #1")


def test_a_comment_is_minimized_by_who_may_write(github: GitHub, app: Client, job: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    own = app.ask("POST", "issues/1/comments", json={"body": "Mine"}).json()["node_id"]
    github.comment(pull, "Theirs", by="author")
    minimize = """mutation($id: ID!) {
      minimizeComment(input: {subjectId: $id, classifier: OUTDATED}) {
        minimizedComment { isMinimized minimizedReason } } }"""
    assert job.query(minimize, id=own)["errors"][0]["type"] == "FORBIDDEN"
    done = app.query(minimize, id=own)["data"]["minimizeComment"]["minimizedComment"]
    assert done == {"isMinimized": True, "minimizedReason": "outdated"}
    asked = app.query("""{ repository(owner: "acme", name: "acme") { pullRequest(number: 1) {
      comments(first: 10) { nodes { viewerDidAuthor isMinimized body } } } } }""")
    assert asked["data"]["repository"]["pullRequest"]["comments"]["nodes"] == [
        {"viewerDidAuthor": True, "isMinimized": True, "body": "Mine"},
        {"viewerDidAuthor": False, "isMinimized": False, "body": "Theirs"},
    ]
    github.explain("minimize")
    github.explain("comment on #1")


# --- reviews -------------------------------------------------------------------------------------

REVIEWS = """{ repository(owner: "acme", name: "acme") { pullRequest(number: 1) { reviewDecision
  reviews(last: 100) { nodes {
    state authorCanPushToRepository author { login } commit { oid } } } } } }"""


def test_reviews_say_who_may_push_and_what_was_seen(github: GitHub, app: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    first = pull.head_sha
    github.approve(pull, by="outsider")
    github.push(pull, {"a": "2\n"})
    github.approve(pull, by="reviewer")
    shown = app.query(REVIEWS)["data"]["repository"]["pullRequest"]
    assert shown["reviewDecision"] is None  # nobody must
    assert shown["reviews"]["nodes"] == [
        {
            "state": "APPROVED",
            "authorCanPushToRepository": False,
            "author": {"login": "outsider"},
            "commit": {"oid": first},
        },
        {
            "state": "APPROVED",
            "authorCanPushToRepository": True,
            "author": {"login": "reviewer"},
            "commit": {"oid": pull.head_sha},
        },
    ]


def test_the_decision_follows_the_last_word_of_everyone_who_may_write(
    github: GitHub, app: Client
) -> None:
    github.require_reviews(1)
    pull = github.open_pull("fix-it", {"a": "1\n"})

    def decision() -> object:
        return app.query(REVIEWS)["data"]["repository"]["pullRequest"]["reviewDecision"]

    assert decision() == "REVIEW_REQUIRED"
    github.approve(pull, by="outsider")
    assert decision() == "REVIEW_REQUIRED"
    github.request_changes(pull, by="reviewer")
    assert decision() == "CHANGES_REQUESTED"
    review = github.approve(pull, by="reviewer")
    assert decision() == "APPROVED"
    github.dismiss(review)
    assert decision() == "REVIEW_REQUIRED"


def test_a_push_dismisses_approvals_where_the_rules_say_so(github: GitHub) -> None:
    github.require_reviews(1, dismiss_stale=True)
    pull = github.open_pull("fix-it", {"a": "1\n"})
    review = github.approve(pull)
    github.push(pull, {"a": "2\n"})
    assert review.state == "DISMISSED"


def test_nobody_approves_a_change_of_their_own(github: GitHub) -> None:
    github.open_pull("fix-it", {"a": "1\n"})
    with client(github, github.token("author")) as author:
        answer = author.ask("POST", "pulls/1/reviews", json={"event": "APPROVE"})
    assert answer.json()["errors"] == ["Can not approve your own pull request"]
    github.explain("refused 422")


def test_a_review_is_dismissed_once(github: GitHub, app: Client) -> None:
    review = github.approve(github.open_pull("fix-it", {"a": "1\n"}))
    path, body = f"pulls/1/reviews/{review.id}/dismissals", {"message": "No", "event": "DISMISS"}
    assert app.ask("PUT", path, json=body).json()["state"] == "DISMISSED"
    assert app.ask("PUT", path, json=body).status_code == 422
    assert app.get(f"pulls/1/reviews/{review.id}").json()["state"] == "DISMISSED"
    github.explain("review of #1 dismissed")


# --- statuses and checks -------------------------------------------------------------------------


def test_a_status_has_limits(github: GitHub, app: Client) -> None:
    tip = github.tip()
    status = {"state": "success", "context": "q", "description": "x" * 141}
    assert app.ask("POST", f"statuses/{tip}", json=status).status_code == 422
    status["description"] = "x" * 140
    assert app.ask("POST", f"statuses/{tip}", json=status).status_code == 201
    assert app.ask("POST", f"statuses/{'0' * 40}", json=status).status_code == 422
    github.most_statuses = 1
    assert app.ask("POST", f"statuses/{tip}", json=status).status_code == 422
    github.explain("status q")


@pytest.mark.parametrize(
    ("states", "one"),
    [
        ([], "pending"),
        (["success"], "success"),
        (["success", "pending"], "pending"),
        (["pending", "error"], "failure"),
    ],
)
def test_the_combined_status_is_the_worst(
    github: GitHub, app: Client, states: list[str], one: str
) -> None:
    for place, state in enumerate(states):
        github.status(github.tip(), f"c{place}", state)  # type: ignore[arg-type]  # of the table
    assert app.get("commits/main/status").json()["state"] == one


def test_the_status_of_a_commit_without_any_is_null(github: GitHub, app: Client) -> None:
    text = """{ repository(owner: "acme", name: "acme") { pullRequests(states: OPEN, first: 2) {
      nodes { headRefOid commits(last: 1) { nodes { commit { oid
        status { context(name: "q") { state description } } } } } } } } }"""
    pull = github.open_pull("fix-it", {"a": "1\n"})

    def status() -> object:
        (shown,) = app.query(text)["data"]["repository"]["pullRequests"]["nodes"]
        return shown["commits"]["nodes"][0]["commit"]["status"]

    assert status() is None
    github.status(pull, "other")
    assert status() == {"context": None}
    github.status(pull, "q", "failure", description="red")
    assert status() == {"context": {"state": "FAILURE", "description": "red"}}


def test_check_runs_are_the_newest_of_each_name(github: GitHub, app: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.check(pull, "build", "failure", suite=7)
    github.check(pull, "build", None, suite=8)
    token = github.token("github-actions[bot]", {"checks": "read"})
    with client(github, token) as checks:
        (run,) = checks.every(f"commits/{pull.head_sha}/check-runs", inside="check_runs")
        assert (run["status"], run["conclusion"], run["check_suite"]) == (
            "in_progress",
            None,
            {"id": 8},
        )
        every = checks.every(f"commits/{pull.head_sha}/check-runs", "check_runs", filter="all")
        assert len(every) == 2
        assert len(checks.every(f"commits/{pull.head_sha}/check-suites", "check_suites")) == 1
        assert checks.get("check-suites/8").json()["status"] == "in_progress"
    assert app.get(f"commits/{pull.head_sha}/check-runs").status_code == 403


def test_a_change_beneath_is_found_by_the_commits_it_left(github: GitHub, app: Client) -> None:
    lower = github.open_pull("lower", {"a": "1\n"})
    github.move("upper", lower.head_sha)
    github.commit("upper", {"b": "1\n"})
    github.open_pull("upper", title="Upper")
    head = lower.head_sha
    made = github.merge(lower, "squash")
    asked = app.query("""{ repository(owner: "acme", name: "acme") { pullRequest(number: 2) {
      commits(first: 1) { nodes { commit { oid associatedPullRequests(first: 20) {
        pageInfo { hasNextPage } nodes { number state baseRefName headRefOid
          baseRepository { databaseId } mergeCommit { oid parents(first: 1) { totalCount } } }
      } } } } } } }""")
    (node,) = asked["data"]["repository"]["pullRequest"]["commits"]["nodes"]
    assert node["commit"]["oid"] == head
    assert node["commit"]["associatedPullRequests"]["nodes"][0] == {
        "number": 1,
        "state": "MERGED",
        "baseRefName": "main",
        "headRefOid": head,
        "baseRepository": {"databaseId": github.repository.id},
        "mergeCommit": {"oid": made, "parents": {"totalCount": 1}},
    }
    assert [one["number"] for one in app.every(f"commits/{head}/pulls")] == [1, 2]


def test_a_base_that_holds_it_already_or_has_its_twin_is_refused(
    github: GitHub, app: Client
) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.move("holds", pull.head_sha)
    github.commit("free", {"r": "1\n"})
    github.open_pull("fix-it", title="Twin", base="free")
    said = []
    for base in ("holds", "free"):
        answer = app.ask("PATCH", "pulls/1", json={"base": base})
        assert answer.status_code == 422
        said.append(answer.json()["errors"][0]["message"])
    ends = "base branch '{}' and head branch 'fix-it'"
    assert said == [
        "There are no new commits between " + ends.format("holds"),
        "A pull request already exists for " + ends.format("free"),
    ]
    github.explain("refused 422")
