"""`mergequeue describe`: how the repository is wired for the queue, and what is left to do."""

import click

from mergequeue.commands import options
from mergequeue.commands.providers import reading_door
from mergequeue.commands.tools import Standing, open_shop
from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.provider import DescribeQuestion
from mergequeue.documents.reading import write_document
from mergequeue.report.describing import setup_text
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.words import STATUS_CONTEXT


@click.command("describe", short_help="Say how to set a repository up for the queue.")
@options.several(options.base, options.remote, options.provider)
@click.option(
    "--app",
    default="",
    metavar="APP",
    help="The app whose credential writes, in the provider's own notation; plain-git has none.",
)
@click.option(
    "-o",
    "--output",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Text to paste into a shell, or mergequeue.capabilities/v1.",
)
@click.pass_obj
def command(
    standing: Standing, base: BranchName, remote: str, provider: str, app: str, form: str
) -> None:
    """Say how the repository is wired for the queue, and the steps of setting it up."""
    described, text = describe_here(standing, base, remote, provider, app)
    standing.terminal.product(write_document(described) if form == "json" else text.encode())


def describe_here(
    standing: Standing, base: BranchName, remote: str, provider: str, app: str
) -> tuple[Capabilities, str]:
    """Return what a provider says of its repository, as a document and as text to paste."""
    door = reading_door(provider, remote, standing)
    with open_shop(standing, remote, door.prepare) as shop:
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
    return described, setup_text(described, base, address)
