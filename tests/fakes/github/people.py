"""Users and organizations."""

from tests.fakes.github import shapes
from tests.fakes.github.calls import Answer, Call, not_found
from tests.fakes.github.paging import paged
from tests.fakes.github.records import Json
from tests.fakes.github.routes import route


def _public(call: Call, login: str) -> Json:
    user = call.world.find_user(login)
    if user is None:
        raise not_found()
    return {
        **shapes.user(call.world, user.login),
        "user_view_type": "public",
        "name": user.name,
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z",
    }


@route("GET /user", role="read")
def read_viewer(call: Call) -> Answer:
    return Answer(200, _public(call, call.login))


@route("GET /users/{username}")
def read_user(call: Call) -> Answer:
    return Answer(200, _public(call, call.path["username"]))


@route("GET /orgs/{org}")
def read_organization(call: Call) -> Answer:
    user = call.world.find_user(call.path["org"])
    if user is None or user.type != "Organization":
        raise not_found()
    return Answer(
        200,
        {
            "login": user.login,
            "id": user.id,
            "node_id": f"O_{user.id}",
            "type": "Organization",
            "created_at": "2026-01-01T00:00:00Z",
            "updated_at": "2026-01-01T00:00:00Z",
        },
    )


@route("GET /orgs/{org}/teams/{team_slug}/members", "members:read")
def list_team_members(call: Call) -> Answer:
    # A person sees the teams of an organization that they are in; an app needs the right.
    members = call.world.teams.get(f"{call.path['org']}/{call.path['team_slug']}".lower())
    if members is None or call.token is None:
        raise not_found()
    return paged(call, [shapes.user(call.world, login) for login in members])


@route("GET /meta")
def read_meta(call: Call) -> Answer:
    shape: Json = {"verifiable_password_authentication": False}
    if call.world.enterprise:
        shape["installed_version"] = "3.20.0"
    return Answer(200, shape)
