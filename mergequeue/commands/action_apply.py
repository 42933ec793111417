"""`mergequeue action apply`: follows a validation run and merges, as the app."""

import contextlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import click

from mergequeue.apply.again import is_another_run_wanted
from mergequeue.apply.run import ApplyResult, BaseTools, Settings
from mergequeue.commands import options
from mergequeue.commands.apply import make_applier, reproduction_of, show_ending
from mergequeue.commands.building import open_late_bench
from mergequeue.commands.dashboard import Board, board_of, show_what_would_be
from mergequeue.commands.dispatching import Dispatching
from mergequeue.commands.github import GitHub
from mergequeue.commands.job import REMOTE, Step, from_inputs
from mergequeue.commands.looking import said_of
from mergequeue.commands.providers import GITHUB, writing_door
from mergequeue.commands.sources import source_named
from mergequeue.commands.tools import Hooks, Standing, open_shop, show_events
from mergequeue.documents.plan import Plan
from mergequeue.github.addresses import repo_named
from mergequeue.github.dispatches import WorkflowRuns
from mergequeue.github.runs import parse_run
from mergequeue.hooks.environment import parse_scratch_env
from mergequeue.host.signals import stopping
from mergequeue.ports import Stop
from mergequeue.report.annotations import Level
from mergequeue.report.ending import green_but_waiting
from mergequeue.report.jobs import (
    WAITS_FOR_OLDER,
    another_dispatched,
    another_failed,
    no_such_base,
    not_dispatched,
)
from mergequeue.report.picture import Doing
from mergequeue.report.views import NOTHING_SAID
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import USAGE, MergequeueError
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId
from mergequeue.vocabulary.words import EventKind, SandboxMode


@from_inputs
@click.command("apply", short_help="Follow a validation run, and merge as the app.")
@click.option("--run", required=True, metavar="RUN", help="The run, as OWNER/REPO/runs/<id>.")
@click.option("--workflow", required=True, metavar="FILE", help="The workflow it has to be of.")
@click.option(
    "--branch",
    metavar="BRANCH",
    help="The branch that the run ran on, one of the bases. [the base]",
)
@options.several(
    options.bases,
    options.committer,
    options.facts,
    options.regenerate,
    options.scratch_env,
    options.sandbox,
    options.interval,
    options.dry_run,
    options.dashboard,
    options.reproduce_gate,
    options.reproduce_regenerate,
)
@click.pass_obj
def command(
    standing: Standing,
    run: str,
    workflow: str,
    branch: str | None,
    base: tuple[BranchName, ...],
    committer: Identity | None,
    facts: str | None,
    regenerate: str | None,
    scratch_env: tuple[str, ...],
    sandbox: SandboxMode | None,
    interval: float | None,
    dry_run: bool,
    dashboard: bool,
    reproduce_gate: str | None,
    reproduce_regenerate: str | None,
) -> None:
    """Merge what a validation run finds green, while it still goes on."""
    step = Step(standing, EventKind.KICKED)
    into = _base_of(base, branch)
    settings = Settings(
        base=into,
        committer=committer,
        interval=interval or limits.POLL_SECONDS,
        dry_run=dry_run,
        reproduce=reproduction_of(reproduce_gate, reproduce_regenerate),
    )
    parse_run(run)
    named = source_named(f"run:{run}", workflow)
    board = board_of(standing, step, into, wanted=dashboard and not dry_run)
    page = _Page(step, board, is_dry=dry_run)
    with stopping(standing.clock.wake) as stop:
        _wait_for_turn(standing, step, into, stop)
    # A dry run shows what the app would do, so it is asked for the app as any other.
    door = writing_door(GITHUB, REMOTE, standing)
    hooks = Hooks(facts, regenerate, sandbox, scratch_env=parse_scratch_env(scratch_env))
    with (
        open_shop(standing, REMOTE, door.prepare) as shop,
        open_late_bench(standing, shop, hooks) as bench,
        show_events(standing, picture=False, also=(step,)) as events,
        stopping(bench.cancel, standing.clock.wake) as stop,
    ):
        opened = door.open(bench, into)
        with named.opened(standing, into, opened) as source:

            def tools_at(commit: CommitId, tip: CommitId) -> BaseTools:
                page.proven(source.plan())
                return bench.tools_at(commit, tip)

            page.says = lambda plan: said_of(shop, plan, source.name(), standing.clock.now())
            applier = make_applier(standing, bench, tools_at, source, events, opened, into)
            with page.left_at_the_end():
                result = page.result = applier.run(replace(settings, app=opened.app), stop)
    if is_another_run_wanted(result):
        _start_another(standing, step, workflow, into)
    show_ending(standing, result)


