"""Commits, their checks, and branches, as GraphQL's nodes."""

from collections.abc import Mapping
from typing import Any

import pygit2
from graphql import GraphQLResolveInfo

from tests.fakes.github import graphpulls, shapes
from tests.fakes.github.graphnodes import Node, actor, listed, needs
from tests.fakes.github.graphql import Asking
from tests.fakes.github.pulls import pulls_with
from tests.fakes.github.records import Pull, Repository, Status
from tests.fakes.github.statuses import combined_state, newest

_STATES = {"failure": "FAILURE", "error": "ERROR", "pending": "PENDING", "success": "SUCCESS"}


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
            lambda one: graphpulls.pull_node(asking, repository, one),
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
