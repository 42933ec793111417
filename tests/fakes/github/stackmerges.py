"""Merges in the background, alone or of a stack up to one of its members.

Unproven: this follows GitHub's description of `merge-async` and of stacks alone. What it says is
that every member up to the one asked for is merged into the stack's base, all or none. How the
commits look, and that those above are pointed at the stack's base, is our reading of it.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.fakes.github import gitmerges, lifecycle
from tests.fakes.github.calls import Refused
from tests.fakes.github.merging import (
    Wish,
    mark_merged,
    merge,
    refuse_unready,
    refuse_words,
    squash_text,
)
from tests.fakes.github.records import Json, Pull, Repository, Stack

if TYPE_CHECKING:
    from tests.fakes.github.world import World


def run(world: "World", repository: Repository, job: Json) -> None:
    """Carry out a merge that was accepted, and keep how it ended in it."""
    pull, wish = repository.pulls[job["pull"]], job["wish"]
    stack = next((one for one in repository.stacks if pull.number in one.members), None)
    if world.async_merge_failure is not None:
        job["status"], job["details"] = "failed", {"message": world.async_merge_failure}
        return
    try:
        if stack is None:
            refuse_unready(world, repository, pull, wish, job["by"])
            made = merge(world, repository, pull, wish, job["by"])
            lifecycle.landed(world, repository, pull)
        else:
            made = _merge_stack(world, repository, stack, pull, wish, job["by"])
    except Refused as no:
        job["status"], job["details"] = "failed", {"message": no.message}
        return
    job["status"] = "merged"
    job["details"] = {"message": "Pull request was merged.", "sha": made}


def _merge_stack(
    world: "World", repository: Repository, stack: Stack, top: Pull, wish: Wish, by: str
) -> str:
    numbers = stack.members[: stack.members.index(top.number) + 1]
    members = [repository.pulls[one] for one in numbers if not repository.pulls[one].merged]
    for pull in members:
        pinned = wish.sha if pull is top else None
        on_base = replace(pull, base=stack.base)
        refuse_unready(world, repository, on_base, wish._replace(sha=pinned), by)
    git = repository.git
    tip = git.tip(stack.base)
    assert tip is not None
    begun, made = tip, []
    for place, pull in enumerate(members):
        if wish.method == "merge" and pull is not top:
            continue
        tip = _one(world, repository, members, place, tip, begun, wish)
        made.append(tip)
    refuse_words(world, repository, stack.base, begun, tip, by)
    git.set_ref(f"refs/heads/{stack.base}", tip)
    for place, pull in enumerate(members):
        commit = made[-1] if wish.method == "merge" else made[place]
        pull.base = stack.base
        mark_merged(world, pull, commit, by)
    _restack(world, repository, stack, by)
    lifecycle.pushed(world, repository, stack.base, begun, tip, by)
    return tip


def _one(
    world: "World",
    repository: Repository,
    members: list[Pull],
    place: int,
    tip: str,
    begun: str,
    wish: Wish,
) -> str:
    """Return the base's tip after one member."""
    git, pull = repository.git, members[place]
    under = members[place - 1].head_sha if place else git.merge_base(begun, pull.head_sha)
    if wish.method == "rebase":
        made = gitmerges.replayed(git, tip, pull.head_sha, since=under)
        if made is None:
            raise Refused(405, "This branch can't be rebased")
        return made
    if wish.method == "merge":
        tree = gitmerges.merged_tree(git, tip, pull.head_sha)
        parents = [tip, pull.head_sha]
    else:
        tree = gitmerges.merged_from(git, [under or begun], tip, pull.head_sha)
        parents = [tip]
    if tree is None:
        raise Refused(405, "Pull Request has merge conflicts")
    own = wish if place == len(members) - 1 else Wish(wish.method)
    text = squash_text(world, repository, pull, own, since=under)
    return gitmerges.merge_commit(git, tree, parents, text, world.person(pull.author))


def _restack(world: "World", repository: Repository, stack: Stack, by: str) -> None:
    """Point the lowest of those above at the stack's base; where a test says so, rewrite them."""
    above = [repository.pulls[one] for one in stack.members if not repository.pulls[one].merged]
    tip = repository.git.tip(stack.base)
    if not above or tip is None:
        return
    above[0].base = stack.base
    world.happen(above[0], "base_ref_changed", by)
    if not world.restacks:
        return
    under: str | None = None
    for pull in above:
        old = pull.head_sha
        made = gitmerges.replayed(repository.git, tip, old, since=under)
        if made is None:
            return
        repository.git.set_ref(f"refs/heads/{pull.head}", made)
        lifecycle.pushed(world, repository, pull.head, old, made, by)
        tip, under = made, old
