"""The program as a person runs it: a process of its own, started with -I in some folder."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
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
    done = subprocess.run(
        [*PROGRAM, *words],
        cwd=folder,
        input=stdin,
        capture_output=True,
        env=dict(env or environ()),
        check=False,
        timeout=120,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


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
