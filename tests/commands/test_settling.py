"""Conflicts settled on the whole way over plain git: each job settles them by itself."""

import json
from typing import Any

import pytest

from tests.support.programs import Project, Ran, make_project, run_program
from tests.support.repositories import Playground

LOG = "# Changelog\n\n## Unreleased\n\n- zero\n"
ENTRY = (
    'CHANGELOG.md: prose (matches "**/*.md" (built-in default)); CHANGELOG.md### Unreleased: kind 2'
)


@pytest.fixture
def project(playground: Playground) -> Project:
    return make_project(playground, {"CHANGELOG.md": LOG, "one/code.py": "x = 1\n"})


def queue(project: Project, name: str, **code: str) -> None:
    """Queue a change that adds an entry of its name to the changelog."""
    files: dict[str | bytes, Any] = {f"one/{file}.py": text for file, text in code.items()}
    project.queue(name, files | {"CHANGELOG.md": f"{LOG}- {name}\n"})


def steps(project: Project) -> tuple[dict[str, Any], Ran]:
    """Run the four steps as four jobs; return the verdicts, and how apply ended."""
    listed = run_program(project.clone, "ls")
    planned = run_program(project.clone, "plan", "--out", "plan.json", stdin=listed.out.encode())
    assert planned.status == 0, planned.err
    plan = (project.clone / "plan.json").read_bytes()
    words = ("validate", "--stdin", "--verdicts", "verdicts")
    validated = run_program(project.clone, *words, stdin=plan)
    assert validated.status == 0, validated.err
    found = [*json.loads(plan)["verdicts"]]
    found += [
        json.loads(path.read_text()) for path in project.clone.glob("verdicts/*/verdict.json")
    ]
    ran = run_program(project.clone, "apply", "verdicts", "--committer", "Q <q@example.invalid>")
    return {verdict["change"]["id"]: verdict for verdict in found}, ran


def test_entries_land_in_the_very_commits_that_validation_gated(project: Project) -> None:
    for name in ("a", "b", "c"):
        queue(project, name)
    queue(project, "d", code="x = 2\n")
    queue(project, "e", code="x = 3\n")
    queue(project, "f", bug="bug\n")
    verdicts, ran = steps(project)
    assert [verdicts[name]["reason"] for name in "abcd"] == ["", ENTRY, ENTRY, ENTRY]
    told = [(e["change"], e["reason"]) for e in ran.events if e["kind"] == "resolved"]
    assert told == [(name, ENTRY) for name in "bcd"]
    # What is no prose waits for the change ahead, and says where the two meet.
    assert verdicts["e"]["code"] == "WAIT_CONFLICT_AHEAD"
    assert "(one/code.py#line 1: both sides changed the same lines" in verdicts["e"]["reason"]
    assert "CHANGELOG.md" not in verdicts["e"]["reason"]
    # A red one may be red for what was settled.
    assert f"Conflicts were settled in its candidate: {ENTRY}" in verdicts["f"]["reason"]
    assert f"Conflicts were settled in its candidate: `{ENTRY}`" in verdicts["f"]["report"]
    ended = {name: event["kind"] for name, event in ran.last().items()}
    assert ended == {**dict.fromkeys("abcd", "merged"), "e": "waiting", "f": "kicked"}
    assert project.landed()[b"CHANGELOG.md"].decode() == f"{LOG}- a\n- b\n- c\n- d\n"


def test_a_conflict_that_does_not_settle_goes_back_and_says_where(project: Project) -> None:
    queue(project, "a", code="# why\nx = 1\n", more="y = 1\n")
    queue(project, "b", code="x = 2\n")
    project.playground.branch(
        "main",
        project.playground.commit(
            {"CHANGELOG.md": f"{LOG}- base\n", "one/code.py": "# how\nx = 1\n"},
            parents=project.playground.tip("main"),
        ),
    )
    ran = project.run()
    assert ran.last()["b"]["code"] == "KICK_CONFLICT"
    why = "one/code.py#line 1: both sides changed the same lines, or lines side by side"
    said = f"It conflicts with the base in `one/code.py`. Its verdict says: {why}"
    assert ran.last()["b"]["reason"].startswith(said)
    # Two comments settle, whatever else the change does.
    assert ran.last()["a"]["kind"] == "merged"
    assert project.landed()[b"one/code.py"] == b"# how\n# why\nx = 1\n"
    assert project.landed()[b"CHANGELOG.md"].decode() == f"{LOG}- base\n- a\n"
