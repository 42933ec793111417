"""Rulesets, the rules of a branch, and classic protection."""

from tests.fakes.github.calls import Answer, Call, Refused, invalid, not_found
from tests.fakes.github.lifecycle import settle
from tests.fakes.github.paging import paged
from tests.fakes.github.records import Json, Protection, Ruleset
from tests.fakes.github.requirements import bypasses, rules_of
from tests.fakes.github.routes import route

_ALL = "/repos/{owner}/{repo}/rulesets"
_ONE = f"{_ALL}/{{ruleset_id}}"
_BRANCH = "/repos/{owner}/{repo}/branches/{branch}"


@route("GET /repos/{owner}/{repo}/rules/branches/{branch}", "metadata:read")
def list_rules(call: Call) -> Answer:
    found = [
        {
            **rule,
            "ruleset_source_type": "Repository",
            "ruleset_source": call.repository.full_name,
            "ruleset_id": ruleset.id,
        }
        for ruleset, rule in rules_of(call.repository, call.path["branch"])
    ]
    return paged(call, found)


def _shape(call: Call, ruleset: Ruleset, *, whole: bool) -> Json:
    shape: Json = {
        "id": ruleset.id,
        "name": ruleset.name,
        "target": ruleset.target,
        "source_type": "Repository",
        "source": call.repository.full_name,
        "enforcement": ruleset.enforcement,
        "node_id": f"RRS_{ruleset.id}",
        "created_at": ruleset.created_at,
        "updated_at": ruleset.created_at,
    }
    if whole:
        conditions = {"include": ruleset.include, "exclude": ruleset.exclude}
        shape |= {"conditions": {"ref_name": conditions}, "rules": ruleset.rules}
        if _administers(call):
            shape["bypass_actors"] = ruleset.bypass
        login = call.token.login if call.token else None
        may = bypasses(call.world, call.repository, ruleset, login)
        shape["current_user_can_bypass"] = "always" if may else "never"
    return shape


def _administers(call: Call) -> bool:
    """Whether GitHub shows who may go past a ruleset."""
    token = call.token
    if token is None:
        return False
    if token.permissions is not None:
        return token.permissions.get("administration") == "write"
    return call.repository.may(token.login, "admin")


def _found(call: Call) -> Ruleset:
    ruleset = call.repository.rulesets.get(call.path["ruleset_id"])
    if ruleset is None:
        raise not_found()
    return ruleset


@route(f"GET {_ALL}", "metadata:read")
def list_rulesets(call: Call) -> Answer:
    every = call.repository.rulesets.values()
    return paged(call, [_shape(call, one, whole=False) for one in every])


@route(f"GET {_ONE}", "metadata:read")
def read_ruleset(call: Call) -> Answer:
    return Answer(200, _shape(call, _found(call), whole=True))


def _fill(call: Call, ruleset: Ruleset) -> None:
    body = call.body
    names = body.get("conditions", {}).get("ref_name", {})
    ruleset.name = body.get("name", ruleset.name)
    ruleset.enforcement = body.get("enforcement", ruleset.enforcement)
    ruleset.target = body.get("target", ruleset.target)
    ruleset.rules = body.get("rules", ruleset.rules)
    ruleset.include = names.get("include", ruleset.include)
    ruleset.exclude = names.get("exclude", ruleset.exclude)
    ruleset.bypass = body.get("bypass_actors", ruleset.bypass)
    _refuse_foreign_pins(call, ruleset)


def _refuse_foreign_pins(call: Call, ruleset: Ruleset) -> None:
    """Raise Refused for a check that is pinned to an app which is not installed here."""
    for rule in ruleset.rules:
        if rule["type"] != "required_status_checks":
            continue
        for check in rule["parameters"]["required_status_checks"]:
            number = check.get("integration_id")
            if number is not None and not call.world.is_installed(number, call.repository):
                said = "Invalid rule 'required_status_checks': Invalid integration id"
                raise invalid("RepositoryRuleset", "rules", "custom", said)


@route(f"POST {_ALL}", "administration:write", role="admin")
def create_ruleset(call: Call) -> Answer:
    call.tell(f"ruleset {call.body['name']!r} made")
    made = Ruleset(call.world.new_id(), "", [], [], created_at=call.world.clock.tick())
    _fill(call, made)
    call.repository.rulesets[made.id] = made
    return Answer(201, _shape(call, made, whole=True))


@route(f"PUT {_ONE}", "administration:write", role="admin")
def change_ruleset(call: Call) -> Answer:
    ruleset = _found(call)
    call.tell(f"ruleset {ruleset.name!r} changed")
    _fill(call, ruleset)
    settle(call.world, call.repository)
    return Answer(200, _shape(call, ruleset, whole=True))


@route(f"DELETE {_ONE}", "administration:write", role="admin")
def delete_ruleset(call: Call) -> Answer:
    ruleset = _found(call)
    call.tell(f"ruleset {ruleset.name!r} removed")
    del call.repository.rulesets[ruleset.id]
    settle(call.world, call.repository)
    return Answer(204)


# --- classic protection --------------------------------------------------------------------------


def status_checks(protection: Protection) -> Json:
    """Return the required checks of classic protection, in the form that it has."""
    named = [{"context": name, "app_id": app} for name, app in protection.checks]
    return {
        "strict": protection.strict,
        "contexts": [name for name, _ in protection.checks],
        "checks": [] if protection.older_form else named,
    }


@route(f"GET {_BRANCH}/protection", "administration:read", role="admin")
def read_protection(call: Call) -> Answer:
    protection = call.repository.protections.get(call.path["branch"])
    if protection is None:
        raise Refused(404, "Branch not protected")
    shape: Json = {
        "enforce_admins": {"enabled": protection.enforce_admins},
        "required_linear_history": {"enabled": protection.linear},
        "required_signatures": {"enabled": protection.signatures},
    }
    if protection.checks:
        shape["required_status_checks"] = status_checks(protection)
    if protection.approvals or protection.code_owners or protection.dismiss_stale:
        shape["required_pull_request_reviews"] = {
            "dismiss_stale_reviews": protection.dismiss_stale,
            "require_code_owner_reviews": protection.code_owners,
            "required_approving_review_count": protection.approvals,
            "require_last_push_approval": protection.last_push_approval,
        }
    return Answer(200, shape)
