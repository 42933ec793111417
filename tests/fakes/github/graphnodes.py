"""The nodes of GraphQL's answers: what is not in one of them, the fake does not have."""

from collections.abc import Callable, Mapping
from typing import Any

import pygit2
from graphql import GraphQLError, GraphQLResolveInfo

from tests.fakes.github import access, shapes
from tests.fakes.github.calls import not_for_integrations
from tests.fakes.github.graphlimits import connection
from tests.fakes.github.graphql import Asking
from tests.fakes.github.pulls import commits_of, pulls_with
from tests.fakes.github.records import Comment, Event, Label, Pull, Repository, Review, Role, Status
from tests.fakes.github.requirements import (
    is_behind,
    merge_state,
    mergeable,
    review_decision,
)
from tests.fakes.github.statuses import combined_state, newest

Node = dict[str, Any]
_STATES = {"failure": "FAILURE", "error": "ERROR", "pending": "PENDING", "success": "SUCCESS"}


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


# --- repositories --------------------------------------------------------------------------------

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
        return pull_node(asking, repository, found)

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
            lambda one: pull_node(asking, repository, one),
            "pull_requests:read",
        ),
        "label": lambda _, **given: _label_of(repository, given["name"]),
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
        if not states or _state(one) in states
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


def _label_of(repository: Repository, name: str) -> Node | None:
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


def ref_node(asking: Asking, repository: Repository, branch: str) -> Node | None:
    """A branch."""
    tip = repository.git.tip(branch)
    if tip is None:
        return None
    return {
        "__typename": "Ref",
        "id": f"REF_{branch}",
        "name": branch,
        "prefix": "refs/heads/",
        "target": lambda _: commit_node(asking, repository, repository.git.object(tip)),
        "branchProtectionRule": None,
    }


# --- commits -------------------------------------------------------------------------------------


def commit_node(asking: Asking, repository: Repository, commit: pygit2.Commit) -> Node:
    """A commit."""
    own = str(commit.id)

    def status(_: GraphQLResolveInfo[Any]) -> Node | None:
        needs(asking, "statuses:read")
        every = newest(repository, own)
        if not every:
            return None
        by_name = {one.context: one for one in every}
        return {
            "__typename": "Status",
            "id": f"ST_{own}",
            "state": _STATES[combined_state(every)],
            "contexts": [status_node(asking, one) for one in every],
            "context": lambda _, **given: (
                status_node(asking, by_name[given["name"]]) if given["name"] in by_name else None
            ),
        }

    def parents(_: Mapping[str, Any]) -> list[pygit2.Commit]:
        return list(commit.parents)

    def beneath(_: Mapping[str, Any]) -> list[Pull]:
        return pulls_with(repository, own)

    person = shapes.signature(commit.author)
    return {
        "__typename": "Commit",
        "id": f"C_{own}",
        "oid": own,
        "abbreviatedOid": own[:7],
        "message": commit.message,
        "messageHeadline": commit.message.partition("\n")[0],
        "messageBody": commit.message.partition("\n")[2].strip(),
        "committedDate": shapes.signature(commit.committer)["date"],
        "authoredDate": person["date"],
        "author": {**person, "user": None},
        "authors": listed(asking, "authors", lambda _: [person], lambda one: {**one, "user": None}),
        "url": f"{asking.world.url}/{repository.full_name}/commit/{own}",
        "tree": {"oid": str(commit.tree.id)},
        "parents": listed(
            asking, "parents", parents, lambda one: commit_node(asking, repository, one)
        ),
        "status": status,
        "statusCheckRollup": lambda _: rollup(asking, repository, own),
        "associatedPullRequests": listed(
            asking,
            "associatedPullRequests",
            beneath,
            lambda one: pull_node(asking, repository, one),
            "pull_requests:read",
        ),
    }


