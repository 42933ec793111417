"""`mergequeue action describe`: what is left of setting the queue up, on the job's page."""

import click

from mergequeue.commands import options
from mergequeue.commands.describe import describe_here
from mergequeue.commands.job import REMOTE, Step, from_inputs
from mergequeue.commands.providers import GITHUB
from mergequeue.commands.tools import Standing
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.limits import SUMMARY_BYTES
from mergequeue.vocabulary.text import code_block
from mergequeue.vocabulary.words import EventKind


@from_inputs
@click.command("describe", short_help="Say what is left of setting the queue up.")
@click.option("--app", default="", metavar="APP", help="The app, as <slug> or <slug>:<App ID>.")
@options.several(options.base)
@click.pass_obj
def command(standing: Standing, app: str, base: BranchName) -> None:
    """Print how the repository is wired and what is left to do, and show it on the job's page."""
    step = Step(standing, EventKind.KICKED)
    _, text = describe_here(standing, base, REMOTE, GITHUB, app)
    standing.terminal.product(text.encode())
    step.runner.summary(code_block(text, SUMMARY_BYTES // 2))
