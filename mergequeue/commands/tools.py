"""The tools that read git and the base's facts, and what a command shows.

Nothing here talks to a provider.
"""

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache, partial
from pathlib import Path

from mergequeue.commands.sandbox import open_sandbox
from mergequeue.conflicts.merging import TwoRuleMerging
from mergequeue.documents.config import Configuration
from mergequeue.facts.command import CommandFacts
from mergequeue.facts.configuration import load_configuration
from mergequeue.facts.units import UnitFacts
from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.hooks.environment import ScratchVariable
from mergequeue.hooks.facts_command import BoxedFactsCommand
from mergequeue.hooks.policy import Sandbox
from mergequeue.hooks.surroundings import Surroundings
from mergequeue.hooks.words import parse_words
from mergequeue.host.clock import SystemClock
from mergequeue.host.console import Fanout, JsonLines, PlainLines, Terminal
from mergequeue.ports import Events, Facts, Merging, Needed, Wanted
from mergequeue.vocabulary.errors import PLAN_DISAGREES
from mergequeue.vocabulary.ids import BranchName, CommitId, Unit, branch_ref, short
from mergequeue.vocabulary.words import SandboxMode

Prepare = Callable[[Workshop], None]
"""Readies a workshop before anything is fetched."""


def _as_it_is(_: Workshop) -> None:
    """Stand for readying nothing."""


@dataclass(frozen=True)
class Standing:
    """Where the command was started, and what it can show."""

    root: Path
    """The folder that every relative path resolves against (`-C`)."""
    terminal: Terminal
    clock: SystemClock
    tells_programs: bool = True
    """Whether events go to stdout as lines of JSON, wherever that is no terminal."""
    given: Mapping[str, str] = field(default_factory=dict)
    """Variables of the queue's own that every hook is given."""
    ports: tuple[int, ...] = ()
    """TCP ports of the queue's own that every hook may connect to."""

    def path(self, name: str | Path) -> Path:
        """Return the path that an argument names."""
        return self.root / name

    def surroundings(
        self, sandbox: Sandbox, scratch_env: tuple[ScratchVariable, ...] = ()
    ) -> Surroundings:
        """Return what every hook of this command has around it."""
        return Surroundings(
            dict(os.environ),
            self.terminal.line,
            sandbox,
            scratch_env,
            given=self.given,
            ports=self.ports,
        )


@dataclass(frozen=True)
class Hooks:
    """What the command line says of the base's hooks, and of how long its reviewers have."""

    facts: str | None = None
    """The line of `--facts`."""
    regenerate: str | None = None
    """That of `--regenerate`; the base's file says it where it is None."""
    sandbox: SandboxMode | None = None
    private: Sequence[Path] = ()
    """Folders that no hook may reach."""
    scratch_env: tuple[ScratchVariable, ...] = ()
    review_wait: timedelta | None = None


@dataclass(frozen=True)
class Bench:
    """A workshop, with the facts of one commit of the base and the merge function on it."""

    workshop: Workshop
    trees: GitMerges
    facts: Facts
    needed: Needed
    """Which files a gate of some units needs, as far as the facts say."""
    configuration: Configuration
    merging: Merging
    cancel: Callable[[], None]
    """Ends the facts command, where one runs."""
    sandbox: Callable[[], Sandbox]
    """Gives the policy of the base's hooks, which is made when the first asks for it."""
    regenerate: tuple[str, ...] = ()
    """The words of the regeneration; none where there is none."""
    hooks: Hooks = Hooks()


@contextlib.contextmanager
def open_shop(standing: Standing, remote: str, prepare: Prepare = _as_it_is) -> Iterator[Workshop]:
    """Open the queue's own repository beside the checkout that the command stands in.

    `prepare` is handed it before anything is fetched.
    """
    with open_workshop(standing.root, remote) as shop:
        prepare(shop)
        yield shop


