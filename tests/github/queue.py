"""The queue of the fake GitHub as its owner runs it: the program's own steps, in a clone.

Validation has the job's token, which reads; apply has the app's. Each step runs in this process,
with the environment of its job, and nothing else of it is shared.
"""

import io
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from unittest import mock

import click

from mergequeue.cli import status_of
from mergequeue.commands import apply, keep
from mergequeue.commands.tools import Standing
from mergequeue.host.clock import SystemClock
from mergequeue.host.console import Terminal
from mergequeue.report.errors import error_lines
from mergequeue.vocabulary.errors import MergequeueError
from tests.fakes.github.story import GitHub
from tests.support.programs import CONFIGURATION, GATE, Ran

PROJECT = {
    "mergequeue.toml": CONFIGURATION,
    "gate": GATE,
    "one/text": "a\nb\nc\nd\ne\n",
    "two/text": "a\nb\nc\nd\ne\n",
    "rest/text": "r\n",
}
STATUS = "merge-queue"


@dataclass
class Queue:
    """A project on the fake GitHub, and the folder that its jobs run in."""

    github: GitHub
    clone: Path
    rounds: int = 0
    last: Ran = field(default_factory=lambda: Ran(0, "", ""))
    validated: Ran = field(default_factory=lambda: Ran(0, "", ""))
    app: Mapping[str, str] = field(default_factory=dict)
    """What the job that writes is given in place of a token of the app's."""

    def round(self) -> Ran:
        """List, plan, validate and apply once, each as its job does; return how apply ran."""
        self.plan()
        self.validate()
        return self.apply()

    def plan(self) -> Ran:
        """List and plan."""
        self.rounds += 1
        listed = self._step(self._reading(), "ls", "--provider", "github")
        assert listed.status == 0, listed.err
        (self.clone / "listing.json").write_text(listed.out)
        self._folder().mkdir()
        planned = self._step(
            self._reading(),
            "plan",
            "--provider=github",
            "--changes=listing.json",
            f"--out={self._folder() / 'plan.json'}",
        )
        assert planned.status == 0, planned.err
        return planned

    def validate(self, *words: str) -> Ran:
        """Gate what was planned."""
        ran = self._step({}, "validate", "--verdicts", str(self._folder()), *words)
        assert ran.status == 0, ran.err
        self.validated = ran
        return ran

    def apply(self, *words: str, passing: bool = True) -> Ran:
        """Merge what is green, as the app; with `passing`, time passes wherever it waits."""
        self.last = self._step(
            self._writing(),
            "apply",
            str(self._folder()),
            "--provider=github",
            "--app=acme-queue",
            "--once",
            *words,
            run=_in_passing if passing else status_of,
        )
        return self.last

    def keep(self, *words: str) -> Ran:
        """Keep what was turned away, as the app; time passes wherever it waits."""
        named = ("keep", "--provider=github", "--app=acme-queue", *words)
        return self._step(self._writing(), *named, run=_in_passing)

    def became(self) -> dict[str, str]:
        """Return what became of each change in the last round: its code, or `merged`."""
        return {
            id_: str(event.get("code") or event["kind"]) for id_, event in self.last.last().items()
        }

    def describe(self, *words: str) -> Ran:
        """Describe the repository."""
        return self._step(self._reading(), "describe", "--provider", "github", *words)

    def _folder(self) -> Path:
        return self.clone / f"verdicts-{self.rounds}"

    def _reading(self) -> dict[str, str]:
        return {"GITHUB_TOKEN": self.github.reader.text}

    def _writing(self) -> Mapping[str, str]:
        return self.app or {"MERGEQUEUE_TOKEN": self.github.writer.text}

    def _step(
        self, env: Mapping[str, str], *words: str, run: Callable[[list[str]], int] = status_of
    ) -> Ran:
        where = {"GITHUB_API_URL": self.github.api_url, "GITHUB_SERVER_URL": self.github.url}
        return run_here(self.clone, *words, env={**where, **env}, run=run)


def run_here(
    folder: Path,
    *words: str,
    env: Mapping[str, str],
    run: Callable[[list[str]], int] = status_of,
) -> Ran:
    """Run the program in this process, in a folder and with what an environment gives it."""
    out, err = _Stream(), _Stream()
    with _environment(env), redirect_stdout(out), redirect_stderr(err):
        status = run(["-C", str(folder), *words])
    return Ran(status, out.text(), err.text())


class _PassingClock(SystemClock):
    """A clock whose time passes wherever somebody waits for it."""

    def __init__(self) -> None:
        super().__init__()
        self._passed = timedelta()

    def now(self) -> datetime:
        return super().now() + self._passed

    def sleep(self, seconds: float) -> None:
        self._passed += timedelta(seconds=seconds)


_STEPS: Mapping[str, click.Command] = {"apply": apply.command, "keep": keep.command}


def _in_passing(words: list[str]) -> int:
    """Apply or keep as the program does, with a clock of its own."""
    _, folder, step, *rest = words
    terminal = Terminal()
    try:
        standing = Standing(Path(folder), terminal, _PassingClock())
        _STEPS[step].main(args=rest, obj=standing, standalone_mode=False)
    except MergequeueError as error:
        for line in error_lines(error):
            terminal.line(line)
        return error.exit_status
    return 0


class _Stream(io.TextIOWrapper):
    """A standard stream that is kept."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def text(self) -> str:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode()


@contextmanager
def _environment(given: Mapping[str, str]) -> Iterator[None]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    with mock.patch.dict(os.environ, {**kept, **given}, clear=True):
        yield


def queue_of(github: GitHub, folder: Path) -> Queue:
    """Return the queue of a project on the fake, with its status required of the app."""
    github.commit("main", PROJECT, "The project", by="admin")
    github.require_checks(STATUS, app=github.app, name="queue")
    return Queue(github, clone_of(github, folder))


def clone_of(github: GitHub, folder: Path) -> Path:
    """Return a clone that names the fake's address as its remote, with no credential in it."""
    clone = folder / "clone"
    github.repository.git.git("clone", "-q", str(github.repository.git.path), str(clone))
    address = github.clone_url(github.repository)
    github.repository.git.git("-C", str(clone), "remote", "set-url", "origin", address)
    return clone
