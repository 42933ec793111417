"""Pre-flights over a plain repository: commands, run alone and once a head (seed 2)."""

import pytest

from tests.support.programs import CONFIGURATION, Project, make_project, run_program
from tests.support.repositories import Playground

TABLES = """
[preflight.lint]
command = "sh lint"

[preflight.test]
check = "ci / test"
command = "sh -c 'test ! -e broken'"
"""
LINT = 'for unit in "$@"; do test ! -e "$unit/untidy" || exit 4; done\n'


@pytest.fixture
def project(playground: Playground) -> Project:
    return make_project(playground, {"mergequeue.toml": CONFIGURATION + TABLES, "lint": LINT})


def test_those_that_pass_land_in_one_go_and_one_that_fails_was_in_no_batch(
    project: Project,
) -> None:
    for name in ("a", "b"):
        project.queue(name, {f"one/{name}": "x\n"})
    project.queue("untidy", {"one/untidy": "x\n"})
    ran = project.run("--batch", "3")
    last = ran.last()
    assert {id_: last[id_].get("code", last[id_]["kind"]) for id_ in last} == {
        "a": "merged",
        "b": "merged",
        "untidy": "KICK_PREFLIGHT",
    }
    assert "its pre-flight lint, which runs sh lint one, fails: exit status 4" in str(
        last["untidy"]["reason"]
    )
    gated = [event["changes"] for event in ran.events if event["kind"] == "gate"]
    assert not any("untidy" in members for members in gated)

    again = run_program(project.clone, "requeue", "untidy")
    assert again.status == 0, "the base moved on, so it may pass now"
    assert project.run().last()["untidy"]["code"] == "KICK_PREFLIGHT"

    again = run_program(project.clone, "requeue", "untidy")
    assert again.status == 2
    assert "failed a pre-flight at this very head and tip" in again.err
    assert "Push a new head" in again.err

    head = project.playground.commit({"one/tidy": "x\n"}, parents=project.base, message="tidy")
    project.playground.branch("mq/squash/untidy", head)
    assert project.run().last()["untidy"]["kind"] == "merged"


def test_what_passed_at_a_head_is_run_there_no_more(project: Project) -> None:
    project.playground.branch(
        "main", project.playground.commit({"one/bug": "bug\n"}, parents=project.base)
    )
    project.queue("a", {"one/a": "x\n"})
    first = project.run()
    assert first.last()["a"]["code"] == "WAIT_BASE_RED"
    assert "its pre-flight lint runs" in first.err
    assert "its pre-flight" not in project.run().err
