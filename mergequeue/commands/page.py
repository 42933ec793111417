"""`mergequeue page`: the queue for a browser, in one file; it asks, and writes nothing else."""

from datetime import timedelta
from pathlib import Path

import click

from mergequeue.commands import options
from mergequeue.commands.looking import look
from mergequeue.commands.providers import reading_door
from mergequeue.commands.tools import Standing, open_shop
from mergequeue.host.files import folder_at, write_whole
from mergequeue.report.measures import report_of
from mergequeue.report.views import GitHubLinks
from mergequeue.report.web import web_view
from mergequeue.report.web_measures import DAYS
from mergequeue.vocabulary.ids import BranchName

FILE = "index.html"
NO_LINKS = GitHubLinks("", "")
"""Where a provider shows its changes nowhere."""


@click.command("page", short_help="Write the queue as a page for a browser.")
@click.option(
    "--out",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help=f"The folder that {FILE} is written to, made where there is none.",
)
@options.several(options.base, options.remote, options.provider)
@click.pass_obj
def command(standing: Standing, out: Path, base: BranchName, remote: str, provider: str) -> None:
    """Write the queue as a page: where every change stands, what landed, and how the queue did.

    It is one file that needs no other and reaches for nothing, so that it can be opened from
    a disk, kept as an artifact of a run, or served.
    """
    path = write_page(standing, base, remote, provider, standing.path(out))
    standing.terminal.product(f"{path}\n".encode())


def write_page(
    standing: Standing, base: BranchName, remote: str, provider: str, folder: Path
) -> Path:
    """Write the page into a folder, and return where it is.

    Raises USAGE where it cannot be written, and as `look` does.
    """
    from mergequeue.webpage.rendering import page_of  # noqa: PLC0415 (it loads Jinja2, which every other command would wait for)

    place = folder_at(folder) / FILE
    door = reading_door(provider, remote, standing)
    with open_shop(standing, remote, door.prepare) as shop:
        looked = look(shop, door.reads(shop), base, standing.clock.now(), DAYS)
        github = door.github
        links = GitHubLinks(github.addresses.web, str(github.repo)) if github else NO_LINKS
    first = looked.overview.at.date() - timedelta(days=DAYS - 1)
    report = report_of([day for day in looked.days if day.day >= first])
    write_whole(place, page_of(web_view(looked.overview, report, links)))
    return place
