"""Rulesets and classic protection: what they ask for, how they are told, what they refuse."""

import pytest

from tests.fakes.client import Client, client
from tests.fakes.github.records import Protection, Pull
from tests.fakes.github.story import GitHub


def refusal(app: Client, pull: Pull, method: str = "squash") -> str:
    body = {"sha": pull.head_sha, "merge_method": method}
    answer = app.ask("PUT", f"pulls/{pull.number}/merge", json=body)
    assert answer.status_code == 405, answer.text
    said: str = answer.json()["message"]
    return said


def state(app: Client) -> str:
    said: str = app.get("pulls/1").json()["mergeable_state"]
    return said


@pytest.fixture
def pull(github: GitHub) -> Pull:
    return github.open_pull("fix-it", {"a": "1\n"})


def test_a_required_check_is_expected_pending_failing_and_then_enough(
    github: GitHub, app: Client, pull: Pull
) -> None:
    github.require_checks("build")
    words = {None: "expected", "pending": "pending", "failure": "failing", "error": "failing"}
    for reported, word in words.items():
        if reported is not None:
            github.status(pull, "build", reported)  # type: ignore[arg-type]  # of the table
        rule = "Repository rule violations found"
        assert refusal(app, pull) == f'{rule}\n\nRequired status check "build" is {word}.\n\n'
        assert state(app) == "blocked"
    github.status(pull, "build")
    assert state(app) == "clean"
    github.explain("refused 405")


def test_approvals_are_counted_of_who_may_write(github: GitHub, app: Client, pull: Pull) -> None:
    github.require_reviews(2)
    github.approve(pull, by="reviewer")
    github.approve(pull, by="outsider")
    assert "At least 2 approving reviews are required" in refusal(app, pull)
    github.approve(pull, by="maintainer")
    assert state(app) == "clean"
    github.explain("refused 405")


def test_the_last_pusher_cannot_be_the_only_approver(
    github: GitHub, app: Client, pull: Pull
) -> None:
    github.require_reviews(1, last_push=True)
    github.approve(pull, by="reviewer")
    assert state(app) == "clean"
    github.push(pull, {"a": "2\n"}, by="reviewer")
    assert "someone other than the last pusher" in refusal(app, pull)
    github.approve(pull, by="maintainer")
    assert state(app) == "clean"
    github.explain("refused 405")


def test_code_owners_and_conversations_can_be_asked_for(
    github: GitHub, app: Client, pull: Pull
) -> None:
    github.require_reviews(1, code_owners=True, threads=True)
    github.code_owners = {"maintainer"}
    github.unresolved_threads = {1}
    github.approve(pull, by="reviewer")
    said = refusal(app, pull)
    assert "Waiting on code owner review" in said
    assert "A conversation must be resolved" in said
    github.approve(pull, by="maintainer")
    github.unresolved_threads.clear()
    assert state(app) == "clean"
    github.explain("refused 405")


@pytest.mark.parametrize(
    ("rule", "method", "said"),
    [
        ({"type": "required_linear_history"}, "merge", "must not contain merge commits"),
        ({"type": "required_signatures"}, "rebase", "must have verified signatures"),
        ({"type": "required_signatures"}, "merge", "must have verified signatures"),
    ],
)
def test_a_rule_refuses_the_methods_that_break_it_and_a_squash_passes(
    github: GitHub, app: Client, pull: Pull, rule: dict[str, str], method: str, said: str
) -> None:
    github.add_ruleset(rule)
    assert said in refusal(app, pull, method)
    body = {"sha": pull.head_sha, "merge_method": "squash"}
    assert app.ask("PUT", "pulls/1/merge", json=body).status_code == 200
    github.explain("merge of #1")


def test_methods_are_what_the_rules_allow(github: GitHub, app: Client, pull: Pull) -> None:
    github.require_reviews(0, methods=["squash"])
    assert "Merge method rebase is not allowed" in refusal(app, pull, "rebase")
    github.explain("refused 405")


def test_a_strict_rule_wants_the_newest_base_in_the_head(
    github: GitHub, app: Client, pull: Pull
) -> None:
    github.require_checks("build", strict=True)
    github.status(pull, "build")
    assert state(app) == "clean"
    github.commit("main", {"b": "1\n"})
    assert state(app) == "behind"
    assert "not up to date" in refusal(app, pull)
    github.explain("refused 405")


def test_a_native_merge_queue_takes_every_merge(github: GitHub, app: Client, pull: Pull) -> None:
    github.add_ruleset({"type": "merge_queue"})
    assert "Changes must be made through the merge queue" in refusal(app, pull)
    github.explain("refused 405")


def test_who_may_bypass_a_ruleset_merges(github: GitHub, app: Client, pull: Pull) -> None:
    actor = {"actor_type": "Integration", "actor_id": github.app.id, "bypass_mode": "always"}
    rule = {
        "type": "required_status_checks",
        "parameters": {
            "strict_required_status_checks_policy": False,
            "required_status_checks": [{"context": "build"}],
        },
    }
    github.add_ruleset(rule, bypass=[actor])
    assert state(app) == "blocked"
    body = {"sha": pull.head_sha, "merge_method": "squash"}
    assert app.ask("PUT", "pulls/1/merge", json=body).status_code == 200
    github.explain("merge of #1")


