"""The small closed sets that documents, ports and decisions are written in."""

from enum import StrEnum


class Method(StrEnum):
    """How a change lands on the base (seed 1, Vocabulary: merge method)."""

    MERGE = "merge"
    SQUASH = "squash"
    REBASE = "rebase"


class Decision(StrEnum):
    """What the queue decided of a change: its verdict's word."""

    MERGE = "merge"
    KICK = "kick"
    WAIT = "wait"
    MERGED = "merged"


class Mark(StrEnum):
    """What a change shows of its place in the queue; at most one at a time."""

    QUEUED = "queued"
    KICKED_BACK = "kicked_back"
    NEEDS_REGENERATION = "needs_regeneration"
    NONE = ""


class SandboxMode(StrEnum):
    """What happens where the kernel cannot confine a hook (seed 1, Trust model)."""

    BEST_EFFORT = "best-effort"
    """It runs under what there is: its environment and the check of its program at least."""
    REQUIRED = "required"
    """It does not run."""


class StatusState(StrEnum):
    """The state of the queue's status on a change's head."""

    PENDING = "pending"
    SUCCESS = "success"
    FAILURE = "failure"


class CheckState(StrEnum):
    """The state of one check that the base requires."""

    PENDING = "pending"
    SUCCESS = "success"
    FAILURE = "failure"


class ReviewState(StrEnum):
    """What one review says of a head."""

    APPROVED = "approved"
    CHANGES_REQUESTED = "changes_requested"
    COMMENTED = "commented"
    DISMISSED = "dismissed"
    """Somebody took its approval, or its request, back for its author."""


class ProviderMerges(StrEnum):
    """What a provider makes of a head by itself (DESIGN, Merging)."""

    PATHS = "paths"
    """It merges path by path, following no rename, and knows nothing of the queue's tree."""
    EXACT = "exact"
    """It writes the very tree that it is handed."""


class StackMerge(StrEnum):
    """Whether a provider merges a stack one change at a time or in one call."""

    SEQUENTIAL = "sequential"
    ATOMIC = "atomic"


class Rule(StrEnum):
    """The two rules by which trees are merged (DESIGN, Merging)."""

    PATHS = "paths"
    RENAMES = "renames"


class ConflictKind(StrEnum):
    """What stands in the way of merging one path."""

    CONTENT = "content"
    """Both sides changed the content, and git's content merge cannot settle it."""
    ADDED_BY_BOTH = "added by both"
    CHANGED_AND_DELETED = "changed by one side, deleted by the other"
    KINDS = "of two kinds"
    """A file against a folder, link or submodule."""
    MODES = "of two modes"
    SUBMODULE = "a submodule moved by both"
    RENAMES = "renamed by both, or into each other"


class EventKind(StrEnum):
    """What one line of `mergequeue.event/v1` tells."""

    PARTITION = "partition"
    DECIDED = "decided"
    TRIED = "tried"
    GATE = "gate"
    RESOLVED = "resolved"
    MERGED = "merged"
    KICKED = "kicked"
    WAITING = "waiting"
    NOTICE = "notice"


class Stage(StrEnum):
    """Where a change stands between being queued and landing (seed 2, Reading the queue)."""

    QUEUED = "queued"
    """No run has looked at it as it is now."""
    PREFLIGHT = "preflight"
    """Its pre-flights run."""
    AGAIN = "again"
    """They run again at a head that failed one on an older tip."""
    FAILED = "failed"
    """One of them failed, and the next run turns it away or runs it again."""
    REVIEW = "review"
    """A required reviewer has not reviewed its head."""
    STACKED = "stacked"
    """The change that it is stacked on lands first."""
    PAUSED = "paused"
    """Nothing is gated or merged until somebody resumes the queue."""
    WAITING = "waiting"
    """Something else keeps it from being gated."""
    READY = "ready"
    """It has a place in a line, and is gated when its turn comes."""
    CHECKING = "checking"
    """Its batch is gated."""
    LANDING = "landing"
    """Its batch passed its gate."""


STATUS_CONTEXT = "merge-queue"
"""The status that the queue posts, and the only check the base has to require."""
