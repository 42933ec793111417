"""Stacks of pull requests."""

from itertools import pairwise

from tests.fakes.github import shapes
from tests.fakes.github.calls import Answer, Call, Refused, not_found
from tests.fakes.github.paging import paged
from tests.fakes.github.records import Json, Stack
from tests.fakes.github.routes import route

_ALL = "/repos/{owner}/{repo}/stacks"


def _shape(call: Call, stack: Stack) -> Json:
    world, repository = call.world, call.repository
    pulls = [repository.pulls[number] for number in stack.members]
    own = f"{world.api_url}/repos/{repository.full_name}"
    return {
        "id": stack.id,
        "number": stack.number,
        "node_id": f"PRS_{stack.id}",
        "url": f"{own}/stacks/{stack.number}",
        "base": {"ref": stack.base},
        "open": any(one.state == "open" for one in pulls),
        "created_at": stack.created_at,
        "pull_requests": [
            {
                "id": one.id,
                "number": one.number,
                "url": f"{own}/pulls/{one.number}",
                "state": one.state,
                "head": {"ref": one.head, "sha": one.head_sha},
                "base": {"ref": one.base, "sha": one.base_sha},
                "user": shapes.maybe_user(world, one.author),
                "title": one.title,
            }
            for one in pulls
        ],
    }


@route(f"GET {_ALL}", "pull_requests:read")
def list_stacks(call: Call) -> Answer:
    wanted = call.query.get("pull_request")
    found = [one for one in call.repository.stacks if wanted is None or wanted in one.members]
    return paged(call, [_shape(call, one) for one in found])


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
    return Answer(201, _shape(call, made))


@route(f"GET {_ALL}/{{stack_number}}", "pull_requests:read")
def read_stack(call: Call) -> Answer:
    for stack in call.repository.stacks:
        if stack.number == call.path["stack_number"]:
            return Answer(200, _shape(call, stack))
    raise not_found()
