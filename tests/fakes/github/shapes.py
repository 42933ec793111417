"""What GitHub answers about people, labels, repositories and commits, as far as it means something.

What a description requires beyond this is filled in by `completed`.
"""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pygit2

from tests.fakes.github.records import (
    ROLES,
    App,
    Comment,
    Json,
    Label,
    Repository,
    Review,
    Role,
    Status,
)

if TYPE_CHECKING:
    from tests.fakes.github.world import World


def user(world: "World", login: str) -> Json:
    """A simple user."""
    one = world.user(login)
    return {
        "login": one.login,
        "id": one.id,
        "node_id": f"U_{one.id}",
        "type": one.type,
        "site_admin": False,
        "url": f"{world.api_url}/users/{one.login}",
        "html_url": f"{world.url}/{one.login}",
    }


def maybe_user(world: "World", login: str | None) -> Json | None:
    """A simple user, null for a deleted account."""
    return None if login is None or login not in world.users else user(world, login)


def permissions_of(role: Role | None) -> Json:
    """The five flags that a repository shows of whoever asks."""
    held = ROLES.index(role) if role else -1
    named = dict(zip(ROLES, ("pull", "triage", "push", "maintain", "admin"), strict=True))
    return {named[one]: ROLES.index(one) <= held for one in ROLES}


def repository(world: "World", one: Repository, login: str | None = None) -> Json:
    """A repository; the merge settings only for a token that may push."""
    shape: Json = {
        "id": one.id,
        "node_id": f"R_{one.id}",
        "name": one.name,
        "full_name": one.full_name,
        "owner": user(world, one.owner),
        "private": one.private,
        "visibility": "private" if one.private else "public",
        "fork": one.fork_of is not None,
        "html_url": f"{world.url}/{one.full_name}",
        "url": f"{world.api_url}/repos/{one.full_name}",
        "clone_url": world.clone_url(one),
        "default_branch": one.default_branch,
        "archived": False,
        "disabled": False,
    }
    if login is not None:
        shape["permissions"] = permissions_of(one.role_of(login))
    return shape


def full_repository(world: "World", one: Repository, login: str | None, *, pushes: bool) -> Json:
    """A repository on its own."""
    shape = repository(world, one, login)
    if pushes:
        shape |= vars(one.settings)
    if one.fork_of is not None:
        parent = repository(world, world.repositories[one.fork_of])
        shape |= {"parent": parent, "source": parent}
    return shape


def label(world: "World", one: Label, where: Repository) -> Json:
    """A label."""
    return {
        "id": one.id,
        "node_id": f"LA_{one.id}",
        "url": f"{world.api_url}/repos/{where.full_name}/labels/{one.name}",
        "name": one.name,
        "description": one.description,
        "color": one.color,
        "default": False,
    }


def comment(world: "World", one: Comment, where: Repository, number: int) -> Json:
    """A comment on a pull request."""
    return {
        "id": one.id,
        "node_id": one.node_id,
        "url": f"{world.api_url}/repos/{where.full_name}/issues/comments/{one.id}",
        "html_url": f"{world.url}/{where.full_name}/pull/{number}#issuecomment-{one.id}",
        "issue_url": f"{world.api_url}/repos/{where.full_name}/issues/{number}",
        "body": one.body,
        "user": maybe_user(world, one.author),
        "created_at": one.created_at,
        "updated_at": one.created_at,
        "author_association": association(where, one.author),
    }


def association(where: Repository, login: str | None) -> str:
    """What somebody is to a repository."""
    if login == where.owner:
        return "OWNER"
    return "COLLABORATOR" if login in where.roles else "NONE"


def review(world: "World", one: Review, where: Repository, number: int) -> Json:
    """A review."""
    return {
        "id": one.id,
        "node_id": one.node_id,
        "user": maybe_user(world, one.author),
        "body": one.body,
        "state": one.state,
        "commit_id": one.commit,
        "submitted_at": one.submitted_at,
        "html_url": f"{world.url}/{where.full_name}/pull/{number}#pullrequestreview-{one.id}",
        "author_association": association(where, one.author),
    }


def status(world: "World", one: Status, where: Repository, sha: str) -> Json:
    """A status of a commit."""
    return {
        "id": one.id,
        "node_id": f"SC_{one.id}",
        "url": f"{world.api_url}/repos/{where.full_name}/statuses/{sha}",
        "state": one.state,
        "description": one.description,
        "target_url": one.target_url,
        "context": one.context,
        "created_at": one.created_at,
        "updated_at": one.created_at,
        "creator": maybe_user(world, one.creator),
    }


def app(world: "World", one: App) -> Json:
    """An app, as its page shows it."""
    return {
        "id": one.id,
        "node_id": f"A_{one.id}",
        "slug": one.slug,
        "client_id": one.client_id,
        "name": one.name,
        "owner": user(world, one.owner),
        "description": None,
        "external_url": f"{world.url}/apps/{one.slug}",
        "html_url": f"{world.url}/apps/{one.slug}",
        "permissions": dict(one.permissions),
        "events": [],
    }


def signature(one: pygit2.Signature) -> Json:
    """Who made a commit, and when."""
    moment = datetime.fromtimestamp(one.time, UTC)
    return {"name": one.name, "email": one.email, "date": moment.strftime("%Y-%m-%dT%H:%M:%SZ")}


def commit(world: "World", where: Repository, one: pygit2.Commit) -> Json:
    """A commit, without its files."""
    own = str(one.id)
    url = f"{world.api_url}/repos/{where.full_name}/commits/{own}"
    return {
        "sha": own,
        "node_id": f"C_{own}",
        "url": url,
        "html_url": f"{world.url}/{where.full_name}/commit/{own}",
        "commit": {
            "author": signature(one.author),
            "committer": signature(one.committer),
            "message": one.message,
            "tree": {"sha": str(one.tree.id)},
        },
        "author": _by_address(world, one.author.email),
        "committer": _by_address(world, one.committer.email),
        "parents": [{"sha": str(parent.id)} for parent in one.parents],
    }


def _by_address(world: "World", email: str) -> Json | None:
    login = email.partition("@")[0].partition("+")[2]
    return maybe_user(world, login or None)
