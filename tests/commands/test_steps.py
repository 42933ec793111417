"""The steps one by one, as jobs with different rights run them."""

import json
from pathlib import Path

import pytest

from tests.support.programs import CONFIGURATION, Project, Ran, make_project, run_program
from tests.support.repositories import Playground

COMMITTER = ("--committer", "Q <q@example.invalid>")


@pytest.fixture
def project(playground: Playground) -> Project:
    return make_project(playground)


def planned(project: Project, *words: str) -> Ran:
    listed = run_program(project.clone, "ls")
    assert listed.status == 0, listed.err
    ran = run_program(
        project.clone, "plan", "--out", "plan.json", *words, stdin=listed.out.encode()
    )
    assert ran.status == 0, ran.err
    return ran


def validated(project: Project, *words: str) -> Ran:
    plan = (project.clone / "plan.json").read_bytes()
    return run_program(
        project.clone, "validate", "--stdin", "--verdicts", "verdicts", *words, stdin=plan
    )


def applied(project: Project, *words: str) -> Ran:
    return run_program(project.clone, "apply", "verdicts", *COMMITTER, *words)


def test_four_steps_do_what_run_does(project: Project) -> None:
    project.queue("good", {"one/text": "A\nb\nc\nd\ne\n"})
    project.queue("red", {"two/text": "bug\n"})
    planned(project)
    assert validated(project).status == 0
    ran = applied(project)
    assert ran.status == 0
    assert {c: e["kind"] for c, e in ran.last().items()} == {"good": "merged", "red": "kicked"}
    assert project.landed()[b"one/text"] == b"A\nb\nc\nd\ne\n"


def test_applying_the_same_verdicts_again_repeats_nothing(project: Project) -> None:
    project.queue("good", {"one/text": "A\nb\nc\nd\ne\n"})
    planned(project)
    validated(project)
    applied(project)
    tip = project.playground.tip("main")
    again = applied(project)
    assert again.status == 0
    assert project.playground.tip("main") == tip


def test_a_dry_run_says_what_would_merge_and_writes_nothing(project: Project) -> None:
    project.queue("good", {"one/text": "A\nb\nc\nd\ne\n"})
    planned(project)
    validated(project)
    before = project.playground.refs()
    ran = applied(project, "--dry-run")
    assert ran.status == 0
    assert any("good" in e.get("change", "") for e in ran.events if e["kind"] == "notice")
    assert project.playground.refs() == before


def test_one_job_a_change_leaves_verdicts_that_apply_merges_together(project: Project) -> None:
    for name in ("a", "b", "c"):
        project.queue(name, {f"one/{name}": "n\n"})
    planned(project)
    for name in ("a", "b", "c"):
        assert validated(project, "--only", name).status == 0
    (project.clone / "verdicts/.done").touch()
    ran = applied(project)
    assert [e["change"] for e in ran.events if e["kind"] == "merged"] == ["a", "b", "c"]


def test_a_head_that_moves_after_validation_is_not_merged(project: Project) -> None:
    project.queue("it", {"one/text": "A\nb\nc\nd\ne\n"})
    planned(project)
    validated(project)
    project.queue("it", {"one/text": "B\nb\nc\nd\ne\n"})
    ran = applied(project)
    assert ran.last()["it"]["code"] == "WAIT_HEAD_MOVED"
    assert project.playground.tip("main") == project.base


def test_a_base_that_moves_under_a_validated_change_is_taken_in(project: Project) -> None:
    project.queue("it", {"one/text": "A\nb\nc\nd\ne\n"})
    planned(project)
    validated(project)
    moved = project.playground.commit({"two/text": "A\nb\nc\nd\ne\n"}, parents=project.base)
    project.playground.branch("main", moved)
    assert applied(project).last()["it"]["kind"] == "merged"
    assert project.landed()[b"one/text"] == b"A\nb\nc\nd\ne\n"
    assert project.landed()[b"two/text"] == b"A\nb\nc\nd\ne\n"


