"""`mergequeue action describe`: what is left of setting the queue up, on the job's page."""

import click

from mergequeue.commands import options
from mergequeue.commands.job import Step, from_inputs
from mergequeue.commands.providers import GITHUB, reading_door
from mergequeue.commands.tools import Standing, open_shop
from mergequeue.documents.provider import DescribeQuestion
from mergequeue.report.describing import setup_text
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.limits import SUMMARY_BYTES
from mergequeue.vocabulary.text import code_block
from mergequeue.vocabulary.words import STATUS_CONTEXT, EventKind

_REMOTE = "origin"


@from_inputs
@click.command("describe", short_help="Say what is left of setting the queue up.")
@click.option("--app", default="", metavar="APP", help="The app, as <slug> or <slug>:<App ID>.")
@options.several(options.base)
@click.pass_obj
def command(standing: Standing, app: str, base: BranchName) -> None:
    """Print how the repository is wired and what is left to do, and show it on the job's page."""
    step = Step(standing, EventKind.KICKED)
    door = reading_door(GITHUB, _REMOTE, standing)
    with open_shop(standing, _REMOTE, door.prepare) as shop:
        address = shop.reads.remote_url()
        described = door.reads(shop).describe(
            DescribeQuestion(
                base=base,
                remote_url=address,
                status_context=STATUS_CONTEXT,
                app=app,
                setup_steps=True,
            )
        )
    text = setup_text(described, base, address)
    standing.terminal.product(text.encode())
    step.runner.summary(code_block(text, SUMMARY_BYTES // 2))
