"""`mergequeue validate`: runs the changes' code.

So it talks to no provider and writes nothing but verdicts.
"""

from pathlib import Path

import click

from mergequeue.commands import options
from mergequeue.commands.building import Cancel, make_builder
from mergequeue.commands.cache import cache_given, cache_service
from mergequeue.commands.tools import (
    Bench,
    Hooks,
    Standing,
    every_file,
    open_bench,
    show_events,
    slots,
)
from mergequeue.documents.plan import Plan
from mergequeue.documents.reading import read_document
from mergequeue.hooks.environment import parse_scratch_env
from mergequeue.hooks.gates import CommandGates
from mergequeue.hooks.retrying import retrying_of
from mergequeue.hooks.words import parse_words
from mergequeue.host.files import read_limited
from mergequeue.host.signals import stopping
from mergequeue.ports import Events, VerdictSink
from mergequeue.sources.directory import DirectorySink
from mergequeue.verdicts.run import ValidationResult
from mergequeue.verdicts.validator import Validator
from mergequeue.vocabulary.errors import NO_GATE, USAGE
from mergequeue.vocabulary.ids import ChangeId, parse_change
from mergequeue.vocabulary.words import SandboxMode


@click.command("validate", short_help="Gate the planned changes: runs their code.")
@click.option(
    "--stdin",
    "from_stdin",
    is_flag=True,
    help="Read the plan from stdin; without it, from plan.json in the verdicts' directory.",
)
@click.option(
    "--verdicts",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where the plan and the verdicts go.",
)
@click.option(
    "--only",
    metavar="ID",
    help="Validate the batch of one change; those beneath it are merged under it and not gated.",
)
@options.several(
    options.remote,
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
    from_stdin: bool,
    verdicts: Path,
    only: str | None,
    remote: str,
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
    """Gate the planned changes: write one mergequeue.verdict/v1 a change, the moment it is
    decided.
    """
    options.refuse_sparse_facts(sparse=sparse, facts=facts)
    directory = standing.path(verdicts)
    what = "the plan on stdin" if from_stdin else str(verdicts / "plan.json")
    plan = read_document(
        read_limited(None if from_stdin else directory / "plan.json", what), Plan, what
    )
    wanted = _change(only)
    service = cache_service(wanted=remote_cache_read)
    hooks = Hooks(facts, regenerate, sandbox, [directory], parse_scratch_env(scratch_env))
    with (
        cache_given(standing, service) as here,
        open_bench(here, remote, plan.base, hooks, plan.base_commit) as bench,
        show_events(here, picture=True) as events,
    ):
        gates = make_gates(here, bench, gate)
        sink = DirectorySink(directory)
        validator, cancel = make_validator(here, bench, gates, sink, events, sparse=sparse)
        with stopping(gates.cancel, cancel, bench.cancel, here.clock.wake) as stop:
            result = validator.run(
                plan, depth=depth, parallel=slots(parallel), only=wanted, stop=stop
            )
            stopped = stop()
    end_with(result, stopped=stopped)


def make_gates(standing: Standing, bench: Bench, gate: str | None) -> CommandGates:
    """Return the gate that the option or the base's file names; raise NO_GATE where none is."""
    line = bench.configuration.queue.gate if gate is None else gate
    if not line.strip():
        raise NO_GATE("there is no --gate, and mergequeue.toml on the base names none")
    words = parse_words(line, "--gate" if gate is not None else "queue.gate of mergequeue.toml")
    around = standing.surroundings(bench.sandbox(), bench.hooks.scratch_env)
    queue = bench.configuration.queue
    retrying = retrying_of(queue.retry, queue.retries)
    return CommandGates(words, around, standing.clock, queue.timeout, retrying)


def make_validator(
    standing: Standing,
    bench: Bench,
    gates: CommandGates,
    sink: VerdictSink,
    events: Events,
    *,
    sparse: bool | None,
) -> tuple[Validator, Cancel]:
    """Return the step, handed every port that it may use and no other, and what cancels its
    regeneration.

    `sparse` is what the base's file says where it is None.
    """
    shop = bench.workshop
    boxes = shop.boxes()
    builder = make_builder(standing, bench, lambda: boxes)
    is_sparse = bench.configuration.queue.sparse if sparse is None else sparse
    validator = Validator(
        builder=builder,
        reads=shop.reads,
        facts=bench.facts,
        boxes=boxes,
        needed=bench.needed if is_sparse else every_file,
        gates=gates,
        bundles=shop.bundles,
        sink=sink,
        events=events,
        preflights=_preflights(standing, bench),
    )
    return validator, builder.cancel


def _preflights(standing: Standing, bench: Bench) -> dict[str, CommandGates]:
    """Return the pre-flights of the base's file that have a command, by name."""
    queue = bench.configuration.queue
    retrying = retrying_of(queue.retry, queue.retries)
    found: dict[str, CommandGates] = {}
    for name, table in bench.configuration.preflight.items():
        if table.command.strip():
            words = parse_words(table.command, f"preflight.{name}.command of mergequeue.toml")
            around = standing.surroundings(bench.sandbox(), bench.hooks.scratch_env)
            found[name] = CommandGates(words, around, standing.clock, queue.timeout, retrying)
    return found


def end_with(result: ValidationResult, *, stopped: bool) -> None:
    """Raise what the run failed with; one that was told to stop is interrupted, as a program is."""
    if result.error is not None:
        raise result.error
    if stopped and result.undecided:
        raise KeyboardInterrupt


def _change(text: str | None) -> ChangeId | None:
    if text is None:
        return None
    try:
        return parse_change(text)
    except ValueError as error:
        raise USAGE(f"--only: {error}") from error