@pytest.mark.parametrize("planning", [True, False])
def test_however_many_changes_wait_their_statuses_are_one_push(
    project: Project, *, planning: bool
) -> None:
    """Those that planning finds waiting, and those that nothing more comes for at the end."""
    names = [f"change-{number}" for number in range(20)]
    for name in names:
        project.queue(name, {f"one/{name}": "n\n"})
    listed = run_program(project.clone, "ls").out
    if planning:
        for name in names:
            project.queue(name, {f"one/{name}": "pushed since\n"})
    folder = project.clone / "verdicts"
    folder.mkdir()
    run_program(project.clone, "plan", "--out", "verdicts/plan.json", stdin=listed.encode())
    (folder / ".done").touch()
    ran = applied(project)
    assert ran.status == 0, ran.err
    code = "WAIT_HEAD_MOVED" if planning else "WAIT_BEHIND"
    assert {change: e["code"] for change, e in ran.last().items()} == dict.fromkeys(names, code)
    pushes = project.playground.log("refs/mergequeue/state/main")
    assert len(pushes) == len(("the marks", "the statuses", "what the queue remembers of it"))


def test_a_path_that_the_base_changed_meanwhile_is_validated_again(project: Project) -> None:
    project.queue("it", {"one/text": "A\nb\nc\nd\ne\n"})
    planned(project)
    validated(project)
    moved = project.playground.commit({"one/text": "a\nb\nc\nd\nE\n"}, parents=project.base)
    project.playground.branch("main", moved)
    assert applied(project).last()["it"]["code"] == "WAIT_REVALIDATE"
    assert project.playground.tip("main") == moved


def test_describe_prints_what_can_be_pasted_and_the_document(project: Project) -> None:
    text = run_program(project.clone, "describe")
    assert text.status == 0
    assert "git push origin HEAD:mq/squash/" in text.out
    document = run_program(project.clone, "describe", "-o", "json")
    assert json.loads(document.out)["schema"] == "mergequeue.capabilities/v1"


def test_a_plan_on_a_commit_that_the_remote_lacks_is_not_validated(project: Project) -> None:
    project.queue("it", {"one/text": "A\nb\nc\nd\ne\n"})
    planned(project)
    plan = project.clone / "plan.json"
    plan.write_text(plan.read_text().replace(project.base, "0123456789" * 4))
    ran = validated(project)
    assert ran.status == 1
    assert ran.err.startswith("error MQ3028: ")
    assert not (project.clone / "verdicts").exists()


def test_an_empty_queue_is_planned_validated_and_applied(project: Project) -> None:
    planned(project)
    assert validated(project).status == 0
    assert applied(project).status == 0


BAD = {
    "no JSON": (b"{", "MQ1002"),
    "a key that stands twice": (
        b'{"schema": "mergequeue.changes/v1", "base": "a", "base": "b"}',
        "MQ1002",
    ),
    "an unknown schema": (b'{"schema": "mergequeue.changes/v9"}', "MQ1004"),
    "another document": (b'{"schema": "mergequeue.plan/v1"}', "MQ1004"),
    "a short commit id": (
        (
            b'{"schema": "mergequeue.changes/v1", "base": "main", "remote_url": "x", "changes": '
            b'[{"id": "a", "head": "0123456789ab", "base": "main", "method": "squash"}]}'
        ),
        "MQ1003",
    ),
    "a document of 100 MB": (b" " * 100_000_000, "MQ1002"),
}


@pytest.mark.parametrize(("raw", "code"), BAD.values(), ids=BAD)
def test_a_bad_listing_is_one_error_and_nothing_is_written(
    project: Project, raw: bytes, code: str
) -> None:
    ran = run_program(project.clone, "plan", "--out", "plan.json", stdin=raw)
    assert ran.status == 2
    assert ran.out == ""
    assert ran.err.startswith(f"error {code}: ")
    assert len(ran.err.splitlines()) == 2
    assert not (project.clone / "plan.json").exists()


def test_the_path_of_what_is_wrong_in_a_document_is_named(project: Project) -> None:
    raw, _ = BAD["a short commit id"]
    ran = run_program(project.clone, "plan", "--out", "plan.json", stdin=raw)
    assert "$.changes[0].head" in ran.err


