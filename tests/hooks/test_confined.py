"""What the kernel keeps from a hook, each attempt made on something outside that is really there.

The same attempts are made without the sandbox, where they reach their aim: so none of them is
refused for another reason.
"""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import tempfile
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mergequeue.hooks import warden
from mergequeue.hooks.confinement import confinement_of, plan_of
from mergequeue.ports import Box
from tests.support.hooks import confining, needs_landlock

PROBE = Path(__file__).parents[1] / "support" / "probe.py"
PYTHON = shutil.which("python3", path="/usr/bin:/usr/local/bin") or "python3"
NOBODY = 65534
IS_ROOT = os.geteuid() == 0

pytestmark = needs_landlock

ROOT_ALONE = {
    "hard_link_a_file_in",
    "leave_for_a_namespace_of_mounts",
    "make_a_device",
    "open_by_handle",
    "read_a_device",
    "read_the_shadow_file",
}
"""Attempts that nobody but root can succeed with, sandbox or not."""
KERNELS_OWN = {"limit_it_as_a_program_of_32_bits", "read_a_keyring", "set_up_a_ring"}
"""Attempts that a kernel may be set up to refuse to all."""


Tried = tuple[str, dict[str, str], dict[str, str]]


@dataclass
class World:
    """A folder outside of the box, a process outside with a secret, and the box."""

    folder: Path
    user: int

    def make(self) -> None:
        self.folder.chmod(0o755)
        for name in ("outside", "checkout", "home", "scratch"):
            (self.folder / name).mkdir()
        for name in ("file", "moved", "overwritten", "truncated", "removed"):
            (self.folder / "outside" / name).write_text("outside\n")
        program = self.folder / "outside" / "program"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        shutil.copy(PROBE, self.folder / "checkout" / "probe.py")
        for path in self.folder.rglob("*"):
            os.chown(path, self.user, self.user)

    @property
    def box(self) -> Box:
        checkout, home, scratch = (str(self.folder / n) for n in ("checkout", "home", "scratch"))
        return Box(checkout, home, scratch)

    @contextlib.contextmanager
    def victim(self) -> Iterator[int]:
        """Run a process of the same user, outside, that holds a secret."""
        outside = self.folder / "outside"
        script = f"import os; os.dup2(os.open('{outside}/file', os.O_RDONLY), 9); print(1); input()"
        with subprocess.Popen(
            [PYTHON, "-u", "-c", script],
            cwd=outside,
            env={"TOKEN": "secret"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            **self.as_user(),
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            yield process.pid
            process.kill()

    def as_user(self) -> dict[str, Any]:
        if not IS_ROOT:
            return {}
        return {"user": self.user, "group": self.user, "extra_groups": []}

    def probe(self, *, confined: bool) -> dict[str, str]:
        """Make every attempt, and return what each came to."""
        abstract = f"probe-{uuid.uuid4()}"
        with socket.socket(socket.AF_UNIX) as listening, self.victim() as pid:
            listening.bind(f"\0{abstract}")
            listening.listen()
            device = self.folder.stat().st_dev
            aims = {
                "outside": str(self.folder / "outside"),
                "victim": pid,
                "abstract": abstract,
                "device": (os.major(device), os.minor(device)),
            }
            words = (PYTHON, "probe.py", json.dumps(aims))
            ran = self.run_confined(words) if confined else self.run(words)
        ended: dict[str, str] = json.loads(ran.stdout or "{}")
        assert ended, ran.stderr
        return ended

    def run(self, words: tuple[str, ...]) -> subprocess.CompletedProcess[bytes]:
        ran: subprocess.CompletedProcess[bytes] = subprocess.run(
            words, cwd=self.box.checkout, capture_output=True, check=False, **self.as_user()
        )
        return ran

    def run_confined(self, words: tuple[str, ...]) -> subprocess.CompletedProcess[bytes]:
        sandbox = confining()
        environ: Mapping[str, str] = {"PATH": "/usr/bin:/bin"}
        plan = plan_of(confinement_of(sandbox, self.box), words[0], words, environ, os.getpid())
        reading, reporting = os.pipe()
        with tempfile.TemporaryFile() as planned, os.fdopen(reading, "rb"):
            planned.write(plan)
            planned.seek(0)
            started = [PYTHON, "-I", "-S", "-", str(planned.fileno()), str(reporting)]
            ran: subprocess.CompletedProcess[bytes] = subprocess.run(
                started,
                cwd=self.box.checkout,
                input=Path(warden.__file__).read_bytes(),
                capture_output=True,
                check=False,
                pass_fds=(planned.fileno(), reporting),
                **self.as_user(),
            )
            os.close(reporting)
        return ran


@pytest.fixture(scope="module", params=["root", "another user"] if IS_ROOT else ["this user"])
def tried(request: pytest.FixtureRequest) -> Tried:
    """Who tried, what the attempts came to in the sandbox, and what without it."""
    user = NOBODY if request.param == "another user" else os.geteuid()
    ended = []
    for confined in (True, False):
        # Not pytest's own folder, which another user cannot reach.
        with tempfile.TemporaryDirectory() as folder:
            world = World(Path(folder), user)
            world.make()
            ended.append(world.probe(confined=confined))
    return request.param, ended[0], ended[1]


def test_no_attempt_reaches_anything_outside(
    tried: Tried,
) -> None:
    _, confined, _ = tried
    assert {name: end for name, end in confined.items() if end == "reached"} == {}


def test_every_attempt_reaches_its_aim_where_there_is_no_sandbox(
    tried: Tried,
) -> None:
    who, _, free = tried
    expected = KERNELS_OWN if who == "root" else KERNELS_OWN | ROOT_ALONE
    assert {name for name, end in free.items() if end != "reached"} <= expected
