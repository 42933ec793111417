"""Pull requests: list, read, open, change."""

from typing import Any

from tests.fakes.github import lifecycle, pullshapes, shapes
from tests.fakes.github.calls import Answer, Call, Refused, not_found
from tests.fakes.github.paging import paged
from tests.fakes.github.records import Pull, Repository
from tests.fakes.github.routes import route

ONE = "/repos/{owner}/{repo}/pulls/{pull_number}"


def pull_of(call: Call, name: str = "pull_number") -> Pull:
    """Return the pull request in a path."""
    pull = call.repository.pulls.get(call.path[name])
    if pull is None:
        raise not_found()
    return pull


def may_edit(call: Call, pull: Pull) -> None:
    """Raise Refused for a person who is neither the author nor may write."""
    token = call.token
    if token is None or token.permissions is not None or token.login == pull.author:
        return
    if not call.repository.may(token.login, "triage"):
        raise not_found()


@route("GET /repos/{owner}/{repo}/pulls", "pull_requests:read")
def list_pulls(call: Call) -> Answer:
    query = call.query
    state, base, head = query.get("state", "open"), query.get("base"), query.get("head")
    found = [
        pull
        for pull in call.repository.pulls.values()
        if state in {"all", pull.state}
        if base in {None, pull.base}
        # GitHub does not look at a head without its owner.
        if head is None or ":" not in head or head == f"{pull.head_owner}:{pull.head}"
    ]
    by = query.get("sort", "created")
    newest_first = query.get("direction", "asc" if "sort" in query else "desc") == "desc"

    def place(pull: Pull) -> tuple[Any, int]:
        return (pull.updated_at if by == "updated" else pull.created_at, pull.number)

    found.sort(key=place, reverse=newest_first)
    return paged(call, [pullshapes.simple(call.world, call.repository, one) for one in found])


@route("POST /repos/{owner}/{repo}/pulls", "pull_requests:write", role="read")
def create_pull(call: Call) -> Answer:
    owner, _, branch = str(call.body["head"]).rpartition(":")
    source: Repository | None = call.repository
    if owner and owner != call.repository.owner:
        source = call.world.find_repository(owner, call.repository.name)
    if source is None:
        raise not_found()
    pull = lifecycle.open_pull(
        call.world,
        call.repository,
        title=call.body["title"],
        body=call.body.get("body"),
        head=(source, branch),
        base=call.body["base"],
        author=call.login,
        draft=call.body.get("draft", False),
    )
    call.tell(f"opened #{pull.number}")
    return Answer(201, pullshapes.full(call.world, call.repository, pull))


@route(f"GET {ONE}", "pull_requests:read")
def read_pull(call: Call) -> Answer:
    return Answer(200, pullshapes.full(call.world, call.repository, pull_of(call)))


@route(f"PATCH {ONE}", "pull_requests:write", role="read")
def change_pull(call: Call) -> Answer:
    pull, world, body = pull_of(call), call.world, call.body
    may_edit(call, pull)
    if (base := body.get("base")) is not None:
        call.tell(f"retargeted #{pull.number} to {base}")
        lifecycle.retarget(world, call.repository, pull, base, call.login)
    if (state := body.get("state")) is not None and state != pull.state:
        call.tell(f"{'closed' if state == 'closed' else 'reopened'} #{pull.number}")
        if state == "closed":
            lifecycle.close(world, pull, call.login)
        else:
            lifecycle.reopen(world, call.repository, pull, call.login)
    for name in ("title", "body"):
        if name in body:
            setattr(pull, name, body[name])
            call.tell(f"changed the {name} of #{pull.number}")
    return Answer(200, pullshapes.full(world, call.repository, pull))


@route(f"GET {ONE}/commits", "pull_requests:read")
def list_commits(call: Call) -> Answer:
    commits = commits_of(call.repository, pull_of(call))[:250]
    return paged(call, [shapes.commit(call.world, call.repository, one) for one in commits])


def commits_of(repository: Repository, pull: Pull) -> list[Any]:
    """Return the commits that a pull request shows, oldest first."""
    base = pull.base_sha
    if not pull.merged and (tip := repository.git.tip(pull.base)) is not None:
        base = tip
    return repository.git.between(base, pull.head_sha)


@route(f"GET {ONE}/files", "pull_requests:read")
def list_files(call: Call) -> Answer:
    pull, git = pull_of(call), call.repository.git
    fork_point = git.merge_base(pull.base_sha, pull.head_sha)
    changes = git.changes(fork_point, pull.head_sha)[:3000]
    return paged(
        call,
        [{"filename": one.path, "status": one.status, "sha": None} for one in changes],
    )


@route("GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls", "pull_requests:read")
def list_pulls_of_commit(call: Call) -> Answer:
    found = pulls_with(call.repository, call.path["commit_sha"])
    return paged(call, [pullshapes.simple(call.world, call.repository, one) for one in found])


def pulls_with(repository: Repository, sha: str) -> list[Pull]:
    """Return the pull requests that a commit belongs to: theirs, or made by merging them."""
    if not repository.git.has(sha):
        raise Refused(422, f"No commit found for SHA: {sha}")
    return [
        pull
        for pull in repository.pulls.values()
        if sha == pull.merge_commit
        or (
            repository.git.contains(pull.head_sha, sha)
            and not repository.git.contains(pull.base_sha, sha)
        )
    ]
