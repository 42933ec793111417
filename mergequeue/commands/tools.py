"""The tools that read git and the base's facts, and what a command shows: nothing here talks to a provider."""

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mergequeue.conflicts.merging import TwoRuleMerging
from mergequeue.documents.config import Configuration
from mergequeue.facts.command import CommandFacts
from mergequeue.facts.configuration import load_configuration
from mergequeue.facts.units import UnitFacts
from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.hooks.facts_command import BoxedFactsCommand
from mergequeue.hooks.words import parse_words
from mergequeue.host.clock import SystemClock
from mergequeue.host.console import Fanout, JsonLines, PlainLines, Terminal
from mergequeue.ports import Events, Facts, Merging
from mergequeue.vocabulary.ids import CommitId


@dataclass(frozen=True)
class Standing:
    """Where the command was started, and what it can show."""

    root: Path
    """The folder that every relative path resolves against (`-C`)."""
    terminal: Terminal
    clock: SystemClock

    def path(self, name: str) -> Path:
        """Return the path that an argument names."""
        return self.root / name


@dataclass(frozen=True)
class Bench:
    """A workshop with the base's facts and the one merge function on it."""

    workshop: Workshop
    facts: Facts
    configuration: Configuration
    merging: Merging


@contextlib.contextmanager
def open_bench(standing: Standing, remote: str, base_commit: "CommitId | BaseBranch", facts_line: str | None) -> Iterator[Bench]:
    """Open the queue's own repository beside the checkout, with the facts of one commit of the base.

    `base_commit` is the commit itself, or the branch whose tip is fetched for it.
    """
    with contextlib.ExitStack() as stack:
        workshop = stack.enter_context(open_workshop(standing.root, remote))
        commit = workshop.reads.fetch_branch(base_commit.name) if isinstance(base_commit, BaseBranch) else base_commit
        configuration = load_configuration(workshop.reads, commit)
        facts = UnitFacts(configuration) if facts_line is None else stack.enter_context(_command_facts(standing, workshop, commit, facts_line))
        yield Bench(workshop, facts, configuration, TwoRuleMerging(GitMerges(workshop), workshop.reads, facts))


@dataclass(frozen=True)
class BaseBranch:
    """The base by its name, for commands that take its tip as it is now."""

    name: str


@contextlib.contextmanager
def show_events(standing: Standing, *, picture: bool) -> Iterator[Events]:
    """Show events for as long as the block runs.

    Lines of JSON go to stdout wherever that is no terminal; people get a picture on a terminal where
    the command has one, and plain lines otherwise.
    """
    terminal = standing.terminal
    receivers: list[Events] = []
    if not terminal.stdout_is_terminal:
        receivers.append(JsonLines(standing.clock.now))
    if picture and terminal.shows_pictures:
        live = terminal.picture()
        with live.shown():
            yield Fanout([*receivers, live])
        return
    yield Fanout([*receivers, PlainLines(terminal.line)])


def hook_environ() -> dict[str, str]:
    """Return the variables that a hook's environment is chosen from."""
    return dict(os.environ)


def slots(parallel: int) -> int:
    """Return how many gates run at once: `parallel`, or one a CPU where it is 0."""
    return parallel or len(os.sched_getaffinity(0))
