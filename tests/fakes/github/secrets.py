"""Environments, variables and secrets, as `describe` has a person set them up."""

import base64
from functools import cache

from nacl.public import PrivateKey, SealedBox

from tests.fakes.github.calls import Answer, Call, Refused, not_found
from tests.fakes.github.paging import paged
from tests.fakes.github.records import Environment, Json
from tests.fakes.github.routes import route

_ENVIRONMENTS = "/repos/{owner}/{repo}/environments"
_ONE = f"{_ENVIRONMENTS}/{{environment_name}}"
_ACTIONS = "/repos/{owner}/{repo}/actions"
_MOMENTS = {"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z"}
_KEY_ID = "568250167242549743"


@cache
def private_key() -> PrivateKey:
    """Return the key that secrets are sealed for; what it opens is what a client meant."""
    return PrivateKey.generate()


def _environment(call: Call) -> Environment:
    found = call.repository.environments.get(call.path["environment_name"].lower())
    if found is None:
        raise not_found()
    return found


def _shape(call: Call, one: Environment) -> Json:
    own = f"{call.world.api_url}/repos/{call.repository.full_name}/environments/{one.name}"
    policy: Json | None = None
    if one.protected_branches is not None:
        policy = {
            "protected_branches": one.protected_branches,
            "custom_branch_policies": not one.protected_branches,
        }
    return {
        "id": one.id,
        "node_id": f"EN_{one.id}",
        "name": one.name,
        "url": own,
        "html_url": own,
        "deployment_branch_policy": policy,
        "protection_rules": [],
        **_MOMENTS,
    }


@route(f"GET {_ENVIRONMENTS}", "actions:read")
def list_environments(call: Call) -> Answer:
    every = call.repository.environments.values()
    return paged(call, [_shape(call, one) for one in every], inside="environments")


@route(f"GET {_ONE}", "actions:read")
def read_environment(call: Call) -> Answer:
    return Answer(200, _shape(call, _environment(call)))


@route(f"PUT {_ONE}", "administration:write", role="admin")
def put_environment(call: Call) -> Answer:
    name = call.path["environment_name"]
    call.tell(f"environment {name} set up")
    held = call.repository.environments
    one = held.setdefault(name.lower(), Environment(call.world.new_id(), name))
    policy = (call.body or {}).get("deployment_branch_policy")
    if policy is not None and policy["protected_branches"] == policy["custom_branch_policies"]:
        raise Refused(422, "protected_branches and custom_branch_policies cannot be the same")
    one.protected_branches = None if policy is None else policy["protected_branches"]
    return Answer(200, _shape(call, one))


@route(f"GET {_ONE}/deployment-branch-policies", "actions:read")
def list_policies(call: Call) -> Answer:
    return paged(call, _environment(call).policies, inside="branch_policies")


@route(f"POST {_ONE}/deployment-branch-policies", "administration:write", role="admin")
def create_policy(call: Call) -> Answer:
    one, body = _environment(call), call.body
    call.tell(f"branch {body['name']} may deploy to {one.name}")
    if one.protected_branches is not False:
        raise not_found()
    for held in one.policies:
        if held["name"] == body["name"]:
            return Answer(303)
    made = {
        "id": call.world.new_id(),
        "node_id": f"DBP_{len(one.policies)}",
        "name": body["name"],
        "type": body.get("type", "branch"),
    }
    one.policies.append(made)
    return Answer(200, made)


# --- secrets -------------------------------------------------------------------------------------


def _secrets(call: Call) -> dict[str, bytes]:
    is_of_environment = "environment_name" in call.path
    return _environment(call).secrets if is_of_environment else call.repository.secrets


def _list_secrets(call: Call) -> Answer:
    shown = [{"name": name, **_MOMENTS} for name in _secrets(call)]
    return paged(call, shown, inside="secrets")


def _read_key(call: Call) -> Answer:
    _secrets(call)
    key = base64.b64encode(bytes(private_key().public_key)).decode()
    return Answer(200, {"key_id": _KEY_ID, "key": key})


def _read_secret(call: Call) -> Answer:
    if call.path["secret_name"] not in _secrets(call):
        raise not_found()
    return Answer(200, {"name": call.path["secret_name"], **_MOMENTS})


def _put_secret(call: Call) -> Answer:
    name, body, held = call.path["secret_name"], call.body, _secrets(call)
    where = call.path.get("environment_name")
    call.tell(f"secret {name} set" + (f" in {where}" if where else ""))
    if body.get("key_id") != _KEY_ID:
        raise Refused(422, "Bad request - invalid key id")
    is_new = name not in held
    sealed = base64.b64decode(body["encrypted_value"])
    held[name] = SealedBox(private_key()).decrypt(sealed)
    return Answer(201, {}) if is_new else Answer(204)


for _place in (f"{_ACTIONS}/secrets", f"{_ONE}/secrets"):
    _family = "secrets" if _place.startswith(_ACTIONS) else "environments"
    route(f"GET {_place}", f"{_family}:read", role="write")(_list_secrets)
    route(f"GET {_place}/public-key", f"{_family}:read", role="write")(_read_key)
    route(f"GET {_place}/{{secret_name}}", f"{_family}:read", role="write")(_read_secret)
    route(f"PUT {_place}/{{secret_name}}", f"{_family}:write", role="write")(_put_secret)


# --- variables -----------------------------------------------------------------------------------


def _variables(call: Call) -> dict[str, str]:
    is_of_environment = "environment_name" in call.path
    return _environment(call).variables if is_of_environment else call.repository.variables


def _variable(name: str, value: str) -> Json:
    return {"name": name, "value": value, **_MOMENTS}


def _list_variables(call: Call) -> Answer:
    shown = [_variable(*one) for one in _variables(call).items()]
    return paged(call, shown, inside="variables")


def _create_variable(call: Call) -> Answer:
    name, held = call.body["name"].upper(), _variables(call)
    call.tell(f"variable {name} set")
    if name in held:
        raise Refused(409, "Variable already exists")
    held[name] = call.body["value"]
    return Answer(201, {})


def _read_variable(call: Call) -> Answer:
    name, held = call.path["name"].upper(), _variables(call)
    if name not in held:
        raise not_found()
    return Answer(200, _variable(name, held[name]))


def _change_variable(call: Call) -> Answer:
    name, held = call.path["name"].upper(), _variables(call)
    call.tell(f"variable {name} changed")
    if name not in held:
        raise not_found()
    held[name] = call.body.get("value", held[name])
    return Answer(204)


for _place in (f"{_ACTIONS}/variables", f"{_ONE}/variables"):
    _family = "actions_variables" if _place.startswith(_ACTIONS) else "environments"
    route(f"GET {_place}", f"{_family}:read", role="write")(_list_variables)
    route(f"POST {_place}", f"{_family}:write", role="write")(_create_variable)
    route(f"GET {_place}/{{name}}", f"{_family}:read", role="write")(_read_variable)
    route(f"PATCH {_place}/{{name}}", f"{_family}:write", role="write")(_change_variable)
