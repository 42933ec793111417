"""`mergequeue run`: the whole queue on the repository you stand in.

It runs until nothing moves, or for good.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta

import click

from mergequeue.apply.ready import Ending
from mergequeue.apply.run import ApplyResult
from mergequeue.commands import options
from mergequeue.commands.apply import show_ending
from mergequeue.commands.cache import cache_service
from mergequeue.commands.passes import Cancelling, Wishes, run_pass
from mergequeue.commands.providers import writing_door
from mergequeue.commands.tools import Standing, open_shop, show_events
from mergequeue.documents.changes import Listing
from mergequeue.documents.event import Happening
from mergequeue.documents.memory import Pause
from mergequeue.documents.provider import Repository
from mergequeue.host.signals import stopping
from mergequeue.memory.keeping import RemoteMemoryReads
from mergequeue.ports import Events, Stop
from mergequeue.report.ending import Outcome, news_of, outcome_lines, outcomes_of, summary_line
from mergequeue.report.errors import error_lines
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import (
    UNEXPECTED_SHAPE,
    UNEXPECTED_TREE,
    MergequeueError,
    UsageError,
)
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId
from mergequeue.vocabulary.words import SandboxMode

_FOR_A_PERSON = {UNEXPECTED_TREE.code, UNEXPECTED_SHAPE.code}
"""What ends a watch too: somebody has to look at the base before anything else merges."""


@click.command("run", short_help="Do it all, again and again until nothing moves.")
@options.several(
    options.gate,
    options.regenerate,
    options.base,
    options.remote,
    options.depth,
    options.batch,
    options.parallel,
    options.sparse,
    options.committer,
    options.scratch_env,
    options.facts,
    options.provider,
    options.sandbox,
    options.review_wait,
    options.remote_cache_read,
)
@click.option("--watch", is_flag=True, help="Keep doing it as changes arrive, until interrupted.")
@click.option(
    "--interval",
    type=click.FloatRange(min=limits.POLL_FLOOR_SECONDS),
    default=limits.POLL_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="How often the queue is looked at: while gates run, and with --watch while nothing moves.",
)
@click.pass_obj
def command(
    standing: Standing,
    gate: str | None,
    regenerate: str | None,
    base: BranchName,
    remote: str,
    depth: int | None,
    batch: int | None,
    parallel: int,
    sparse: bool | None,
    committer: Identity | None,
    scratch_env: tuple[str, ...],
    facts: str | None,
    provider: str,
    sandbox: SandboxMode | None,
    review_wait: timedelta | None,
    remote_cache_read: bool,
    watch: bool,
    interval: float,
) -> None:
    """List, plan, validate and apply in one go, again and again until nothing moves."""
    options.refuse_sparse_facts(sparse=sparse, facts=facts)
    wishes = Wishes(
        base=base,
        remote=remote,
        door=writing_door(provider, remote, standing),
        committer=committer,
        facts=facts,
        gate=gate,
        scratch_env=scratch_env,
        depth=depth,
        batch=batch,
        parallel=parallel,
        sparse=sparse,
        sandbox=sandbox,
        regenerate=regenerate,
        review_wait=review_wait,
        look_interval=interval,
        cache=cache_service(wanted=remote_cache_read),
    )
    with stoppable(standing) as (stop, cancelling):
        if not watch:
            run_until_still(standing, wishes, stop, cancelling)
            return
        news = _News(standing, wishes, interval)
        while not stop():
            with news.errors_shown():
                run_until_still(standing, wishes, stop, cancelling, look=news.look)
                news.wait(stop)


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
    look: Callable[[], None] = lambda: None,
) -> None:
    """Run passes until one merges and kicks nothing, with nothing moved under it; say what became
    of each change.

    `look` is called before each pass.

    After each pass it says what is new, and after the last what became of all, unless the pass
    before it said just that.
    A change that waited for one ahead of it is decided in the pass after that one. Raises what a
    pass failed with.
    """
    seen = Keeper()
    told: Mapping[ChangeId, Outcome] = {}
    news = told
    while not stop():
        look()
        with show_events(standing, picture=True, ends_follow=True, also=(seen, *also)) as events:
            applied, failure = run_pass(standing, wishes, events, stop, cancelling)
        outcomes = outcomes_of(seen.happenings)
        is_whole = failure is None and applied.failure is None and not applied.stopped
        if is_whole and _has_moved(applied) and not stop():
            news, told = news_of(told, outcomes), outcomes
            _say(standing, news)
            continue
        if outcomes != news:
            _say(standing, outcomes)
        show_ending(standing, applied)
        if failure is not None:
            raise failure
        return


def _has_moved(applied: ApplyResult) -> bool:
    return applied.moved or any(
        ended.ending in {Ending.MERGED, Ending.KICKED} for ended in applied.ended
    )


def _say(standing: Standing, outcomes: Mapping[ChangeId, Outcome]) -> None:
    if not outcomes:
        return
    for line in outcome_lines(outcomes, standing.terminal.line_width):
        standing.terminal.line(line)
    standing.terminal.line(summary_line(outcomes))


_Seen = tuple[Listing, CommitId, Pause | None]


class _News:
    """What a watch waits for: another listing, tip of the base or pause than a pass had.

    It is looked at before each pass, so that what is pushed while the last one runs is news too.
    """

    def __init__(self, standing: Standing, wishes: Wishes, interval: float) -> None:
        self._standing = standing
        self._wishes = wishes
        self._interval = interval
        self._had: _Seen | None = None
        self._shown: list[str] = []

    def look(self) -> None:
        """Remember how the queue and the base are now."""
        with self._looking() as now:
            self._had = now()

    def wait(self, stop: Stop) -> None:
        """Return when they are not what they were, or the program was told to stop."""
        self._shown = []
        with self._looking() as now:
            while not stop() and now() == self._had:
                self._standing.clock.sleep(self._interval)

    @contextlib.contextmanager
    def errors_shown(self) -> Iterator[None]:
        """Show an error, once while it stays the same, and go on watching.

        The caller's mistake is raised, and so is what a person has to look at first.
        """
        try:
            yield
        except UsageError:
            raise
        except MergequeueError as error:
            if error.code in _FOR_A_PERSON:
                raise
            lines = error_lines(error)
            for line in lines if lines != self._shown else ():
                self._standing.terminal.line(line)
            self._shown = lines
            self._standing.clock.sleep(self._interval)

    @contextlib.contextmanager
    def _looking(self) -> Iterator[Callable[[], _Seen]]:
        wishes = self._wishes
        with open_shop(self._standing, wishes.remote, wishes.door.prepare) as shop:
            provider = wishes.door.reads(shop)
            question = Repository(base=wishes.base, remote_url=shop.reads.remote_url())
            memory = RemoteMemoryReads(shop.reads, wishes.base)
            yield lambda: (
                provider.list_changes(question),
                shop.reads.fetch_branch(wishes.base),
                memory.recall().pause,
            )
