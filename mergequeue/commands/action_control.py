"""`mergequeue action control`: pauses a base's queue or lets it go on, as the app."""

import click

from mergequeue.commands import options
from mergequeue.commands.job import REMOTE, Step, from_inputs
from mergequeue.commands.pausing import pause_queue, resume_queue
from mergequeue.commands.providers import GITHUB, writing_door
from mergequeue.commands.tools import Standing
from mergequeue.report.annotations import Level
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.words import EventKind

_PAUSE, _RESUME = "pause", "resume"


@from_inputs
@click.command("control", short_help="Pause a base's queue, or let it go on.")
@click.option("--do", "do", required=True, type=click.Choice([_PAUSE, _RESUME]), help="What.")
@click.option("--reason", default="", metavar="TEXT", help="Why it is paused.")
@options.several(options.base)
@click.pass_obj
def command(standing: Standing, do: str, reason: str, base: BranchName) -> None:
    """Pause the queue of a base, for a reason that every change which waits shows, or resume it."""
    step = Step(standing, EventKind.KICKED)
    door = writing_door(GITHUB, REMOTE, standing)
    said = (
        pause_queue(standing, door, base, reason)
        if do == _PAUSE
        else resume_queue(standing, door, base)
    )
    step.runner.annotate(Level.NOTICE, "Merge queue", said)
    standing.terminal.line(said)
