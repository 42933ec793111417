"""Hostile gates of a real run: each merges where it reaches what it is after, so that none may."""

import select
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.hooks import LONG, needs_landlock
from tests.support.programs import Project, Ran, environ, make_project, run_program
from tests.support.repositories import Playground

pytestmark = needs_landlock

SECRET = "s3cr3t-t0k3n"
QUEUES = 'pids=$(grep -la mergequeue /proc/[0-9]*/cmdline | cut -d/ -f3); test -n "$pids"; '
STORE = "store=$(cat .git/objects/info/alternates); "


def each(of: str, does: str) -> str:
    """Return a script that is green where something is reached of one of these."""
    return f"reached=1; for it in {of}; do {does} && reached=0; done; exit $reached"


ATTACKS = {
    "its-environment": "env | grep {secret}",
    "the-queues-environment": "cat /proc/[0-9]*/environ | grep -a {secret}",
    "the-queues-memory": QUEUES + each("$pids", "head -c1 /proc/$it/mem"),
    "the-queues-files": QUEUES + each("$pids", "ls /proc/$it/fd /proc/$it/root"),
    "a-signal-to-the-queue": QUEUES + each("$pids", "kill -0 $it"),
    "tracing-the-queue": QUEUES + each("$pids", "python3 trace.py $it"),
    "writing-outside": "echo x > {outside}/written || : > /var/tmp/written-by-a-hook",
    "other-boxes": "ls ../.. || ls ../../*/checkout",
    "boxes-by-number": each(
        "1 2 3 4 5 6 7 8 9", "! test ../../$it/checkout -ef . && cat ../../$it/checkout/gate"
    ),
    "the-users-home": "cat {home}/.netrc",
    "an-object-in-the-store": STORE + ": > $store/planted",
    "the-stores-configuration": STORE + 'git -C "${{store%/objects}}" config core.hooksPath x',
    "an-object-of-the-clone": "chmod u+w {object}; echo x >> {object}",
    "a-git-hook-of-the-clone": "mkdir -p {clone}/.git/hooks; echo x > {clone}/.git/hooks/pre-push",
    "the-clones-configuration": "cat {clone}/.git/config || git -C {clone} config core.pager x",
    "the-remote": "git push -q {origin} HEAD:refs/heads/planted || echo x > {origin}/planted",
    "verdicts": "ls -d /tmp/mergequeue-*/verdicts/*.json",
    "a-file-command": "echo A=b >> {outside}/file-command",
    "gaining-privileges": "grep NoNewPrivs:.0 /proc/self/status",
    "a-device": "mknod disk b 254 0 && head -c1 disk",
}
TRACE = """\
import ctypes, sys
sys.exit(ctypes.CDLL(None).ptrace(0x4206, int(sys.argv[1]), None, None) < 0)
"""
GATE = """\
for it; do
    test ! -e "$it/attack" || { echo "trying $it"; sh "$it/attack"; exit; }
done
"""
OUTLIVES = "python3 outlive.py {port}"
OUTLIVE = """\
import os, socket, sys, time
there = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        there.sendall(b"x")
        time.sleep(1000)
    os._exit(0)
os.wait()
"""


@dataclass
class World:
    """A project with a hostile change each, what they are after, and how a run with them ended."""

    project: Project
    outside: Path
    ran: Ran
    listening: socket.socket


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("world")
    outside, home = folder / "outside", folder / "home"
    for each in (outside, home):
        each.mkdir()
    (home / ".netrc").write_text(f"machine x password {SECRET}\n")
    (outside / "file-command").touch()
    playground = Playground(folder / "playground")
    names = [*ATTACKS, "outliving"]
    units = "".join(f'[unit.{name}]\npaths = ["{name}/**"]\n' for name in names)
    files: dict[str | bytes, str] = {
        "mergequeue.toml": f'[queue]\ngate = "sh gate"\nrest = "rest"\n{units}',
        "gate": GATE,
        "trace.py": TRACE,
        "outlive.py": OUTLIVE,
    }
    project = make_project(playground, files)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        places = {
            "secret": SECRET,
            "outside": outside,
            "home": home,
            "clone": project.clone,
            "origin": playground.origin,
            "object": next(p for p in (project.clone / ".git/objects").rglob("*") if p.is_file()),
            "port": listening.getsockname()[1],
        }
        for name, script in {**ATTACKS, "outliving": OUTLIVES}.items():
            project.queue(name, {f"{name}/attack": script.format(**places) + "\n"})
        tokens = dict.fromkeys(
            ("MERGEQUEUE_TOKEN", "GITHUB_TOKEN", "ACTIONS_RUNTIME_TOKEN"), SECRET
        )
        env = environ(HOME=str(home), GITHUB_ENV=str(outside / "file-command"), **tokens)
        words = ("run", "--committer", "Q <q@example.invalid>", "--parallel", "4")
        ran = run_program(project.clone, *words, env=env)
        yield World(project, outside, ran, listening)


@pytest.mark.parametrize("name", ATTACKS)
def test_a_hostile_gate_reaches_nothing_outside(world: World, name: str) -> None:
    assert f"trying {name}" in world.ran.err
    last = world.ran.last()[name]
    assert last.get("code") == "KICK_RED", world.ran.err


def test_nothing_of_it_is_left_anywhere(world: World) -> None:
    assert sorted(path.name for path in world.outside.iterdir()) == ["file-command"]
    assert (world.outside / "file-command").read_text() == ""
    playground, clone = world.project.playground, world.project.clone
    playground.run("fsck", "--strict", cwd=clone)
    config = playground.run("config", "--local", "--list", cwd=clone)
    assert "hookspath" not in str(config).lower()


def test_no_process_outlives_the_gate(world: World) -> None:
    assert world.ran.last()["outliving"]["kind"] == "merged"
    there, _ = world.listening.accept()
    with there:
        assert there.recv(1) == b"x"
        ready, _, _ = select.select([there], [], [], LONG)
        assert ready, "a process that the gate left holds its connection"
        assert there.recv(1) == b""
