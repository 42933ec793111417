"""The keeper's step with the tools of a provider, for the command and for the action."""

from dataclasses import dataclass

import click

from mergequeue.commands.github import GitHub
from mergequeue.commands.providers import GITHUB, PLAIN_GIT, WritingDoor, hands_on
from mergequeue.commands.tools import Bench, Hooks, Standing, open_bench
from mergequeue.conflicts.merging import TwoRuleMerging
from mergequeue.documents.provider import DescribeQuestion
from mergequeue.facts.lenient import LenientFacts
from mergequeue.github.keeping import GitHubKeeping
from mergequeue.keep.keeper import Keeper, Keeping, Kept
from mergequeue.keep.stepwise import StepwiseBringing
from mergequeue.plaingit.keeping import PlainGitKeeping
from mergequeue.ports import BringsUpToDate, LeavesNotes, ProviderReads, ReadsTurnedAway
from mergequeue.providers.keeping import CheckedKeeping
from mergequeue.providers.loading import load_provider, parse_name
from mergequeue.report import keeping as words
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.identity import Identity, parse_identity
from mergequeue.vocabulary.ids import BranchName

ATTEMPTS = click.option(
    "--attempts",
    type=click.IntRange(min=1),
    default=limits.KEEPER_ATTEMPTS,
    show_default=True,
    metavar="N",
    help="How many times one change is brought up to date at most.",
)


@dataclass(frozen=True)
class KeepOptions:
    """What the keeper is told on the command line."""

    base: BranchName
    remote: str
    provider: str
    attempts: int
    committer: Identity | None
    hooks: Hooks
    app: str = ""
    dry_run: bool = False


@dataclass(frozen=True)
class _Tools:
    """One provider, as the keeper uses it."""

    reads: ReadsTurnedAway
    notes: LeavesNotes
    brings: BringsUpToDate


def keep_here(standing: Standing, given: KeepOptions) -> tuple[Kept, ...]:
    """Look at every turned-away change once; what failed with one is what that one came to.

    Raises NO_CREDENTIAL or NOT_THE_APP where GitHub is to be kept without the app, and BAD_PROVIDER
    where a person's provider lacks what the keeper needs.
    """
    github = GitHub.for_keeping(standing) if given.provider == GITHUB else None
    door = WritingDoor(given.provider, given.remote, standing, github)
    base = given.base
    with open_bench(standing, given.remote, base, given.hooks, prepare=door.prepare) as bench:
        opened = door.open(bench, base, given.app)
        tools = _tools(standing, door, bench, base)
        shop = bench.workshop
        lenient = TwoRuleMerging(bench.trees, shop.reads, LenientFacts(bench.facts))
        keeper = Keeper(
            git=shop.reads,
            merging=bench.merging,
            lenient=lenient,
            builds=shop.builds,
            reads=tools.reads,
            notes=tools.notes,
            brings=tools.brings,
            clock=standing.clock,
        )

        def committer() -> Identity | None:
            return given.committer or _provider_s(opened.reads, base, shop.reads.remote_url())

        settings = Keeping(base, given.attempts, committer, dry_run=given.dry_run)
        return keeper.keep(settings)


def show_kept(standing: Standing, kept: tuple[Kept, ...]) -> None:
    """Print what became of each change, and raise what the first failed with."""
    standing.terminal.product(f"{lines_of(kept)}\n".encode())
    for one in kept:
        if one.failure is not None:
            raise one.failure


def lines_of(kept: tuple[Kept, ...]) -> str:
    """Return what became of each change, a line each."""
    lines = [words.kept_line(one.change, one.words) for one in kept]
    return "\n".join(lines or [words.NOTHING_TURNED_AWAY])


def _provider_s(reads: ProviderReads, base: BranchName, remote_url: str) -> Identity | None:
    """Return who the provider's own automation commits as."""
    described = reads.describe(DescribeQuestion(base=base, remote_url=remote_url))
    named = described.committer
    return parse_identity(f"{named.name} <{named.email}>") if named is not None else None


def _tools(standing: Standing, door: WritingDoor, bench: Bench, base: BranchName) -> _Tools:
    if door.name == PLAIN_GIT:
        plain = PlainGitKeeping(hands_on(standing, bench), base=base)
        return _Tools(plain, plain, plain)
    stepwise: GitHubKeeping | CheckedKeeping
    if door.github is not None:
        tell = standing.terminal.line
        stepwise = GitHubKeeping(door.github.client, door.github.repo, tell=tell)
    else:
        stepwise = CheckedKeeping(load_provider(parse_name(door.name)), door.name)
    pushes = bench.workshop.pushes
    return _Tools(stepwise, stepwise, StepwiseBringing(pushes, stepwise, stepwise))
