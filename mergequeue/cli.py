"""The command line: its group of subcommands, its exit statuses, and the one top-level except.

Exit 0: the queue did what it could, kicked-back changes included. Exit 1: it ran and failed.
Exit 2: the caller's mistake. Exit 130: interrupted.
"""

import gc
import os
import platform
import sys
import traceback
from pathlib import Path

import click

from mergequeue import __version__
from mergequeue.commands import (
    action,
    apply,
    demo,
    describe,
    gate,
    keep,
    ls,
    page,
    pause,
    plan,
    priority,
    requeue,
    resume,
    review,
    run,
    stats,
    status,
    token,
    trying,
    validate,
)
from mergequeue.commands.tools import Standing
from mergequeue.host.clock import SystemClock
from mergequeue.host.console import Terminal
from mergequeue.host.runner import Runner
from mergequeue.report.annotations import Level
from mergequeue.report.errors import UNEXPECTED_IN_A_JOB, error_lines, unexpected_lines
from mergequeue.report.jobs import inputs_described
from mergequeue.vocabulary.errors import USAGE, MergequeueError
from mergequeue.vocabulary.limits import ALLOCATIONS_A_COLLECTION

_INTERRUPTED = 130


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "-C",
    "--root",
    default=".",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Work in DIR instead of the folder you stand in; relative paths resolve against it.",
)
@click.version_option(__version__, prog_name="mergequeue")
@click.pass_context
def group(context: click.Context, root: Path) -> None:
    """Merge queued changes one after the other, each only when its gate is green on what the base
    will be.

    Start with `mergequeue demo`: it shows the whole queue at work on a repository of its own.
    """
    context.obj = Standing(root.absolute(), Terminal(), SystemClock())


for _command in (
    demo.command,
    run.command,
    describe.command,
    ls.command,
    plan.command,
    validate.command,
    gate.command,
    trying.command,
    apply.command,
    status.command,
    stats.command,
    page.command,
    requeue.command,
    keep.command,
    priority.command,
    pause.command,
    resume.command,
    review.command,
    token.command,
    action.command,
):
    group.add_command(_command)


def main() -> None:
    """Run the program on its own arguments and exit with its status."""
    gc.set_threshold(ALLOCATIONS_A_COLLECTION)
    sys.exit(status_of(sys.argv[1:]))


def status_of(arguments: list[str]) -> int:
    """Run the program on `arguments` and return its exit status; errors are shown on stderr."""
    terminal = Terminal()
    try:
        status = group.main(args=arguments, prog_name="mergequeue", standalone_mode=False)
    except click.ClickException as error:
        return _shown(terminal, USAGE(error.format_message(), _help_of(error)))
    except MergequeueError as error:
        return _shown(terminal, error)
    except (KeyboardInterrupt, click.Abort):
        terminal.line("interrupted; what was decided stands, and the next run goes on from there")
        return _INTERRUPTED
    except BrokenPipeError:
        return 1
    except Exception:  # noqa: BLE001 (the one place that catches all: an unknown error still says what to report)
        return _foreseen_by_nobody(terminal, traceback.format_exc())
    # A command that exits with a status of its own has it returned here.
    return status if isinstance(status, int) else 0


def _shown(terminal: Terminal, error: MergequeueError) -> int:
    runner = Runner.of(os.environ, terminal.command)
    if runner is not None:
        runner.annotate(Level.ERROR, error.code, f"{error.problem}\n{error.remedy}")
        return error.exit_status
    for line in error_lines(error):
        terminal.line(line)
    return error.exit_status


def _foreseen_by_nobody(terminal: Terminal, trace: str) -> int:
    for line in unexpected_lines(
        __version__, platform.python_version(), platform.platform(), trace
    ):
        terminal.line(line)
    runner = Runner.of(os.environ, terminal.command)
    if runner is not None:
        runner.annotate(Level.ERROR, "mergequeue", UNEXPECTED_IN_A_JOB)
    return 1


def _help_of(error: click.ClickException) -> str | None:
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return None
    _, _, step = context.command_path.partition(f" {action.command.name} ")
    return (
        inputs_described(step) if step else f"`{context.command_path} --help` shows what it takes."
    )
