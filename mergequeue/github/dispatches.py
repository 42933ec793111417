"""The runs of the queue's own workflow: how far each is, and starting one."""

from dataclasses import dataclass

from pydantic import AwareDatetime

from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import GitHubRecord, RefusedError
from mergequeue.github.client import Client
from mergequeue.ports import PlanJob, WorkflowRun
from mergequeue.vocabulary.errors import NO_WORKFLOW
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.text import quoted

_NEWEST = 100
_OVER = "completed"
_OF_THE_BRANCH = frozenset({"push", "workflow_dispatch"})
_PLAN = "plan"
_NOT_FOUND = 404


class _Run(GitHubRecord):
    id: int
    event: str
    status: str | None
    head_branch: str | None


class _Own(GitHubRecord):
    id: int
    workflow_id: int


class _Job(GitHubRecord):
    name: str
    status: str
    conclusion: str | None
    started_at: AwareDatetime | None


@dataclass(frozen=True)
class WorkflowRuns:
    """The `Dispatches` port over GitHub Actions."""

    client: Client
    repo: RepoName

    def list_runs(self, workflow: str, branch: BranchName) -> tuple[WorkflowRun, ...]:
        """Return the newest runs of a workflow that a push or a dispatch on a branch started and
        that have not ended; raise NO_WORKFLOW where there is no such workflow.
        """
        path = self.repo.path("actions", "workflows", _file(workflow), "runs")
        try:
            answer = self.client.get(path, {"branch": branch, "per_page": _NEWEST})
        except RefusedError as error:
            raise _missing(workflow, error) from error
        runs = [item.read(_Run) for item in answer.body.at("workflow_runs").each()]
        return tuple(
            self._with_plan(run)
            for run in runs
            if run.status != _OVER and run.event in _OF_THE_BRANCH and run.head_branch == branch
        )

    def read_run(self, number: str) -> WorkflowRun:
        """Return how far one run is."""
        answer = self.client.get(self.repo.path("actions", "runs", number))
        return self._with_plan(answer.body.read(_Run))

    def are_older_over(self, number: str) -> bool:
        """Return whether every run of a run's own workflow that is older than it has ended."""
        own = self.client.get(self.repo.path("actions", "runs", number)).body.read(_Own)
        path = self.repo.path("actions", "workflows", own.workflow_id, "runs")
        answer = self.client.get(path, {"per_page": _NEWEST})
        runs = [item.read(_Run) for item in answer.body.at("workflow_runs").each()]
        return all(run.status == _OVER for run in runs if run.id < own.id)

    def dispatch(self, workflow: str, branch: BranchName) -> None:
        """Start a run on a branch; raise NO_WORKFLOW where there is no such workflow."""
        path = self.repo.path("actions", "workflows", _file(workflow), "dispatches")
        try:
            self.client.write("POST", path, {"ref": branch}, expect=(200, 204))
        except RefusedError as error:
            raise _missing(workflow, error) from error

    def _with_plan(self, run: _Run) -> WorkflowRun:
        path = self.repo.path("actions", "runs", run.id, "jobs")
        jobs = [item.read(_Job) for item in self.client.pages(path, inside="jobs")]
        # A job of a workflow that another one calls is named `<the caller's job> / <its own name>`.
        plans = [
            PlanJob(job.status, job.conclusion or "", job.started_at)
            for job in jobs
            if job.name.rpartition(" / ")[2] == _PLAN
        ]
        return WorkflowRun(run.status == _OVER, plans[0] if plans else None)


def _file(workflow: str) -> str:
    """Return how the API names a workflow: by its file, without the folder."""
    return workflow.rpartition("/")[2]


def _missing(workflow: str, error: RefusedError) -> Exception:
    if error.status != _NOT_FOUND:
        return error
    return NO_WORKFLOW(f"there is no workflow {quoted(workflow)}, or it may not be seen")
