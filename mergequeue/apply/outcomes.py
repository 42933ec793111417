"""The two ends, other than merging, that a decision of apply's can give a change."""

from dataclasses import dataclass

from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import CommitId, RepoPath


@dataclass(frozen=True)
class Wait:
    """The change stays queued."""

    code: Code
    reason: str
    """Why, in one line; it becomes the status `waiting: <reason>`."""
    head: CommitId | None = None
    """The commit that the status belongs to, where that is not the planned head."""
    gone: bool = False
    """Whether the provider has the change no longer as queued, so that it may have merged."""


@dataclass(frozen=True)
class Kick:
    """The change goes back to its author, for what its author did and can put right."""

    code: Code
    detail: str
    """What exactly is wrong, as Markdown whose every name and outside word is a code span."""
    paths: tuple[RepoPath, ...] = ()
