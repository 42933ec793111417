"""Repositories, as GraphQL's nodes."""

from collections.abc import Callable, Mapping
from typing import Any

from graphql import GraphQLError, GraphQLResolveInfo

from tests.fakes.github import graphpulls
from tests.fakes.github.calls import not_for_integrations
from tests.fakes.github.graphcommits import commit_node, ref_node
from tests.fakes.github.graphlimits import connection
from tests.fakes.github.graphnodes import Node, actor, label_node, label_of, listed, needs
from tests.fakes.github.graphql import Asking
from tests.fakes.github.records import Pull, Repository, Role

_PERMISSIONS: dict[Role, str] = {
    "admin": "ADMIN",
    "maintain": "MAINTAIN",
    "write": "WRITE",
    "triage": "TRIAGE",
    "read": "READ",
}


def repository_node(asking: Asking, repository: Repository) -> Node:
    """A repository."""
    world, settings = asking.world, repository.settings
    role = repository.role_of(asking.token.login)

    def pull(info: GraphQLResolveInfo[Any], **arguments: Any) -> Node:
        del info
        needs(asking, "pull_requests:read")
        found = repository.pulls.get(arguments["number"])
        if found is None:
            said = f"Could not resolve to a PullRequest with the number of {arguments['number']}."
            raise GraphQLError(said, extensions={"type": "NOT_FOUND"})
        return graphpulls.pull_node(asking, repository, found)

    def pulls(arguments: Mapping[str, Any]) -> list[Pull]:
        return _chosen_pulls(repository, arguments)

    def collaborators(arguments: Mapping[str, Any]) -> list[str]:
        wanted, query = arguments.get("login"), arguments.get("query")
        return [
            login
            for login in [repository.owner, *repository.roles]
            if wanted in {None, login} and (query or "") in login
        ]

    def found_object(info: GraphQLResolveInfo[Any], **arguments: Any) -> Node | None:
        del info
        name = arguments.get("oid") or arguments.get("expression") or ""
        sha = repository.git.tip(name) or name
        return (
            commit_node(asking, repository, repository.git.object(sha))
            if repository.git.has(sha)
            else None
        )

    def found_ref(info: GraphQLResolveInfo[Any], **arguments: Any) -> Node | None:
        del info
        name = arguments["qualifiedName"].removeprefix("refs/heads/")
        return ref_node(asking, repository, name)

    return {
        "__typename": "Repository",
        "id": f"R_{repository.id}",
        "databaseId": repository.id,
        "name": repository.name,
        "nameWithOwner": repository.full_name,
        "owner": actor(asking, repository.owner),
        "url": f"{world.url}/{repository.full_name}",
        "isPrivate": repository.private,
        "isFork": repository.fork_of is not None,
        "isArchived": False,
        "parent": None,
        "visibility": "PRIVATE" if repository.private else "PUBLIC",
        "viewerPermission": None if role is None else _PERMISSIONS[role],
        "defaultBranchRef": lambda _: ref_node(asking, repository, repository.default_branch),
        "mergeCommitAllowed": settings.allow_merge_commit,
        "squashMergeAllowed": settings.allow_squash_merge,
        "rebaseMergeAllowed": settings.allow_rebase_merge,
        "autoMergeAllowed": settings.allow_auto_merge,
        "deleteBranchOnMerge": settings.delete_branch_on_merge,
        "hasIssuesEnabled": True,
        "viewerDefaultMergeMethod": "MERGE",
        "pullRequest": pull,
        "pullRequests": listed(
            asking,
            "pullRequests",
            pulls,
            lambda one: graphpulls.pull_node(asking, repository, one),
            "pull_requests:read",
        ),
        "label": lambda _, **given: label_of(repository, given["name"]),
        "labels": listed(
            asking,
            "labels",
            lambda _: list(repository.labels.values()),
            label_node,
            "pull_requests:read",
            "issues:read",
        ),
        "collaborators": _collaborators(asking, repository, collaborators),
        "object": found_object,
        "ref": found_ref,
        "branchProtectionRules": listed(
            asking, "branchProtectionRules", lambda _: [], lambda one: one
        ),
        "mergeQueue": None,
        "issueOrPullRequest": pull,
    }


def _chosen_pulls(repository: Repository, arguments: Mapping[str, Any]) -> list[Pull]:
    states = arguments.get("states")
    labels = arguments.get("labels")
    found = [
        one
        for one in repository.pulls.values()
        if not states or graphpulls.state_of(one) in states
        if arguments.get("headRefName") in {None, one.head}
        if arguments.get("baseRefName") in {None, one.base}
        if not labels or set(labels) & set(one.labels)
    ]
    order = arguments.get("orderBy") or {}
    updated = order.get("field") == "UPDATED_AT"
    found.sort(key=lambda one: (one.updated_at if updated else one.created_at, one.number))
    return found[::-1] if order.get("direction") == "DESC" else found


def _collaborators(
    asking: Asking,
    repository: Repository,
    items: Callable[[Mapping[str, Any]], list[str]],
) -> Callable[..., Node]:
    def resolve(info: GraphQLResolveInfo[Any], **arguments: Any) -> Node:
        del info
        token = asking.token
        if token.permissions is None and not repository.may(token.login, "write"):
            raise not_for_integrations()
        page = connection(
            asking.world, "collaborators", items(arguments), arguments, lambda one: one
        )
        for edge in page["edges"]:
            login = edge["node"]
            role = repository.role_of(login)
            edge["permission"] = _PERMISSIONS[role] if role else None
            edge["node"] = {**(actor(asking, login) or {}), "__typename": "User", "login": login}
        page["nodes"] = [edge["node"] for edge in page["edges"]]
        return page

    return resolve
