"""Branches, refs and commits."""

from tests.fakes.github import gitpushes, lifecycle, shapes
from tests.fakes.github.calls import Answer, Call, Refused, not_found
from tests.fakes.github.githost import EMPTY
from tests.fakes.github.paging import paged
from tests.fakes.github.records import Json
from tests.fakes.github.requirements import rules_of
from tests.fakes.github.routes import route
from tests.fakes.github.rules import status_checks
from tests.fakes.github.statuses import commit_of

_BRANCHES = "/repos/{owner}/{repo}/branches"
_GIT = "/repos/{owner}/{repo}/git"


def _is_protected(call: Call, name: str) -> bool:
    return name in call.repository.protections or bool(rules_of(call.repository, name))


@route(f"GET {_BRANCHES}", "contents:read")
def list_branches(call: Call) -> Answer:
    git = call.repository.git
    shown = [
        {
            "name": name,
            "commit": {"sha": git.tip(name), "url": f"{call.world.api_url}/commits/{name}"},
            "protected": _is_protected(call, name),
        }
        for name in git.branches()
        if call.query.get("protected") in {None, _is_protected(call, name)}
    ]
    return paged(call, shown)


@route(f"GET {_BRANCHES}/{{branch}}", "contents:read")
def read_branch(call: Call) -> Answer:
    name = call.path["branch"]
    tip = call.repository.git.tip(name)
    if tip is None:
        raise Refused(404, "Branch not found")
    protection = call.repository.protections.get(name)
    told: Json = {"enabled": protection is not None}
    if protection is not None and protection.checks:
        level = {"enforcement_level": "everyone" if protection.enforce_admins else "non_admins"}
        told["required_status_checks"] = {**status_checks(protection), **level}
    else:
        told["required_status_checks"] = {
            "enforcement_level": "off",
            "contexts": [],
            "checks": [],
        }
    own = f"{call.world.api_url}/repos/{call.repository.full_name}/branches/{name}"
    return Answer(
        200,
        {
            "name": name,
            "commit": shapes.commit(call.world, call.repository, call.repository.git.object(tip)),
            "protected": _is_protected(call, name),
            "protection": told,
            "protection_url": f"{own}/protection",
            "_links": {"self": own, "html": own},
        },
    )


@route("GET /repos/{owner}/{repo}/commits", "contents:read")
def list_commits(call: Call) -> Answer:
    git, name = call.repository.git, call.query.get("sha", call.repository.default_branch)
    start = git.tip(name) or (name if git.has(name) else None)
    if start is None:
        raise not_found()
    commits = [git.object(str(one.id)) for one in git.repository.walk(start)]
    return paged(call, [shapes.commit(call.world, call.repository, one) for one in commits])


@route("GET /repos/{owner}/{repo}/commits/{ref}", "contents:read")
def read_commit(call: Call) -> Answer:
    found = call.repository.git.object(commit_of(call))
    return Answer(200, shapes.commit(call.world, call.repository, found))


@route("GET /repos/{owner}/{repo}/compare/{basehead}", "contents:read")
def compare(call: Call) -> Answer:
    base, _, head = str(call.path["basehead"]).partition("...")
    git = call.repository.git
    one, other = (git.tip(name) or (name if git.has(name) else None) for name in (base, head))
    if one is None or other is None:
        raise not_found()
    ahead, behind = git.between(one, other), git.between(other, one)
    fork_point = git.merge_base(one, other)
    if fork_point is None:
        raise Refused(404, f"No common ancestor between {base} and {head}.")
    word = {(True, True): "diverged", (True, False): "ahead", (False, True): "behind"}
    answer = paged(call, [shapes.commit(call.world, call.repository, found) for found in ahead])
    answer.body = {
        "status": word.get((bool(ahead), bool(behind)), "identical"),
        "ahead_by": len(ahead),
        "behind_by": len(behind),
        "total_commits": len(ahead),
        "commits": answer.body,
        "files": [
            {"filename": found.path, "status": found.status, "sha": None}
            for found in git.changes(fork_point, other)[:300]
        ],
        "base_commit": shapes.commit(call.world, call.repository, git.object(one)),
        "merge_base_commit": shapes.commit(call.world, call.repository, git.object(fork_point)),
    }
    return answer


# --- refs ----------------------------------------------------------------------------------------


def _ref(call: Call, name: str, commit: str) -> Json:
    own = f"{call.world.api_url}/repos/{call.repository.full_name}/git"
    return {
        "ref": name,
        "node_id": f"REF_{name}",
        "url": f"{own}/{name}",
        "object": {"type": "commit", "sha": commit, "url": f"{own}/commits/{commit}"},
    }


@route(f"GET {_GIT}/ref/{{ref}}", "contents:read")
def read_ref(call: Call) -> Answer:
    name = f"refs/{call.path['ref']}"
    commit = call.repository.git.ref(name)
    if commit is None:
        raise not_found()
    return Answer(200, _ref(call, name, commit))


@route(f"GET {_GIT}/matching-refs/{{ref}}", "contents:read")
def list_refs(call: Call) -> Answer:
    start = f"refs/{call.path['ref']}"
    refs = sorted(call.repository.git.refs().items())
    return paged(call, [_ref(call, name, at) for name, at in refs if name.startswith(start)])


def _move(call: Call, name: str, new: str | None) -> None:
    """Move a ref as a push would; raises Refused for what the rules say."""
    repository, git = call.repository, call.repository.git
    old = git.ref(name)
    command = gitpushes.Command(old or EMPTY, new or EMPTY, name)
    faults = list(gitpushes.rule_faults(call.world, repository, call.login, command))
    if said := gitpushes.classic_fault(repository, call.login, command):
        faults.append(said)
    branch = name.removeprefix("refs/heads/")
    if branch in call.world.refused_pushes:
        faults.append(call.world.refused_pushes[branch])
    if faults:
        listed = "\n\n".join(faults)
        raise Refused(422, f"Repository rule violations found\n\n{listed}\n\n")
    git.set_ref(name, new)
    if name.startswith("refs/heads/"):
        lifecycle.pushed(call.world, repository, branch, old, new, call.login)


@route(f"POST {_GIT}/refs", "contents:write")
def create_ref(call: Call) -> Answer:
    name, sha = call.body["ref"], call.body["sha"]
    call.tell(f"ref {name} made")
    if not call.repository.git.has(sha):
        raise Refused(422, "Object does not exist")
    if call.repository.git.ref(name) is not None:
        raise Refused(422, "Reference already exists")
    _move(call, name, sha)
    return Answer(201, _ref(call, name, sha))


@route(f"PATCH {_GIT}/refs/{{ref}}", "contents:write")
def change_ref(call: Call) -> Answer:
    name, sha, git = f"refs/{call.path['ref']}", call.body["sha"], call.repository.git
    call.tell(f"ref {name} moved")
    old = git.ref(name)
    if old is None:
        raise Refused(422, "Reference does not exist")
    if not git.has(sha):
        raise Refused(422, "Object does not exist")
    if not call.body.get("force", False) and not git.contains(sha, old):
        raise Refused(422, "Update is not a fast forward")
    _move(call, name, sha)
    return Answer(200, _ref(call, name, sha))


@route(f"DELETE {_GIT}/refs/{{ref}}", "contents:write")
def delete_ref(call: Call) -> Answer:
    name = f"refs/{call.path['ref']}"
    call.tell(f"ref {name} removed")
    if call.repository.git.ref(name) is None:
        raise Refused(422, "Reference does not exist")
    _move(call, name, None)
    return Answer(204)
