"""Stacks of pull requests."""

from itertools import pairwise

from tests.fakes.github import shapes
from tests.fakes.github.calls import Answer, Call, Refused, not_found
from tests.fakes.github.paging import paged
from tests.fakes.github.records import Json, Pull, Stack
from tests.fakes.github.routes import route

_ALL = "/repos/{owner}/{repo}/stacks"


def _shape(call: Call, stack: Stack, *, whole: bool) -> Json:
    """A stack; its pull requests in a list are told in fewer words than on its own."""
    repository = call.repository
    pulls = [repository.pulls[number] for number in stack.members]
    own = f"{call.world.api_url}/repos/{repository.full_name}"
    return {
        "id": stack.id,
        "number": stack.number,
        "node_id": f"PRS_{stack.id}",
        "url": f"{own}/stacks/{stack.number}",
        "base": {"ref": stack.base},
        "open": any(one.state == "open" for one in pulls),
        "created_at": stack.created_at,
        "pull_requests": [(_whole if whole else _minimal)(call, one) for one in pulls],
    }


def _minimal(call: Call, pull: Pull) -> Json:
    del call
    return {
        "number": pull.number,
        "state": pull.state,
        "draft": pull.draft,
        "merged_at": pull.merged_at,
        "head": {"ref": pull.head, "sha": pull.head_sha},
    }


def _whole(call: Call, pull: Pull) -> Json:
    own = f"{call.world.api_url}/repos/{call.repository.full_name}"
    return {
        **_minimal(call, pull),
        "id": pull.id,
        "node_id": pull.node_id,
        "title": pull.title,
        "url": f"{own}/pulls/{pull.number}",
        "html_url": f"{call.world.url}/{call.repository.full_name}/pull/{pull.number}",
        "base": {"ref": pull.base, "sha": pull.base_sha},
        "user": shapes.maybe_user(call.world, pull.author),
    }


@route(f"GET {_ALL}", "pull_requests:read")
def list_stacks(call: Call) -> Answer:
    wanted = call.query.get("pull_request")
    found = [one for one in call.repository.stacks if wanted is None or wanted in one.members]
    return paged(call, [_shape(call, one, whole=False) for one in found])


@route(f"POST {_ALL}", "pull_requests:write")
def create_stack(call: Call) -> Answer:
    numbers = call.body["pull_requests"]
    repository = call.repository
    call.tell(f"stack of {', '.join(f'#{one}' for one in numbers)}")
    pulls = [repository.pulls.get(one) for one in numbers]
    for lower, upper in pairwise(pulls):
        if lower is None or upper is None or upper.base != lower.head:
            raise Refused(422, "Pull requests must form a stack.")
    assert pulls[0] is not None
    number = len(repository.stacks) + 1
    made = Stack(call.world.new_id(), number, pulls[0].base, numbers, call.world.clock.tick())
    repository.stacks.append(made)
    return Answer(201, _shape(call, made, whole=True))


@route(f"GET {_ALL}/{{stack_number}}", "pull_requests:read")
def read_stack(call: Call) -> Answer:
    for stack in call.repository.stacks:
        if stack.number == call.path["stack_number"]:
            return Answer(200, _shape(call, stack, whole=True))
    raise not_found()
