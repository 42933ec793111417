"""Apps, their installations, and the tokens that they are lent."""

from datetime import datetime

import jwt

from tests.fakes.github import shapes
from tests.fakes.github.access import APP
from tests.fakes.github.calls import Answer, Call, Refused, not_found
from tests.fakes.github.paging import paged
from tests.fakes.github.records import App, Json, Repository, Token
from tests.fakes.github.routes import route

_HOUR = 3600
_LONGEST_PROOF = 600
_LEVELS = ("read", "write", "admin")


def installation_id(app: App, owner: str) -> int:
    """Return the number under which an app is installed for an owner."""
    return app.id * 1000 + sum(owner.encode()) % 1000


def _proven(call: Call) -> App:
    """Return the app that signed the request; raises Refused as GitHub does."""
    text = call.headers.get("Authorization", "").partition(" ")[2]
    now = call.world.clock.now.timestamp()
    try:
        claimed = jwt.decode(text, options={"verify_signature": False})
        app = next(
            one
            for one in call.world.apps.values()
            if claimed["iss"] in {one.client_id, one.id, str(one.id)}
        )
        claims = jwt.decode(
            text,
            app.public_key or "",
            algorithms=["RS256"],
            options={"verify_exp": False, "verify_iat": False},
        )
    except (jwt.PyJWTError, StopIteration, KeyError, ValueError):
        raise Refused(401, "A JSON web token could not be decoded") from None
    if claims["iat"] > now:
        raise Refused(401, "'Issued at' claim ('iat') must be an Integer in the past")
    if claims["exp"] <= now:
        raise Refused(401, "'Expiration time' claim ('exp') must be a numeric value in the future")
    if claims["exp"] - now > _LONGEST_PROOF:
        raise Refused(401, "'Expiration time' claim ('exp') is too far in the future")
    return app


def _is_installed(call: Call, app: App, repository: Repository) -> bool:
    return (
        app.id not in call.world.not_installed
        and repository.owner == app.owner
        and repository.full_name not in app.left_out
    )


def _shape(call: Call, app: App, owner: str) -> Json:
    number = installation_id(app, owner)
    account = shapes.user(call.world, owner)
    return {
        "id": number,
        "account": account,
        "app_id": app.id,
        "app_slug": app.slug,
        "client_id": app.client_id,
        "target_id": account["id"],
        "target_type": account["type"],
        "permissions": app.permissions,
        "events": [],
        "repository_selection": "selected",
        "access_tokens_url": f"{call.world.api_url}/app/installations/{number}/access_tokens",
        "repositories_url": f"{call.world.api_url}/installation/repositories",
        "html_url": f"{call.world.url}/organizations/{owner}/settings/installations/{number}",
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z",
    }


# --- as the app itself ---------------------------------------------------------------------------


@route("GET /app", *APP)
def read_own(call: Call) -> Answer:
    return Answer(200, shapes.app(call.world, _proven(call)))


@route("GET /app/installations", *APP)
def list_own_installations(call: Call) -> Answer:
    app = _proven(call)
    owners = [] if app.id in call.world.not_installed else [app.owner]
    return paged(call, [_shape(call, app, owner) for owner in owners])


@route("GET /app/installations/{installation_id}", *APP)
def read_own_installation(call: Call) -> Answer:
    app = _proven(call)
    if call.path["installation_id"] != installation_id(app, app.owner):
        raise not_found()
    return Answer(200, _shape(call, app, app.owner))


@route("GET /repos/{owner}/{repo}/installation", *APP)
def read_repositorys_installation(call: Call) -> Answer:
    app = _proven(call)
    if not _is_installed(call, app, call.repository):
        raise not_found()
    return Answer(200, _shape(call, app, call.repository.owner))


@route("POST /app/installations/{installation_id}/access_tokens", *APP)
def lend(call: Call) -> Answer:
    app, body = _proven(call), call.body or {}
    if call.path["installation_id"] != installation_id(app, app.owner):
        raise not_found()
    wanted = body.get("permissions", app.permissions)
    for name, level in wanted.items():
        held = app.permissions.get(name, "")
        if held not in _LEVELS or _LEVELS.index(level) > _LEVELS.index(held):
            words = "The permissions requested are not granted to this installation."
            raise Refused(422, words)
    names = body.get("repositories")
    reach = None
    if names is not None:
        found = [call.world.find_repository(app.owner, name) for name in names]
        if not all(one is not None and _is_installed(call, app, one) for one in found):
            words = "There is at least one repository that does not exist or is not accessible"
            raise Refused(422, words)
        reach = {one.full_name for one in found if one is not None}
    until = call.world.clock.now.timestamp() + _HOUR
    text = f"ghs_lent{call.world.new_id()}"
    token = Token(text, f"{app.slug}[bot]", {"metadata": "read", **wanted}, reach, app, until)
    call.world.tokens[text] = token
    call.tell(f"lent a token of {app.slug} for {', '.join(sorted(reach or {'all'}))}")
    expires = datetime.fromtimestamp(until, tz=call.world.clock.now.tzinfo)
    return Answer(
        201,
        {
            "token": text,
            "expires_at": expires.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "permissions": {"metadata": "read", **wanted},
            "repository_selection": "selected" if reach else "all",
        },
    )


# --- as anybody ----------------------------------------------------------------------------------


@route("GET /apps/{app_slug}")
def read_app(call: Call) -> Answer:
    app = call.world.apps.get(call.path["app_slug"])
    own = call.token is not None and call.token.app is app
    if app is None or (app.private and not own):
        raise not_found()
    return Answer(200, shapes.app(call.world, app))


@route("GET /orgs/{org}/installations")
def list_organizations_installations(call: Call) -> Answer:
    org = call.world.find_user(call.path["org"])
    if org is None or org.type != "Organization" or call.token is None:
        raise not_found()
    if call.token.permissions is not None:
        raise Refused(403, "Resource not accessible by integration")
    if call.login not in org.owners:
        raise not_found()
    installed = [
        _shape(call, app, org.login)
        for app in call.world.apps.values()
        if app.owner == org.login and app.public_key and app.id not in call.world.not_installed
    ]
    return paged(call, installed, inside="installations")


@route("GET /installation/repositories")
def list_reached(call: Call) -> Answer:
    if call.token is None or call.token.app is None:
        raise Refused(403, "You must authenticate with an installation access token")
    reach = call.token.repositories
    every = [
        shapes.repository(call.world, one)
        for one in call.world.repositories.values()
        if (one.full_name in reach if reach is not None else one.owner == call.token.app.owner)
    ]
    return paged(call, every, inside="repositories")


@route("DELETE /installation/token")
def give_back(call: Call) -> Answer:
    if call.token is None or call.token.app is None:
        raise Refused(403, "You must authenticate with an installation access token")
    call.token.revoked = True
    call.tell("gave its token back")
    return Answer(204)
