"""`mergequeue ls`: the provider's listing, as a document on stdout."""

import click

from mergequeue.changes.lister import Lister
from mergequeue.commands import options
from mergequeue.commands.providers import reading_door
from mergequeue.commands.tools import Standing, open_shop
from mergequeue.documents.reading import write_document
from mergequeue.vocabulary.ids import BranchName


@click.command("ls", short_help="List the queue as a document.")
@options.several(options.base, options.remote, options.provider)
@click.pass_obj
def command(standing: Standing, base: BranchName, remote: str, provider: str) -> None:
    """List the queue: write mergequeue.changes/v1 on stdout."""
    door = reading_door(provider, remote, standing)
    with open_shop(standing, remote, door.prepare) as shop:
        asked = door.reads(shop)
        changes = Lister(asked).list(base, shop.reads.remote_url())
    standing.terminal.product(write_document(changes))
