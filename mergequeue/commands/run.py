"""`mergequeue run`: the whole queue on the repository you stand in.

It runs until nothing moves, or for good.
"""

import contextlib
from collections.abc import Iterator

import click

from mergequeue.apply.ready import Ending
from mergequeue.apply.run import ApplyResult
from mergequeue.commands import options
from mergequeue.commands.apply import show_ending
from mergequeue.commands.passes import Cancelling, Wishes, run_pass
from mergequeue.commands.providers import open_reading_provider, refuse_planted
from mergequeue.commands.tools import Standing, open_shop, show_events
from mergequeue.documents.event import Happening
from mergequeue.documents.provider import Repository
from mergequeue.host.signals import stopping
from mergequeue.ports import Events, Stop
from mergequeue.report.ending import outcome_lines, outcomes_of, summary_line
from mergequeue.report.errors import error_lines
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import (
    UNEXPECTED_SHAPE,
    UNEXPECTED_TREE,
    MergequeueError,
    UsageError,
)
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import BranchName

_FOR_A_PERSON = {UNEXPECTED_TREE.code, UNEXPECTED_SHAPE.code}
"""What ends a watch too: somebody has to look at the base before anything else merges."""


@click.command("run")
@options.several(
    options.gate,
    options.base,
    options.remote,
    options.depth,
    options.batch,
    options.parallel,
    options.committer,
    options.scratch_env,
    options.facts,
    options.provider,
)
@click.option("--watch", is_flag=True, help="Keep doing it as changes arrive, until interrupted.")
@click.option(
    "--interval",
    type=click.FloatRange(min=limits.POLL_FLOOR_SECONDS),
    default=limits.POLL_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="With --watch, how often the queue is looked at while nothing moves.",
)
@click.pass_obj
def command(
    standing: Standing,
    gate: str | None,
    base: BranchName,
    remote: str,
    depth: int | None,
    batch: int | None,
    parallel: int,
    committer: Identity | None,
    scratch_env: tuple[str, ...],
    facts: str | None,
    provider: str,
    watch: bool,
    interval: float,
) -> None:
    """List, plan, validate and apply in one go, again and again until nothing moves."""
    wishes = Wishes(
        base=base,
        remote=remote,
        provider=provider,
        committer=committer,
        facts=facts,
        gate=gate,
        scratch_env=scratch_env,
        depth=depth,
        batch=batch,
        parallel=parallel,
    )
    with stoppable(standing) as (stop, cancelling):
        if not watch:
            run_until_still(standing, wishes, stop, cancelling)
            return
        while not stop():
            with _going_on(standing):
                run_until_still(standing, wishes, stop, cancelling)
                _await_news(standing, wishes, interval, stop)
            standing.clock.sleep(interval)


@contextlib.contextmanager
def stoppable(standing: Standing) -> Iterator[tuple[Stop, Cancelling]]:
    """Let SIGINT and SIGTERM cancel running gates and wake what sleeps, while the block runs."""
    cancelling = Cancelling()
    with stopping(cancelling.cancel, standing.clock.wake) as stop:
        yield stop, cancelling


class Keeper:
    """Keeps the happenings of a run, for what is said at its end."""

    def __init__(self) -> None:
        """Start with none."""
        self.happenings: list[Happening] = []

    def emit(self, happening: Happening) -> None:
        """Keep it."""
        self.happenings.append(happening)


def run_until_still(
    standing: Standing,
    wishes: Wishes,
    stop: Stop,
    cancelling: Cancelling,
    also: tuple[Events, ...] = (),
) -> None:
    """Run passes until one merges and kicks nothing; say what became of each change.

    A change that waited for one ahead of it is decided in the pass after that one. Raises what a
    pass failed with.
    """
    seen = Keeper()
    while not stop():
        with show_events(standing, picture=True, also=(seen, *also)) as events:
            applied, failure = run_pass(standing, wishes, events, stop, cancelling)
        _say(standing, seen)
        show_ending(standing, applied)
        if failure is not None:
            raise failure
        if not _has_moved(applied):
            return


def _has_moved(applied: ApplyResult) -> bool:
    return any(ended.ending in {Ending.MERGED, Ending.KICKED} for ended in applied.ended)


def _say(standing: Standing, seen: Keeper) -> None:
    outcomes = outcomes_of(seen.happenings)
    if not outcomes:
        return
    for line in outcome_lines(outcomes):
        standing.terminal.line(line)
    standing.terminal.line(summary_line(outcomes))


@contextlib.contextmanager
def _going_on(standing: Standing) -> Iterator[None]:
    """Show an error and go on watching.

    The caller's mistake is raised, and so is what a person has to look at first.
    """
    try:
        yield
    except UsageError:
        raise
    except MergequeueError as error:
        if error.code in _FOR_A_PERSON:
            raise
        for line in error_lines(error):
            standing.terminal.line(line)


def _await_news(standing: Standing, wishes: Wishes, interval: float, stop: Stop) -> None:
    """Return when the listing or the base is not what it was, or the program was told to stop."""
    with open_shop(standing, wishes.remote) as shop:
        refuse_planted(wishes.provider, shop)
        provider = open_reading_provider(wishes.provider, wishes.remote, shop)
        question = Repository(base=wishes.base, remote_url=shop.reads.remote_url())
        before = None
        while not stop():
            now = (provider.list_changes(question), shop.reads.fetch_branch(wishes.base))
            if before is not None and now != before:
                return
            before = now
            standing.clock.sleep(interval)
