"""`mergequeue action keep`: keeps turned-away pull requests moving, as the app."""

import json

import click

from mergequeue.commands import options
from mergequeue.commands.job import REMOTE, Step, from_inputs
from mergequeue.commands.keeping import ATTEMPTS, KeepOptions, keep_here, lines_of, show_kept
from mergequeue.commands.providers import GITHUB
from mergequeue.commands.tools import Hooks, Standing
from mergequeue.report.annotations import Level
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.limits import SUMMARY_BYTES
from mergequeue.vocabulary.text import code_block
from mergequeue.vocabulary.words import EventKind, SandboxMode


@from_inputs
@click.command("keep", short_help="Bring turned-away pull requests up to date.")
@options.several(options.base, ATTEMPTS, options.committer, options.facts, options.sandbox)
@click.option("--dry-run", is_flag=True, help="Say what would be done, and write nothing.")
@click.pass_obj
def command(
    standing: Standing,
    base: BranchName,
    attempts: int,
    committer: Identity | None,
    facts: str | None,
    sandbox: SandboxMode | None,
    dry_run: bool,
) -> None:
    """Merge the base into pull requests that were turned away for a conflict, and queue them."""
    step = Step(standing, EventKind.KICKED)
    given = KeepOptions(
        base=base,
        remote=REMOTE,
        provider=GITHUB,
        attempts=attempts,
        committer=committer,
        hooks=Hooks(facts=facts, sandbox=sandbox),
        dry_run=dry_run,
    )
    kept = keep_here(standing, given)
    brought = [one.change for one in kept if one.commit is not None]
    step.runner.output("brought", json.dumps(brought))
    for one in kept:
        if one.failure is not None:
            step.runner.annotate(Level.WARNING, f"Keeping {one.change}", one.words)
    step.runner.summary(code_block(lines_of(kept), SUMMARY_BYTES // 2))
    show_kept(standing, kept)
