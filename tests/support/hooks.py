"""What tests of hooks share: a box, a gate in it, and what its processes leave behind."""

import os
import select
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mergequeue.hooks import warden
from mergequeue.hooks.environment import ScratchVariable
from mergequeue.hooks.gates import CommandGates
from mergequeue.hooks.landlock import SIGNALS, Access
from mergequeue.hooks.leash import Graces
from mergequeue.hooks.machine import make_sandbox
from mergequeue.hooks.policy import Asked, Grant, Sandbox
from mergequeue.hooks.surroundings import Surroundings
from mergequeue.ports import Box, GateEnd, GateRun
from mergequeue.vocabulary.ids import Unit
from mergequeue.vocabulary.words import SandboxMode

LONG = 60.0
"""Seconds that no test waits for: whoever waits that long has failed."""


UNCONFINED = Sandbox(SandboxMode.BEST_EFFORT, (Grant("/", Access.READ | Access.RUN),))
"""No kernel confines what runs under it, and any program may run: for what else hooks are."""


needs_landlock = pytest.mark.skipif(
    warden.abi() < SIGNALS, reason="this kernel's landlock does not know all that is tried here"
)


def confining(
    asked: Asked | None = None,
    environ: Mapping[str, str] = os.environ,
    *,
    private: Sequence[Path] = (),
    checkouts: Sequence[Path] = (),
) -> Sandbox:
    """Return the sandbox of a base that asks for `asked`, on this machine."""
    wanted = asked or Asked()
    return make_sandbox(wanted, SandboxMode.BEST_EFFORT, environ, private, checkouts)


def make_box(folder: Path) -> Box:
    """Make a box as the git tool would: a checkout, a home and a scratch folder."""
    places = [folder / name for name in ("checkout", "home", "scratch")]
    for place in places:
        place.mkdir(parents=True)
    checkout, home, scratch = map(str, places)
    return Box(checkout, home, scratch)


@dataclass
class SteppingClock:
    """A clock that stands still but for sleeps, which take no time."""

    slept: list[float] = field(default_factory=list)
    while_sleeping: Callable[[], None] = lambda: None

    def now(self) -> datetime:
        return datetime(2020, 1, 1, tzinfo=UTC) + timedelta(seconds=sum(self.slept))

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.while_sleeping()


class Shown:
    """The lines that hooks printed, and a way to wait for one."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._changed = threading.Condition()

    def write(self, line: str) -> None:
        with self._changed:
            self.lines.append(line)
            self._changed.notify_all()

    def wait_for(self, line: str) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: line in self.lines, LONG)


@dataclass
class Bench:
    """A box and everything that a gate in it is given."""

    box: Box
    shown: Shown = field(default_factory=Shown)
    clock: SteppingClock = field(default_factory=SteppingClock)
    environ: Mapping[str, str] = field(default_factory=lambda: {"PATH": os.environ["PATH"]})
    scratch_env: tuple[ScratchVariable, ...] = ()
    graces: Graces = field(default_factory=lambda: Graces(term=LONG, output=LONG))
    sandbox: Sandbox = UNCONFINED
    given: Mapping[str, str] = field(default_factory=dict)
    ports: tuple[int, ...] = ()

    def surroundings(self) -> Surroundings:
        return Surroundings(
            self.environ,
            self.shown.write,
            self.sandbox,
            self.scratch_env,
            self.graces,
            self.given,
            self.ports,
        )

    def gates(self, *words: str) -> CommandGates:
        return CommandGates(words, surroundings=self.surroundings(), clock=self.clock)

    def run(self, *words: str, units: Sequence[str] = ()) -> GateEnd:
        """Run a gate to its end."""
        return self.gates(*words).run(self.ask(units=units))

    def sh(self, script: str, *arguments: str) -> GateEnd:
        """Run a script as the gate."""
        return self.run("sh", "-c", script, "sh", *arguments)

    def ask(self, tag: str = "tag", units: Sequence[str] = ()) -> GateRun:
        return GateRun(self.box, tuple(map(Unit, units)), tag)

    def program(self, name: str, content: str, mode: int = 0o755) -> str:
        """Put a program into the checkout, and return its name from there."""
        path = Path(self.box.checkout) / name
        path.write_text(content)
        path.chmod(mode)
        return f"./{name}"


class Lifeline:
    """A pipe by name whose end is read once every process that held it is gone.

    A process holds it by `exec 9>"$path"`, and says so by a byte.
    """

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = str(path)
        self._reading = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def wait_for_one(self) -> None:
        """Wait until a process says that it holds it."""
        ready, _, _ = select.select([self._reading], [], [], LONG)
        assert ready, "nobody came to hold it"

    def held_until_now(self) -> int:
        """Wait for the end, and return how many processes had said that they held it."""
        said = b""
        while True:
            ready, _, _ = select.select([self._reading], [], [], LONG)
            assert ready, "a process that should be gone holds on"
            data = os.read(self._reading, 4096)
            if not data:
                os.close(self._reading)
                return len(said)
            said += data