USAGE = {
    "a remote that is a URL": (("ls", "--remote", "https://example.invalid/x"), "MQ1009"),
    "a base that is no branch": (("ls", "--base", "refs/heads/main"), "MQ1001"),
    "a base that does not exist": (("run", "--base", "nowhere"), "MQ1010"),
    "a gate that is a shell line": (("run", "--gate", "make && true"), "MQ1026"),
    "an unknown provider": (("ls", "--provider", "nobody"), "MQ1013"),
    "an unknown option": (("ls", "--sideways"), "MQ1001"),
    "an unknown command": (("dance",), "MQ1001"),
    "a committer without an address": (("run", "--committer", "Q"), "MQ1001"),
    "a source that is not there": (("apply", "nowhere"), "MQ1015"),
    "a run without its workflow": (("apply", "run:o/r/runs/1"), "MQ1001"),
    "a source of another kind": (("apply", "s3:verdicts"), "MQ1015"),
    "an interval with once": (("apply", "v", "--once", "--interval", "3"), "MQ1001"),
}


@pytest.mark.parametrize(("words", "code"), USAGE.values(), ids=USAGE)
def test_a_callers_mistake_is_exit_2_with_its_code_and_a_way_out(
    project: Project, words: tuple[str, ...], code: str
) -> None:
    before = project.playground.refs()
    ran = run_program(project.clone, *words)
    assert ran.status == 2
    assert ran.err.startswith(f"error {code}: ")
    assert project.playground.refs() == before


def test_outside_a_repository_the_program_says_so(tmp_path: Path) -> None:
    ran = run_program(tmp_path, "ls")
    assert ran.status == 2
    assert "MQ1008" in ran.err


# --- sparse checkouts -----------------------------------------------------------------------------

SEES = "cat one/text two/text >/dev/null\n"
"""Red where a file of either unit is missing, on the base too, so that nobody is blamed."""


@pytest.mark.parametrize(
    ("in_file", "words", "is_sparse"),
    [
        ("", (), False),
        ("", ("--sparse",), True),
        ("sparse = true\n", (), True),
        ("sparse = true\n", ("--no-sparse",), False),
    ],
)
def test_a_gates_checkout_is_sparse_where_the_option_or_else_the_base_says_so(
    playground: Playground, in_file: str, words: tuple[str, ...], *, is_sparse: bool
) -> None:
    configuration = CONFIGURATION.replace("[queue]\n", f"[queue]\n{in_file}")
    project = make_project(playground, {"gate": SEES, "mergequeue.toml": configuration})
    project.queue("it", {"one/text": "A\n"})
    planned(project)
    ran = validated(project, *words)
    assert [e["decision"] for e in ran.events if e["kind"] == "decided"] == [
        "wait" if is_sparse else "merge"
    ]


@pytest.mark.parametrize(("words", "kind"), [(("--sparse",), "merged"), ((), "waiting")])
def test_run_takes_the_option_too(
    playground: Playground, words: tuple[str, ...], kind: str
) -> None:
    project = make_project(playground, {"gate": "test -e one/text && test ! -e two\n"})
    project.queue("it", {"one/text": "A\n"})
    assert project.run(*words).last()["it"]["kind"] == kind


@pytest.mark.parametrize("command", ["run", "validate"])
def test_a_facts_command_names_no_paths_so_it_goes_with_no_sparse_checkout(
    project: Project, command: str
) -> None:
    words = ("--verdicts", "verdicts") if command == "validate" else ()
    ran = run_program(project.clone, command, *words, "--sparse", "--facts", "sh facts")
    assert ran.status == 2
    assert "MQ1001" in ran.err
    assert "--facts command names no paths" in ran.err


def test_what_the_base_says_of_it_is_passed_over_where_a_command_says_the_units(
    playground: Playground,
) -> None:
    configuration = CONFIGURATION.replace("[queue]\n", "[queue]\nsparse = true\n")
    told = """test "$1" = all && echo '{"units": ["one"]}' || echo '{"affected": ["one"]}'\n"""
    project = make_project(
        playground, {"gate": SEES, "mergequeue.toml": configuration, "facts": told}
    )
    project.queue("it", {"one/text": "A\n"})
    assert project.run("--facts", "sh facts").last()["it"]["kind"] == "merged"
