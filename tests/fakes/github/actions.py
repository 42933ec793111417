"""Workflow runs, their attempts, jobs and artifacts."""

from collections.abc import Sequence

from tests.fakes.github import blobs, runverbs, shapes
from tests.fakes.github.calls import Answer, Call, Refused, not_found
from tests.fakes.github.paging import paged
from tests.fakes.github.records import Json
from tests.fakes.github.routes import route
from tests.fakes.github.runrecords import Artifact, Job, Run, Workflow

_ACTIONS = "/repos/{owner}/{repo}/actions"
_RUN = f"{_ACTIONS}/runs/{{run_id}}"
_ATTEMPT = f"{_RUN}/attempts/{{attempt_number}}"
_WORKFLOW = f"{_ACTIONS}/workflows/{{workflow_id}}"


# --- what is answered ----------------------------------------------------------------------------


def _own(call: Call, run: Run) -> str:
    return f"{call.world.api_url}/repos/{call.repository.full_name}/actions/runs/{run.id}"


def _run(call: Call, run: Run, attempt: int | None = None) -> Json:
    world, repository = call.world, call.repository
    number = attempt or run.attempt
    now = number == run.attempt
    workflow = runverbs.workflow_of(world, repository, run.workflow)
    head = world.repositories.get(run.repository)
    own = _own(call, run)
    return {
        "id": run.id,
        "node_id": f"WFR_{run.id}",
        "name": workflow.name,
        "head_branch": run.branch,
        "head_sha": run.sha,
        "path": run.path,
        "run_number": run.number,
        "run_attempt": number,
        "event": run.event,
        "status": run.status if now else "completed",
        "conclusion": run.conclusion if now else "failure",
        "workflow_id": workflow.id,
        "check_suite_id": run.suite,
        "url": own,
        "html_url": f"{world.url}/{repository.full_name}/actions/runs/{run.id}",
        "jobs_url": f"{own}/jobs",
        "artifacts_url": f"{own}/artifacts",
        "pull_requests": [],
        "created_at": run.created_at,
        "updated_at": run.starts[-1],
        "run_started_at": run.starts[number - 1],
        "actor": shapes.user(world, run.actor),
        "triggering_actor": shapes.user(world, run.actor),
        "head_commit": None,
        "repository": shapes.repository(world, repository),
        "head_repository": shapes.repository(world, head) if head else None,
    }


def _job(call: Call, run: Run, job: Job) -> Json:
    own = f"{call.world.api_url}/repos/{call.repository.full_name}"
    page = f"{call.world.url}/{call.repository.full_name}/actions/runs/{run.id}/job/{job.id}"
    return {
        "id": job.id,
        "node_id": f"CR_{job.id}",
        "run_id": run.id,
        "run_url": _own(call, run),
        "run_attempt": job.attempt,
        "head_sha": run.sha,
        "head_branch": run.branch,
        "name": job.name,
        "status": job.status,
        "conclusion": job.conclusion,
        "created_at": job.started_at,
        "started_at": job.started_at,
        "completed_at": job.completed_at,
        "check_run_url": f"{own}/check-runs/{job.id}",
        "url": f"{own}/actions/jobs/{job.id}",
        "html_url": page,
        "workflow_name": run.workflow,
        "labels": [],
    }


def _artifact(call: Call, run: Run, artifact: Artifact) -> Json:
    own = f"{call.world.api_url}/repos/{call.repository.full_name}/actions/artifacts/{artifact.id}"
    return {
        "id": artifact.id,
        "node_id": f"A_{artifact.id}",
        "name": artifact.name,
        "size_in_bytes": len(artifact.raw),
        "url": own,
        "archive_download_url": f"{own}/zip",
        "expired": artifact.expired,
        "created_at": artifact.created_at,
        "updated_at": artifact.created_at,
        "expires_at": "2027-01-01T00:00:00Z",
        "workflow_run": {
            "id": run.id,
            "repository_id": call.repository.id,
            "head_repository_id": call.repository.id,
            "head_branch": run.branch,
            "head_sha": run.sha,
        },
    }


