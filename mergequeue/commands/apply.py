"""`mergequeue apply`: holds the right to write, and runs no change's code."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import click

from mergequeue.apply.applier import Applier
from mergequeue.apply.run import ApplyResult, BaseTools, Settings
from mergequeue.commands import options
from mergequeue.commands.building import open_late_bench
from mergequeue.commands.providers import Ground, Opened, writing_door
from mergequeue.commands.sources import source_named
from mergequeue.commands.tools import Hooks, Standing, open_shop, show_events
from mergequeue.documents.provider import Reproduction
from mergequeue.git.workshop import Workshop
from mergequeue.host.signals import stopping
from mergequeue.memory.keeping import RemoteMemory
from mergequeue.merge.merger import StatusMerger
from mergequeue.ports import Events, TellsMoved, VerdictSource
from mergequeue.report.ending import green_but_waiting
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import USAGE
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import BranchName, CommitId
from mergequeue.vocabulary.words import SandboxMode


@click.command("apply", short_help="Merge what validation found green.")
@click.argument("source")
@options.several(
    options.base,
    options.remote,
    options.provider,
    options.committer,
    options.facts,
    options.regenerate,
    options.sandbox,
    options.review_wait,
)
@click.option("--app", default="", metavar="APP", help="The app whose credential writes.")
@click.option(
    "--workflow",
    default="",
    metavar="FILE",
    help="The definition that a run must have run, such as .github/workflows/queue.yaml.",
)
@click.option("--once", is_flag=True, help="Apply what the source holds now, and stop.")
@options.several(
    options.interval,
    options.dry_run,
    options.reproduce_gate,
    options.reproduce_regenerate,
)
@click.pass_obj
def command(
    standing: Standing,
    source: str,
    base: BranchName,
    remote: str,
    provider: str,
    committer: Identity | None,
    facts: str | None,
    regenerate: str | None,
    sandbox: SandboxMode | None,
    review_wait: timedelta | None,
    app: str,
    workflow: str,
    once: bool,
    interval: float | None,
    dry_run: bool,
    reproduce_gate: str | None,
    reproduce_regenerate: str | None,
) -> None:
    """Merge what validation found green, as each verdict comes.

    SOURCE is the directory that `mergequeue validate --verdicts` writes, or run:<run>, a validation
    run as the provider names it (GitHub: run:OWNER/REPO/runs/<id>). It is followed until it is
    complete.
    """
    if once and interval is not None:
        raise USAGE("--interval says how often a source is followed, and --once follows none")
    settings = Settings(
        base=base,
        committer=committer,
        app=app,
        once=once,
        interval=interval or limits.POLL_SECONDS,
        dry_run=dry_run,
        reproduce=reproduction_of(reproduce_gate, reproduce_regenerate),
    )
    named = source_named(source, workflow)
    door = writing_door(provider, remote, standing, is_dry=dry_run)
    hooks = Hooks(facts=facts, regenerate=regenerate, sandbox=sandbox, review_wait=review_wait)
    with (
        open_shop(standing, remote, door.prepare) as shop,
        open_late_bench(standing, shop, hooks) as bench,
        show_events(standing, picture=True) as events,
        stopping(bench.cancel, standing.clock.wake) as stop,
    ):
        opened = door.open(bench, base, app)
        settings = replace(settings, app=opened.app)
        with named.opened(standing, base, opened) as read_from:
            applier = make_applier(standing, bench, bench.tools_at, read_from, events, opened, base)
            result = applier.run(settings, stop)
    show_ending(standing, result)


def make_applier(
    standing: Standing,
    bench: Ground,
    tools_at: Callable[[CommitId, CommitId], BaseTools],
    source: VerdictSource,
    events: Events,
    provider: Opened,
    base: BranchName,
    tell_moved: TellsMoved | None = None,
) -> Applier:
    """Return the step for the queue of `base`, handed every port that it may use and no other.

    `tell_moved` is the validation of this very process, where there is one.
    """
    shop = bench.workshop
    reads, writes = provider.reads, provider.writes
    return Applier(
        git=shop.reads,
        trees=bench.trees,
        tools_at=tools_at,
        builds=shop.builds,
        bundles=shop.bundles,
        pushes=shop.pushes,
        reads=reads,
        writes=writes,
        merger=StatusMerger(shop.reads, reads, writes, events),
        source=source,
        memory=memory_of(standing, shop, base),
        events=events,
        clock=standing.clock,
        tell_moved=tell_moved,
    )


def memory_of(standing: Standing, shop: Workshop, base: BranchName) -> RemoteMemory:
    """Return what the queue of a base remembers, for a command that may write it."""
    return RemoteMemory(shop.reads, shop.builds, shop.pushes, standing.clock, base)


def reproduction_of(gate: str | None, regenerate: str | None) -> Reproduction | None:
    """Return how a kick-back says to run it again; nothing without the gate (facts K2)."""
    return Reproduction(gate=gate, regenerate=regenerate or "") if gate else None


def show_ending(standing: Standing, result: ApplyResult) -> None:
    """Say what was green and did not merge, and raise what the run failed with.

    A run that was told to stop is interrupted, as a program is.
    """
    waits = [ended.code for ended in result.ended if ended.green and ended.code is not None]
    for line in green_but_waiting(waits):
        standing.terminal.line(line)
    if result.failure is not None:
        raise result.failure
    if result.stopped:
        raise KeyboardInterrupt
