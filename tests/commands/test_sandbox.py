"""What the kernel cannot confine is told once, and refused where a sandbox is required."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.hooks import needs_landlock
from tests.support.programs import PROGRAM, Project, Ran, environ, make_project
from tests.support.repositories import Playground

pytestmark = [
    needs_landlock,
    pytest.mark.skipif(
        os.geteuid() != 0 or shutil.which("unshare") is None,
        reason="a daemon that the tests beside this one do not see takes a network of its own",
    ),
]

BESIDE_A_DAEMON = """
import socket, subprocess, sys
with socket.socket(socket.AF_UNIX) as listening:
    listening.bind(sys.argv[1])
    listening.listen()
    sys.exit(subprocess.run(sys.argv[2:]).returncode)
"""


@pytest.fixture
def daemon(tmp_path: Path) -> Path:
    """Where a Unix socket lies that is called as Docker's is."""
    return tmp_path / "docker.sock"


def run_beside(daemon: Path, project: Project, *words: str) -> Ran:
    """Run the queue where that socket can be reached, in a network of its own."""
    program = (*PROGRAM, "run", "--committer", "Q <q@example.invalid>", *words)
    done = subprocess.run(
        ["unshare", "-n", sys.executable, "-c", BESIDE_A_DAEMON, str(daemon), *program],
        cwd=project.clone,
        env=environ(),
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def project_with(playground: Playground, sandbox: str) -> Project:
    configuration = f'[queue]\ngate = "true"\n[sandbox]\n{sandbox}\n'
    project = make_project(playground, {"mergequeue.toml": configuration})
    project.queue("a", {"one/new": "n\n"})
    project.queue("b", {"two/new": "n\n"})
    return project


def test_what_the_kernel_cannot_confine_is_told_once(playground: Playground, daemon: Path) -> None:
    ran = run_beside(daemon, project_with(playground, ""))
    assert {event["kind"] for event in ran.last().values()} == {"merged"}
    assert ran.err.count("warning MQ2005") == 1
    assert str(daemon) in ran.err


def test_where_a_sandbox_is_required_nothing_runs_that_is_not_confined(
    playground: Playground, daemon: Path
) -> None:
    project = project_with(playground, "")
    ran = run_beside(daemon, project, "--sandbox=required")
    assert ran.status == 1
    assert "error MQ2012" in ran.err
    assert str(daemon) in ran.err
    assert "gate runs" not in ran.err
    assert playground.tip("main") == project.base


@pytest.mark.parametrize("how", ["allowed", "none"])
def test_a_socket_that_is_granted_or_that_no_hook_can_reach_is_no_gap(
    playground: Playground, daemon: Path, how: str
) -> None:
    sandbox = {"allowed": f'allow = ["write:{daemon}"]', "none": "unix_sockets = false"}[how]
    ran = run_beside(daemon, project_with(playground, sandbox), "--sandbox=required")
    assert {event["kind"] for event in ran.last().values()} == {"merged"}, ran.err
    assert "MQ2005" not in ran.err
