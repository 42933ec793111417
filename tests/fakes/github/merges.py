"""Merging a pull request, at once or in the background, and bringing its base into it."""

from tests.fakes.github import gitmerges, lifecycle, stackmerges
from tests.fakes.github.calls import Answer, Call, Refused, not_found
from tests.fakes.github.merging import Wish, merge, refuse_unready
from tests.fakes.github.pulls import ONE, pull_of
from tests.fakes.github.pullshapes import stack_of
from tests.fakes.github.records import Json, Pull
from tests.fakes.github.routes import route


def _wish(call: Call) -> Wish:
    body = call.body or {}
    return Wish(
        body.get("merge_method", "merge"),
        body.get("commit_title"),
        body.get("commit_message"),
        body.get("sha"),
    )


def _refuse_workflows(call: Call, pull: Pull) -> None:
    """Raise what an app without `workflows` is told of a change to one."""
    token, git = call.token, call.repository.git
    if token is None or token.permissions is None or "workflows" in token.permissions:
        return
    fork_point = git.merge_base(pull.base_sha, pull.head_sha)
    for one in git.changes(fork_point, pull.head_sha):
        if one.path.startswith(".github/workflows/"):
            said = (
                f"refusing to allow a GitHub App to create or update workflow `{one.path}` without"
                " `workflows` permission"
            )
            raise Refused(403, said)


@route(f"GET {ONE}/merge", "pull_requests:read")
def is_merged(call: Call) -> Answer:
    if not pull_of(call).merged:
        raise not_found()
    return Answer(204)


@route(f"PUT {ONE}/merge", "contents:write")
def merge_now(call: Call) -> Answer:
    pull, wish, world = pull_of(call), _wish(call), call.world
    call.tell(f"merge of #{pull.number} by {wish.method}")
    if world.merges_need_a_sha and wish.sha is None:
        world.log.broken.append(f"#{pull.number} was to be merged without a sha")
    if stack_of(call.repository, pull) is not None:
        said = "Pull request is part of a stack and cannot be merged with this endpoint."
        raise Refused(405, said)
    if world.base_moves_under_merges > 0:
        world.base_moves_under_merges -= 1
        raise Refused(405, "Base branch was modified. Review and try the merge again.")
    if pull.number in world.refused_merges:
        raise Refused(*world.refused_merges[pull.number])
    if pull.number in world.hollow_merges:
        return Answer(200, {"sha": pull.head_sha, "merged": False, "message": "Not merged"})
    refuse_unready(world, call.repository, pull, wish, call.login)
    _refuse_workflows(call, pull)
    made = merge(world, call.repository, pull, wish, call.login)
    lifecycle.landed(world, call.repository, pull)
    said = "Pull Request successfully merged"
    return Answer(200, {"sha": made, "merged": True, "message": said})


@route(f"PUT {ONE}/merge-async", "contents:write")
def merge_later(call: Call) -> Answer:
    pull, wish, world = pull_of(call), _wish(call), call.world
    call.tell(f"merge in the background of #{pull.number} by {wish.method}")
    if pull.merged:
        said = "Pull request is already merged."
        return _told(200, "merged", {"message": said, "sha": pull.merge_commit})
    if pull.state == "closed" or pull.draft:
        word = "closed" if pull.state == "closed" else "a draft"
        return _told(400, "failed", {"message": f"Pull request is {word}."})
    if world.async_merge_refusal is not None:
        status, said = world.async_merge_refusal
        return _told(status, "failed", {"message": said})
    for job in call.repository.async_merges.values():
        if job["pull"] == pull.number and job["status"] == "pending":
            return _told(409, "pending", job["details"])
    uuid = f"00000000-0000-4000-8000-{world.new_id():012d}"
    details = {
        "message": "Merge request has been queued.",
        "uuid": uuid,
        "merge_method": wish.method,
        "merge_action": (call.body or {}).get("merge_action", "default"),
        "expected_head_sha": wish.sha or pull.head_sha,
    }
    job = {"pull": pull.number, "status": "pending", "details": details, "by": call.login}
    job["wish"] = wish._replace(sha=details["expected_head_sha"])
    call.repository.async_merges[uuid] = job
    if not world.async_merge_waits:
        stackmerges.run(world, call.repository, job)
    return _told(202, "pending", details)


@route(f"GET {ONE}/merge-async/{{uuid}}", "contents:read", "pull_requests:read")
def read_later(call: Call) -> Answer:
    job = call.repository.async_merges.get(call.path["uuid"])
    if job is None or job["pull"] != call.path["pull_number"]:
        raise not_found()
    return _told(200, job["status"], job["details"])


def _told(status: int, word: str, details: Json) -> Answer:
    return Answer(status, {"status": word, "details": details})


@route(f"PUT {ONE}/update-branch", "pull_requests:write")
def update_branch(call: Call) -> Answer:
    pull, world, git = pull_of(call), call.world, call.repository.git
    call.tell(f"base brought into #{pull.number}")
    wanted = (call.body or {}).get("expected_head_sha", pull.head_sha)
    if wanted != pull.head_sha:
        raise Refused(422, "expected head sha didn't match current head ref.")
    tip = git.tip(pull.base)
    source = world.repositories.get(pull.head_repository or "")
    if tip is None or source is None:
        raise Refused(422, "There is no branch to update.")
    if git.contains(pull.head_sha, tip):
        raise Refused(422, "There are no new commits on the base branch.")
    tree = gitmerges.merged_tree(git, pull.head_sha, tip)
    if tree is None:
        raise Refused(422, "merge conflict between base and head")
    message = f"Merge branch '{pull.base}' into {pull.head}"
    author = world.person(call.login)
    made = gitmerges.merge_commit(git, tree, [pull.head_sha, tip], message, author)
    if source is not call.repository:
        source.git.take(git, made, f"refs/heads/{pull.head}")
    source.git.set_ref(f"refs/heads/{pull.head}", made)
    lifecycle.pushed(world, source, pull.head, pull.head_sha, made, call.login)
    return Answer(202, {"message": "Updating pull request branch.", "url": f"{world.url}/"})
