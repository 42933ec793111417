"""`mergequeue action dispatch`: answers an event by starting a validation run, if one is wanted."""

import os
from dataclasses import dataclass
from datetime import UTC, datetime

import click

from mergequeue.commands import options
from mergequeue.commands.dispatching import Dispatching
from mergequeue.commands.github import GitHub
from mergequeue.commands.job import Step, from_inputs
from mergequeue.commands.tools import Standing
from mergequeue.documents.provider import Repository
from mergequeue.github.addresses import RepoName, repo_named
from mergequeue.github.client import Client
from mergequeue.github.reading import GitHubReads
from mergequeue.plan.runs import bases_of_event
from mergequeue.report.jobs import HEADS_NOTHING, dispatched, not_dispatched
from mergequeue.vocabulary.errors import USAGE
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.words import EventKind


@from_inputs
@click.command("dispatch", short_help="Start a validation run, if an event needs one.")
@click.option("--workflow", required=True, metavar="FILE", help="The workflow to start.")
@click.option("--head", metavar="COMMIT", help="Start it only where this heads a queued change.")
@click.option("--since", metavar="TIME", help="When the event was. [now]")
@click.option(
    "--target", metavar="BRANCH", help="What the event's pull request merges into. [unknown]"
)
@options.several(options.bases)
@click.pass_obj
def command(
    standing: Standing,
    workflow: str,
    head: str | None,
    since: str | None,
    target: str | None,
    base: tuple[BranchName, ...],
) -> None:
    """Start the queue's workflow on each base that an event may be about, unless a run that has not
    ended will see it.
    """
    step = Step(standing, EventKind.KICKED)
    repo = repo_named(os.environ.get("GITHUB_REPOSITORY", ""))
    answer = _Answer(standing, repo, workflow, head, _time(standing, since))
    started = [answer.start(one) for one in bases_of_event(base, target or "")]
    step.runner.output("dispatched", "true" if any(started) else "false")


@dataclass
class _Answer:
    """What an event asks for, on whichever base."""

    standing: Standing
    repo: RepoName
    workflow: str
    head: str | None
    since: datetime

    def start(self, base: BranchName) -> bool:
        """Start a run on a base, if one is wanted; say what was done, and return whether it was."""
        reading = GitHub.for_reading(self.standing).client_of(self.repo)
        why = self._why_not(reading, base)
        if not why:
            why = Dispatching(self.standing, self.repo, self.workflow, reading).start(
                base, self.since
            )
        self.standing.terminal.line(not_dispatched(why) if why else dispatched(self.workflow, base))
        return not why

    def _why_not(self, reading: Client, base: BranchName) -> str:
        if self.head and not _heads_a_change(self.standing, reading, self.repo, base, self.head):
            return HEADS_NOTHING
        return ""


def _time(standing: Standing, since: str | None) -> datetime:
    if not since:
        return standing.clock.now()
    try:
        return datetime.fromisoformat(since).astimezone(UTC)
    except ValueError as error:
        raise USAGE(f"since: {since!r} is no time as in RFC 3339") from error


def _heads_a_change(
    standing: Standing, client: Client, repo: RepoName, base: BranchName, head: str
) -> bool:
    """Whether a commit heads a change that is queued for the base."""
    reads = GitHubReads(client, repo, tell=standing.terminal.line)
    address = repo.clone_address(client.addresses)
    listing = reads.list_changes(Repository(base=base, remote_url=address))
    return any(change.head == head for change in listing.changes)
