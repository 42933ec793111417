"""Credentials of whoever runs the queue: in no argument, no output and no record."""

import tempfile
from pathlib import Path

from tests.support.programs import Project, environ, make_project, run_program
from tests.support.repositories import Playground, wrapped_git

SECRET = "s3cr3t-t0k3n"


def test_a_credential_of_the_remote_stands_in_no_argument_and_no_output(
    playground: Playground,
) -> None:
    project = make_project(playground)
    seen = playground.folder / "arguments"
    wrapped = wrapped_git(playground.folder / "bin", f'printf "%s\\n" "$@" >> {seen}')
    address = f"http://{SECRET}:{SECRET}@127.0.0.1:9/x.git"
    playground.run("remote", "set-url", "origin", address, cwd=project.clone)
    header = f"AUTHORIZATION: basic {SECRET}"
    playground.run("config", "http.extraHeader", header, cwd=project.clone)
    for words in (("ls",), ("run", "--gate", "true"), ("describe",)):
        ran = run_program(project.clone, *words, env=environ(**wrapped))
        assert SECRET not in ran.out + ran.err
    assert "ls-remote" in seen.read_text()
    assert SECRET not in seen.read_text()


def test_the_queues_own_folders_are_its_users_alone_and_not_to_be_guessed(
    playground: Playground,
) -> None:
    project: Project = make_project(playground)
    names: list[str] = []
    # A short one: with little room for paths, the queue takes the system's own.
    with tempfile.TemporaryDirectory() as temporary:
        # A gate may list nothing but its own box: it names the folders that it stands in.
        top = f'd=$PWD; while [ "${{d%/*}}" != {temporary} ]; do d=${{d%/*}}; done; '
        gate = f'sh -c \'{top} stat -c "mode %a %n" "$d"\''
        for name in ("first", "second"):
            project.queue(name, {f"one/{name}": "n\n"})
            words = ("run", "--committer", "Q <q@example.invalid>", "--gate", gate)
            ran = run_program(project.clone, *words, env=environ(TMPDIR=temporary))
            shown = [line.split("mode ")[1] for line in ran.err.splitlines() if "mode " in line]
            assert {line.split(" ")[0] for line in shown} == {"700"}
            names += [line.split(" ")[1] for line in shown]
        assert len(set(names)) == len(names)
        assert list(Path(temporary).iterdir()) == []
