"""`mergequeue stats`: how the queue did, by day; it writes nothing."""

from datetime import timedelta

import click

from mergequeue.commands import options
from mergequeue.commands.providers import reading_door
from mergequeue.commands.tools import Standing, open_shop
from mergequeue.documents.reading import write_document
from mergequeue.memory.keeping import RemoteMemoryReads
from mergequeue.report.measures import report_of
from mergequeue.report.stats import stats_lines, stats_of
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.limits import DAYS_GONE_BY, DAYS_REMEMBERED


@click.command("stats", short_help="Say how the queue did, by day.")
@options.several(options.base, options.remote, options.provider)
@click.option(
    "--days",
    type=click.IntRange(1, DAYS_REMEMBERED),
    default=DAYS_GONE_BY,
    show_default=True,
    metavar="NUMBER",
    help="How many days, UTC, today among them.",
)
@click.option(
    "-o",
    "--output",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="A table, or mergequeue.stats/v1.",
)
@click.pass_obj
def command(
    standing: Standing, base: BranchName, remote: str, provider: str, days: int, form: str
) -> None:
    """Say how the queue did, by day: what landed and how fast, what was turned away and why, and
    what its gates took.
    """
    door = reading_door(provider, remote, standing)
    with open_shop(standing, remote, door.prepare) as shop:
        shop.reads.fetch_branch(base)
        newest = RemoteMemoryReads(shop.reads, base).days(days)
    first = standing.clock.now().date() - timedelta(days=days - 1)
    report = report_of([day for day in newest if day.day >= first])
    lines = stats_lines(report, standing.terminal.product_width)
    text = ("\n".join(lines) + "\n").encode()
    standing.terminal.product(write_document(stats_of(base, report)) if form == "json" else text)
