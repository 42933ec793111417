"""Repositories: their settings, and who may do what in them."""

from tests.fakes.github import access, shapes
from tests.fakes.github.calls import Answer, Call, Refused, not_found
from tests.fakes.github.routes import route

_ONE = "/repos/{owner}/{repo}"
_ROLE_NAMES = {"admin": "admin", "maintain": "write", "write": "write", "triage": "read"}


def _pushes(call: Call) -> bool:
    token = call.token
    if token is None:
        return False
    if token.permissions is not None:
        return access.holds(token, "contents:write")
    return call.repository.may(token.login, "write")


@route(f"GET {_ONE}", "metadata:read")
def read_repository(call: Call) -> Answer:
    login = call.token.login if call.token else None
    shape = shapes.full_repository(call.world, call.repository, login, pushes=_pushes(call))
    return Answer(200, shape)


@route(f"PATCH {_ONE}", "administration:write", role="admin")
def change_repository(call: Call) -> Answer:
    settings = call.repository.settings
    for name, value in call.body.items():
        if not hasattr(settings, name):
            raise Refused(422, f"The fake cannot change {name}.")
        call.tell(f"setting {name} is {value}")
        setattr(settings, name, value)
    shape = shapes.full_repository(call.world, call.repository, call.login, pushes=True)
    return Answer(200, shape)


@route(f"GET {_ONE}/collaborators/{{username}}", "metadata:read", role="write")
def check_collaborator(call: Call) -> Answer:
    if call.path["username"] not in call.repository.roles:
        raise not_found()
    return Answer(204)


@route(f"GET {_ONE}/collaborators/{{username}}/permission", "metadata:read", role="write")
def read_permission(call: Call) -> Answer:
    user = call.world.find_user(call.path["username"])
    if user is None:
        raise Refused(404, f"{call.path['username']} is not a user")
    role = call.repository.role_of(user.login)
    named = "none" if role is None else role
    return Answer(
        200,
        {
            "permission": "none" if role is None else _ROLE_NAMES.get(role, "read"),
            "role_name": named,
            "user": {
                **shapes.user(call.world, user.login),
                "permissions": shapes.permissions_of(role),
                "role_name": named,
            },
        },
    )