def _workflow(call: Call, workflow: Workflow) -> Json:
    own = f"{call.world.api_url}/repos/{call.repository.full_name}/actions/workflows/{workflow.id}"
    return {
        "id": workflow.id,
        "node_id": f"W_{workflow.id}",
        "name": workflow.name,
        "path": workflow.path,
        "state": "active",
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z",
        "url": own,
        "html_url": f"{call.world.url}/{call.repository.full_name}/blob/main/{workflow.path}",
        "badge_url": f"{own}/badge.svg",
    }


# --- runs ----------------------------------------------------------------------------------------


def _found(call: Call) -> Run:
    run = call.repository.runs.get(call.path["run_id"])
    if run is None:
        raise not_found()
    return run


def _matching(call: Call, runs: Sequence[Run]) -> list[Run]:
    """Return the runs that a listing's filters leave, newest first."""
    query = call.query
    kept = [
        run
        for run in runs
        if query.get("head_sha") in {None, run.sha}
        if query.get("branch") in {None, run.branch}
        if query.get("event") in {None, run.event}
        if query.get("actor") in {None, run.actor}
        if query.get("status") in {None, run.status, run.conclusion}
    ]
    return sorted(kept, key=lambda run: (run.created_at, run.id), reverse=True)


@route(f"GET {_ACTIONS}/runs", "actions:read")
def list_runs(call: Call) -> Answer:
    every = _matching(call, list(call.repository.runs.values()))
    return paged(call, [_run(call, run) for run in every], inside="workflow_runs")


@route(f"GET {_RUN}", "actions:read")
def read_run(call: Call) -> Answer:
    return Answer(200, _run(call, _found(call)))


@route(f"GET {_ATTEMPT}", "actions:read")
def read_attempt(call: Call) -> Answer:
    run = _found(call)
    if not 1 <= call.path["attempt_number"] <= run.attempt:
        raise not_found()
    return Answer(200, _run(call, run, call.path["attempt_number"]))


@route(f"GET {_RUN}/jobs", "actions:read")
def list_jobs(call: Call) -> Answer:
    run = _found(call)
    jobs = run.jobs
    if call.query.get("filter", "latest") == "latest":
        # A re-run of failed jobs leaves the newest attempt of each.
        jobs = list({job.name: job for job in jobs}.values())
    return paged(call, [_job(call, run, job) for job in jobs], inside="jobs")


@route(f"GET {_ATTEMPT}/jobs", "actions:read")
def list_attempts_jobs(call: Call) -> Answer:
    run = _found(call)
    jobs = [job for job in run.jobs if job.attempt == call.path["attempt_number"]]
    return paged(call, [_job(call, run, job) for job in jobs], inside="jobs")


@route(f"GET {_ACTIONS}/jobs/{{job_id}}", "actions:read")
def read_job(call: Call) -> Answer:
    for run in call.repository.runs.values():
        for job in run.jobs:
            if job.id == call.path["job_id"]:
                return Answer(200, _job(call, run, job))
    raise not_found()


@route(f"POST {_RUN}/cancel", "actions:write")
def cancel(call: Call) -> Answer:
    run = _found(call)
    if run.status == "completed":
        raise Refused(409, "Cannot cancel a workflow run that is completed.")
    runverbs.finish(call.world, call.repository, run, "cancelled")
    call.tell(f"cancelled run {run.id}")
    return Answer(202, {})


@route(f"POST {_RUN}/rerun", "actions:write")
def rerun(call: Call) -> Answer:
    run = _found(call)
    runverbs.rerun(call.world, call.repository, run)
    call.tell(f"ran {run.id} again")
    return Answer(201, {})


@route(f"POST {_RUN}/rerun-failed-jobs", "actions:write")
def rerun_failed(call: Call) -> Answer:
    run = _found(call)
    if run.status != "completed":
        raise Refused(403, "This workflow run is already running")
    runverbs.rerun(call.world, call.repository, run, only_failed=True)
    call.tell(f"ran the failed jobs of {run.id} again")
    return Answer(201, {})


