"""`mergequeue action page`: the queue's page, left where a step after it takes it."""

import click

from mergequeue.commands import options
from mergequeue.commands.job import REMOTE, Step, from_inputs, temporary
from mergequeue.commands.page import write_page
from mergequeue.commands.providers import GITHUB
from mergequeue.commands.tools import Standing
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.words import EventKind

_FOLDER = "mergequeue-page"


@from_inputs
@click.command("page", short_help="Write the queue as a page for a browser.")
@options.several(options.base)
@click.pass_obj
def command(standing: Standing, base: BranchName) -> None:
    """Write the page into a folder of the runner's, and leave where that is as `folder`."""
    step = Step(standing, EventKind.KICKED)
    folder = temporary(standing, _FOLDER)
    write_page(standing, base, REMOTE, GITHUB, folder)
    step.runner.output("folder", str(folder))
