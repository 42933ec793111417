"""What a command is as a step of a CI's job: its inputs, its page, and what it says.

An action hands each of its inputs on as MERGEQUEUE_INPUT_<NAME>; one that was not set is empty
there, and counts as not given.
"""

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import click

from mergequeue.commands.tools import Standing
from mergequeue.documents.event import Happening
from mergequeue.documents.plan import Plan
from mergequeue.github.addresses import addresses_of
from mergequeue.host.runner import Runner
from mergequeue.report.annotations import Level
from mergequeue.report.happenings import happening_line
from mergequeue.report.picture import Picture, after
from mergequeue.report.summary import page
from mergequeue.report.views import NOTHING_SAID, GitHubLinks, view_of
from mergequeue.vocabulary.errors import USAGE
from mergequeue.vocabulary.ids import ChangeId, parse_change, short
from mergequeue.vocabulary.words import EventKind

REMOTE = "origin"
"""What a checkout of a job calls where it came from."""
_INPUT = "MERGEQUEUE_INPUT_"

Command = TypeVar("Command", bound=click.Command)


def from_inputs(command: Command) -> Command:
    """Let every option of a command be given by the action's input of its name."""
    for parameter in command.params:
        parameter.envvar = f"{_INPUT}{(parameter.name or '').upper()}"
    return command


def change_named(text: str | None) -> ChangeId | None:
    """Return the change that an input names; None where it is not given."""
    if not text:
        return None
    try:
        return parse_change(text)
    except ValueError as error:
        raise USAGE(f"change: {error}", "Give the number of a pull request.") from error


class Step:
    """One step of a job: an `Events` receiver that keeps the page, and says what needs somebody."""

    def __init__(self, standing: Standing, says: EventKind, *, folds_gates: bool = False) -> None:
        """Look for the runner, and annotate each kick where that kind of event tells of it.

        `folds_gates` folds what a gate prints, where one runs at a time. Raises USAGE where there
        is no runner.
        """
        runner = Runner.of(os.environ, standing.terminal.command)
        if runner is None:
            raise USAGE(
                "this is a step of a workflow, and no runner is here",
                "By hand, use mergequeue ls, plan, validate and apply.",
            )
        self.runner = runner
        self.picture = Picture()
        self._says = says
        self._folds = folds_gates
        self._in_group = False
        self._lock = threading.Lock()

    def emit(self, happening: Happening) -> None:
        """Draw the page with one more happening in it."""
        with self._lock:
            self.picture = after(self.picture, happening)
            self._fold(happening)
            is_kick = happening.code is not None and happening.code.is_kick
            if is_kick and happening.kind is self._says:
                title = f"{happening.change} goes back to its author"
                self.runner.annotate(Level.WARNING, title, happening.reason)
            if happening.kind is EventKind.TRIED:
                self.runner.annotate(Level.NOTICE, "Try run", happening_line(happening))

    def _fold(self, happening: Happening) -> None:
        if not self._folds:
            return
        ends = {EventKind.GATE, EventKind.DECIDED, EventKind.TRIED}
        if self._in_group and happening.kind in ends:
            self.runner.end_group()
            self._in_group = False
        if happening.kind is EventKind.GATE:
            self.runner.group(happening_line(happening))
            self._in_group = True

    def show(self, heading: str, plan: Plan, said: Mapping[ChangeId, str] = NOTHING_SAID) -> None:
        """Write the page; `said` is where each change stands, as far as that is known."""
        title = f"{heading}: {plan.base} at {short(plan.base_commit)}"
        self.runner.summary(page(title, view_of(plan, self.picture, links_of(), said)))


def links_of() -> GitHubLinks:
    """Return where pull requests of this job's repository are shown."""
    return GitHubLinks(addresses_of(os.environ).web, os.environ.get("GITHUB_REPOSITORY", ""))


def temporary(standing: Standing, name: str) -> Path:
    """Return a place for a step's files: in the runner's folder that is gone after the job."""
    return standing.path(os.environ.get("RUNNER_TEMP", "")) / name


def attempt() -> int:
    """Return which attempt of its run this job is of, from 1."""
    text = os.environ.get("GITHUB_RUN_ATTEMPT", "1")
    return int(text) if text.isdecimal() else 1
