"""Generated files over plain git, as a person runs the program: every hook in the real sandbox."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.programs import Project, Ran, run_program
from tests.support.repositories import EXECUTABLE, Content, Playground
from tests.support.works import FILES, GATE, GENERATE, TOML

COMMITTER = ("--committer", "Q <q@example.invalid>")


def make_lists(playground: Playground, more: Mapping[str, Content] | None = None) -> Project:
    """Return a project whose base generates a list."""
    base = playground.branch("main", playground.commit({**FILES, **(more or {})}))
    return Project(playground, playground.clone(), base)


@pytest.fixture
def project(playground: Playground) -> Project:
    return make_lists(playground)


def letter(project: Project, name: str, files: dict[str, str], method: str = "squash") -> None:
    """Queue a change that adds a source, with the list right for the base."""
    known = ["a", "m", name[-1]]
    own = {f"src/{name[-1]}.txt": f"{name[-1]}\n", "gen/list": "\n".join(sorted(known)) + "\n"}
    head = project.playground.commit({**own, **files}, parents=project.base, message=f"{name}\n")
    project.playground.branch(f"mq/{method}/{name}", head)


def listed(project: Project) -> str:
    return project.landed()[b"gen/list"].decode().replace("\n", "")


def test_a_run_regenerates_gates_and_lands_the_very_tree(project: Project) -> None:
    letter(project, "one-b", {})
    letter(project, "two-c", {})
    letter(project, "zzz-d", {"tools/settings": "EXTRA='echo 2 > version' GATED=true\n"})
    ran = run_program(project.clone, "run", *COMMITTER)
    assert ran.status == 0, ran.err
    ends = {change: event["kind"] for change, event in ran.last().items()}
    assert (ends["one-b"], ends["two-c"]) == ("merged", "merged")
    assert listed(project) == "abcm"
    # The last one's own generator rewrites source in place, which nobody proved.
    assert ran.last()["zzz-d"]["code"] == "KICK_REFUSED"
    status = run_program(project.clone, "status", "zzz-d")
    assert "- `version`" in status.out


def test_source_that_the_base_rewrites_in_place_lands_too(playground: Playground) -> None:
    project = make_lists(playground, {"tools/settings": "EXTRA='echo 2 > version' GATED=true\n"})
    letter(project, "one-b", {})
    assert run_program(project.clone, "run", *COMMITTER).status == 0
    assert project.landed()[b"version"] == b"2\n"


def test_what_is_regenerated_follows_a_rebase_in_a_commit_of_its_own(
    playground: Playground,
) -> None:
    project = make_lists(playground, {"tools/settings": "EXTRA='echo x > gen/x' GATED=true\n"})
    letter(project, "one-b", {}, method="rebase")
    ran = run_program(project.clone, "run", *COMMITTER)
    assert ran.status == 0, ran.err
    assert project.landed()[b"gen/x"] == b"x\n"
    tip = project.playground.tip("main")
    log = [
        project.playground.message(commit).splitlines()[0] for commit in project.playground.log(tip)
    ]
    assert log[:2] == ["Regenerate files of change one-b", "one-b"]


def steps(project: Project, *validating: str) -> None:
    """List, plan and validate, as jobs of their own."""
    found = run_program(project.clone, "ls")
    planned = run_program(project.clone, "plan", "--out", "plan.json", stdin=found.out.encode())
    assert planned.status == 0, planned.err
    plan = (project.clone / "plan.json").read_bytes()
    words = ("validate", "--stdin", "--verdicts", "verdicts", *validating)
    ran = run_program(project.clone, *words, stdin=plan)
    assert ran.status == 0, ran.err


def applied(project: Project, *words: str) -> Ran:
    return run_program(project.clone, "apply", "verdicts", *COMMITTER, *words)


def test_a_bundle_travels_beside_its_verdict(project: Project) -> None:
    letter(project, "one-b", {})
    letter(project, "two-c", {"tools/settings": "EXTRA='echo 1 > gen/one' GATED=true\n"})
    steps(project)
    folders = {path.name: sorted(p.name for p in path.iterdir()) for path in verdicts(project)}
    assert folders == {
        "one-b": ["verdict.json"],
        "two-c": ["candidate.bundle", "verdict.json"],
    }
    ran = applied(project)
    assert {change: event["kind"] for change, event in ran.last().items()} == dict.fromkeys(
        ["one-b", "two-c"], "merged"
    )
    assert (listed(project), project.landed()[b"gen/one"]) == ("abcm", b"1\n")


def verdicts(project: Project) -> list[Path]:
    return [path for path in (project.clone / "verdicts").iterdir() if path.is_dir()]


def test_without_it_the_change_is_marked_as_in_need_of_regeneration(project: Project) -> None:
    letter(project, "one-b", {"tools/settings": "EXTRA='echo 1 > gen/one' GATED=true\n"})
    steps(project)
    (project.clone / "verdicts" / "one-b" / "candidate.bundle").unlink()
    gates = ("--reproduce-gate", "make check", "--reproduce-regenerate", "make generate")
    ran = applied(project, *gates)
    assert ran.last()["one-b"]["code"] == "KICK_REGENERATION"
    status = run_program(project.clone, "status", "one-b")
    assert "regenerate its files there" in " ".join(status.out.split())
    assert "KICK_REGENERATION" in status.out


def test_a_kick_back_of_validation_says_how_its_files_were_regenerated(project: Project) -> None:
    letter(project, "one-b", {"tools/settings": "EXTRA='exit 3' GATED=true\n"})
    assert project.run().status == 0
    status = run_program(project.clone, "status", "one-b").out
    assert "Files are regenerated with `./tools/generate`" in " ".join(status.split())


def test_options_win_over_the_bases_file(project: Project) -> None:
    letter(project, "one-b", {})
    letter(project, "two-c", {})
    ran = run_program(project.clone, "run", *COMMITTER, "--regenerate", "")
    # Nothing regenerates: the conflict took the change's side, and the gate sees that.
    assert ran.last()["two-c"]["code"] == "KICK_RED"
    assert listed(project) == "abm"


def test_apply_reads_what_is_generated_at_the_plans_base_commit(project: Project) -> None:
    letter(project, "one-b", {})
    letter(project, "two-c", {})
    steps(project)
    later = TOML.replace('outputs = ["gen/**"]', "outputs = []")
    tip = project.playground.tip("main")
    moved = project.playground.commit({"mergequeue.toml": later}, parents=tip)
    project.playground.branch("main", moved)
    ran = applied(project)
    assert {change: event["kind"] for change, event in ran.last().items()} == dict.fromkeys(
        ["one-b", "two-c"], "merged"
    )
    assert listed(project) == "abcm"


FACTS = """\
#!/bin/sh
# A build tool that maintains .gitattributes itself.
case "$1" in
  affected) echo '{"affected": ["all"]}' ;;
  all) echo '{"units": ["all"]}' ;;
  outputs) echo '{"outputs": ["gen/list"], "maintained": [".gitattributes"]}' ;;
  generation) echo '{"units": ["all"]}' ;;
esac
"""


def test_a_build_tool_says_what_is_generated_and_what_it_maintains(
    playground: Playground,
) -> None:
    generate = GENERATE + "echo '* text' > .gitattributes\n"
    project = make_lists(
        playground,
        {
            "facts": (EXECUTABLE, FACTS),
            "tools/generate": (EXECUTABLE, generate),
            "tools/gate": (EXECUTABLE, GATE),
            "mergequeue.toml": '[queue]\ngate = "./tools/gate"\nregenerate = "./tools/generate"\n',
        },
    )
    letter(project, "one-b", {".gitattributes": "* -text\n"})
    letter(project, "two-c", {})
    ran = run_program(project.clone, "run", *COMMITTER, "--facts", "./facts")
    assert {change: event["kind"] for change, event in ran.last().items()} == dict.fromkeys(
        ["one-b", "two-c"], "merged"
    ), ran.err
    assert listed(project) == "abcm"
    assert project.landed()[b".gitattributes"] == b"* -text\n"
