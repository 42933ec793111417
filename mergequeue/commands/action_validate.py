"""`mergequeue action validate`: gates planned changes and uploads each verdict as it is decided."""

import os
from pathlib import Path

import click

from mergequeue.commands import options
from mergequeue.commands.cache import cache_given, cache_service
from mergequeue.commands.github import GitHub
from mergequeue.commands.job import REMOTE, Step, attempt, change_named, from_inputs, temporary
from mergequeue.commands.tools import Hooks, Standing, open_bench, show_events, slots
from mergequeue.commands.validate import end_with, make_gates, make_validator
from mergequeue.documents.plan import Plan
from mergequeue.documents.reading import read_document
from mergequeue.github.transport import Transport, Uploader
from mergequeue.github.uploads import RunUploads, runtime_of
from mergequeue.hooks.environment import parse_scratch_env
from mergequeue.host.files import read_limited
from mergequeue.host.signals import stopping
from mergequeue.sources.directory import PLAN, DirectorySink
from mergequeue.sources.newest import newest_plan
from mergequeue.sources.uploading import UploadingSink
from mergequeue.vocabulary.words import EventKind, SandboxMode


@from_inputs
@click.command("validate", short_help="Gate planned changes, and upload each verdict.")
@click.option("--change", metavar="ID", help="Validate the batch of one change alone.")
@click.option(
    "--plans",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="The folder that the run's plans were downloaded into.",
)
@click.option(
    "--retention-days",
    type=click.IntRange(min=1),
    default=7,
    show_default=True,
    metavar="N",
    help="For how many days a verdict is kept.",
)
@options.several(
    options.gate,
    options.regenerate,
    options.facts,
    options.scratch_env,
    options.depth,
    options.parallel,
    options.sparse,
    options.sandbox,
    options.remote_cache_read,
)
@click.pass_obj
def command(
    standing: Standing,
    change: str | None,
    plans: Path,
    retention_days: int,
    gate: str | None,
    regenerate: str | None,
    facts: str | None,
    scratch_env: tuple[str, ...],
    depth: int | None,
    parallel: int,
    sparse: bool | None,
    sandbox: SandboxMode | None,
    remote_cache_read: bool,
) -> None:
    """Gate planned changes, holding nothing but the right to read."""
    options.refuse_sparse_facts(sparse=sparse, facts=facts)
    only = change_named(change)
    step = Step(standing, EventKind.DECIDED, folds_gates=only is not None)
    uploads = RunUploads(
        runtime_of(os.environ),
        Transport(standing.clock),
        Uploader(standing.clock),
        standing.clock,
        retention_days,
    )
    github = GitHub.for_reading(standing)
    folder = newest_plan(standing.path(plans))
    plan = read_document(read_limited(folder / PLAN, "the run's plan"), Plan, "the run's plan")
    directory = temporary(standing, "mergequeue-verdicts")
    step.runner.output("verdicts", str(directory))
    service = cache_service(wanted=remote_cache_read)
    hooks = Hooks(facts, regenerate, sandbox, [directory, folder], parse_scratch_env(scratch_env))
    with (
        cache_given(standing, service) as serving,
        open_bench(
            serving, REMOTE, plan.base, hooks, plan.base_commit, prepare=github.prepare
        ) as bench,
        show_events(standing, picture=False, also=(step,)) as events,
    ):
        gates = make_gates(serving, bench, gate)
        sink = UploadingSink(DirectorySink(directory), uploads, attempt())
        validator, cancel = make_validator(serving, bench, gates, sink, events, sparse=sparse)
        with stopping(gates.cancel, cancel, bench.cancel, standing.clock.wake) as stop:
            result = validator.run(
                plan, depth=depth, parallel=slots(parallel), only=only, stop=stop
            )
            stopped = stop()
        step.show("Validated", plan)
    end_with(result, stopped=stopped)
