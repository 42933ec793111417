"""Why a change waits or was kicked back: the closed set of seed 1, "Codes"."""

from enum import StrEnum


class Code(StrEnum):
    """One reason: a `WAIT_` code keeps the change queued, a `KICK_` code hands it to its author."""

    WAIT_NOT_APPROVED = "WAIT_NOT_APPROVED"
    WAIT_HEAD_MOVED = "WAIT_HEAD_MOVED"
    WAIT_BEHIND = "WAIT_BEHIND"
    WAIT_CONFLICT_AHEAD = "WAIT_CONFLICT_AHEAD"
    WAIT_REVALIDATE = "WAIT_REVALIDATE"
    WAIT_BRANCH_MOVED = "WAIT_BRANCH_MOVED"
    WAIT_PROVIDER_REFUSED = "WAIT_PROVIDER_REFUSED"
    WAIT_BELOW = "WAIT_BELOW"
    WAIT_BELOW_KICKED = "WAIT_BELOW_KICKED"
    WAIT_RESTACK = "WAIT_RESTACK"
    WAIT_RETARGET = "WAIT_RETARGET"
    WAIT_METHOD_CHANGED = "WAIT_METHOD_CHANGED"
    WAIT_WITHDRAWN = "WAIT_WITHDRAWN"
    WAIT_UNQUEUED_BELOW = "WAIT_UNQUEUED_BELOW"
    WAIT_NO_COMMITTER = "WAIT_NO_COMMITTER"
    WAIT_BASE_RED = "WAIT_BASE_RED"
    WAIT_CHECKS = "WAIT_CHECKS"
    WAIT_PREFLIGHT = "WAIT_PREFLIGHT"
    WAIT_REVIEW = "WAIT_REVIEW"
    WAIT_PAUSED = "WAIT_PAUSED"
    KICK_CONFLICT = "KICK_CONFLICT"
    KICK_RED = "KICK_RED"
    KICK_REFUSED = "KICK_REFUSED"
    KICK_REGENERATION = "KICK_REGENERATION"
    KICK_PREFLIGHT = "KICK_PREFLIGHT"
    KICK_REVIEW = "KICK_REVIEW"
    KICK_LANDING = "KICK_LANDING"

    @property
    def is_wait(self) -> bool:
        """Whether the change stays queued."""
        return self.value.startswith("WAIT_")

    @property
    def is_kick(self) -> bool:
        """Whether the change goes back to its author."""
        return self.value.startswith("KICK_")


MEANINGS: dict[Code, str] = {
    Code.WAIT_NOT_APPROVED: "no approval at a commit that a review of its head covers",
    Code.WAIT_HEAD_MOVED: "its head moved since it was listed or validated",
    Code.WAIT_BEHIND: "what it was validated on did not merge, or it was not validated this run",
    Code.WAIT_CONFLICT_AHEAD: "it conflicts with a change ahead of it, which merges first",
    Code.WAIT_REVALIDATE: "what it was validated on is no longer what it would merge onto",
    Code.WAIT_BRANCH_MOVED: "its branch moved or went before an update commit was pushed",
    Code.WAIT_PROVIDER_REFUSED: "the provider refused the merge",
    Code.WAIT_BELOW: "the change it is stacked on has not merged",
    Code.WAIT_BELOW_KICKED: "the change it is stacked on was kicked back",
    Code.WAIT_RESTACK: "it is not built on the head of the change it says it is stacked on",
    Code.WAIT_RETARGET: "it targets another branch than the queue's base",
    Code.WAIT_METHOD_CHANGED: "its merge method changed since validation",
    Code.WAIT_WITHDRAWN: "its merge intent was withdrawn since it was listed",
    Code.WAIT_UNQUEUED_BELOW: "it carries the commits of an open change nobody queued",
    Code.WAIT_NO_COMMITTER: "it needs a commit of the queue's own and nothing names who commits it",
    Code.WAIT_BASE_RED: "the gate was red on its candidate and on what that was built onto",
    Code.WAIT_CHECKS: "the base's required checks are running on its head, or run again",
    Code.WAIT_PREFLIGHT: "its pre-flights have not all passed at its head",
    Code.WAIT_REVIEW: "a required reviewer has not reviewed its head",
    Code.WAIT_PAUSED: "the base's queue is paused",
    Code.KICK_CONFLICT: "a real conflict with the base in files that are not generated",
    Code.KICK_RED: (
        "the gate was red on its candidate and green beneath it, "
        "or a required check was red on a head carrying the base's tip"
    ),
    Code.KICK_REFUSED: "something else the author has to fix",
    Code.KICK_REGENERATION: (
        "its merge needs regeneration that its own code runs, "
        "and validation left no bundle that apply can check"
    ),
    Code.KICK_PREFLIGHT: (
        "a pre-flight failed at its head: on the base's tip, or since it was queued"
    ),
    Code.KICK_REVIEW: (
        "a required reviewer asks for changes to its head, or did not review it in time"
    ),
    Code.KICK_LANDING: (
        "it passed its checks and failed to land three times in a row, "
        "which is not its author's fault"
    ),
}
