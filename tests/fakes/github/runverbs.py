"""What happens in GitHub Actions, as a test tells it: runs start, jobs report, artifacts come."""

import io
import zipfile
from collections.abc import Mapping

from tests.fakes.github import acts
from tests.fakes.github.records import Repository
from tests.fakes.github.runrecords import Artifact, Job, Run, Workflow
from tests.fakes.github.world import World

QUEUE = ".github/workflows/queue.yaml"
_BY_ACTIONS = 15368


def start_run(
    world: World,
    workflow: str = QUEUE,
    event: str = "push",
    *,
    branch: str = "main",
    sha: str = "",
    by: str = "maintainer",
    head: Repository | None = None,
    on: Repository | None = None,
    path: str = "",
) -> Run:
    """Start a run of a workflow, at a branch's tip unless told where."""
    with world.lock:
        repository = on or _only(world)
        source = head or repository
        moment = world.clock.tick()
        number = world.new_id()
        run = Run(
            id=number,
            number=len(repository.runs) + 1,
            workflow=workflow,
            event=event,
            branch=branch,
            sha=sha or source.git.tip(branch) or "0" * 40,
            repository=source.full_name,
            actor=by,
            created_at=moment,
            starts=[moment],
            suite=world.new_id(),
            path=path or workflow,
        )
        repository.runs[number] = run
        workflow_of(world, repository, workflow)
        return run


def report_job(
    world: World,
    run: Run,
    name: str,
    conclusion: str | None = "success",
    *,
    on: Repository | None = None,
) -> Job:
    """Report a job of a run, which shows as a check run too; None is still running."""
    with world.lock:
        repository = on or _only(world)
        check = acts.report_check(
            world, repository, run.sha, name, conclusion, app_id=_BY_ACTIONS, suite=run.suite
        )
        status = "completed" if conclusion else "in_progress"
        moment = check.started_at
        done = moment if conclusion else None
        job = Job(check.id, name, run.attempt, status, conclusion, moment, done)
        run.jobs.append(job)
        return job


def upload(world: World, run: Run, name: str, files: Mapping[str, bytes | str] | bytes) -> Artifact:
    """Upload an artifact: these files, or an archive as it is."""
    raw = files if isinstance(files, bytes) else zipped(files)
    with world.lock:
        artifact = Artifact(world.new_id(), name, raw, world.clock.tick())
        run.artifacts.append(artifact)
        return artifact


def finish(
    world: World, repository: Repository | None, run: Run, conclusion: str = "success"
) -> None:
    """End a run."""
    del repository
    with world.lock:
        world.clock.tick()
        run.status, run.conclusion = "completed", conclusion


def rerun(
    world: World, repository: Repository | None, run: Run, *, only_failed: bool = False
) -> None:
    """Run a run again, all of it or the jobs that failed."""
    del repository
    with world.lock:
        run.starts.append(world.clock.tick())
        run.status, run.conclusion = "in_progress", None
        again = {job.name: job for job in run.jobs}.values()
        for job in again:
            if not only_failed or job.conclusion not in {"success", "skipped", "neutral"}:
                run.jobs.append(
                    Job(world.new_id(), job.name, run.attempt, "queued", None, run.starts[-1])
                )


def zipped(files: Mapping[str, bytes | str]) -> bytes:
    """Return an archive as an upload makes one."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return held.getvalue()


def workflow_of(world: World, repository: Repository, path: str) -> Workflow:
    """Return the workflow of a path, which is known from its first run on."""
    if path not in repository.workflows:
        name = path.rpartition("/")[2].partition(".")[0].capitalize()
        repository.workflows[path] = Workflow(world.new_id(), path, name)
    return repository.workflows[path]


def workflows(world: World, repository: Repository) -> list[Workflow]:
    """Return the workflows: those that ran, and those on the default branch."""
    tip = repository.git.tip(repository.default_branch)
    if tip is not None:
        for path in repository.git.files(tip):
            if path.startswith(".github/workflows/") and path.endswith((".yml", ".yaml")):
                workflow_of(world, repository, path)
    return list(repository.workflows.values())


def _only(world: World) -> Repository:
    return next(one for one in world.repositories.values() if one.fork_of is None)