@contextlib.contextmanager
def open_bench(
    standing: Standing,
    remote: str,
    base: BranchName,
    hooks: Hooks,
    commit: CommitId | None = None,
    *,
    prepare: Prepare = _as_it_is,
) -> Iterator[Bench]:
    """Open a workshop with the facts of a commit of the base: of its tip, where none is given.

    `prepare` is handed the workshop before anything is fetched. Raises PLAN_DISAGREES where the
    remote does not have the commit.
    """
    with contextlib.ExitStack() as stack:
        shop = stack.enter_context(open_shop(standing, remote, prepare))
        yield stack.enter_context(bench_at(standing, shop, _fetched(shop, base, commit), hooks))


@contextlib.contextmanager
def bench_at(standing: Standing, shop: Workshop, commit: CommitId, hooks: Hooks) -> Iterator[Bench]:
    """Give a workshop the facts of a commit of the base that it holds."""
    configuration = configuration_at(shop, commit, hooks)
    policy = cache(
        partial(
            open_sandbox,
            configuration.sandbox,
            hooks.sandbox,
            shop,
            hooks.private,
            standing.terminal,
        )
    )
    words = _regeneration(configuration, hooks.regenerate)
    units = UnitFacts(configuration, words)
    facts: Facts = units
    needed: Needed = units.needed
    cancel: Callable[[], None] = _nothing_runs
    with contextlib.ExitStack() as stack:
        if hooks.facts is not None:
            needed = every_file
            around = standing.surroundings(policy())
            command = BoxedFactsCommand(
                parse_words(hooks.facts, "--facts"), around, shop.boxes(), commit
            )
            facts, cancel = CommandFacts(stack.enter_context(command), words), command.cancel
        trees = GitMerges(shop)
        merging = TwoRuleMerging(trees, shop.reads, facts)
        yield Bench(
            shop, trees, facts, needed, configuration, merging, cancel, policy, words, hooks
        )


def configuration_at(shop: Workshop, commit: CommitId, hooks: Hooks) -> Configuration:
    """Return the base's file at a commit, with the wait for its reviewers that the command line
    says.
    """
    configuration = load_configuration(shop.reads, commit)
    if hooks.review_wait is None:
        return configuration
    reviewers = configuration.reviewers.model_copy(update={"wait": hooks.review_wait})
    return configuration.model_copy(update={"reviewers": reviewers})


def _regeneration(configuration: Configuration, option: str | None) -> tuple[str, ...]:
    """Return the words of the regeneration that the option or the base's file names."""
    line = configuration.queue.regenerate if option is None else option
    where = "queue.regenerate of mergequeue.toml" if option is None else "--regenerate"
    return parse_words(line, where) if line.strip() else ()


def every_file(_: Sequence[Unit]) -> None:
    """Stand for knowing which files a gate needs, where nobody knows or asks."""


def _nothing_runs() -> None:
    """Stand for the facts command that there is none of."""


def _fetched(shop: Workshop, base: BranchName, commit: CommitId | None) -> CommitId:
    if commit is None:
        return shop.reads.fetch_branch(base)
    if shop.reads.fetch_commits([Wanted(commit, branch_ref(base))]):
        raise PLAN_DISAGREES(f"the remote does not have the plan's base commit {short(commit)}")
    return commit


@contextlib.contextmanager
def show_events(
    standing: Standing,
    *,
    picture: bool,
    ends_follow: bool = False,
    also: tuple[Events, ...] = (),
) -> Iterator[Events]:
    """Show events for as long as the block runs, and hand them to `also`.

    Lines of JSON go to stdout wherever that is no terminal; people get a picture on a terminal
    where the command has one, and plain lines otherwise. `ends_follow` says that what is decided is
    applied while the block runs.
    """
    terminal = standing.terminal
    receivers: list[Events] = [*also]
    if standing.tells_programs and not terminal.stdout_is_terminal:
        receivers.append(JsonLines(standing.clock.now))
    if picture and terminal.shows_pictures:
        live = terminal.picture()
        with live.shown():
            yield Fanout([*receivers, live])
        return
    yield Fanout([*receivers, PlainLines(terminal.line, ends_follow=ends_follow)])


def slots(parallel: int) -> int:
    """Return how many gates run at once: `parallel`, or one a CPU where it is 0."""
    return parallel or os.cpu_count() or 1
