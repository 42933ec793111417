"""Starting git: which one, and what its exit status means."""

import os
import shutil
from pathlib import Path

import pytest

from mergequeue.git.environment import queue_environment
from mergequeue.git.process import Git, find_git
from mergequeue.vocabulary.errors import GIT_FAILED, OLD_GIT, MergequeueError
from tests.support.repositories import Playground


def program(folder: Path, script: str) -> str:
    folder.mkdir(exist_ok=True)
    path = folder / "git"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def real_git(playground: Playground) -> Git:
    found = shutil.which("git")
    assert found is not None
    return Git(found, queue_environment(os.environ), playground.folder, git_dir=playground.origin)


def code_of(error: pytest.ExceptionInfo[MergequeueError]) -> str:
    return error.value.code


@pytest.mark.parametrize(
    "script",
    [
        'echo "git version 2.34.1"',
        'echo "git version 2.38.5"',
        'echo "git version 1.99"',
        "echo nonsense",
        "echo 'git version two'",
        "echo 'fatal: unknown rev' >&2; exit 128",
        "kill -9 $$",
    ],
)
def test_a_git_that_is_too_old_or_says_no_version_is_refused(tmp_path: Path, script: str) -> None:
    program(tmp_path / "bin", script)
    with pytest.raises(MergequeueError) as error:
        find_git({"PATH": str(tmp_path / "bin")})
    assert code_of(error) == OLD_GIT.code


def test_a_machine_without_git_is_refused_by_the_same_name(tmp_path: Path) -> None:
    with pytest.raises(MergequeueError) as error:
        find_git({"PATH": str(tmp_path)})
    assert code_of(error) == OLD_GIT.code


@pytest.mark.parametrize("version", ["2.39.0", "2.39.5 (Apple Git-154)", "2.50.1.windows.1", "3.0"])
def test_a_git_that_is_new_enough_is_taken(tmp_path: Path, version: str) -> None:
    path = program(tmp_path / "bin", f'echo "git version {version}"')
    assert find_git({"PATH": str(tmp_path / "bin")}) == path


def test_a_git_in_the_current_folder_is_never_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "checkout", "touch ran")
    monkeypatch.chdir(tmp_path / "checkout")
    assert find_git({"PATH": f".::{os.environ['PATH']}"}) == shutil.which("git")
    assert not (tmp_path / "checkout" / "ran").exists()


def test_an_expected_status_is_an_answer_and_any_other_an_error_with_gits_words(
    playground: Playground,
) -> None:
    one, other = playground.commit({"f": "1"}), playground.commit({"f": "2"})
    git = real_git(playground)
    assert git.run("merge-base", one, other, expect={0, 1}).status == 1
    with pytest.raises(MergequeueError) as error:
        git.run("-c", "a.b=c", "merge-base", one, "1" * 40, expect={0, 1})
    assert code_of(error) == GIT_FAILED.code
    assert "git merge-base ended with status 128" in error.value.problem
    assert "1" * 40 in error.value.problem


def test_a_git_that_dies_by_a_signal_is_an_error_whatever_was_expected(tmp_path: Path) -> None:
    git = Git(program(tmp_path / "bin", "kill -9 $$"), {"PATH": os.environ["PATH"]}, tmp_path)
    with pytest.raises(MergequeueError) as error:
        git.run("fetch", expect=range(256))
    assert "signal 9" in error.value.problem


def test_a_git_that_cannot_be_started_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MergequeueError) as error:
        Git(str(tmp_path / "none"), {}, tmp_path).run("status")
    assert code_of(error) == GIT_FAILED.code


def test_much_output_on_both_streams_is_read_while_it_comes(tmp_path: Path) -> None:
    script = "cat >/dev/null & head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero; wait"
    git = Git(program(tmp_path / "bin", script), {"PATH": os.environ["PATH"]}, tmp_path)
    ran = git.run("anything", stdin=b"x" * 300_000)
    assert (len(ran.out), len(ran.err)) == (300_000, 300_000)


def test_an_error_shows_no_credential_no_argument_and_no_control_character(tmp_path: Path) -> None:
    script = r"""
printf 'fatal: https://me:pass@word@host.invalid/x \033[31m refused TOPSECRET\nhint: no\n' >&2
exit 128
"""
    git = Git(
        program(tmp_path / "bin", script),
        {"PATH": os.environ["PATH"]},
        tmp_path,
        secrets={"TOPSECRET"},
    )
    with pytest.raises(MergequeueError) as error:
        git.run("fetch", "https://argument.invalid")
    said = error.value.problem
    assert "refused ***" in said
    assert "https://***@host.invalid/x" in said
    assert all(hidden not in said for hidden in ("pass", "word", "TOPSECRET", "\x1b", "argument"))
