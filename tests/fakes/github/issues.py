"""Issues, and pull requests seen as issues: comments and timelines."""

from tests.fakes.github import acts, lifecycle, shapes
from tests.fakes.github.access import holds
from tests.fakes.github.calls import Answer, Call, invalid, not_for_integrations, not_found
from tests.fakes.github.paging import paged
from tests.fakes.github.pulls import may_edit, pull_of
from tests.fakes.github.records import Comment, Event, Issue, Json, Pull, Repository
from tests.fakes.github.routes import route
from tests.fakes.github.world import World

ONE = "/repos/{owner}/{repo}/issues/{issue_number}"
_COMMENT = "/repos/{owner}/{repo}/issues/comments/{comment_id}"
_READ = ("pull_requests:read", "issues:read")
_WRITE = ("pull_requests:write", "issues:write")
_BODY = 65_536
"""How many characters GitHub takes of an issue at most."""


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


def own_issue(world: World, repository: Repository, one: Issue) -> Json:
    """An issue that is no pull request."""
    api = f"{world.api_url}/repos/{repository.full_name}"
    return {
        "id": one.id,
        "node_id": one.node_id,
        "url": f"{api}/issues/{one.number}",
        "repository_url": api,
        "html_url": f"{world.url}/{repository.full_name}/issues/{one.number}",
        "number": one.number,
        "state": one.state,
        "title": one.title,
        "body": one.body,
        "user": shapes.maybe_user(world, one.author),
        "labels": [],
        "comments": 0,
        "created_at": one.created_at,
        "updated_at": one.updated_at,
        "closed_at": one.closed_at,
        "author_association": shapes.association(repository, one.author),
    }


def _shown(call: Call, one: Pull | Issue) -> Json:
    shape = issue if isinstance(one, Pull) else own_issue
    return shape(call.world, call.repository, one)  # type: ignore[arg-type]  # each its own


@route("GET /repos/{owner}/{repo}/issues", *_READ)
def list_issues(call: Call) -> Answer:
    query, repository = call.query, call.repository
    wanted = {name for name in str(query.get("labels", "")).split(",") if name}
    every: list[Pull | Issue] = [*repository.pulls.values(), *repository.issues.values()]
    found = [
        one
        for one in every
        if query.get("state", "open") in {"all", one.state}
        if query.get("creator") in {None, one.author} or call.world.creators_are_ignored
        if wanted <= set(one.labels if isinstance(one, Pull) else ())
    ]
    found.sort(key=lambda one: one.number, reverse=query.get("direction", "desc") == "desc")
    return paged(call, [_shown(call, one) for one in found])


@route("POST /repos/{owner}/{repo}/issues", "issues:write", role="read")
def create_issue(call: Call) -> Answer:
    title, body = str(call.body["title"]), call.body.get("body")
    _refuse_long(body)
    world, repository = call.world, call.repository
    now, own = world.clock.tick(), world.new_id()
    number = repository.next_number()
    made = Issue(number, own, f"I_{own}", call.login, title, body, now, now)
    repository.issues[number] = made
    call.tell(f"opened the issue #{number}")
    return Answer(201, own_issue(world, repository, made))


@route(f"GET {ONE}", *_READ)
def read_issue(call: Call) -> Answer:
    own = call.repository.issues.get(call.path["issue_number"])
    return Answer(200, _shown(call, own or pull_of(call, "issue_number")))


def _refuse_long(body: str | None) -> None:
    if len(body or "") > _BODY:
        raise invalid(
            "Issue", "body", "custom", f"body is too long (maximum is {_BODY} characters)"
        )


def _change_own(call: Call, one: Issue) -> Answer:
    body, token = call.body, call.token
    may = token is not None and (
        holds(token, "issues:write")
        if token.permissions is not None
        else token.login == one.author or call.repository.may(token.login, "triage")
    )
    if not may:
        raise not_for_integrations()
    _refuse_long(body.get("body"))
    one.title, one.body = body.get("title", one.title), body.get("body", one.body)
    one.state = body.get("state", one.state)
    one.updated_at = call.world.clock.tick()
    one.closed_at = one.updated_at if one.state == "closed" else None
    call.tell(f"changed the issue #{one.number}: {', '.join(sorted(body))}")
    return Answer(200, own_issue(call.world, call.repository, one))


@route(f"PATCH {ONE}", *_WRITE, role="read")
def change_issue(call: Call) -> Answer:
    own = call.repository.issues.get(call.path["issue_number"])
    if own is not None:
        return _change_own(call, own)
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
        "performed_via_github_app": _app_behind(world, one),
    }
    if "label" in one.details:
        label = repository.labels.get(str(one.details["label"]).lower())
        color = label.color if label else "ededed"
        shape["label"] = {"name": one.details["label"], "color": color}
    return shape


def _app_behind(world: World, one: Event) -> Json | None:
    app = world.app_of(one.actor) if one.actor is not None else None
    return None if app is None else shapes.app(world, app)


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
