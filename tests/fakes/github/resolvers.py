"""What GraphQL's queries and mutations do."""

from collections.abc import Callable, Mapping
from typing import Any

from graphql import GraphQLError, GraphQLResolveInfo

from tests.fakes.github import access, acts, automerge, lifecycle, merging
from tests.fakes.github.calls import Refused, not_for_integrations
from tests.fakes.github.graphlimits import connection
from tests.fakes.github.graphnodes import actor, comment_node
from tests.fakes.github.graphpulls import pull_node
from tests.fakes.github.graphql import Asking
from tests.fakes.github.graphrepositories import repository_node
from tests.fakes.github.merging import Wish
from tests.fakes.github.records import Comment, Pull, Repository
from tests.fakes.github.search import found_pulls

Node = dict[str, Any]
Resolver = Callable[..., Any]
_PINNED = 3
"""How many issues of a repository are pinned at most."""


def root(asking: Asking) -> Node:
    """Return the resolvers of queries and mutations, for whoever asks."""

    def resolver(function: Callable[[Asking, Mapping[str, Any]], Any]) -> Resolver:
        def resolve(info: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
            del info
            return function(asking, arguments.get("input", arguments))

        return resolve

    return {name: resolver(function) for name, function in _ROOT.items()}


def _missing(kind: str, what: str, value: object) -> GraphQLError:
    message = f"Could not resolve to {kind} with the {what} of '{value}'."
    return GraphQLError(message, extensions={"type": "NOT_FOUND"})


# --- queries -------------------------------------------------------------------------------------


def _viewer(asking: Asking, _: Mapping[str, Any]) -> Node:
    user = asking.world.user(asking.token.login)
    return {**(actor(asking, user.login) or {}), "login": user.login, "__typename": "User"}


def _repository(asking: Asking, arguments: Mapping[str, Any]) -> Node:
    owner, name = arguments["owner"], arguments["name"]
    repository = asking.world.find_repository(owner, name)
    if repository is None or not access.sees(asking.token, repository):
        raise _missing("a Repository", "name", f"{owner}/{name}")
    return repository_node(asking, repository)


def _node(asking: Asking, arguments: Mapping[str, Any]) -> Node:
    own = arguments["id"]
    for repository in asking.world.repositories.values():
        if f"R_{repository.id}" == own:
            return repository_node(asking, repository)
        for pull in repository.pulls.values():
            if pull.node_id == own:
                return pull_node(asking, repository, pull)
            for comment in pull.comments:
                if comment.node_id == own:
                    return comment_node(asking, comment)
    raise _missing("a node", "global id", own)


def _search(asking: Asking, arguments: Mapping[str, Any]) -> Node:
    found = found_pulls(asking.world, asking.token, arguments["query"])
    page = connection(asking.world, "search", found, arguments, lambda one: pull_node(asking, *one))
    return {**page, "issueCount": len(found)}


def _rate_limit(_: Asking, __: Mapping[str, Any]) -> Node:
    return {
        "limit": 5000,
        "remaining": 4999,
        "cost": 1,
        "used": 1,
        "nodeCount": 0,
        "resetAt": "2026-01-01T01:00:00Z",
    }


# --- mutations -----------------------------------------------------------------------------------


def _pull(asking: Asking, own: str, *, family: str = "pull_requests") -> tuple[Repository, Pull]:
    """Return the pull request with an id, which the token may write to."""
    for repository in asking.world.repositories.values():
        for pull in repository.pulls.values():
            if pull.node_id == own and access.sees(asking.token, repository):
                _may_write(asking, repository, family)
                return repository, pull
    raise _missing("a node", "global id", own)


def _may_write(asking: Asking, repository: Repository, *families: str) -> None:
    token = asking.token
    if token.permissions is not None:
        allowed = any(access.holds(token, f"{family}:write") for family in families)
        if not allowed or not access.reaches(token, repository):
            raise not_for_integrations()
    elif not repository.may(token.login, "write"):
        said = f"{token.login} does not have the correct permissions to execute this mutation"
        raise Refused(403, said)


def _enable(asking: Asking, given: Mapping[str, Any]) -> Node:
    repository, pull = _pull(asking, given["pullRequestId"])
    wish = _wish(given)
    asking.told.append(f"auto-merge of #{pull.number} on by {wish.method}")
    automerge.enable(asking.world, repository, pull, wish, asking.token.login)
    return _pull_payload(asking, given, repository, pull)


def _disable(asking: Asking, given: Mapping[str, Any]) -> Node:
    repository, pull = _pull(asking, given["pullRequestId"])
    asking.told.append(f"auto-merge of #{pull.number} off")
    if pull.auto_merge is None:
        raise Refused(422, "Can't disable auto-merge for this pull request.")
    automerge.disable(asking.world, pull, asking.token.login)
    return _pull_payload(asking, given, repository, pull)


def _wish(given: Mapping[str, Any]) -> Wish:
    return Wish(
        str(given.get("mergeMethod") or "MERGE").lower(),  # type: ignore[arg-type]  # of its enum
        given.get("commitHeadline"),
        given.get("commitBody"),
        given.get("expectedHeadOid"),
    )


def _merge(asking: Asking, given: Mapping[str, Any]) -> Node:
    repository, pull = _pull(asking, given["pullRequestId"], family="contents")
    wish = _wish(given)
    asking.told.append(f"merged #{pull.number} by {wish.method}")
    merging.refuse_unready(asking.world, repository, pull, wish, asking.token.login)
    merging.merge(asking.world, repository, pull, wish, asking.token.login)
    lifecycle.landed(asking.world, repository, pull)
    return _pull_payload(asking, given, repository, pull)


def _close(asking: Asking, given: Mapping[str, Any]) -> Node:
    repository, pull = _pull(asking, given["pullRequestId"])
    asking.told.append(f"closed #{pull.number}")
    lifecycle.close(asking.world, pull, asking.token.login)
    return _pull_payload(asking, given, repository, pull)


def _update_pull(asking: Asking, given: Mapping[str, Any]) -> Node:
    repository, pull = _pull(asking, given["pullRequestId"])
    asking.told.append(f"changed #{pull.number}")
    if given.get("baseRefName"):
        lifecycle.retarget(asking.world, repository, pull, given["baseRefName"], asking.token.login)
    pull.title = given.get("title") or pull.title
    pull.body = given.get("body") or pull.body
    return _pull_payload(asking, given, repository, pull)


def _pull_payload(
    asking: Asking, given: Mapping[str, Any], repository: Repository, pull: Pull
) -> Node:
    return {
        "clientMutationId": given.get("clientMutationId"),
        "actor": actor(asking, asking.token.login),
        "pullRequest": pull_node(asking, repository, pull),
    }


def _commented(asking: Asking, own: str) -> tuple[Repository, Pull, Comment]:
    for repository in asking.world.repositories.values():
        for pull in repository.pulls.values():
            for comment in pull.comments:
                if comment.node_id == own and access.sees(asking.token, repository):
                    return repository, pull, comment
    raise _missing("a node", "global id", own)


def _add_comment(asking: Asking, given: Mapping[str, Any]) -> Node:
    for repository in asking.world.repositories.values():
        for pull in repository.pulls.values():
            if pull.node_id == given["subjectId"]:
                asking.told.append(f"comment on #{pull.number}")
                made = acts.comment(asking.world, pull, given["body"], asking.token.login)
                return {
                    "clientMutationId": given.get("clientMutationId"),
                    "commentEdge": {"node": comment_node(asking, made), "cursor": "cursor:0"},
                    "subject": pull_node(asking, repository, pull),
                }
    raise _missing("a node", "global id", given["subjectId"])


def _minimize(asking: Asking, given: Mapping[str, Any]) -> Node:
    repository, pull, comment = _commented(asking, given["subjectId"])
    _may_write(asking, repository, "pull_requests", "issues")
    asking.told.append(f"comment on #{pull.number} minimized as {given['classifier']}")
    comment.minimized = given["classifier"]
    node = comment_node(asking, comment)
    return {"clientMutationId": given.get("clientMutationId"), "minimizedComment": node}


def _pin(asking: Asking, given: Mapping[str, Any]) -> Node:
    for repository in asking.world.repositories.values():
        for issue in repository.issues.values():
            if issue.node_id == given["issueId"] and access.sees(asking.token, repository):
                _may_write(asking, repository, "issues")
                asking.told.append(f"pinned the issue #{issue.number}")
                if sum(one.pinned for one in repository.issues.values()) >= _PINNED:
                    raise Refused(422, "Maximum 3 pinned issues per repository")
                issue.pinned = True
                return {"clientMutationId": given.get("clientMutationId")}
    raise _missing("a node", "global id", given["issueId"])


def _labelled(asking: Asking, given: Mapping[str, Any]) -> tuple[Repository, Pull, list[str]]:
    repository, pull = _pull(asking, given["labelableId"])
    by_id = {f"LA_{one.id}": one.name for one in repository.labels.values()}
    return repository, pull, [by_id[own] for own in given["labelIds"]]


def _add_labels(asking: Asking, given: Mapping[str, Any]) -> Node:
    repository, pull, names = _labelled(asking, given)
    for name in names:
        asking.told.append(f"label {name!r} put on #{pull.number}")
        acts.add_label(asking.world, repository, pull, name, asking.token.login)
    return {"clientMutationId": None, "labelable": pull_node(asking, repository, pull)}


def _remove_labels(asking: Asking, given: Mapping[str, Any]) -> Node:
    repository, pull, names = _labelled(asking, given)
    for name in names:
        asking.told.append(f"label {name!r} taken off #{pull.number}")
        acts.remove_label(asking.world, pull, name, asking.token.login)
    return {"clientMutationId": None, "labelable": pull_node(asking, repository, pull)}


_ROOT: dict[str, Callable[[Asking, Mapping[str, Any]], Any]] = {
    "viewer": _viewer,
    "repository": _repository,
    "node": _node,
    "search": _search,
    "rateLimit": _rate_limit,
    "addComment": _add_comment,
    "addLabelsToLabelable": _add_labels,
    "closePullRequest": _close,
    "disablePullRequestAutoMerge": _disable,
    "enablePullRequestAutoMerge": _enable,
    "mergePullRequest": _merge,
    "minimizeComment": _minimize,
    "pinIssue": _pin,
    "removeLabelsFromLabelable": _remove_labels,
    "updatePullRequest": _update_pull,
}
