"""`mergequeue action plan`: lists, plans, and spreads the plan over the jobs of a matrix."""

import json

import click

from mergequeue.changes.lister import Lister
from mergequeue.commands import options
from mergequeue.commands.job import REMOTE, Step, attempt, change_named, from_inputs, temporary
from mergequeue.commands.looking import said_of
from mergequeue.commands.plan import make_plan
from mergequeue.commands.providers import GITHUB, reading_door
from mergequeue.commands.tools import Hooks, Standing, open_bench, show_events
from mergequeue.commands.trying import plan_try
from mergequeue.documents.plan import Plan
from mergequeue.documents.reading import write_document
from mergequeue.host.files import folder_at, write_whole
from mergequeue.plan.matrix import Matrix, matrix_of
from mergequeue.report.annotations import Level
from mergequeue.report.jobs import job_label, left_for_later, nothing_to_validate
from mergequeue.vocabulary.artifacts import ArtifactName
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.words import EventKind, SandboxMode


@from_inputs
@click.command("plan", short_help="List, plan, and spread the plan over jobs.")
@click.option("--change", metavar="ID", help="Spread the batch of one change alone.")
@click.option(
    "--try-run",
    metavar="CHANGE",
    help="Plan nothing but a try run of one change, or of a branch: gated, and never merged.",
)
@options.several(options.base, options.depth, options.batch, options.facts, options.sandbox)
@click.pass_obj
def command(
    standing: Standing,
    change: str | None,
    try_run: str | None,
    base: BranchName,
    depth: int | None,
    batch: int | None,
    facts: str | None,
    sandbox: SandboxMode | None,
) -> None:
    """List the queue, plan it, and leave the plan's path and its matrix as outputs."""
    only = change_named(change)
    step = Step(standing, EventKind.DECIDED)
    door = reading_door(GITHUB, REMOTE, standing)
    hooks = Hooks(facts=facts, sandbox=sandbox)
    with (
        open_bench(standing, REMOTE, base, hooks, prepare=door.prepare) as bench,
        show_events(standing, picture=False, also=(step,)) as events,
    ):
        if try_run:
            plan = plan_try(door, bench, events, base, try_run)
        else:
            asked = door.reads(bench.workshop)
            listing = Lister(asked).list(base, bench.workshop.reads.remote_url())
            plan = make_plan(bench, asked, events, listing, depth, batch, standing.clock.now())
        said = said_of(bench.workshop, plan, "", standing.clock.now())
    path = folder_at(temporary(standing, "mergequeue-planned")) / "plan.json"
    write_whole(path, write_document(plan))
    matrix = matrix_of(plan, only)
    step.runner.output("plan", str(path))
    step.runner.output("artifact", str(ArtifactName(None, attempt())))
    _leave_matrix(step, plan, matrix)
    step.show("Planned", plan, said)


def _leave_matrix(step: Step, plan: Plan, matrix: Matrix) -> None:
    entries = [
        {"change": job.only, "label": job_label(job.members, is_try=job.is_try)}
        for job in matrix.jobs
    ]
    step.runner.output("matrix", json.dumps({"include": entries}))
    step.runner.output("count", str(len(entries)))
    step.runner.output("any", "true" if entries else "false")
    step.runner.output("left", str(matrix.left))
    if matrix.left:
        step.runner.annotate(Level.NOTICE, "Left for a later run", left_for_later(matrix.left))
    if not entries:
        step.runner.annotate(Level.NOTICE, "Nothing to validate", nothing_to_validate(plan.base))
