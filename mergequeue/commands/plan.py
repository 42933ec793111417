"""`mergequeue plan`: which changes are validated, in which lines.

It reads, and writes one document.
"""

from datetime import datetime, timedelta
from pathlib import Path

import click

from mergequeue.commands import options
from mergequeue.commands.providers import reading_door
from mergequeue.commands.tools import Bench, Hooks, Standing, open_bench, show_events
from mergequeue.documents.changes import Changes
from mergequeue.documents.plan import Plan
from mergequeue.documents.reading import read_document, write_document
from mergequeue.host.files import read_limited, write_whole
from mergequeue.memory.keeping import RemoteMemoryReads
from mergequeue.plan.planner import Planner
from mergequeue.ports import Events, ProviderReads
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.words import SandboxMode


@click.command("plan", short_help="Plan the listed changes.")
@click.option(
    "--changes",
    default="-",
    show_default=True,
    metavar="FILE",
    help="The listing that `mergequeue ls` wrote; - for stdin.",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where the plan goes.",
)
@options.several(
    options.remote,
    options.provider,
    options.facts,
    options.depth,
    options.batch,
    options.sandbox,
    options.review_wait,
)
@click.pass_obj
def command(
    standing: Standing,
    changes: str,
    out: Path,
    remote: str,
    provider: str,
    facts: str | None,
    depth: int | None,
    batch: int | None,
    sandbox: SandboxMode | None,
    review_wait: timedelta | None,
) -> None:
    """Plan the listed changes: write mergequeue.plan/v1."""
    what = "the listing on stdin" if changes == "-" else changes
    raw = read_limited(None if changes == "-" else standing.path(changes), what)
    listing = read_document(raw, Changes, what)
    door = reading_door(provider, remote, standing)
    hooks = Hooks(facts=facts, sandbox=sandbox, review_wait=review_wait)
    with (
        open_bench(standing, remote, listing.base, hooks, prepare=door.prepare) as bench,
        show_events(standing, picture=False) as events,
    ):
        asked = door.reads(bench.workshop)
        made = make_plan(bench, asked, events, listing, depth, batch, standing.clock.now())
        write_whole(standing.path(out), write_document(made))


def make_plan(
    bench: Bench,
    provider: ProviderReads,
    events: Events,
    listing: Changes,
    depth: int | None,
    batch: int | None,
    now: datetime,
) -> Plan:
    """Return the plan of a listing, with what the queue remembers of its base.

    An option wins over the base's file, that over the default.
    """
    queue = bench.configuration.queue
    reads = bench.workshop.reads
    return Planner(reads, bench.trees, bench.merging, bench.facts, provider, events).plan(
        listing,
        depth=depth or queue.depth or limits.DEPTH,
        batch=batch or queue.batch or limits.BATCH,
        memory=RemoteMemoryReads(reads, listing.base).recall(),
        configuration=bench.configuration,
        now=now,
    )
