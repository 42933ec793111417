"""`mergequeue requeue`: a person queues a kicked-back change again, as it stands."""

import click

from mergequeue.commands import options
from mergequeue.commands.providers import open_plain_git
from mergequeue.commands.tools import Hooks, Standing, open_bench
from mergequeue.report.describing import requeue_answer
from mergequeue.vocabulary.errors import USAGE
from mergequeue.vocabulary.ids import BranchName, parse_change


@click.command("requeue", short_help="Queue a kicked-back change again as it stands.")
@click.argument("change")
@options.several(options.base, options.remote)
@click.pass_obj
def command(standing: Standing, change: str, base: BranchName, remote: str) -> None:
    """Queue a kicked-back change again at the commit it has, without a new push.

    CHANGE is its id as `mergequeue ls` shows it. This writes the queue's records on the remote.
    """
    try:
        id_ = parse_change(change)
    except ValueError as error:
        raise USAGE(f"CHANGE: {error}") from error
    with open_bench(standing, remote, base, Hooks()) as bench:
        was_out = open_plain_git(standing, bench, base).requeue(id_)
    standing.terminal.line(requeue_answer(id_, was_out=was_out))
