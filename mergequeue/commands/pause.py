"""`mergequeue pause`: a person stops a base's queue, and says why."""

import click

from mergequeue.commands import options, pausing
from mergequeue.commands.providers import writing_door
from mergequeue.commands.tools import Standing
from mergequeue.vocabulary.ids import BranchName


@click.command("pause", short_help="Stop a base's queue, with a reason that all see.")
@pausing.reason
@options.several(options.base, options.remote, options.provider)
@click.pass_obj
def command(standing: Standing, reason: str, base: BranchName, remote: str, provider: str) -> None:
    """Stop the queue of a base until `mergequeue resume`: nothing more is gated or merged.

    Gates that run go on, and what they find merges after the pause, gated anew. This writes the
    queue's records on the remote, with git's own right to push, or with --provider github as the
    app.
    """
    door = writing_door(provider, remote, standing)
    standing.terminal.line(pausing.pause_queue(standing, door, base, reason))
