"""Labels: of the repository, and on a pull request."""

from tests.fakes.github import acts, shapes
from tests.fakes.github.calls import Answer, Call, Refused, not_found
from tests.fakes.github.paging import paged
from tests.fakes.github.pulls import pull_of
from tests.fakes.github.records import Label, Pull
from tests.fakes.github.routes import route

_REPOSITORY = "/repos/{owner}/{repo}/labels"
_ISSUE = "/repos/{owner}/{repo}/issues/{issue_number}/labels"
_READ = ("pull_requests:read", "issues:read")
_WRITE = ("pull_requests:write", "issues:write")


def _shapes(call: Call, pull: Pull) -> list[dict[str, object]]:
    held = [call.repository.labels[name.lower()] for name in pull.labels]
    return [shapes.label(call.world, one, call.repository) for one in held]


def _label(call: Call) -> Label:
    label = acts.find_label(call.repository, call.path["name"])
    if label is None:
        raise not_found()
    return label


@route(f"GET {_REPOSITORY}", *_READ)
def list_labels(call: Call) -> Answer:
    every = call.repository.labels.values()
    return paged(call, [shapes.label(call.world, one, call.repository) for one in every])


@route(f"POST {_REPOSITORY}", *_WRITE)
def create_label(call: Call) -> Answer:
    body = call.body
    call.tell(f"label {body['name']!r} made")
    label = acts.make_label(
        call.world,
        call.repository,
        body["name"],
        body.get("color", "ededed"),
        body.get("description"),
    )
    return Answer(201, shapes.label(call.world, label, call.repository))


@route(f"GET {_REPOSITORY}/{{name}}", *_READ)
def read_label(call: Call) -> Answer:
    return Answer(200, shapes.label(call.world, _label(call), call.repository))


@route(f"PATCH {_REPOSITORY}/{{name}}", *_WRITE)
def change_label(call: Call) -> Answer:
    label = _label(call)
    call.tell(f"label {label.name!r} changed")
    label.color = call.body.get("color", label.color)
    label.description = call.body.get("description", label.description)
    return Answer(200, shapes.label(call.world, label, call.repository))


@route(f"DELETE {_REPOSITORY}/{{name}}", *_WRITE)
def delete_label(call: Call) -> Answer:
    label = _label(call)
    call.tell(f"label {label.name!r} removed from the repository")
    del call.repository.labels[label.name.lower()]
    for pull in call.repository.pulls.values():
        acts.remove_label(call.world, pull, label.name, call.login)
    return Answer(204)


@route(f"GET {_ISSUE}", *_READ)
def list_labels_on(call: Call) -> Answer:
    return paged(call, _shapes(call, pull_of(call, "issue_number")))


def _names(body: object) -> list[str]:
    """Return the names in any of the forms that GitHub takes."""
    given = body.get("labels", []) if isinstance(body, dict) else body
    if isinstance(given, str):
        return [given]
    if not isinstance(given, list):
        raise Refused(422, "Validation Failed")
    return [one["name"] if isinstance(one, dict) else one for one in given]


@route(f"POST {_ISSUE}", *_WRITE, role="triage")
def add_labels(call: Call) -> Answer:
    pull = pull_of(call, "issue_number")
    for name in _names(call.body):
        call.tell(f"label {name!r} put on #{pull.number}")
        acts.add_label(call.world, call.repository, pull, name, call.login)
    return Answer(200, _shapes(call, pull))


@route(f"PUT {_ISSUE}", *_WRITE, role="triage")
def set_labels(call: Call) -> Answer:
    pull, wanted = pull_of(call, "issue_number"), _names(call.body)
    for name in [one for one in pull.labels if one not in wanted]:
        acts.remove_label(call.world, pull, name, call.login)
    for name in wanted:
        acts.add_label(call.world, call.repository, pull, name, call.login)
    call.tell(f"labels of #{pull.number} set to {wanted}")
    return Answer(200, _shapes(call, pull))


@route(f"DELETE {_ISSUE}/{{name}}", *_WRITE, role="triage")
def remove_label(call: Call) -> Answer:
    pull, name = pull_of(call, "issue_number"), call.path["name"]
    call.tell(f"label {name!r} taken off #{pull.number}")
    if not acts.remove_label(call.world, pull, name, call.login):
        raise Refused(404, "Label does not exist")
    return Answer(200, _shapes(call, pull))
