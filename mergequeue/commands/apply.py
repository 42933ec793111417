"""`mergequeue apply`: holds the right to write, and runs no change's code."""

import click

from mergequeue.apply.applier import Applier
from mergequeue.apply.run import ApplyResult, Settings
from mergequeue.candidates.builder import CandidateBuilder
from mergequeue.commands import options
from mergequeue.commands.providers import open_provider
from mergequeue.commands.tools import Bench, Standing, open_bench, show_events
from mergequeue.documents.provider import Reproduction
from mergequeue.host.signals import stopping
from mergequeue.merge.merger import StatusMerger
from mergequeue.ports import Events, VerdictSource
from mergequeue.report.ending import green_but_waiting
from mergequeue.sources.directory import source_of
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import USAGE
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.words import SandboxMode


@click.command("apply", short_help="Merge what validation found green.")
@click.argument("source")
@options.several(
    options.base,
    options.remote,
    options.provider,
    options.committer,
    options.facts,
    options.sandbox,
)
@click.option("--app", default="", metavar="APP", help="The app whose credential writes.")
@click.option("--once", is_flag=True, help="Apply what the source holds now, and stop.")
@click.option(
    "--interval",
    type=click.FloatRange(min=limits.POLL_FLOOR_SECONDS),
    metavar="SECONDS",
    help=f"How often the source is read while it is not complete. [{limits.POLL_SECONDS:g}]",
)
@click.option("--dry-run", is_flag=True, help="Say what would merge, and write nothing.")
@click.option(
    "--reproduce-gate",
    metavar="COMMAND",
    help="The gate that a kick-back shows as the way to run it again; it is never run here.",
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
    sandbox: SandboxMode | None,
    app: str,
    once: bool,
    interval: float | None,
    dry_run: bool,
    reproduce_gate: str | None,
) -> None:
    """Merge what validation found green, as each verdict comes.

    SOURCE is the directory that `mergequeue validate --verdicts` writes. It is followed until it is
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
        reproduce=Reproduction(gate=reproduce_gate) if reproduce_gate else None,
    )
    read_from = source_of(source, standing.root)
    with (
        open_bench(standing, remote, base, facts, sandbox=sandbox) as bench,
        show_events(standing, picture=True) as events,
        stopping(bench.cancel, standing.clock.wake) as stop,
    ):
        result = make_applier(standing, bench, read_from, events, settings, provider, remote).run(
            settings, stop
        )
    show_ending(standing, result)


def make_applier(
    standing: Standing,
    bench: Bench,
    source: VerdictSource,
    events: Events,
    settings: Settings,
    provider: str,
    remote: str,
) -> Applier:
    """Return the step, handed every port that it may use and no other."""
    shop = bench.workshop
    reads, writes = open_provider(provider, remote, standing, bench, settings.base)
    return Applier(
        git=shop.reads,
        trees=bench.trees,
        merging=bench.merging,
        facts=bench.facts,
        builder=CandidateBuilder(shop.reads, bench.merging, shop.builds),
        builds=shop.builds,
        pushes=shop.pushes,
        reads=reads,
        writes=writes,
        merger=StatusMerger(shop.reads, reads, writes, events),
        source=source,
        events=events,
        clock=standing.clock,
    )


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
