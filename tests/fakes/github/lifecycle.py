"""The life of a pull request: opened, pushed to, retargeted, closed, merged."""

from http import HTTPStatus
from typing import Any

from tests.fakes.github import automerge
from tests.fakes.github.calls import Refused, invalid
from tests.fakes.github.githost import EMPTY
from tests.fakes.github.merging import Wish, mark_merged, merge, refuse_unready
from tests.fakes.github.records import Pull, Repository
from tests.fakes.github.requirements import required_of
from tests.fakes.github.world import World

_UNPROCESSABLE = HTTPStatus.UNPROCESSABLE_ENTITY


def open_pull(
    world: World,
    repository: Repository,
    *,
    title: str,
    body: str | None,
    head: tuple[Repository, str],
    base: str,
    author: str,
    draft: bool = False,
) -> Pull:
    """Open a pull request; raises Refused as GitHub does."""
    source, branch = head
    tip, onto = source.git.tip(branch), repository.git.tip(base)
    if tip is None:
        raise invalid("PullRequest", "head", "invalid")
    if onto is None:
        raise invalid("PullRequest", "base", "invalid")
    for other in repository.pulls.values():
        same = (other.head_repository, other.head, other.base) == (source.full_name, branch, base)
        if other.state == "open" and same:
            said = f"A pull request already exists for {source.owner}:{branch}."
            raise Refused(_UNPROCESSABLE, "Validation Failed", [_custom(said)])
    number = repository.next_number()
    if source is not repository:
        repository.git.take(source.git, tip, f"refs/pull/{number}/head")
    if not repository.git.between(onto, tip):
        repository.git.set_ref(f"refs/pull/{number}/head", None)
        said = f"No commits between {base} and {branch}"
        raise Refused(_UNPROCESSABLE, "Validation Failed", [_custom(said)])
    repository.git.set_ref(f"refs/pull/{number}/head", tip)
    moment, own = world.clock.tick(), world.new_id()
    pull = Pull(
        number=number,
        id=own,
        node_id=f"PR_{own}",
        author=author,
        title=title,
        body=body,
        base=base,
        head=branch,
        head_sha=tip,
        head_repository=source.full_name,
        head_owner=source.owner,
        base_sha=onto,
        created_at=moment,
        updated_at=moment,
        draft=draft,
        last_pusher=author,
    )
    repository.pulls[number] = pull
    return pull


def _custom(message: str) -> dict[str, Any]:
    return {"resource": "PullRequest", "code": "custom", "message": message}


def close(world: World, pull: Pull, by: str) -> None:
    """Close without merging. Labels stay, auto-merge goes."""
    if pull.state == "open":
        pull.state = "closed"
        automerge.disable(world, pull, by)
        world.happen(pull, "closed", by)
        pull.closed_at = pull.updated_at


def reopen(world: World, repository: Repository, pull: Pull, by: str) -> None:
    """Open again; raises Refused where GitHub cannot."""
    if pull.merged or repository.git.tip(pull.base) is None:
        raise Refused(_UNPROCESSABLE, "Validation Failed", [_custom("state cannot be changed.")])
    if pull.state == "closed":
        pull.state, pull.closed_at = "open", None
        world.happen(pull, "reopened", by)


def retarget(world: World, repository: Repository, pull: Pull, base: str, by: str) -> None:
    """Point at another base, which ends auto-merge; raises Refused where GitHub cannot."""
    if pull.base == base:
        return
    if pull.state == "closed":
        said = "Cannot change the base branch of a closed pull request."
        raise Refused(_UNPROCESSABLE, "Validation Failed", [_custom(said)])
    tip = repository.git.tip(base)
    if tip is None:
        said = f"Proposed base branch '{base}' was not found"
        raise Refused(_UNPROCESSABLE, "Validation Failed", [_custom(said)])
    if refusal := _why_not_onto(repository, pull, base, tip):
        raise Refused(_UNPROCESSABLE, "Validation Failed", [_custom(refusal)])
    was, pull.base, pull.base_sha = pull.base, base, tip
    world.happen(pull, "base_ref_changed", by, was=was)
    automerge.disable(world, pull, by)


