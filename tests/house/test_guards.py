"""The guards of tests/conftest.py, each seen to hold."""

import os
import socket
import subprocess
from pathlib import Path

import pytest

from tests.support.programs import PROGRAM, environ, run_program


def _git(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *words], capture_output=True, text=True, check=False)


def test_home_is_a_temporary_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    assert Path.home().is_relative_to(tmp_path_factory.getbasetemp())


def test_git_sees_no_configuration_of_the_person_or_the_machine(tmp_path: Path) -> None:
    (Path.home() / ".gitconfig").write_text("[user]\n\tname = Somebody\n")
    try:
        said = _git("-C", str(tmp_path), "config", "--list")
    finally:
        (Path.home() / ".gitconfig").unlink()
    assert (said.returncode, said.stdout) == (0, "")


def test_git_reaches_no_network() -> None:
    said = _git("ls-remote", "https://example.invalid/x.git")
    assert said.returncode == 128
    assert "transport 'https' not allowed" in said.stderr


def test_nothing_of_a_surrounding_job_is_left() -> None:
    prefixes = ("GITHUB_", "MERGEQUEUE_", "RUNNER_", "XDG_")
    assert [name for name in os.environ if name.startswith(prefixes)] == []
    assert sorted(name for name in os.environ if name.startswith("GIT_")) == [
        "GIT_ALLOW_PROTOCOL",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_TERMINAL_PROMPT",
    ]


def test_a_test_that_opens_a_connection_to_elsewhere_fails() -> None:
    with socket.socket() as tried, pytest.raises(RuntimeError, match="reached for the network"):
        tried.connect(("192.0.2.1", 80))
    with pytest.raises(RuntimeError, match="reached for the network"):
        socket.getaddrinfo("example.invalid", 80)


def test_a_connection_to_this_machine_is_allowed() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as made,
    ):
        assert made.getpeername() == server.getsockname()


def test_a_program_that_a_test_starts_ends_as_one_that_a_person_starts(tmp_path: Path) -> None:
    for words in (("-C", "nowhere", "ls"), ("plan", "--changes", "-")):
        real = subprocess.run(
            [*PROGRAM, *words],
            cwd=tmp_path,
            env=environ(),
            input=b"{",
            capture_output=True,
            check=False,
        )
        ran = run_program(tmp_path, *words, stdin=b"{")
        told = (real.returncode, real.stdout.decode(), real.stderr.decode())
        assert (ran.status, ran.out, ran.err) == told
