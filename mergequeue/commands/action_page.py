"""`mergequeue action page`: the queue's page, left where a step after it takes it."""

import click

from mergequeue.commands import options
from mergequeue.commands.job import REMOTE, Step, from_inputs, temporary
from mergequeue.commands.page import write_page
from mergequeue.commands.providers import GITHUB
from mergequeue.commands.tools import Standing
from mergequeue.vocabulary.errors import USAGE
from mergequeue.vocabulary.ids import BranchName, parse_branch
from mergequeue.vocabulary.words import EventKind

_FOLDER = "mergequeue-page"


def _path(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    """Return a path that leads nowhere else: what names a branch does not."""
    try:
        return parse_branch(value) if value else ""
    except ValueError as error:
        raise USAGE(
            f"--within: {error}", "Give a folder such as release or release/1.x."
        ) from error


@from_inputs
@click.command("page", short_help="Write the queue as a page for a browser.")
@options.several(options.base)
@click.option(
    "--within",
    default="",
    metavar="PATH",
    callback=_path,
    help="A folder inside the page's folder, for a second base.",
)
@click.pass_obj
def command(standing: Standing, base: BranchName, within: str) -> None:
    """Write the page into a folder of the runner's, and leave where that is as `folder`."""
    step = Step(standing, EventKind.KICKED)
    folder = temporary(standing, _FOLDER)
    write_page(standing, base, REMOTE, GITHUB, folder / within)
    step.runner.output("folder", str(folder))