def status_node(asking: Asking, status: Status) -> Node:
    """The status of one context."""
    return {
        "__typename": "StatusContext",
        "id": f"SC_{status.id}",
        "context": status.context,
        "state": _STATES[status.state],
        "description": status.description,
        "targetUrl": status.target_url,
        "createdAt": status.created_at,
        "creator": actor(asking, status.creator),
        "isRequired": False,
    }


def rollup(asking: Asking, repository: Repository, sha: str) -> Node | None:
    """Statuses and check runs of a commit together."""
    statuses = newest(repository, sha)
    runs = [one for one in repository.check_runs if one.sha == sha]
    if not statuses and not runs:
        return None
    contexts: list[Node] = [status_node(asking, one) for one in statuses]
    contexts += [
        {
            "__typename": "CheckRun",
            "id": f"CR_{one.id}",
            "databaseId": one.id,
            "name": one.name,
            "status": one.status.upper(),
            "conclusion": one.conclusion.upper() if one.conclusion else None,
            "startedAt": one.started_at,
            "completedAt": one.completed_at,
            "detailsUrl": None,
            "isRequired": False,
            "checkSuite": {"workflowRun": None, "app": None},
        }
        for one in runs
    ]
    return {
        "id": f"RU_{sha}",
        "state": _STATES[combined_state(statuses)],
        "contexts": listed(asking, "contexts", lambda _: contexts, lambda one: one),
    }


# --- pull requests -------------------------------------------------------------------------------


def _state(pull: Pull) -> str:
    return "MERGED" if pull.merged else pull.state.upper()


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


def review_node(asking: Asking, repository: Repository, review: Review) -> Node:
    """A review."""
    git = repository.git
    known = review.commit is not None and git.has(review.commit)
    return {
        "__typename": "PullRequestReview",
        "id": review.node_id,
        "databaseId": review.id,
        "author": actor(asking, review.author),
        "authorCanPushToRepository": review.author is not None
        and repository.may(review.author, "write"),
        "authorAssociation": shapes.association(repository, review.author),
        "body": review.body,
        "state": review.state,
        "submittedAt": review.submitted_at,
        "commit": commit_node(asking, repository, git.object(review.commit or ""))
        if known
        else None,
        "includesCreatedEdit": False,
        "reactionGroups": [],
        "url": f"{asking.world.url}/review/{review.id}",
    }


def event_node(asking: Asking, repository: Repository, event: Event) -> Node:
    """A line of a timeline."""
    kind = "".join(word.capitalize() for word in event.event.split("_")) + "Event"
    node: Node = {
        "__typename": kind,
        "id": f"EV_{event.id}",
        "createdAt": event.created_at,
        "actor": actor(asking, event.actor),
    }
    if "label" in event.details:
        name = str(event.details["label"])
        node["label"] = _label_of(repository, name) or label_node(Label(0, name))
    return node


def _timeline(pull: Pull, arguments: Mapping[str, Any]) -> list[Event]:
    wanted = arguments.get("itemTypes")
    return [one for one in pull.timeline if not wanted or f"{one.event.upper()}_EVENT" in wanted]


