"""Check runs and check suites."""

from tests.fakes.github import acts, shapes
from tests.fakes.github.calls import Answer, Call, not_found
from tests.fakes.github.lifecycle import settle
from tests.fakes.github.paging import paged
from tests.fakes.github.records import CheckRun, Json
from tests.fakes.github.routes import route
from tests.fakes.github.statuses import commit_of

_COMMIT = "/repos/{owner}/{repo}/commits/{ref}"
_RUNS = "/repos/{owner}/{repo}/check-runs"


def _app(call: Call, number: int) -> Json | None:
    for app in call.world.apps.values():
        if app.id == number:
            return shapes.app(call.world, app)
    return None


def _shape(call: Call, run: CheckRun) -> Json:
    own = f"{call.world.api_url}/repos/{call.repository.full_name}/check-runs/{run.id}"
    return {
        "id": run.id,
        "node_id": f"CR_{run.id}",
        "head_sha": run.sha,
        "name": run.name,
        "url": own,
        "html_url": f"{call.world.url}/{call.repository.full_name}/runs/{run.id}",
        "status": run.status,
        "conclusion": run.conclusion,
        "started_at": run.started_at,
        "completed_at": run.completed_at,
        "check_suite": {"id": run.suite},
        "app": _app(call, run.app_id),
    }


def _of_commit(call: Call) -> list[CheckRun]:
    """Return the newest check run of each name and app, unless all are asked for."""
    sha, query = commit_of(call), call.query
    every = [one for one in call.repository.check_runs if one.sha == sha]
    if query.get("filter", "latest") == "latest":
        every = list({(one.name, one.app_id): one for one in every}.values())
    return [
        one
        for one in every
        if query.get("check_name") in {None, one.name}
        if query.get("status") in {None, one.status}
        if query.get("app_id") in {None, one.app_id}
    ]


@route(f"GET {_COMMIT}/check-runs", "checks:read")
def list_check_runs(call: Call) -> Answer:
    return paged(call, [_shape(call, one) for one in _of_commit(call)], inside="check_runs")


@route(f"GET {_COMMIT}/check-suites", "checks:read")
def list_check_suites(call: Call) -> Answer:
    suites: dict[int, list[CheckRun]] = {}
    for run in _of_commit(call):
        suites.setdefault(run.suite, []).append(run)
    shown = [_suite(call, number, runs) for number, runs in suites.items()]
    return paged(call, shown, inside="check_suites")


def _suite(call: Call, number: int, runs: list[CheckRun]) -> Json:
    done = all(one.status == "completed" for one in runs)
    commit = call.repository.git.object(runs[0].sha)
    who = shapes.signature(commit.author)
    return {
        "id": number,
        "node_id": f"CS_{number}",
        "head_sha": runs[0].sha,
        "status": "completed" if done else "in_progress",
        "conclusion": runs[-1].conclusion if done else None,
        "app": _app(call, runs[0].app_id),
        "repository": shapes.repository(call.world, call.repository),
        "created_at": runs[0].started_at,
        "updated_at": runs[-1].started_at,
        "latest_check_runs_count": len(runs),
        "head_commit": {
            "id": runs[0].sha,
            "tree_id": str(commit.tree.id),
            "message": commit.message,
            "timestamp": who["date"],
            "author": {"name": who["name"], "email": who["email"]},
            "committer": {"name": who["name"], "email": who["email"]},
        },
    }


@route("GET /repos/{owner}/{repo}/check-suites/{check_suite_id}", "checks:read")
def read_check_suite(call: Call) -> Answer:
    number = call.path["check_suite_id"]
    runs = [one for one in call.repository.check_runs if one.suite == number]
    if not runs:
        raise not_found()
    return Answer(200, _suite(call, number, runs))


def _found(call: Call) -> CheckRun:
    for run in call.repository.check_runs:
        if run.id == call.path["check_run_id"]:
            return run
    raise not_found()


@route(f"GET {_RUNS}/{{check_run_id}}", "checks:read")
def read_check_run(call: Call) -> Answer:
    return Answer(200, _shape(call, _found(call)))


@route(f"POST {_RUNS}", "checks:write")
def create_check_run(call: Call) -> Answer:
    body = call.body
    place = call.world.name_of(call.repository, body["head_sha"])
    call.tell(f"check run {body['name']} is {body.get('conclusion', 'running')} on {place}")
    app = call.world.app_of(call.login)
    made = acts.report_check(
        call.world,
        call.repository,
        body["head_sha"],
        body["name"],
        body.get("conclusion"),
        app_id=app.id if app else 0,
        suite=call.world.new_id(),
    )
    return Answer(201, _shape(call, made))


@route(f"PATCH {_RUNS}/{{check_run_id}}", "checks:write")
def change_check_run(call: Call) -> Answer:
    run, body = _found(call), call.body
    run.status = body.get("status", run.status)
    if "conclusion" in body:
        run.status, run.conclusion = "completed", body["conclusion"]
        run.completed_at = call.world.clock.tick()
    call.tell(f"check run {run.name} is {run.conclusion or run.status}")
    settle(call.world, call.repository)
    return Answer(200, _shape(call, run))
