"""`mergequeue try`: gates one change on its own, whether or not it is queued; it writes nothing."""

from pathlib import Path

import click

from mergequeue.changes.lister import Lister
from mergequeue.commands import options
from mergequeue.commands.cache import cache_given, cache_service
from mergequeue.commands.providers import ReadingDoor, reading_door
from mergequeue.commands.tools import Bench, Hooks, Standing, open_bench, show_events
from mergequeue.commands.validate import make_gates, make_validator
from mergequeue.documents.changes import Change, Changes, UnqueuedChange
from mergequeue.documents.config import ControlTable
from mergequeue.documents.plan import Plan
from mergequeue.documents.verdict import Verdict
from mergequeue.git.workshop import Workshop
from mergequeue.hooks.environment import parse_scratch_env
from mergequeue.host.files import passing_folder
from mergequeue.host.signals import stopping
from mergequeue.plan.planner import Planner
from mergequeue.plan.trying import listed, only
from mergequeue.ports import Events
from mergequeue.report.trying import try_lines
from mergequeue.sources.directory import DirectorySink
from mergequeue.vocabulary.errors import NO_SUCH_CHANGE, USAGE
from mergequeue.vocabulary.ids import BranchName, branch_ref, parse_branch, parse_change
from mergequeue.vocabulary.words import Decision, SandboxMode


@click.command("try", short_help="Gate one change on its own, without queueing it.")
@click.argument("change")
@options.several(
    options.base,
    options.remote,
    options.provider,
    options.gate,
    options.regenerate,
    options.facts,
    options.scratch_env,
    options.sparse,
    options.sandbox,
    options.remote_cache_read,
)
@click.pass_obj
def command(
    standing: Standing,
    change: str,
    base: BranchName,
    remote: str,
    provider: str,
    gate: str | None,
    regenerate: str | None,
    facts: str | None,
    scratch_env: tuple[str, ...],
    sparse: bool | None,
    sandbox: SandboxMode | None,
    remote_cache_read: bool,
) -> None:
    """Gate one change merged onto the base alone, and say what that came to.

    CHANGE is an id as `mergequeue ls` shows it, queued or not, or a branch of the remote. Nothing
    is queued, approved, merged or written. The exit status is 0 where it is green, and 1 where not.
    """
    options.refuse_sparse_facts(sparse=sparse, facts=facts)
    door = reading_door(provider, remote, standing)
    service = cache_service(wanted=remote_cache_read)
    with passing_folder() as folder, cache_given(standing, service) as here:
        hooks = Hooks(facts, regenerate, sandbox, [folder], parse_scratch_env(scratch_env))
        with (
            open_bench(here, remote, base, hooks, prepare=door.prepare) as bench,
            show_events(here, picture=True) as events,
        ):
            plan = plan_try(door, bench, events, base, change)
            verdict = _gated(here, bench, events, plan, folder, gate, sparse=sparse)
    for line in try_lines(verdict.change.id, verdict, standing.terminal.line_width):
        standing.terminal.line(line)
    green = verdict.decision in {Decision.MERGE, Decision.MERGED}
    raise click.exceptions.Exit(0 if green else 1)


def plan_try(door: ReadingDoor, bench: Bench, events: Events, base: BranchName, text: str) -> Plan:
    """Return the plan with one try run in it: of the change that a person named.

    Who starts one by a command of their own needs no leave of the base's file, and no queue that
    goes on: nothing comes of it. Raises NO_SUCH_CHANGE where the provider lists none of that name
    and the remote has no branch of it, and USAGE where it could name neither.
    """
    shop = bench.workshop
    provider = door.reads(shop)
    listing = Lister(provider).list(base, shop.reads.remote_url())
    planner = Planner(shop.reads, bench.trees, bench.merging, bench.facts, provider, events)
    allowed = bench.configuration.model_copy(update={"control": ControlTable(tries=True)})
    chosen = only(listing, _change(shop, listing, text))
    return planner.plan(chosen, depth=1, batch=1, configuration=allowed)


def _change(shop: Workshop, listing: Changes, text: str) -> Change | UnqueuedChange:
    try:
        found = listed(listing, parse_change(text))
    except ValueError:
        found = None
    return found or _branch(shop, text)


def _branch(shop: Workshop, text: str) -> UnqueuedChange:
    try:
        branch = parse_branch(text)
        id_ = parse_change(branch.replace("/", "."))
    except ValueError as error:
        raise USAGE(f"CHANGE: {error}") from error
    ref = branch_ref(branch)
    head = shop.reads.list_refs((ref,)).get(ref)
    if head is None:
        raise NO_SUCH_CHANGE(f"{text} is no change that the provider lists, and no branch")
    return UnqueuedChange(id=id_, head=head, ref=ref)


def _gated(
    standing: Standing,
    bench: Bench,
    events: Events,
    plan: Plan,
    folder: Path,
    gate: str | None,
    *,
    sparse: bool | None,
) -> Verdict:
    """Gate the one try run of a plan, unless planning decided it, and return its verdict."""
    if plan.untried:
        return plan.untried[0]
    gates = make_gates(standing, bench, gate)
    sink = DirectorySink(folder / "verdicts")
    validator, cancel = make_validator(standing, bench, gates, sink, events, sparse=sparse)
    with stopping(gates.cancel, cancel, bench.cancel, standing.clock.wake) as stop:
        result = validator.run(plan, depth=None, parallel=1, only=None, stop=stop)
    if result.error is not None:
        raise result.error
    if not result.verdicts:
        raise KeyboardInterrupt
    return result.verdicts[0]