def pull_node(asking: Asking, repository: Repository, pull: Pull) -> Node:
    """A pull request."""
    world, git = asking.world, repository.git
    head = world.repositories.get(pull.head_repository or "")
    auto = pull.auto_merge
    clean = {True: "MERGEABLE", False: "CONFLICTING", None: "UNKNOWN"}

    def commits(_: Mapping[str, Any]) -> list[pygit2.Commit]:
        return commits_of(repository, pull)

    def changed(_: Mapping[str, Any]) -> list[Any]:
        return git.changes(git.merge_base(pull.base_sha, pull.head_sha), pull.head_sha)

    held = [repository.labels[name.lower()] for name in pull.labels]
    return {
        "__typename": "PullRequest",
        "id": pull.node_id,
        "fullDatabaseId": str(pull.id),
        "databaseId": pull.id,
        "number": pull.number,
        "title": pull.title,
        "body": pull.body or "",
        "state": _state(pull),
        "isDraft": pull.draft,
        "closed": pull.state == "closed",
        "merged": pull.merged,
        "mergedAt": pull.merged_at,
        "closedAt": pull.closed_at,
        "createdAt": pull.created_at,
        "updatedAt": pull.updated_at,
        "author": actor(asking, pull.author),
        "mergedBy": actor(asking, pull.merged_by),
        "url": f"{world.url}/{repository.full_name}/pull/{pull.number}",
        "baseRefName": pull.base,
        "baseRefOid": git.tip(pull.base) or pull.base_sha,
        "baseRef": lambda _: ref_node(asking, repository, pull.base),
        "headRef": lambda _: ref_node(asking, head, pull.head) if head else None,
        "headRefName": pull.head,
        "headRefOid": pull.head_sha,
        "baseRepository": lambda _: repository_node(asking, repository),
        "repository": lambda _: repository_node(asking, repository),
        "headRepository": lambda _: repository_node(asking, head) if head else None,
        "headRepositoryOwner": actor(asking, pull.head_owner),
        "isCrossRepository": pull.head_repository != repository.full_name,
        "maintainerCanModify": pull.maintainer_can_modify,
        "mergeCommit": lambda _: (
            None
            if pull.merge_commit is None
            else commit_node(asking, repository, git.object(pull.merge_commit))
        ),
        "potentialMergeCommit": None,
        "mergeable": lambda _: clean[mergeable(world, repository, pull)],
        "mergeStateStatus": lambda _: merge_state(world, repository, pull),
        "reviewDecision": lambda _: review_decision(world, repository, pull),
        "isMergeQueueEnabled": False,
        "isInMergeQueue": False,
        "mergeQueueEntry": None,
        "viewerCanUpdate": True,
        "viewerCanUpdateBranch": lambda _: is_behind(repository, pull),
        "viewerCanEnableAutoMerge": True,
        "viewerCanDisableAutoMerge": auto is not None,
        "additions": 0,
        "deletions": 0,
        "changedFiles": lambda _: len(changed({})),
        "autoMergeRequest": None
        if auto is None
        else {
            "__typename": "AutoMergeRequest",
            "authorEmail": None,
            "commitBody": auto.message,
            "commitHeadline": auto.title,
            "enabledAt": auto.enabled_at,
            "enabledBy": actor(asking, auto.enabled_by),
            "mergeMethod": auto.method.upper(),
        },
        "labels": listed(asking, "labels", lambda _: held, label_node),
        "comments": listed(
            asking, "comments", lambda _: pull.comments, lambda one: comment_node(asking, one)
        ),
        "reviews": listed(
            asking,
            "reviews",
            lambda _: pull.reviews,
            lambda one: review_node(asking, repository, one),
        ),
        "latestReviews": listed(
            asking,
            "latestReviews",
            lambda _: pull.reviews[-1:],
            lambda one: review_node(asking, repository, one),
        ),
        "commits": listed(
            asking,
            "commits",
            commits,
            lambda one: {
                "__typename": "PullRequestCommit",
                "id": f"PRC_{one.id}",
                "commit": commit_node(asking, repository, one),
            },
        ),
        "files": listed(
            asking, "files", changed, lambda one: {"path": one.path, "additions": 0, "deletions": 0}
        ),
        "timelineItems": listed(
            asking,
            "timelineItems",
            lambda given: _timeline(pull, given),
            lambda one: event_node(asking, repository, one),
        ),
        "statusCheckRollup": lambda _: rollup(asking, repository, pull.head_sha),
        "assignees": listed(asking, "assignees", lambda _: [], lambda one: one),
        "reviewRequests": listed(asking, "reviewRequests", lambda _: [], lambda one: one),
        "milestone": None,
        "reactionGroups": [],
    }
