"""Who lists and merges the changes: the built-in providers by name, a person's own by its file.

A command takes one of two doors before it opens anything: `reading_door` leads to nothing that
writes. What a door needs of the environment is looked for when it is made.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from mergequeue.commands.github import GitHub
from mergequeue.commands.tools import Standing
from mergequeue.facts.configuration import load_configuration
from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import Workshop
from mergequeue.github.addresses import RepoName
from mergequeue.github.client import Client
from mergequeue.github.reading import GitHubReads
from mergequeue.github.runs import RunArtifacts
from mergequeue.github.writing import GitHubWrites
from mergequeue.plaingit.reading import PlainGitReads
from mergequeue.plaingit.writing import Hands, PlainGitWrites
from mergequeue.ports import ListsArtifacts, Merging, ProviderReads, ProviderWrites
from mergequeue.providers.checked import CheckedReads, CheckedWrites
from mergequeue.providers.loading import load_provider, parse_name, refuse_inside
from mergequeue.vocabulary.errors import BAD_PROVIDER, NO_COMMITTER
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import BranchName, CommitId

PLAIN_GIT = "plain-git"
GITHUB = "github"
_BUILT_IN = (PLAIN_GIT, GITHUB)


class Ground(Protocol):
    """What a provider is opened on: a bench, whatever its facts are."""

    @property
    def workshop(self) -> Workshop:
        """The queue's own repository."""

    @property
    def trees(self) -> GitMerges:
        """The two merge rules on it."""

    @property
    def merging(self) -> Merging:
        """The one merge function on it."""


@dataclass(frozen=True)
class ReadingDoor:
    """The way to a provider for a command that only reads."""

    name: str
    remote: str
    standing: Standing
    github: GitHub | None

    def prepare(self, workshop: Workshop) -> None:
        """Have git reach the remote as the provider does, before anything is fetched."""
        if self.github is not None:
            self.github.prepare(workshop)

    def reads(self, workshop: Workshop) -> ProviderReads:
        """Return the provider; raise BAD_PROVIDER where there is none."""
        if self.github is not None:
            tell = self.standing.terminal.line
            return GitHubReads(self.github.client, self.github.repo, tell=tell)
        if self.name == PLAIN_GIT:
            return read_plain_git(workshop, self.remote)
        return CheckedReads(load_provider(parse_name(self.name)), self.name)


@dataclass(frozen=True)
class Opened:
    """A provider for reading and for writing."""

    reads: ProviderReads
    writes: ProviderWrites
    lists: Callable[[], ListsArtifacts]
    """Gives what a run is followed through; raises BAD_PROVIDER where it has no such thing."""
    app: str
    """The app that it writes as, in the provider's own notation; empty where it has none."""


@dataclass(frozen=True)
class WritingDoor:
    """The way to a provider for a command that writes."""

    name: str
    remote: str
    standing: Standing
    github: GitHub | None
    is_dry: bool = False
    """Whether nothing will be written, and the provider is asked nothing that it can do without."""

    def prepare(self, workshop: Workshop) -> None:
        """Have git reach the remote as the provider does, before anything is fetched.

        Raises BAD_PROVIDER where a change could replace the provider's file, which is asked before
        anything of it runs (DESIGN, Rulings 10).
        """
        if self.github is not None:
            self.github.prepare(workshop)
        elif self.name not in _BUILT_IN:
            refuse_inside(parse_name(self.name), workshop.checkouts)

    def require_committer(self, workshop: Workshop, asked: Identity | None) -> None:
        """Raise NO_COMMITTER where every merge would wait for somebody who commits it.

        Over plain git the queue writes each itself; elsewhere, what it adds may need nobody.
        """
        if self.name == PLAIN_GIT and asked is None and workshop.user is None:
            raise NO_COMMITTER("nothing names who commits what is merged, so nothing is gated")

    def reads(self, workshop: Workshop) -> ProviderReads:
        """Return the provider for reading alone; raise BAD_PROVIDER where there is none."""
        return ReadingDoor(self.name, self.remote, self.standing, self.github).reads(workshop)

    def open(self, bench: Ground, base: BranchName, app: str = "") -> Opened:
        """Return the provider; raise BAD_PROVIDER where there is none.

        Raises WRONG_CREDENTIAL where its credential is not that of `app`.
        """
        if self.github is not None:
            return self._open_github(self.github, app)
        if self.name == PLAIN_GIT:
            writes = open_plain_git(self.standing, bench, base)
            return Opened(self.reads(bench.workshop), writes, _no_runs(self.name), app)
        made = load_provider(parse_name(self.name))
        own = CheckedReads(made, self.name)
        lists = (lambda: own) if own.lists_artifacts else _no_runs(self.name)
        return Opened(own, CheckedWrites(made, self.name), lists, app)

    def _rerunning(self, repo: RepoName) -> Callable[[], Client]:
        """Return what gives a client that may run checks again, with a token of its own."""

        @cache
        def client() -> Client:
            return GitHub.for_dispatching(self.standing).client_of(repo)

        return client

    def _open_github(self, github: GitHub, app: str) -> Opened:
        tell = self.standing.terminal.line
        client, repo = github.client, github.repo
        proven = app if self.is_dry else github.proven_app(app)
        return Opened(
            GitHubReads(client, repo, tell=tell, app=proven, members=github.members),
            GitHubWrites(client, repo, tell=tell, rerunning=self._rerunning(repo), app=proven),
            lambda: RunArtifacts(client, repo),
            proven,
        )


def reading_door(name: str, remote: str, standing: Standing) -> ReadingDoor:
    """Return the way to the provider `name` for reading alone.

    Raises NO_CREDENTIAL where GitHub is to be read without a token.
    """
    github = GitHub.for_reading(standing) if name == GITHUB else None
    return ReadingDoor(name, remote, standing, github)


def writing_door(
    name: str, remote: str, standing: Standing, *, is_dry: bool = False
) -> WritingDoor:
    """Return the way to the provider `name` for writing; a dry one needs no right to write.

    Raises NO_CREDENTIAL or NOT_THE_APP where GitHub is to be written to without the app.
    """
    made = GitHub.for_reading if is_dry else GitHub.for_writing
    return WritingDoor(name, remote, standing, made(standing) if name == GITHUB else None, is_dry)


def read_plain_git(workshop: Workshop, remote: str) -> PlainGitReads:
    """Return the plain-git provider for reading alone."""
    named = _named_in(workshop)
    return PlainGitReads(workshop.reads, remote=remote, user=workshop.user, named=named)


def open_plain_git(standing: Standing, bench: Ground, base: BranchName) -> PlainGitWrites:
    """Return the plain-git provider for writing the queue of `base`."""
    return PlainGitWrites(hands_on(standing, bench), base=base, user=bench.workshop.user)


def hands_on(standing: Standing, bench: Ground) -> Hands:
    """Return what writing the records of plain git takes."""
    shop = bench.workshop
    named = _named_in(shop)
    return Hands(shop.reads, shop.builds, shop.pushes, bench.merging, standing.clock, named)


def _named_in(workshop: Workshop) -> Callable[[CommitId], bool]:
    return lambda tip: load_configuration(workshop.reads, tip).control.named


def _no_runs(name: str) -> Callable[[], ListsArtifacts]:
    def refuse() -> ListsArtifacts:
        raise BAD_PROVIDER(
            f"{name} has no list_artifacts, so no run can be followed through it",
            "Name a directory of verdicts, or a provider whose runs can be followed.",
        )

    return refuse
