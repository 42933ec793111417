"""`mergequeue action await`: waits until a run's plan begins, or cannot begin any more."""

import click

from mergequeue.commands import options
from mergequeue.commands.github import GitHub
from mergequeue.commands.job import Step, from_inputs
from mergequeue.commands.tools import Standing
from mergequeue.github.dispatches import WorkflowRuns
from mergequeue.github.runs import parse_run
from mergequeue.host.signals import stopping
from mergequeue.plan.runs import decide_planned
from mergequeue.report.annotations import Level
from mergequeue.report.jobs import plan_awaited
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.words import EventKind


@from_inputs
@click.command("await", short_help="Wait until a run's plan begins.")
@click.option("--run", required=True, metavar="RUN", help="The run, as OWNER/REPO/runs/<id>.")
@options.several(options.interval)
@click.pass_obj
def command(standing: Standing, run: str, interval: float | None) -> None:
    """Wait until the plan of a validation run begins, or the run ends without it."""
    step = Step(standing, EventKind.KICKED)
    repo, number = parse_run(run)
    runs = WorkflowRuns(GitHub.for_reading(standing).client_of(repo), repo)
    with stopping(standing.clock.wake) as stop:
        while (planned := decide_planned(runs.read_run(number))) is None:
            standing.clock.sleep(interval or limits.POLL_SECONDS)
            if stop():
                raise KeyboardInterrupt
    step.runner.output("planned", "true" if planned else "false")
    if not planned:
        step.runner.annotate(Level.NOTICE, "Nothing to apply", plan_awaited(began=False))
    standing.terminal.line(plan_awaited(began=planned))