def _why_not_onto(repository: Repository, pull: Pull, base: str, tip: str) -> str | None:
    if any(pull.number in stack.members for stack in repository.stacks):
        return "Cannot change the base branch of a stacked pull request."
    if not repository.git.between(tip, pull.head_sha):
        ends = f"base branch '{base}' and head branch '{pull.head}'"
        return f"There are no new commits between {ends}"
    for other in repository.pulls.values():
        same = (other.head_repository, other.head) == (pull.head_repository, pull.head)
        if same and other.base == base and other.state == "open":
            ends = f"base branch '{base}' and head branch '{pull.head}'"
            return f"A pull request already exists for {ends}"
    return None


def pushed(
    world: World, repository: Repository, branch: str, old: str | None, new: str | None, by: str
) -> None:
    """Follow a branch that moved: heads, auto-merge, reviews, and what its going closes."""
    for target in list(world.repositories.values()):
        for pull in list(target.pulls.values()):
            own = pull.head_repository == repository.full_name and pull.head == branch
            if own and pull.state == "open":
                _head_moved(world, repository, target, pull, new, by)
    if new is None:
        for pull in repository.pulls.values():
            if pull.base == branch and pull.state == "open":
                close(world, pull, by)
    elif old is not None:
        for pull in repository.pulls.values():
            if pull.base == branch and pull.state == "open":
                _merged_by_a_push(world, repository, pull, new, by)
    settle(world, repository)


def _head_moved(
    world: World, source: Repository, target: Repository, pull: Pull, new: str | None, by: str
) -> None:
    if new is None:
        close(world, pull, by)
        return
    if source is not target:
        target.git.take(source.git, new, f"refs/pull/{pull.number}/head")
    forced = not target.git.contains(new, pull.head_sha)
    target.git.set_ref(f"refs/pull/{pull.number}/head", new)
    pull.head_sha, pull.last_pusher = new, by
    if forced:
        world.happen(pull, "head_ref_force_pushed", by, commit_id=new)
    else:
        pull.updated_at = world.clock.tick()
    if not target.may(by, "write") and world.app_of(by) is None:
        automerge.disable(world, pull, by)
    if required_of(world, target, pull.base).dismiss_stale:
        for review in pull.reviews:
            if review.state == "APPROVED":
                review.state = "DISMISSED"


def _merged_by_a_push(world: World, repository: Repository, pull: Pull, tip: str, by: str) -> None:
    if not repository.git.contains(tip, pull.head_sha):
        return
    mark_merged(world, pull, tip, by)


def landed(world: World, repository: Repository, pull: Pull) -> None:
    """Follow a merge of GitHub's own: the base moved, and the branch may have to go."""
    by = pull.merged_by or pull.author
    pushed(world, repository, pull.base, pull.base_sha, repository.git.tip(pull.base), by)
    own = pull.head_repository == repository.full_name
    if repository.settings.delete_branch_on_merge and own:
        delete_merged_branch(world, repository, pull, by)


def delete_merged_branch(world: World, repository: Repository, pull: Pull, by: str) -> None:
    """Remove a merged branch as GitHub does by itself: those above it are retargeted first."""
    for other in repository.pulls.values():
        if other.base == pull.head and other.state == "open":
            retarget(world, repository, other, pull.base, by)
    delete_branch(world, repository, pull.head, by)


def delete_branch(world: World, repository: Repository, branch: str, by: str) -> None:
    """Remove a branch by itself, which closes what is based on it."""
    old = repository.git.tip(branch)
    repository.git.set_ref(f"refs/heads/{branch}", None)
    pushed(world, repository, branch, old or EMPTY, None, by)


def settle(world: "World", repository: Repository, *, now: bool = False) -> None:
    """Merge whatever asked for it and may be: what GitHub does after every happening."""
    if world.auto_merge_waits and not now:
        return
    moved = True
    while moved:
        moved = False
        for pull in repository.pulls.values():
            wanted = pull.auto_merge
            if wanted is None or pull.state == "closed":
                continue
            wish = Wish(wanted.method, wanted.title, wanted.message)
            try:
                refuse_unready(world, repository, pull, wish, wanted.enabled_by)
                merge(world, repository, pull, wish, wanted.enabled_by)
            except Refused:
                continue
            landed(world, repository, pull)
            moved = True
