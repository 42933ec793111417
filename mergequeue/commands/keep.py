"""`mergequeue keep`: brings turned-away changes up to date where both sides only added lines."""

import click

from mergequeue.commands import options
from mergequeue.commands.keeping import ATTEMPTS, KeepOptions, keep_here, show_kept
from mergequeue.commands.tools import Hooks, Standing
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.words import SandboxMode


@click.command("keep", short_help="Bring turned-away changes up to date, and queue them again.")
@options.several(
    options.base,
    options.remote,
    options.provider,
    ATTEMPTS,
    options.committer,
    options.facts,
    options.sandbox,
)
@click.option("--app", default="", metavar="APP", help="The app whose credential writes.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and write nothing.")
@click.pass_obj
def command(
    standing: Standing,
    base: BranchName,
    remote: str,
    provider: str,
    attempts: int,
    committer: Identity | None,
    facts: str | None,
    sandbox: SandboxMode | None,
    app: str,
    dry_run: bool,
) -> None:
    """Merge the base into changes that were turned away for a conflict, and queue them again.

    Only where both sides added lines, or made the same change: it says so on the change first. What
    takes judgement is left to its author, who is told once at a head. A change that says `Keeper:
    off` on a line of its own, in its description or, over plain git, in the message of one of its
    commits, is left alone.
    """
    given = KeepOptions(
        base=base,
        remote=remote,
        provider=provider,
        attempts=attempts,
        committer=committer,
        hooks=Hooks(facts=facts, sandbox=sandbox),
        app=app,
        dry_run=dry_run,
    )
    show_kept(standing, keep_here(standing, given))