def _base_of(bases: tuple[BranchName, ...], branch: str | None) -> BranchName:
    """Return the base that a run on a branch is of.

    GitHub compares names without their case, so that only this says that a branch is a base.
    """
    named = branch or (bases[0] if len(bases) == 1 else "")
    found = next((base for base in bases if base == named), None)
    if found is None:
        raise USAGE(no_such_base(named, bases), "Name it among the bases that apply merges into.")
    return found


def _start_another(standing: Standing, step: Step, workflow: str, base: BranchName) -> None:
    """Start the next validation, which nothing else would; say so, or why that could not be."""
    repo = repo_named(os.environ.get("GITHUB_REPOSITORY", ""))
    reading = GitHub.for_writing(standing).client_of(repo)
    try:
        why = Dispatching(standing, repo, workflow, reading).start(base, standing.clock.now())
    except MergequeueError as error:
        step.runner.annotate(Level.WARNING, *another_failed(error.problem, error.remedy))
        return
    standing.terminal.line(not_dispatched(why) if why else another_dispatched(workflow, base))


def _wait_for_turn(standing: Standing, step: Step, base: BranchName, stop: Stop) -> None:
    """Wait until every older run of this workflow that may merge into the base has ended: two that
    merge at once would each move it under the other (CASES H).
    """
    repo = repo_named(os.environ.get("GITHUB_REPOSITORY", ""))
    runs = WorkflowRuns(GitHub.for_writing(standing).client_of(repo), repo)
    number = os.environ.get("GITHUB_RUN_ID", "")
    told = False
    while not runs.are_older_over(number, base):
        if not told:
            step.runner.annotate(Level.NOTICE, "Waiting", WAITS_FOR_OLDER)
            told = True
        standing.clock.sleep(limits.POLL_SECONDS)
        if stop():
            raise KeyboardInterrupt


@dataclass
class _Page:
    """What the step leaves: its page, the dashboard and the output, however it ends."""

    step: Step
    board: Board
    is_dry: bool
    result: ApplyResult = field(default_factory=ApplyResult)
    """Nothing, where an error ends the run."""
    says: Callable[[Plan], Mapping[ChangeId, str]] = field(default=lambda _: NOTHING_SAID)
    """Tells where each change of a plan stands."""
    _plan: Plan | None = None

    def proven(self, plan: Plan | None) -> None:
        """Take a plan that is proven to be of this base, without which nothing is shown."""
        self._plan = plan
        self._show_board()

    @contextlib.contextmanager
    def left_at_the_end(self) -> Iterator[None]:
        """Leave everything when the block ends, by an error too: what merged before it is true.

        What cannot be left then hides no error.
        """
        try:
            yield
        except BaseException:
            with contextlib.suppress(MergequeueError):
                self._leave()
            raise
        self._leave()

    def _show_board(self) -> None:
        if self._plan is not None:
            self.board.show(self._plan, self.says(self._plan))

    def _leave(self) -> None:
        places = self.step.picture.places
        merged = [change for change, place in places.items() if place.doing is Doing.MERGED]
        self.step.runner.output("merged", json.dumps(merged))
        if self.is_dry:
            show_what_would_be(self.step, self.result)
        if self._plan is not None:
            heading = "Would have applied" if self.is_dry else "Applied"
            self.step.show(heading, self._plan, self.says(self._plan))
        ended = self.result.ended
        waits = [one.code for one in ended if one.green and one.code is not None]
        for line in green_but_waiting(waits):
            self.step.runner.annotate(Level.NOTICE, "Green and not merged", line)
        self._show_board()
