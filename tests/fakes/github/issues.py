"""Pull requests seen as issues: comments and timelines."""

from tests.fakes.github import acts, lifecycle, shapes
from tests.fakes.github.calls import Answer, Call, not_found
from tests.fakes.github.paging import paged
from tests.fakes.github.pulls import may_edit, pull_of
from tests.fakes.github.records import Comment, Event, Json, Pull, Repository
from tests.fakes.github.routes import route
from tests.fakes.github.world import World

ONE = "/repos/{owner}/{repo}/issues/{issue_number}"
_COMMENT = "/repos/{owner}/{repo}/issues/comments/{comment_id}"
_READ = ("pull_requests:read", "issues:read")
_WRITE = ("pull_requests:write", "issues:write")


def issue(world: World, repository: Repository, pull: Pull) -> Json:
    """A pull request as an issue."""
    api = f"{world.api_url}/repos/{repository.full_name}"
    labels = [repository.labels[name.lower()] for name in pull.labels]
    return {
        "id": pull.id,
        "node_id": pull.node_id,
        "url": f"{api}/issues/{pull.number}",
        "repository_url": api,
        "html_url": f"{world.url}/{repository.full_name}/pull/{pull.number}",
        "number": pull.number,
        "state": pull.state,
        "title": pull.title,
        "body": pull.body,
        "user": shapes.maybe_user(world, pull.author),
        "labels": [shapes.label(world, one, repository) for one in labels],
        "comments": len(pull.comments),
        "draft": pull.draft,
        "created_at": pull.created_at,
        "updated_at": pull.updated_at,
        "closed_at": pull.closed_at,
        "author_association": shapes.association(repository, pull.author),
        "pull_request": {
            "url": f"{api}/pulls/{pull.number}",
            "merged_at": pull.merged_at,
        },
    }


@route("GET /repos/{owner}/{repo}/issues", *_READ)
def list_issues(call: Call) -> Answer:
    query = call.query
    wanted = {name for name in str(query.get("labels", "")).split(",") if name}
    found = [
        pull
        for pull in call.repository.pulls.values()
        if query.get("state", "open") in {"all", pull.state} and wanted <= set(pull.labels)
    ]
    found.sort(key=lambda one: one.number, reverse=query.get("direction", "desc") == "desc")
    return paged(call, [issue(call.world, call.repository, one) for one in found])


@route(f"GET {ONE}", *_READ)
def read_issue(call: Call) -> Answer:
    return Answer(200, issue(call.world, call.repository, pull_of(call, "issue_number")))


@route(f"PATCH {ONE}", *_WRITE, role="read")
def change_issue(call: Call) -> Answer:
    pull, body = pull_of(call, "issue_number"), call.body
    may_edit(call, pull)
    if body.get("state") == "closed":
        lifecycle.close(call.world, pull, call.login)
    elif body.get("state") == "open":
        lifecycle.reopen(call.world, call.repository, pull, call.login)
    if "labels" in body:
        for name in [one for one in pull.labels if one not in body["labels"]]:
            acts.remove_label(call.world, pull, name, call.login)
        for name in body["labels"]:
            acts.add_label(call.world, call.repository, pull, name, call.login)
    call.tell(f"changed #{pull.number}: {', '.join(sorted(body))}")
    return Answer(200, issue(call.world, call.repository, pull))


# --- comments ------------------------------------------------------------------------------------


def _found(call: Call) -> tuple[Pull, Comment]:
    for pull in call.repository.pulls.values():
        for comment in pull.comments:
            if comment.id == call.path["comment_id"]:
                return pull, comment
    raise not_found()


@route(f"GET {ONE}/comments", *_READ)
def list_comments(call: Call) -> Answer:
    pull = pull_of(call, "issue_number")
    every = [shapes.comment(call.world, one, call.repository, pull.number) for one in pull.comments]
    return paged(call, every)


@route(f"POST {ONE}/comments", *_WRITE, role="read")
def create_comment(call: Call) -> Answer:
    pull = pull_of(call, "issue_number")
    call.tell(f"comment on #{pull.number}")
    made = acts.comment(call.world, pull, call.body["body"], call.login)
    return Answer(201, shapes.comment(call.world, made, call.repository, pull.number))


@route(f"GET {_COMMENT}", *_READ)
def read_comment(call: Call) -> Answer:
    pull, comment = _found(call)
    return Answer(200, shapes.comment(call.world, comment, call.repository, pull.number))


@route(f"PATCH {_COMMENT}", *_WRITE)
def change_comment(call: Call) -> Answer:
    pull, comment = _found(call)
    call.tell(f"comment on #{pull.number} edited")
    comment.body = call.body["body"]
    return Answer(200, shapes.comment(call.world, comment, call.repository, pull.number))


@route(f"DELETE {_COMMENT}", *_WRITE)
def delete_comment(call: Call) -> Answer:
    pull, comment = _found(call)
    call.tell(f"comment on #{pull.number} deleted")
    pull.comments.remove(comment)
    return Answer(204)


# --- timelines -----------------------------------------------------------------------------------


def event(world: World, repository: Repository, one: Event) -> Json:
    """A line of a timeline, as far as its kind is told over REST."""
    shape: Json = {
        "id": one.id,
        "node_id": f"EV_{one.id}",
        "url": f"{world.api_url}/repos/{repository.full_name}/issues/events/{one.id}",
        "actor": shapes.maybe_user(world, one.actor),
        "event": one.event,
        "commit_id": one.details.get("commit_id"),
        "commit_url": None,
        "created_at": one.created_at,
        "performed_via_github_app": None,
    }
    if "label" in one.details:
        label = repository.labels.get(str(one.details["label"]).lower())
        color = label.color if label else "ededed"
        shape["label"] = {"name": one.details["label"], "color": color}
    return shape


def events(world: World, repository: Repository, pull: Pull) -> list[Json]:
    """Return the lines of a timeline that carry an event, oldest first."""
    return [event(world, repository, one) for one in pull.timeline]


@route(f"GET {ONE}/timeline", *_READ)
def list_timeline(call: Call) -> Answer:
    pull = pull_of(call, "issue_number")
    return paged(call, events(call.world, call.repository, pull))


@route(f"GET {ONE}/events", *_READ)
def list_events(call: Call) -> Answer:
    pull = pull_of(call, "issue_number")
    return paged(call, events(call.world, call.repository, pull))
