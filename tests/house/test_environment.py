"""bin/ makes its environment from the lock, in a hostile folder, and without disturbing itself."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

_PROGRAM = """
import json, os, sys
import click, pathspec, pydantic, pygit2, rich
print(json.dumps([sys.argv[1:], os.getcwd(), sys.flags.isolated, __file__]))
"""
_HIJACK = "raise SystemExit('code of the checkout ran')\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with our bin/ and locks, and a program that says what it sees."""
    made = tmp_path / "a project"
    shutil.copytree(ROOT / "bin", made / "bin")
    for lock in ROOT.glob("requirements*.lock"):
        shutil.copy(lock, made)
    (made / "mergequeue").mkdir()
    (made / "mergequeue" / "__init__.py").touch()
    (made / "mergequeue" / "__main__.py").write_text(_PROGRAM)
    return made


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A checkout that would run its own code, given the least chance."""
    made = tmp_path / "checkout"
    names = "click ensurepip json pip runpy sitecustomize sysconfig usercustomize venv".split()  # noqa: SIM905 (words)
    for name in (*names, "mergequeue/__init__", "mergequeue/__main__", "pydantic/__init__"):
        path = made / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_HIJACK)
    (made / "setup.cfg").write_text("[install]\nprefix = elsewhere\n")
    (made / "pip.conf").write_text("[global]\nno-index = true\n")
    (made / ".python-version").write_text("2.0\n")
    return made


def start(program: Path, folder: Path, environment: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [program, "plan", "a b"],
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
@pytest.mark.network
def test_two_that_start_at_once_in_a_hostile_folder_share_one_environment_and_run_our_code(
    project: Path, hostile: Path, real_home: str, tmp_path: Path
) -> None:
    (tmp_path / "linked").symlink_to("a project/bin/mergequeue")
    seen = {"HOME": real_home, "PYTHONPATH": str(hostile), "PIP_TARGET": str(tmp_path / "else")}
    expected = f'[["plan", "a b"], "{hostile}", 1, "{project}/mergequeue/__main__.py"]\n'

    two = [start(tmp_path / "linked", hostile, seen) for _ in range(2)]
    said = [one.communicate() for one in two]

    assert [one.returncode for one in two] == [0, 0], said
    assert [out for out, _ in said] == [expected, expected]
    assert sum("setting up" in err for _, err in said) == 1
    assert sorted(path.name for path in project.glob(".venv*")) == [".venv"]
    assert not (tmp_path / "else").exists()

    # Made once, it needs no package index and has nothing to say.
    again = start(tmp_path / "linked", hostile, {"PIP_NO_INDEX": "1", "PYTHONPATH": str(hostile)})
    assert again.communicate() == (expected, "")

    # Another lock is another environment, and the old one is not used for it.
    (project / "requirements.lock").write_text("")
    other = start(project / "bin" / "mergequeue", hostile, {"PIP_NO_INDEX": "1"})
    assert "No module named 'click'" in other.communicate()[1]

    # A CI names a folder that is gone after the job.
    named = {"PIP_NO_INDEX": "1", "MERGEQUEUE_ENVIRONMENTS": str(tmp_path / "of a job")}
    start(project / "bin" / "mergequeue", hostile, named).communicate()
    assert len(list((tmp_path / "of a job").glob("*/.venv/stamp"))) == 1


@pytest.mark.parametrize(("found", "said"), [(None, "exit 127"), ("exit 1", "an old one")])
def test_without_a_python_that_is_new_enough_one_line_says_what_to_do(
    project: Path, hostile: Path, tmp_path: Path, found: str | None, said: str
) -> None:
    tools = tmp_path / said
    tools.mkdir()
    for name in "cat cmp dirname env find mkdir readlink rm sed sh".split():  # noqa: SIM905 (words)
        (tools / name).symlink_to(shutil.which(name) or name)
    if found:
        (tools / "python3").write_text(f"#!/bin/sh\n{found}\n")
        (tools / "python3").chmod(0o755)

    program = start(project / "bin" / "mergequeue", hostile, {"PATH": str(tools)})

    what_to_do = "install one and put it on PATH as python3."
    assert program.communicate() == (
        "",
        f"mergequeue: no Python 3.11 or newer was found; {what_to_do}\n",
    )
    assert program.returncode == 2
    assert list(project.glob(".venv*")) == []


def test_a_virtual_environment_of_somebody_else_is_left_alone(project: Path) -> None:
    (project / ".venv" / "bin").mkdir(parents=True)
    (project / ".venv" / "theirs").touch()

    program = start(project / "bin" / "mergequeue", project, {})

    assert "is in the way" in program.communicate()[1]
    assert program.returncode == 2
    assert (project / ".venv" / "theirs").exists()
    assert not (project / ".venv.lock").exists()
