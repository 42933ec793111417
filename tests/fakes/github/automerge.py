"""Auto-merge: who may ask for it, and what ends it. When it fires is in lifecycle."""

from typing import TYPE_CHECKING

from tests.fakes.github.calls import Refused
from tests.fakes.github.merging import Wish
from tests.fakes.github.records import AutoMerge, Pull, Repository
from tests.fakes.github.requirements import merge_state

if TYPE_CHECKING:
    from tests.fakes.github.world import World


def enable(world: "World", repository: Repository, pull: Pull, wish: Wish, by: str) -> None:
    """Turn auto-merge on; raises Refused in GitHub's words."""
    if not repository.settings.allow_auto_merge:
        raise Refused(422, "Pull request Auto merge is not allowed for this repository")
    if pull.state == "closed":
        raise Refused(422, "Pull request is closed")
    if pull.draft:
        raise Refused(422, "Pull request Pull request is in draft status")
    if any(pull.number in stack.members for stack in repository.stacks):
        raise Refused(422, "Pull request Auto merge is not allowed for stacked pull requests")
    if wish.sha is not None and wish.sha != pull.head_sha:
        raise Refused(422, "Head branch was modified. Review and try the merge again.")
    state = merge_state(world, repository, pull)
    if state in {"CLEAN", "UNSTABLE"}:
        raise Refused(422, f"Pull request Pull request is in {state.lower()} status")
    world.happen(
        pull, f"auto_{wish.method}_enabled" if wish.method != "merge" else "auto_merge_enabled", by
    )
    pull.auto_merge = AutoMerge(by, wish.method, wish.title, wish.message, world.clock.text())


def disable(world: "World", pull: Pull, by: str) -> None:
    """Turn auto-merge off; off already is no fault of a happening, but one of a request."""
    if pull.auto_merge is not None:
        pull.auto_merge = None
        world.happen(pull, "auto_merge_disabled", by)
