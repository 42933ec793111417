"""`mergequeue resume`: a person lets a paused queue go on."""

import click

from mergequeue.commands import options, pausing
from mergequeue.commands.providers import writing_door
from mergequeue.commands.tools import Standing
from mergequeue.vocabulary.ids import BranchName


@click.command("resume", short_help="Let a paused queue go on.")
@options.several(options.base, options.remote, options.provider)
@click.pass_obj
def command(standing: Standing, base: BranchName, remote: str, provider: str) -> None:
    """Let the queue of a base go on that `mergequeue pause` stopped: with the next run.

    This writes the queue's records on the remote.
    """
    door = writing_door(provider, remote, standing)
    standing.terminal.line(pausing.resume_queue(standing, door, base))
