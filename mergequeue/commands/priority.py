"""`mergequeue priority`: a person has a change of a plain-git queue go before all others."""

import click

from mergequeue.commands import options
from mergequeue.commands.providers import open_plain_git
from mergequeue.commands.tools import Hooks, Standing, open_bench
from mergequeue.report.control import priority_answer
from mergequeue.vocabulary.errors import USAGE
from mergequeue.vocabulary.ids import BranchName, parse_change


@click.command("priority", short_help="Have a queued change go before all others.")
@click.argument("change")
@click.option("--off", is_flag=True, help="Take the mark off again.")
@options.several(options.base, options.remote)
@click.pass_obj
def command(standing: Standing, change: str, off: bool, base: BranchName, remote: str) -> None:
    """Have a change go before all that are not marked so, with what it is stacked on.

    CHANGE is its id as `mergequeue ls` shows it. It counts where mergequeue.toml on the base says
    `priority = true` under [control]. Gates that run are left alone. This writes the queue's
    records on the remote.
    """
    try:
        id_ = parse_change(change)
    except ValueError as error:
        raise USAGE(f"CHANGE: {error}") from error
    with open_bench(standing, remote, base, Hooks()) as bench:
        changed = open_plain_git(standing, bench, base).prioritise(id_, first=not off)
        heeded = bench.configuration.control.priority
    answer = priority_answer(id_, on=not off, changed=changed, heeded=heeded)
    standing.terminal.line(answer)
