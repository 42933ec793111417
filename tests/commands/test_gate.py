"""`mergequeue gate`: a command as the queue would run its gate, for CI and for a person."""

import subprocess
from pathlib import Path

import pytest

from tests.support.programs import PROGRAM, Project, environ, make_project, run_program
from tests.support.repositories import Playground


@pytest.fixture
def project(playground: Playground) -> Project:
    return make_project(playground)


@pytest.mark.parametrize("status", [0, 7, 75])
def test_the_exit_status_and_the_streams_are_the_commands_own(
    project: Project, status: int
) -> None:
    script = f"cat; echo ::told; echo apart >&2; exit {status}"
    ran = run_program(project.clone, "gate", "--", "sh", "-c", script, stdin=b"given\n")
    assert (ran.status, ran.out) == (status, "given\n::told\n")
    assert "apart" in ran.err.splitlines()


def test_a_signal_ends_it_as_a_shell_says(project: Project) -> None:
    assert run_program(project.clone, "gate", "--", "sh", "-c", "kill -TERM $$").status == 143


def test_without_a_command_it_is_the_bases_gate_with_the_units_named(project: Project) -> None:
    assert run_program(project.clone, "gate", "--units", "one").status == 0
    head = project.playground.commit({"one/bad": "bug\n"}, parents=project.base, message="Bad")
    project.playground.branch("bad", head)
    project.playground.run("fetch", "--quiet", "origin", cwd=project.clone)
    project.playground.run("checkout", "--quiet", str(head), cwd=project.clone)
    assert run_program(project.clone, "gate", "--units", "two").status == 0
    assert run_program(project.clone, "gate", "--units", "one", "--units", "two").status == 1


def test_it_runs_on_the_commit_and_not_on_the_work_tree(project: Project) -> None:
    (project.clone / "loose").write_text("x")
    script = (
        "test ! -e loose; git status -s; : > new; git add new; git commit -qm New; git log -1 %s"
    )
    script = script.replace("git commit", "git -c user.name=A -c user.email=a@b commit")
    ran = run_program(project.clone, "gate", "--", "sh", "-ec", script.replace("%s", "--format=%s"))
    assert (ran.status, ran.out) == (0, "New\n")
    assert "without what is not committed" in ran.err


def test_the_policy_is_the_bases_unless_the_commits_own_is_asked_for(project: Project) -> None:
    secret = project.playground.folder / "secret"
    secret.write_text("secret\n")
    own = f'[queue]\ngate = "true"\n[sandbox]\nallow = ["{secret}"]\n'
    head = project.playground.commit({"mergequeue.toml": own}, parents=project.base, message="Own")
    project.playground.branch("own", head)
    project.playground.run("fetch", "--quiet", "origin", cwd=project.clone)
    project.playground.run("checkout", "--quiet", str(head), cwd=project.clone)
    words = ("--", "cat", str(secret))
    assert run_program(project.clone, "gate", *words).out == ""
    assert run_program(project.clone, "gate", "--own", *words).out == "secret\n"


def test_told_to_stop_it_stops_the_command(project: Project) -> None:
    words = (
        "gate",
        "--",
        "sh",
        "-c",
        "trap 'echo stopped; exit 9' TERM; echo up; sleep 1000 & wait",
    )
    with subprocess.Popen(
        [*PROGRAM, *words], cwd=project.clone, env=environ(), stdout=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"up\n"
        running.terminate()
        assert running.stdout.read() == b"stopped\n"
        assert running.wait() == 9


def test_a_gate_in_a_gate_is_confined_by_both(project: Project) -> None:
    inner = (*PROGRAM, "gate", "--own", "--", "sh", "-c", "mkdir a b; : > a/x; mv a/x b/x; ls b")
    prefix = subprocess.run(
        [PROGRAM[0], "-c", "import sys; print(sys.prefix, sys.base_prefix)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    here = str(Path(__file__).parents[2])
    allow = ", ".join(f'"run:{path}"' for path in (*prefix, here))
    own = f'[queue]\ngate = "true"\n[sandbox]\nallow = [{allow}]\nunix_sockets = false\n'
    head = project.playground.commit({"mergequeue.toml": own}, parents=project.base, message="Own")
    project.playground.branch("main", head)
    project.playground.run("fetch", "--quiet", "origin", cwd=project.clone)
    project.playground.run("checkout", "--quiet", str(head), cwd=project.clone)
    words = ("gate", "--sandbox=required", "--")
    remote = 'git remote add origin . && exec "$@"'
    ran = run_program(project.clone, *words, "sh", "-c", remote, "sh", *inner)
    assert ran.out == "x\n", ran.err
    weaker = ("gate", "--own", "--sandbox=best-effort", "--", "true")
    ran = run_program(project.clone, *words, "sh", "-c", remote, "sh", *PROGRAM, *weaker)
    assert "error MQ2010" in ran.err
