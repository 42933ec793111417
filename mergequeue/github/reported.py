"""What was reported at a commit: jobs of GitHub Actions, statuses, check runs."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import AwareDatetime, Field

from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import GitHubRecord, RefusedError
from mergequeue.github.client import Client
from mergequeue.vocabulary.ids import CommitId

COMPLETED = "completed"
_NAMED = 5
_UNREADABLE = frozenset({403, 404})


class Run(GitHubRecord):
    """A run of a workflow."""

    id: int
    workflow_id: int
    status: str | None = None

    @property
    def is_over(self) -> bool:
        """Whether no job of it runs or waits any more."""
        return self.status == COMPLETED


class Job(GitHubRecord):
    """A job of a run, in its newest attempt."""

    name: str
    status: str
    conclusion: str | None
    started_at: AwareDatetime | None = None
    completed_at: AwareDatetime | None = None
    run_attempt: Annotated[int, Field(ge=1)] = 1


class App(GitHubRecord):
    """Who reported a check run."""

    id: int


class CheckRun(GitHubRecord):
    """A check run; jobs show as such too."""

    name: str
    status: str
    conclusion: str | None
    completed_at: AwareDatetime | None = None
    app: App | None


class Status(GitHubRecord):
    """The newest status of a context."""

    context: str
    state: str
    updated_at: AwareDatetime | None = None


@dataclass(frozen=True)
class Ran:
    """A run with its jobs."""

    run: Run
    jobs: tuple[Job, ...]


def newest_jobs(client: Client, repo: RepoName, commit: CommitId) -> tuple[Ran, ...]:
    """Return the newest run of each workflow at a commit."""
    path = repo.path("actions", "runs")
    newest: dict[int, Run] = {}
    for item in client.pages(path, {"head_sha": commit}, inside="workflow_runs"):
        run = item.read(Run)
        newest.setdefault(run.workflow_id, run)
    return tuple(Ran(run, _jobs_of(client, repo, run)) for run in newest.values())


def _jobs_of(client: Client, repo: RepoName, run: Run) -> tuple[Job, ...]:
    listed = client.pages(repo.path("actions", "runs", run.id, "jobs"), inside="jobs")
    return tuple(item.read(Job) for item in listed)


def newest_statuses(client: Client, repo: RepoName, commit: CommitId) -> tuple[Status, ...]:
    """Return the newest status of each context at a commit."""
    path = repo.path("commits", commit, "status")
    return tuple(item.read(Status) for item in client.pages(path, inside="statuses"))


def check_runs(client: Client, repo: RepoName, commit: CommitId) -> tuple[CheckRun, ...]:
    """Return the check runs at a commit, newest first; none where the token may not read them."""
    path = repo.path("commits", commit, "check-runs")
    try:
        return tuple(item.read(CheckRun) for item in client.pages(path, inside="check_runs"))
    except RefusedError as error:
        if error.status in _UNREADABLE:
            return ()
        raise


def near_names(name: str, others: Sequence[str]) -> tuple[str, ...]:
    """Return what was reported in place of a name, the likeliest first (CASES E)."""
    return tuple(difflib.get_close_matches(name, others, n=_NAMED, cutoff=0))
