"""What GitHub answers about a pull request."""

from typing import TYPE_CHECKING

from tests.fakes.github import shapes
from tests.fakes.github.records import Json, Pull, Repository
from tests.fakes.github.requirements import merge_state, mergeable

if TYPE_CHECKING:
    from tests.fakes.github.world import World


def _end(world: "World", name: str, owner: str, branch: str, sha: str) -> Json:
    """Head or base; the repository of a deleted fork is null."""
    held = world.repositories.get(name)
    return {
        "label": f"{owner}:{branch}",
        "ref": branch,
        "sha": sha,
        "user": shapes.maybe_user(world, owner),
        "repo": None if held is None else shapes.repository(world, held),
    }


def stack_of(repository: Repository, pull: Pull) -> Json | None:
    """The stack that a pull request is in, with its place from the bottom."""
    for stack in repository.stacks:
        if pull.number in stack.members:
            return {
                "id": stack.id,
                "number": stack.number,
                "size": len(stack.members),
                "position": stack.members.index(pull.number) + 1,
                "base": {"ref": stack.base, "sha": repository.git.tip(stack.base) or pull.base_sha},
            }
    return None


def simple(world: "World", repository: Repository, pull: Pull) -> Json:
    """A pull request in a list."""
    own = f"{world.api_url}/repos/{repository.full_name}/pulls/{pull.number}"
    issue = f"{world.api_url}/repos/{repository.full_name}/issues/{pull.number}"
    page = f"{world.url}/{repository.full_name}/pull/{pull.number}"
    wanted = pull.auto_merge
    labels = [repository.labels[name.lower()] for name in pull.labels]
    return {
        "url": own,
        "id": pull.id,
        "node_id": pull.node_id,
        "html_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "issue_url": issue,
        "number": pull.number,
        "state": pull.state,
        "locked": False,
        "title": pull.title,
        "user": shapes.maybe_user(world, pull.author),
        "body": pull.body,
        "labels": [shapes.label(world, one, repository) for one in labels],
        "created_at": pull.created_at,
        "updated_at": pull.updated_at,
        "closed_at": pull.closed_at,
        "merged_at": pull.merged_at,
        "merge_commit_sha": pull.merge_commit,
        "requested_reviewers": [shapes.user(world, one) for one in pull.requested_reviewers],
        "requested_teams": [],
        "assignees": [],
        "head": _end(world, pull.head_repository or "", pull.head_owner, pull.head, pull.head_sha),
        "base": _end(
            world,
            repository.full_name,
            repository.owner,
            pull.base,
            _base_sha(repository, pull),
        ),
        "author_association": shapes.association(repository, pull.author),
        "auto_merge": None
        if wanted is None
        else {
            "enabled_by": shapes.user(world, wanted.enabled_by),
            "merge_method": wanted.method,
            "commit_title": wanted.title,
            "commit_message": wanted.message,
        },
        "stack": stack_of(repository, pull),
        "draft": pull.draft,
    }


def _base_sha(repository: Repository, pull: Pull) -> str:
    """Where the base is; of a merged one, where it was."""
    return pull.base_sha if pull.merged else repository.git.tip(pull.base) or pull.base_sha


def full(world: "World", repository: Repository, pull: Pull) -> Json:
    """A pull request on its own."""
    clean = None if pull.state == "closed" else mergeable(world, repository, pull)
    state = "unknown" if clean is None else merge_state(world, repository, pull).lower()
    commits = repository.git.between(_base_sha(repository, pull), pull.head_sha)
    fork_point = repository.git.merge_base(_base_sha(repository, pull), pull.head_sha)
    changes = repository.git.changes(fork_point, pull.head_sha)
    return {
        **simple(world, repository, pull),
        "merged": pull.merged,
        "mergeable": clean,
        "rebaseable": clean,
        "mergeable_state": state,
        "merged_by": shapes.maybe_user(world, pull.merged_by),
        "comments": len(pull.comments),
        "review_comments": 0,
        "maintainer_can_modify": pull.maintainer_can_modify,
        "commits": len(commits),
        "additions": 0,
        "deletions": 0,
        "changed_files": len(changes),
    }
