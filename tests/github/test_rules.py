"""Merge methods, approvals and required checks of a base, from settings and rules (facts 1.3)."""

from collections.abc import Mapping

import pytest

from mergequeue.documents.capabilities import RequiredCheck
from mergequeue.github.answers import Body
from mergequeue.github.rules import Rules, Settings, methods_of, rules_of
from mergequeue.vocabulary.errors import BAD_ANSWER, PROVIDER_FAILED, MergequeueError
from mergequeue.vocabulary.words import Method

KNOWN = {"id": 1, "full_name": "acme/acme", "default_branch": "main"}
ALL = {"allow_merge_commit": True, "allow_squash_merge": True, "allow_rebase_merge": True}


def settings(**shown: bool) -> Settings:
    return Body({**KNOWN, **shown}, "GET /repos/acme/acme").read(Settings)


def rules(*given: Mapping[str, object]) -> Rules:
    return rules_of([Body(rule, "GET rules") for rule in given])


def reviews(count: int, *methods: str) -> dict[str, object]:
    parameters: dict[str, object] = {"required_approving_review_count": count}
    if methods:
        parameters["allowed_merge_methods"] = list(methods)
    return {"type": "pull_request", "parameters": parameters}


def test_what_settings_and_every_rule_allow_is_allowed_in_one_order() -> None:
    assert methods_of(settings(**ALL), rules()) == tuple(Method)
    both = rules(reviews(1, "SQUASH", "rebase"), reviews(1, "merge", "rebase"), reviews(1))
    assert methods_of(settings(**ALL), both) == (Method.REBASE,)


def test_a_linear_history_takes_merge_away_and_signatures_take_rebase_away() -> None:
    linear, signed = {"type": "required_linear_history"}, {"type": "required_signatures"}
    assert methods_of(settings(**ALL), rules(linear)) == (Method.SQUASH, Method.REBASE)
    assert methods_of(settings(**ALL), rules(signed)) == (Method.MERGE, Method.SQUASH)


def test_methods_that_are_not_shown_are_unknown_unless_a_rule_names_some() -> None:
    assert methods_of(settings(), rules(reviews(1, "squash"))) == (Method.SQUASH,)
    with pytest.raises(MergequeueError) as caught:
        methods_of(settings(), rules(reviews(1)))
    assert caught.value.code == PROVIDER_FAILED.code
    assert "contents: write" in caught.value.remedy


def test_methods_that_are_shown_in_part_are_a_bad_answer() -> None:
    with pytest.raises(MergequeueError) as caught:
        methods_of(settings(allow_squash_merge=True), rules())
    assert caught.value.code == BAD_ANSWER.code


def test_no_method_in_common_is_an_error() -> None:
    with pytest.raises(MergequeueError, match="no merge method in common"):
        methods_of(settings(**ALL), rules(reviews(1, "squash"), reviews(1, "rebase")))


def test_the_most_approvals_that_a_rule_asks_for_are_needed() -> None:
    assert rules(reviews(1), reviews(3), reviews(2)).approvals == 3


def test_required_checks_carry_the_app_that_they_are_pinned_to() -> None:
    checks = [{"context": "build"}, {"context": "merge-queue", "integration_id": 4711}]
    found = rules(
        {"type": "required_status_checks", "parameters": {"required_status_checks": checks}}
    )
    assert found.checks == (
        RequiredCheck(context="build"),
        RequiredCheck(context="merge-queue", integration="4711"),
    )


@pytest.mark.parametrize(
    "rule",
    [
        {"type": "pull_request", "parameters": {}},
        {"type": "pull_request"},
        {"type": "required_status_checks", "parameters": {}},
        {"type": "required_status_checks", "parameters": {"required_status_checks": None}},
        {"parameters": {}},
    ],
)
def test_a_rule_without_a_key_is_an_error_and_no_zero(rule: dict[str, object]) -> None:
    with pytest.raises(MergequeueError) as caught:
        rules(rule)
    assert caught.value.code == BAD_ANSWER.code
