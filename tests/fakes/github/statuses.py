"""Statuses of commits."""

from tests.fakes.github import acts, shapes
from tests.fakes.github.calls import Answer, Call, Refused, not_found
from tests.fakes.github.paging import paged
from tests.fakes.github.records import Repository, Status
from tests.fakes.github.routes import route

_COMMIT = "/repos/{owner}/{repo}/commits/{ref}"


def commit_of(call: Call, name: str = "ref") -> str:
    """Return the commit that a path names by id, branch or full ref."""
    git, ref = call.repository.git, str(call.path[name])
    for found in (git.tip(ref), git.ref(f"refs/{ref}"), git.ref(ref)):
        if found is not None:
            return found
    if git.has(ref):
        return ref
    if len(ref) == 40:
        raise Refused(422, f"No commit found for SHA: {ref}")
    raise not_found()


def newest(repository: Repository, sha: str) -> list[Status]:
    """Return the newest status of each context, the newest first."""
    kept = {one.context: one for one in repository.statuses.get(sha, [])}
    return sorted(kept.values(), key=lambda one: one.id, reverse=True)


def combined_state(statuses: list[Status]) -> str:
    """Return GitHub's one word: failure outweighs pending, and nothing at all is pending."""
    states = {one.state for one in statuses}
    if states & {"failure", "error"}:
        return "failure"
    return "success" if states == {"success"} else "pending"


@route("POST /repos/{owner}/{repo}/statuses/{sha}", "statuses:write")
def create_status(call: Call) -> Answer:
    body, sha = call.body, str(call.path["sha"])
    context = body.get("context", "default")
    place = call.world.name_of(call.repository, sha)
    call.tell(f"status {context} is {body['state']} on {place}")
    made = acts.post_status(
        call.world,
        call.repository,
        sha,
        context,
        body["state"],
        call.login,
        description=body.get("description"),
        target_url=body.get("target_url"),
    )
    return Answer(201, shapes.status(call.world, made, call.repository, sha))


@route(f"GET {_COMMIT}/status", "statuses:read")
def read_combined(call: Call) -> Answer:
    sha = commit_of(call)
    every = newest(call.repository, sha)
    shown = [shapes.status(call.world, one, call.repository, sha) for one in every]
    for one in shown:
        del one["creator"]
    answer = paged(call, shown, inside="statuses")
    own = f"{call.world.api_url}/repos/{call.repository.full_name}/commits/{sha}"
    answer.body |= {
        "state": combined_state(every),
        "sha": sha,
        "repository": shapes.repository(call.world, call.repository),
        "commit_url": own,
        "url": f"{own}/status",
    }
    return answer


@route(f"GET {_COMMIT}/statuses", "statuses:read")
def list_statuses(call: Call) -> Answer:
    sha = commit_of(call)
    every = reversed(call.repository.statuses.get(sha, []))
    return paged(call, [shapes.status(call.world, one, call.repository, sha) for one in every])