# --- artifacts -----------------------------------------------------------------------------------


@route(f"GET {_RUN}/artifacts", "actions:read")
def list_runs_artifacts(call: Call) -> Answer:
    run, name = _found(call), call.query.get("name")
    if run.on_listed is not None and call.query.get("page", 1) == 1:
        run.on_listed()
    shown = [it for it in reversed(run.artifacts) if name in {None, it.name}]
    return paged(call, [_artifact(call, run, it) for it in shown], inside="artifacts")


@route(f"GET {_ACTIONS}/artifacts", "actions:read")
def list_artifacts(call: Call) -> Answer:
    name = call.query.get("name")
    shown = [
        _artifact(call, run, artifact)
        for run in call.repository.runs.values()
        for artifact in run.artifacts
        if name in {None, artifact.name}
    ]
    return paged(call, shown, inside="artifacts")


def _artifact_found(call: Call) -> tuple[Run, Artifact]:
    for run in call.repository.runs.values():
        for artifact in run.artifacts:
            if artifact.id == call.path["artifact_id"]:
                return run, artifact
    raise not_found()


@route(f"GET {_ACTIONS}/artifacts/{{artifact_id}}", "actions:read")
def read_artifact(call: Call) -> Answer:
    return Answer(200, _artifact(call, *_artifact_found(call)))


@route(f"GET {_ACTIONS}/artifacts/{{artifact_id}}/{{archive_format}}", "actions:read")
def download(call: Call) -> Answer:
    _, artifact = _artifact_found(call)
    if call.path["archive_format"] != "zip":
        raise not_found()
    if artifact.expired:
        raise Refused(410, "Artifact has expired")
    # Even of a public repository, GitHub gives no artifact to nobody.
    _ = call.login
    return Answer(302, None, {"Location": blobs.address_of(call.world, artifact.raw)})


# --- workflows -----------------------------------------------------------------------------------


def _workflow_found(call: Call) -> Workflow:
    wanted = str(call.path["workflow_id"])
    for workflow in runverbs.workflows(call.world, call.repository):
        if wanted in {str(workflow.id), workflow.path.rpartition("/")[2]}:
            return workflow
    raise not_found()


@route(f"GET {_ACTIONS}/workflows", "actions:read")
def list_workflows(call: Call) -> Answer:
    every = runverbs.workflows(call.world, call.repository)
    return paged(call, [_workflow(call, one) for one in every], inside="workflows")


@route(f"GET {_WORKFLOW}", "actions:read")
def read_workflow(call: Call) -> Answer:
    return Answer(200, _workflow(call, _workflow_found(call)))


@route(f"GET {_WORKFLOW}/runs", "actions:read")
def list_workflows_runs(call: Call) -> Answer:
    workflow = _workflow_found(call)
    own = [run for run in call.repository.runs.values() if run.workflow == workflow.path]
    shown = [_run(call, run) for run in _matching(call, own)]
    return paged(call, shown, inside="workflow_runs")


@route(f"POST {_WORKFLOW}/dispatches", "actions:write")
def dispatch(call: Call) -> Answer:
    workflow, branch = _workflow_found(call), call.body["ref"].removeprefix("refs/heads/")
    if call.repository.git.tip(branch) is None:
        raise Refused(422, f"No ref found for: {branch}")
    run = runverbs.start_run(
        call.world, workflow.path, "workflow_dispatch", branch=branch, by=call.login
    )
    if call.repository.on_dispatch is not None:
        call.repository.on_dispatch(run)
    call.tell(f"dispatched {workflow.path} on {branch}")
    if not call.body.get("return_run_details"):
        return Answer(204)
    own = _own(call, run)
    page = f"{call.world.url}/{call.repository.full_name}/actions/runs/{run.id}"
    return Answer(200, {"workflow_run_id": run.id, "run_url": own, "html_url": page})
