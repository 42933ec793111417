"""`mergequeue validate`: runs the changes' code.

So it talks to no provider and writes nothing but verdicts.
"""

from pathlib import Path

import click

from mergequeue.candidates.builder import CandidateBuilder
from mergequeue.commands import options
from mergequeue.commands.tools import Bench, Standing, every_file, open_bench, show_events, slots
from mergequeue.documents.plan import Plan
from mergequeue.documents.reading import read_document
from mergequeue.hooks.environment import parse_scratch_env
from mergequeue.hooks.gates import CommandGates
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
    options.facts,
    options.scratch_env,
    options.depth,
    options.parallel,
    options.sparse,
    options.sandbox,
)
@click.pass_obj
def command(
    standing: Standing,
    from_stdin: bool,
    verdicts: Path,
    only: str | None,
    remote: str,
    gate: str | None,
    facts: str | None,
    scratch_env: tuple[str, ...],
    depth: int | None,
    parallel: int,
    sparse: bool | None,
    sandbox: SandboxMode | None,
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
    with (
        open_bench(
            standing,
            remote,
            plan.base,
            facts,
            plan.base_commit,
            sandbox=sandbox,
            private=[directory],
        ) as bench,
        show_events(standing, picture=True) as events,
    ):
        gates = make_gates(standing, bench, gate, scratch_env)
        sink = DirectorySink(directory)
        with stopping(gates.cancel, bench.cancel, standing.clock.wake) as stop:
            result = make_validator(bench, gates, sink, events, sparse=sparse).run(
                plan, depth=depth, parallel=slots(parallel), only=wanted, stop=stop
            )
            stopped = stop()
    end_with(result, stopped=stopped)


def make_gates(
    standing: Standing,
    bench: Bench,
    gate: str | None,
    scratch_env: tuple[str, ...],
) -> CommandGates:
    """Return the gate that the option or the base's file names; raise NO_GATE where none is."""
    line = bench.configuration.queue.gate if gate is None else gate
    if not line.strip():
        raise NO_GATE("there is no --gate, and mergequeue.toml on the base names none")
    words = parse_words(line, "--gate" if gate is not None else "queue.gate of mergequeue.toml")
    around = standing.surroundings(bench.sandbox(), parse_scratch_env(scratch_env))
    return CommandGates(words, around, standing.clock)


def make_validator(
    bench: Bench,
    gates: CommandGates,
    sink: VerdictSink,
    events: Events,
    *,
    sparse: bool | None,
) -> Validator:
    """Return the step, handed every port that it may use and no other.

    `sparse` is what the base's file says where it is None.
    """
    shop = bench.workshop
    is_sparse = bench.configuration.queue.sparse if sparse is None else sparse
    return Validator(
        builder=CandidateBuilder(shop.reads, bench.merging, shop.builds),
        reads=shop.reads,
        facts=bench.facts,
        boxes=shop.boxes(),
        needed=bench.needed if is_sparse else every_file,
        gates=gates,
        sink=sink,
        events=events,
    )


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
