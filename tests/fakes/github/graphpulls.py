"""Pull requests, their reviews and timelines, as GraphQL's nodes."""

from collections.abc import Mapping
from typing import Any

import pygit2

from tests.fakes.github import graphcommits, graphrepositories, shapes
from tests.fakes.github.graphnodes import (
    Node,
    actor,
    comment_node,
    label_node,
    label_of,
    listed,
)
from tests.fakes.github.graphql import Asking
from tests.fakes.github.pulls import commits_of
from tests.fakes.github.records import Event, Label, Pull, Repository, Review
from tests.fakes.github.requirements import (
    is_behind,
    merge_state,
    mergeable,
    review_decision,
)


def state_of(pull: Pull) -> str:
    """OPEN, CLOSED or MERGED."""
    return "MERGED" if pull.merged else pull.state.upper()


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
        "commit": graphcommits.commit_node(asking, repository, git.object(review.commit or ""))
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
        node["label"] = label_of(repository, name) or label_node(Label(0, name))
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
        "state": state_of(pull),
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
        "baseRef": lambda _: graphcommits.ref_node(asking, repository, pull.base),
        "headRef": lambda _: graphcommits.ref_node(asking, head, pull.head) if head else None,
        "headRefName": pull.head,
        "headRefOid": pull.head_sha,
        "baseRepository": lambda _: graphrepositories.repository_node(asking, repository),
        "repository": lambda _: graphrepositories.repository_node(asking, repository),
        "headRepository": lambda _: (
            graphrepositories.repository_node(asking, head) if head else None
        ),
        "headRepositoryOwner": actor(asking, pull.head_owner),
        "isCrossRepository": pull.head_repository != repository.full_name,
        "maintainerCanModify": pull.maintainer_can_modify,
        "mergeCommit": lambda _: (
            None
            if pull.merge_commit is None
            else graphcommits.commit_node(asking, repository, git.object(pull.merge_commit))
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
                "commit": graphcommits.commit_node(asking, repository, one),
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
        "statusCheckRollup": lambda _: graphcommits.rollup(asking, repository, pull.head_sha),
        "assignees": listed(asking, "assignees", lambda _: [], lambda one: one),
        "reviewRequests": listed(asking, "reviewRequests", lambda _: [], lambda one: one),
        "milestone": None,
        "reactionGroups": [],
    }