def test_a_rule_that_is_not_active_or_for_another_branch_asks_nothing(
    github: GitHub, app: Client, pull: Pull
) -> None:
    github.require_checks("build", branch="release")
    ruleset = github.require_checks("docs")
    ruleset.enforcement = "evaluate"
    assert state(app) == "clean"
    assert app.every("rules/branches/main") == []
    assert pull.state == "open"


def test_the_rules_of_a_branch_are_told_page_by_page(github: GitHub, app: Client) -> None:
    github.require_checks("build", app=github.app)
    github.require_reviews(2, methods=["squash", "rebase"])
    github.add_ruleset({"type": "required_linear_history"}, {"type": "non_fast_forward"})
    rules = app.every("rules/branches/main")
    assert [one["type"] for one in rules] == [
        "required_status_checks",
        "pull_request",
        "required_linear_history",
        "non_fast_forward",
    ]
    assert rules[0]["parameters"]["required_status_checks"] == [
        {"context": "build", "integration_id": github.app.id}
    ]
    assert rules[1]["parameters"]["allowed_merge_methods"] == ["squash", "rebase"]
    whole = app.get(f"rulesets/{rules[0]['ruleset_id']}").json()
    assert (whole["name"], whole["source"], len(whole["rules"])) == ("checks", "acme/acme", 1)
    assert "bypass_actors" not in whole
    assert len(app.every("rulesets")) == 3


def test_a_branchs_rules_are_told_with_slashes_in_its_name(github: GitHub, app: Client) -> None:
    github.commit("release/1.x", {"r": "1\n"})
    github.require_checks("build", branch="release/1.x")
    for path in ("rules/branches/release%2F1.x", "rules/branches/release/1.x"):
        assert len(app.every(path)) == 1
    assert app.get("branches/release%2F1.x").json()["name"] == "release/1.x"


def test_a_check_can_only_be_pinned_to_an_app_that_is_installed(
    github: GitHub, admin: Client
) -> None:
    check = {"context": "merge-queue", "integration_id": github.app.id}
    rule = {
        "type": "required_status_checks",
        "parameters": {
            "strict_required_status_checks_policy": False,
            "required_status_checks": [check],
        },
    }
    ruleset = {
        "name": "merge queue",
        "enforcement": "active",
        "conditions": {"ref_name": {"include": ["refs/heads/main"], "exclude": []}},
        "rules": [rule],
    }
    github.not_installed = {github.app.id}
    assert admin.ask("POST", "rulesets", json=ruleset).status_code == 422
    github.not_installed.clear()
    made = admin.ask("POST", "rulesets", json=ruleset)
    assert made.status_code == 201
    path = f"rulesets/{made.json()['id']}"
    assert admin.get(path).json()["bypass_actors"] == []
    assert admin.ask("PUT", path, json={"enforcement": "disabled"}).json()["name"] == "merge queue"
    assert admin.every("rules/branches/main") == []
    assert admin.ask("DELETE", path).status_code == 204
    github.explain("ruleset")


# --- classic protection --------------------------------------------------------------------------


def test_classic_protection_refuses_in_its_own_words(
    github: GitHub, app: Client, pull: Pull
) -> None:
    github.protect("main", Protection(checks=[("build", None)], approvals=1))
    said = refusal(app, pull)
    assert said == (
        "At least 1 approving review is required by reviewers with write access. "
        'Required status check "build" is expected.'
    )
    github.approve(pull)
    github.status(pull, "build")
    assert state(app) == "clean"
    github.explain("refused 405")


@pytest.mark.parametrize("form", ["today's", "the older"])
def test_a_branch_tells_its_checks_and_hides_its_approvals(
    github: GitHub, app: Client, form: str
) -> None:
    older = form == "the older"
    checks = [("build", None), ("merge-queue", github.app.id)]
    github.protect("main", Protection(checks=checks, approvals=2, older_form=older))
    shown = app.get("branches/main").json()
    told = shown["protection"]["required_status_checks"]
    assert shown["protected"] is True
    assert told["contexts"] == ["build", "merge-queue"]
    assert told["checks"] == (
        []
        if older
        else [
            {"context": "build", "app_id": None},
            {"context": "merge-queue", "app_id": github.app.id},
        ]
    )
    assert "required_pull_request_reviews" not in shown["protection"]
    assert app.get("branches/main/protection").status_code == 403
    with client(github, github.token("admin")) as admin:
        whole = admin.get("branches/main/protection").json()
    assert whole["required_pull_request_reviews"]["required_approving_review_count"] == 2


def test_an_unprotected_branch_has_nothing_to_tell(app: Client, admin: Client) -> None:
    shown = app.get("branches/main").json()
    assert (shown["protected"], shown["protection"]["enabled"]) == (False, False)
    assert app.get("branches/nowhere").json()["message"] == "Branch not found"
    assert admin.get("branches/main/protection").json()["message"] == "Branch not protected"


def test_messages_are_held_to_their_pattern(github: GitHub, app: Client, pull: Pull) -> None:
    pattern = {"operator": "regex", "pattern": r"^(fix|feat): "}
    github.add_ruleset({"type": "commit_message_pattern", "parameters": pattern})
    assert "Commit message must match: ^(fix|feat): " in refusal(app, pull)
    body = {"sha": pull.head_sha, "merge_method": "squash", "commit_title": "fix: it"}
    assert app.ask("PUT", "pulls/1/merge", json=body).status_code == 200
    github.explain("merge of #1")
