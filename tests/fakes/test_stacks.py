"""Stacks and merges in the background: GitHub's description of them, unproven against GitHub."""

import pytest

from tests.fakes.client import Client
from tests.fakes.github.records import Pull
from tests.fakes.github.story import GitHub


@pytest.fixture
def stack(github: GitHub) -> list[Pull]:
    one = github.open_pull("one", {"a": "1\n"})
    two = github.open_pull("two", {"b": "2\n"}, base="one")
    three = github.open_pull("three", {"c": "3\n"}, base="two")
    github.stack(one, two, three)
    return [one, two, three]


def merge_async(app: Client, pull: Pull, method: str = "squash") -> tuple[int, str, str]:
    body = {"sha": pull.head_sha, "merge_method": method}
    answer = app.ask("PUT", f"pulls/{pull.number}/merge-async", json=body)
    said = answer.json()
    return answer.status_code, said["status"], said["details"].get("uuid", "")


def test_a_pull_request_says_its_place_in_the_stack(app: Client, stack: list[Pull]) -> None:
    shown = [app.get(f"pulls/{one.number}").json()["stack"] for one in stack]
    assert [(one["position"], one["size"], one["base"]["ref"]) for one in shown] == [
        (1, 3, "main"),
        (2, 3, "main"),
        (3, 3, "main"),
    ]
    assert len({one["id"] for one in shown}) == 1
    (listed,) = app.every("stacks", pull_request="2")
    assert [one["number"] for one in listed["pull_requests"]] == [1, 2, 3]
    assert app.every("stacks", pull_request="4") == []
    assert app.get("stacks/1").json()["open"] is True


def test_the_ordinary_merge_refuses_a_stacked_one(
    github: GitHub, app: Client, stack: list[Pull]
) -> None:
    body = {"sha": stack[0].head_sha}
    answer = app.ask("PUT", "pulls/1/merge", json=body)
    assert (answer.status_code, "stack" in answer.json()["message"]) == (405, True)
    github.explain("refused 405")


def test_everything_up_to_the_one_asked_for_is_squashed_one_by_one(
    github: GitHub, app: Client, stack: list[Pull]
) -> None:
    begun = github.tip()
    status, word, uuid = merge_async(app, stack[1])
    assert (status, word) == (202, "pending")
    done = app.get(f"pulls/2/merge-async/{uuid}").json()
    assert (done["status"], done["details"]["sha"]) == ("merged", github.tip())
    assert [one.merged for one in stack] == [True, True, False]
    made = github.repository.git.between(begun, github.tip())
    assert [one.message.split("\n")[0] for one in made] == ["One (#1)", "Two (#2)"]
    assert all(len(one.parents) == 1 for one in made)
    assert (stack[2].base, stack[2].state) == ("main", "open")
    assert github.files() == {"README.md": "acme\n", "a": "1\n", "b": "2\n"}
    github.explain("merge in the background of #2")


def test_a_stack_by_merge_is_one_merge_commit(
    github: GitHub, app: Client, stack: list[Pull]
) -> None:
    begun = github.tip()
    merge_async(app, stack[2], "merge")
    made = github.repository.git.object(github.tip())
    assert [str(one.id) for one in made.parents] == [begun, stack[2].head_sha]
    assert all(one.merged for one in stack)
    github.explain("merge in the background of #3")


def test_a_rule_that_one_member_breaks_merges_none(
    github: GitHub, app: Client, stack: list[Pull]
) -> None:
    github.require_checks("build")
    github.status(stack[1], "build")
    _, _, uuid = merge_async(app, stack[1])
    done = app.get(f"pulls/2/merge-async/{uuid}").json()
    assert done["status"] == "failed"
    assert 'Required status check "build" is expected.' in done["details"]["message"]
    assert not any(one.merged for one in stack)
    github.explain("merge in the background of #2")


def test_a_second_one_is_a_409_with_the_first_ones_id(
    github: GitHub, app: Client, stack: list[Pull]
) -> None:
    github.async_merge_waits = True
    _, _, first = merge_async(app, stack[0])
    assert merge_async(app, stack[0]) == (409, "pending", first)
    github.run_async_merges()
    assert stack[0].merged
    assert merge_async(app, stack[0])[:2] == (200, "merged")
    assert app.get("pulls/1/merge-async/nonsense").status_code == 404
    github.explain("merge in the background of #1")


def test_it_fails_at_once_or_later_as_a_test_says(
    github: GitHub, app: Client, stack: list[Pull]
) -> None:
    github.async_merge_refusal = (400, "Not now.")
    assert merge_async(app, stack[0])[:2] == (400, "failed")
    github.async_merge_refusal, github.async_merge_failure = None, "Later neither."
    _, word, uuid = merge_async(app, stack[0])
    done = app.get(f"pulls/1/merge-async/{uuid}").json()
    assert (word, done) == (
        "pending",
        {"status": "failed", "details": {"message": "Later neither."}},
    )
    github.close(stack[2])
    assert merge_async(app, stack[2])[:2] == (400, "failed")
    github.explain("merge in the background")


def test_a_moved_head_fails_it(github: GitHub, app: Client, stack: list[Pull]) -> None:
    github.async_merge_waits = True
    _, _, uuid = merge_async(app, stack[0])
    github.push(stack[0], {"a": "2\n"})
    github.run_async_merges()
    assert app.get(f"pulls/1/merge-async/{uuid}").json()["status"] == "failed"
    github.explain("merge in the background")


def test_github_may_rewrite_what_is_above(github: GitHub, app: Client, stack: list[Pull]) -> None:
    github.restacks = True
    old = [one.head_sha for one in stack]
    trees = [str(github.repository.git.object(one).tree.id) for one in old]
    merge_async(app, stack[0])
    git = github.repository.git
    assert [one.head_sha == was for one, was in zip(stack, old, strict=True)] == [
        True,
        False,
        False,
    ]
    assert [str(git.object(one.head_sha).tree.id) for one in stack] == trees
    assert git.contains(stack[1].head_sha, github.tip())
    assert git.contains(stack[2].head_sha, stack[1].head_sha)
    github.explain("merge in the background")


def test_a_lone_pull_request_merges_in_the_background_too(github: GitHub, app: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    _, _, uuid = merge_async(app, pull)
    assert app.get(f"pulls/1/merge-async/{uuid}").json()["status"] == "merged"
    assert pull.merged
    github.explain("merge in the background")


def test_a_stack_must_be_one(github: GitHub, admin: Client) -> None:
    github.open_pull("one", {"a": "1\n"})
    github.open_pull("two", {"b": "2\n"}, base="one")
    github.open_pull("three", {"c": "3\n"})
    body = {"pull_requests": [1, 3]}
    assert admin.ask("POST", "stacks", json=body).status_code == 422
    made = admin.ask("POST", "stacks", json={"pull_requests": [1, 2]})
    assert (made.status_code, made.json()["base"]) == (201, {"ref": "main"})
    github.explain("stack of")


def test_a_stacked_one_has_no_auto_merge_and_keeps_its_base(
    github: GitHub, app: Client, stack: list[Pull]
) -> None:
    mutation = """mutation($id: ID!) { enablePullRequestAutoMerge(input: {pullRequestId: $id}) {
      pullRequest { number } } }"""
    (error,) = app.query(mutation, id=stack[0].node_id)["errors"]
    assert "not allowed for stacked pull requests" in error["message"]
    assert app.ask("PATCH", "pulls/2", json={"base": "main"}).status_code == 422
    github.explain("refused")
