"""The options that several subcommands share, each said once."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, TypeVar

import click

from mergequeue.documents.duration import parse_duration
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import USAGE
from mergequeue.vocabulary.identity import Identity, parse_identity
from mergequeue.vocabulary.ids import BranchName, parse_branch
from mergequeue.vocabulary.words import SandboxMode

Command = TypeVar("Command", bound=Callable[..., Any])


def several(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Return one decorator that is all of these, the first shown first in --help."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def _branch(_context: click.Context, _parameter: click.Parameter, value: str) -> BranchName:
    try:
        return parse_branch(value)
    except ValueError as error:
        raise USAGE(f"--base: {error}") from error


def _branches(
    context: click.Context, parameter: click.Parameter, value: str
) -> tuple[BranchName, ...]:
    found = dict.fromkeys(_branch(context, parameter, word) for word in value.split())
    return tuple(found) or (_branch(context, parameter, value),)


def identity(
    _context: click.Context, parameter: click.Parameter, value: str | None
) -> Identity | None:
    """Return who an option names as `Name <address>`."""
    if value is None:
        return None
    try:
        return parse_identity(value)
    except ValueError as error:
        option = parameter.opts[0]
        raise USAGE(f"{option}: {error}", f'Give it as {option} "Name <address>".') from error


def _duration(
    _context: click.Context, parameter: click.Parameter, value: str | None
) -> timedelta | None:
    if value is None:
        return None
    try:
        return parse_duration(value)
    except ValueError as error:
        raise USAGE(f"{parameter.opts[0]}: {error}") from error


def _sandbox(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> SandboxMode | None:
    return None if value is None else SandboxMode(value)


def refuse_sparse_facts(*, sparse: bool | None, facts: str | None) -> None:
    """Raise for a wish to leave out files that nobody can name."""
    if sparse and facts is not None:
        raise USAGE(
            "--sparse: a --facts command names no paths, so which files a gate needs is unknown",
            "Give one of the two; units in mergequeue.toml have paths.",
        )


base = click.option(
    "--base",
    default="main",
    show_default=True,
    metavar="BRANCH",
    callback=_branch,
    help="The branch that changes merge into.",
)
bases = click.option(
    "--base",
    default="main",
    show_default=True,
    metavar="BRANCHES",
    callback=_branches,
    help="The branches that changes merge into, separated by white space.",
)
remote = click.option(
    "--remote",
    default="origin",
    show_default=True,
    metavar="NAME",
    help="The remote that holds the base, as configured in the checkout; no URL.",
)
provider = click.option(
    "--provider",
    default="plain-git",
    show_default=True,
    metavar="NAME",
    help=(
        "Who lists and merges the changes: plain-git, github, "
        "or <absolute path>/provider.py:Class for one of your own."
    ),
)
facts = click.option(
    "--facts",
    metavar="COMMAND",
    help="A command that says which units a change affects, in place of mergequeue.toml.",
)
gate = click.option(
    "--gate",
    metavar="COMMAND",
    help=(
        "The command that says whether a candidate is good; the affected units are appended. "
        "[mergequeue.toml: queue.gate]"
    ),
)
regenerate = click.option(
    "--regenerate",
    metavar="COMMAND",
    help=(
        "The command that rewrites generated files: units are appended, and the files stand on its "
        "stdin, one a line. [mergequeue.toml: queue.regenerate]"
    ),
)
scratch_env = click.option(
    "--scratch-env",
    multiple=True,
    metavar="NAME=DIR",
    help=(
        "Set NAME, in every hook's environment, to the folder DIR inside the candidate's own "
        "scratch folder. Repeatable."
    ),
)
sandbox = click.option(
    "--sandbox",
    type=click.Choice([str(mode) for mode in SandboxMode]),
    callback=_sandbox,
    help=(
        "What happens where the kernel cannot confine a hook: with required, none is run. It only "
        "raises what the base asks for. [mergequeue.toml: sandbox.mode; best-effort]"
    ),
)
depth = click.option(
    "--depth",
    type=click.IntRange(min=1),
    metavar="N",
    help=(
        "Batches of a partition that are gated at once, each on the one beneath. "
        f"[mergequeue.toml: queue.depth; {limits.DEPTH}]"
    ),
)
batch = click.option(
    "--batch",
    type=click.IntRange(min=1),
    metavar="N",
    help=(
        f"Changes that one gate run checks at most. [mergequeue.toml: queue.batch; {limits.BATCH}]"
    ),
)
parallel = click.option(
    "--parallel",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Gates that run at once over all partitions; 0 for one a CPU.",
)
sparse = click.option(
    "--sparse/--no-sparse",
    default=None,
    help=(
        "Leave out of a gate's checkout the files of units that are neither affected nor depended "
        "on by those. [mergequeue.toml: queue.sparse; no]"
    ),
)
review_wait = click.option(
    "--review-wait",
    metavar="DURATION",
    callback=_duration,
    help=(
        "How long a change waits for a required reviewer, such as 30m or 2h. "
        "[mergequeue.toml: reviewers.wait; 30m]"
    ),
)
interval = click.option(
    "--interval",
    type=click.FloatRange(min=limits.POLL_FLOOR_SECONDS),
    metavar="SECONDS",
    help=f"How often the source is read while it is not complete. [{limits.POLL_SECONDS:g}]",
)
dry_run = click.option("--dry-run", is_flag=True, help="Say what would merge, and write nothing.")
dashboard = click.option(
    "--dashboard",
    is_flag=True,
    help="Keep a pinned issue that shows the queue up to date; a dry run writes none.",
)
reproduce_gate = click.option(
    "--reproduce-gate",
    metavar="COMMAND",
    help="The gate that a kick-back shows as the way to run it again; it is never run here.",
)
reproduce_regenerate = click.option(
    "--reproduce-regenerate",
    metavar="COMMAND",
    help="The regeneration that a kick-back shows beside that gate; it is never run here.",
)
committer = click.option(
    "--committer",
    metavar="'NAME <ADDRESS>'",
    callback=identity,
    help=(
        "Who commits what the queue adds. "
        "[the provider's; plain-git: git's user.name and user.email]"
    ),
)
remote_cache_read = click.option(
    "--remote-cache-read",
    is_flag=True,
    help=(
        "Let hooks look things up in the runner's cache, through a proxy that forwards nothing "
        "else and keeps the runner's credential from them."
    ),
)
