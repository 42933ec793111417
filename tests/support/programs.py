"""The program as a person runs it: a process of its own, started with -I in some folder."""

import atexit
import contextlib
import json
import os
import select
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from mergequeue.vocabulary.ids import CommitId
from tests.support.repositories import Playground

PROGRAM = (sys.executable, "-I", "-m", "mergequeue")
ENVIRON = {
    "PATH": os.environ.get("PATH", os.defpath),
    "LC_ALL": "C.UTF-8",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
}


@dataclass(frozen=True)
class Ran:
    """How a run of the program ended."""

    status: int
    out: str
    err: str

    @property
    def events(self) -> list[dict[str, Any]]:
        """The lines of JSON on its standard output."""
        return [json.loads(line) for line in self.out.splitlines() if line.startswith("{")]

    def last(self) -> dict[str, dict[str, Any]]:
        """The last thing that became of each change, by its id."""
        final = ("merged", "kicked", "waiting")
        return {e["change"]: e for e in self.events if e["kind"] in final and "change" in e}


def environ(**more: str) -> dict[str, str]:
    """Return the environment that the program is run in."""
    return {**ENVIRON, "HOME": os.environ["HOME"], **more}


def run_program(
    folder: Path, *words: str, stdin: bytes = b"", env: Mapping[str, str] | None = None
) -> Ran:
    """Run the program in `folder` to its end."""
    return _loaded().run(folder, words, stdin, dict(env or environ()))


class _Loaded:
    """A process that has loaded the program, and starts it again and again."""

    def __init__(self) -> None:
        self._door, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-I",
                    str(Path(__file__).with_name("loaded.py")),
                    f"{theirs.fileno()}",
                ],
                cwd="/",
                env=environ(),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )

    def close(self) -> None:
        """End it."""
        self._door.close()
        self._process.wait()

    def run(self, folder: Path, words: Sequence[str], stdin: bytes, env: Mapping[str, str]) -> Ran:
        request = {"folder": str(folder), "words": list(words), "environment": dict(env)}
        told, answer = os.pipe()
        with contextlib.ExitStack() as stack:
            given, out, err = (stack.enter_context(TemporaryFile()) for _ in range(3))
            given.write(stdin)
            given.seek(0)
            files = [given.fileno(), out.fileno(), err.fileno(), answer]
            socket.send_fds(self._door, [json.dumps(request).encode()], files)
            os.close(answer)
            with os.fdopen(told, "rb") as status:
                assert select.select([status], [], [], 120)[0], "it does not end"
                code = int(status.read())
            out.seek(0)
            err.seek(0)
            return Ran(code, out.read().decode(), err.read().decode())


@cache
def _loaded() -> _Loaded:
    loaded = _Loaded()
    atexit.register(loaded.close)
    return loaded


def start_program(
    folder: Path, *words: str, env: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start the program in `folder`, its standard output kept to be read."""
    return subprocess.Popen(
        [*PROGRAM, *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(env or environ()),
    )


CONFIGURATION = """\
[queue]
gate = "sh gate"
rest = "rest"
[unit.one]
paths = ["one/**"]
[unit.two]
paths = ["two/**"]
"""

GATE = '! grep -rn bug "$@"\n'
"""Red where a file of an affected unit says `bug`: units are named as their folders are."""


@dataclass(frozen=True)
class Project:
    """A playground with a project on its base, and a clone that the program runs in."""

    playground: Playground
    clone: Path
    base: CommitId
    """The commit that the base started at."""

    def queue(
        self,
        name: str,
        files: Mapping[str | bytes, Any],
        *,
        method: str = "squash",
        on: Sequence[CommitId] = (),
    ) -> CommitId:
        """Push a change of these files, on the base or on another commit, and return its head."""
        head = self.playground.commit(files, parents=on or self.base, message=f"Change {name}")
        self.playground.branch(f"mq/{method}/{name}", head)
        return head

    def run(self, *words: str) -> Ran:
        """Run `mergequeue run` on it."""
        return run_program(self.clone, "run", "--committer", "Q <q@example.invalid>", *words)

    def landed(self) -> dict[bytes, bytes]:
        """Return the files of the base now."""
        return self.playground.files(self.playground.tip("main"))


def make_project(playground: Playground, files: Mapping[str | bytes, Any] | None = None) -> Project:
    """Return a project with two units, a file in each, and a gate that looks for bugs."""
    start: dict[str | bytes, Any] = {
        "mergequeue.toml": CONFIGURATION,
        "gate": GATE,
        "one/text": "a\nb\nc\nd\ne\n",
        "two/text": "a\nb\nc\nd\ne\n",
        "rest/text": "r\n",
        **(files or {}),
    }
    base = playground.commit(start, message="The project")
    playground.branch("main", base)
    return Project(playground, playground.clone(), base)
