"""`mergequeue action dispatch`: answers an event by starting a validation run, if one is wanted."""

import os
from datetime import UTC, datetime

import click

from mergequeue.commands import options
from mergequeue.commands.github import GitHub
from mergequeue.commands.job import Step, from_inputs
from mergequeue.commands.tools import Standing
from mergequeue.documents.provider import Repository
from mergequeue.github.addresses import RepoName, repo_named
from mergequeue.github.client import Client
from mergequeue.github.dispatches import WorkflowRuns
from mergequeue.github.reading import GitHubReads
from mergequeue.plan.runs import decide_dispatch
from mergequeue.report.jobs import HEADS_NOTHING, SEEN_BY_A_RUN, dispatched, not_dispatched
from mergequeue.vocabulary.errors import USAGE
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.words import EventKind


@from_inputs
@click.command("dispatch", short_help="Start a validation run, if an event needs one.")
@click.option("--workflow", required=True, metavar="FILE", help="The workflow to start.")
@click.option("--head", metavar="COMMIT", help="Start it only where this heads a queued change.")
@click.option("--since", metavar="TIME", help="When the event was. [now]")
@options.several(options.base)
@click.pass_obj
def command(
    standing: Standing, workflow: str, head: str | None, since: str | None, base: BranchName
) -> None:
    """Start the queue's workflow on the base, unless a run that has not ended will see it."""
    step = Step(standing, EventKind.KICKED)
    repo = _repository()
    reading = GitHub.for_reading(standing).client_of(repo)
    why = ""
    if head and not _heads_a_change(standing, reading, repo, base, head):
        why = HEADS_NOTHING
    elif not decide_dispatch(
        WorkflowRuns(reading, repo).list_runs(workflow, base), _time(standing, since)
    ):
        why = SEEN_BY_A_RUN
    else:
        writing = GitHub.for_dispatching(standing).client_of(repo)
        WorkflowRuns(writing, repo).dispatch(workflow, base)
    step.runner.output("dispatched", "false" if why else "true")
    standing.terminal.line(not_dispatched(why) if why else dispatched(workflow, base))


def _repository() -> RepoName:
    return repo_named(os.environ.get("GITHUB_REPOSITORY", ""))


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
