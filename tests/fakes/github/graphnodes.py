"""What GraphQL's nodes are made of: what is not in a node, the fake does not have."""

from collections.abc import Callable, Mapping
from typing import Any

from graphql import GraphQLResolveInfo

from tests.fakes.github import access
from tests.fakes.github.calls import not_for_integrations
from tests.fakes.github.graphlimits import connection
from tests.fakes.github.graphql import Asking
from tests.fakes.github.records import Comment, Label, Repository

Node = dict[str, Any]


def needs(asking: Asking, *permissions: str) -> None:
    """Raise Refused for an app's token that holds none of the permissions."""
    token = asking.token
    if token.permissions is not None and not any(access.holds(token, one) for one in permissions):
        raise not_for_integrations()


def listed(
    asking: Asking,
    name: str,
    items: Callable[[Mapping[str, Any]], list[Any]],
    node: Callable[[Any], Node],
    *permissions: str,
) -> Callable[..., Node]:
    """Return the resolver of a connection."""

    def resolve(info: GraphQLResolveInfo[Any], **arguments: Any) -> Node:
        del info
        if permissions:
            needs(asking, *permissions)
        return connection(asking.world, name, items(arguments), arguments, node)

    return resolve


def actor(asking: Asking, login: str | None) -> Node | None:
    """Somebody, None for a deleted account; a bot's login has no [bot] here."""
    if login is None or login not in asking.world.users:
        return None
    user = asking.world.user(login)
    shown = user.login.removesuffix("[bot]")
    return {
        "__typename": user.type,
        "id": f"U_{user.id}",
        "databaseId": user.id,
        "login": shown,
        "name": user.name,
        "url": f"{asking.world.url}/{shown}",
        "resourcePath": f"/{shown}",
        "avatarUrl": f"{asking.world.url}/{shown}.png",
    }


def label_of(repository: Repository, name: str) -> Node | None:
    """A label by its name, None where there is none."""
    label = repository.labels.get(name.lower())
    return None if label is None else label_node(label)


def label_node(label: Label) -> Node:
    """A label."""
    return {
        "__typename": "Label",
        "id": f"LA_{label.id}",
        "name": label.name,
        "color": label.color,
        "description": label.description,
        "isDefault": False,
    }


def comment_node(asking: Asking, comment: Comment) -> Node:
    """A comment."""
    return {
        "__typename": "IssueComment",
        "id": comment.node_id,
        "databaseId": comment.id,
        "author": actor(asking, comment.author),
        "authorAssociation": "NONE",
        "body": comment.body,
        "createdAt": comment.created_at,
        "includesCreatedEdit": False,
        "isMinimized": comment.minimized is not None,
        "minimizedReason": comment.minimized.lower() if comment.minimized else None,
        "viewerDidAuthor": comment.author == asking.token.login,
        "viewerCanMinimize": True,
        "reactionGroups": [],
        "url": f"{asking.world.url}/comment/{comment.id}",
    }
