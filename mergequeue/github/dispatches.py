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
_AWAITS = "wait for the plan of "
"""What the first job of the apply half is called, before its base (reusable-queue-apply.yaml)."""
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

    def are_older_over(self, number: str, base: BranchName) -> bool:
        """Return whether every run of a run's own workflow that is older than it has ended, but for
        those whose jobs say that they wait for the plan of another base.
        """
        own = self.client.get(self.repo.path("actions", "runs", number)).body.read(_Own)
        path = self.repo.path("actions", "workflows", own.workflow_id, "runs")
        answer = self.client.get(path, {"per_page": _NEWEST})
        runs = [item.read(_Run) for item in answer.body.at("workflow_runs").each()]
        older = [run for run in runs if run.id < own.id and run.status != _OVER]
        return not any(self._may_merge(run, base) for run in older)

    def _may_merge(self, run: _Run, base: BranchName) -> bool:
        """Whether a run may merge into a base: it may where no job of it says otherwise."""
        names = [_own_name(job) for job in self._jobs(run)]
        said = [name for name in names if name.startswith(_AWAITS)]
        return not said or f"{_AWAITS}{base}" in said

    def dispatch(self, workflow: str, branch: BranchName) -> None:
        """Start a run on a branch; raise NO_WORKFLOW where there is no such workflow."""
        path = self.repo.path("actions", "workflows", _file(workflow), "dispatches")
        try:
            self.client.write("POST", path, {"ref": branch}, expect=(200, 204))
        except RefusedError as error:
            raise _missing(workflow, error) from error

    def _with_plan(self, run: _Run) -> WorkflowRun:
        plans = [
            PlanJob(job.status, job.conclusion or "", job.started_at)
            for job in self._jobs(run)
            if _own_name(job) == _PLAN
        ]
        return WorkflowRun(run.status == _OVER, plans[0] if plans else None)

    def _jobs(self, run: _Run) -> list[_Job]:
        path = self.repo.path("actions", "runs", run.id, "jobs")
        return [item.read(_Job) for item in self.client.pages(path, inside="jobs")]


def _own_name(job: _Job) -> str:
    """Return a job's name, without that of the job whose workflow calls its own."""
    return job.name.rpartition(" / ")[2]


def _file(workflow: str) -> str:
    """Return how the API names a workflow: by its file, without the folder."""
    return workflow.rpartition("/")[2]


def _missing(workflow: str, error: RefusedError) -> Exception:
    if error.status != _NOT_FOUND:
        return error
    return NO_WORKFLOW(f"there is no workflow {quoted(workflow)}, or it may not be seen")
