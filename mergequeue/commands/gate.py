"""`mergequeue gate`: runs a command as the queue does, in a box of what is checked out."""

from dataclasses import replace

import click

from mergequeue.commands import options
from mergequeue.commands.sandbox import open_sandbox
from mergequeue.commands.tools import Standing, open_shop
from mergequeue.facts.configuration import load_configuration
from mergequeue.git.workshop import Workshop
from mergequeue.hooks.environment import parse_scratch_env
from mergequeue.hooks.leash import Graces, Leash
from mergequeue.hooks.process import run_hook
from mergequeue.hooks.words import join_words, parse_words
from mergequeue.host.signals import stopping
from mergequeue.report.notices import runs_in_a_box
from mergequeue.vocabulary.errors import NO_GATE, NOT_A_REPOSITORY
from mergequeue.vocabulary.ids import BranchName, CommitId, short
from mergequeue.vocabulary.words import SandboxMode

_SIGNALLED = 128
"""What a shell adds to the number of the signal that ended a command."""


@click.command("gate", short_help="Run a command as the queue runs its gate.")
@options.several(options.base, options.remote)
@click.option(
    "--own",
    is_flag=True,
    help=(
        "Take mergequeue.toml from the commit itself and not from the base, to try a change of it."
    ),
)
@click.option(
    "--units",
    multiple=True,
    metavar="UNIT",
    help="Append a unit to the command, as the queue appends those affected. Repeatable.",
)
@options.several(options.scratch_env, options.sandbox)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[-- COMMAND...]")
@click.pass_obj
def command(
    standing: Standing,
    base: BranchName,
    remote: str,
    own: bool,
    units: tuple[str, ...],
    scratch_env: tuple[str, ...],
    sandbox: SandboxMode | None,
    words: tuple[str, ...],
) -> None:
    """Run a command as the queue runs its gate: in a box of the commit that is checked out, under
    the base's sandbox. Without a COMMAND, run the base's own gate.

    What it prints is passed on as it is, and so is its exit status. Run it in CI, so that a change
    that is green there is not red in the queue for where it ran.
    """
    scratch = parse_scratch_env(scratch_env)
    with open_shop(standing, remote) as shop:
        head = _head(shop)
        configuration = load_configuration(
            shop.reads, head if own else shop.reads.fetch_branch(base)
        )
        policy = open_sandbox(configuration.sandbox, sandbox, shop, (), standing.terminal)
        wanted = (*(words or _gate(configuration.queue.gate)), *units)
        around = standing.surroundings(policy, scratch)
        box = shop.boxes().open(head)
        standing.terminal.line(runs_in_a_box(join_words(wanted), head))
        leash = Leash(short(head), Graces().term)
        hook = replace(around.command(box, wanted, leash.tag), streams_passed=True)
        with stopping(leash.cancel):
            status = run_hook(hook, leash, around.write_line, around.graces.output).status
    raise click.exceptions.Exit(status if status >= 0 else _SIGNALLED - status)


def _head(shop: Workshop) -> CommitId:
    if shop.head is None:
        raise NOT_A_REPOSITORY(
            "no commit is checked out, so there is nothing to run it in",
            "Check a branch out, or make its first commit.",
        )
    return shop.head


def _gate(line: str) -> tuple[str, ...]:
    if not line.strip():
        raise NO_GATE(
            "there is no command, and mergequeue.toml names none",
            "Give one behind --, or set `gate` under [queue] in mergequeue.toml on the base.",
        )
    return parse_words(line, "queue.gate of mergequeue.toml")
