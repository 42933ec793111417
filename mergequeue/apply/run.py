"""What an apply run is given and what it gives."""

from dataclasses import dataclass, field

from mergequeue.apply.ready import Ending
from mergequeue.documents.config import Configuration
from mergequeue.documents.provider import Reproduction
from mergequeue.ports import Builder, Facts, Merging
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import NO_COMMITTER, PARTITIONS_FAILED, MergequeueError
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId
from mergequeue.vocabulary.limits import POLL_SECONDS


@dataclass(frozen=True)
class Settings:
    """What the command line says."""

    base: BranchName
    committer: Identity | None = None
    """Who commits what the queue adds; the provider's own answer where None."""
    app: str = ""
    once: bool = False
    """Whether to apply what the source holds now, and stop."""
    interval: float = POLL_SECONDS
    look_interval: float = POLL_SECONDS
    """How often what moved is looked for, where validation runs beside apply."""
    dry_run: bool = False
    """Whether to say what would merge, and call nothing on the provider."""
    reproduce: Reproduction | None = None


@dataclass(frozen=True)
class BaseTools:
    """What is made from what a commit of the base says of its units."""

    facts: Facts
    merging: Merging
    builder: Builder
    configuration: Configuration = field(default_factory=Configuration)
    """What the base's file says at its tip, as apply fetched it: who has to review is no word of an
    older commit that a plan names.
    """


@dataclass(frozen=True)
class Ended:
    """How one change ended in this run."""

    change: ChangeId
    ending: Ending
    code: Code | None = None
    reason: str = ""
    green: bool = False
    """Whether validation found it green: a green change that waits is the summary's business."""
    commit: CommitId | None = None
    """What it became on the base, where it merged and that is known."""
    would: bool = False
    """Whether this is what a dry run would have done, and nothing was."""


@dataclass(frozen=True)
class ApplyResult:
    """How a run ended."""

    ended: tuple[Ended, ...] = ()
    stopped: bool = False
    """Whether it was told to stop before its source was complete."""
    errors: tuple[MergequeueError, ...] = field(default=())
    """What stopped single partitions; the others went on."""
    moved: bool = False
    """Whether the base or a change moved while it was validated beside, so that another pass may
    decide more.
    """

    @property
    def failure(self) -> MergequeueError | None:
        """The error that the command ends with; None where the run did what it could."""
        if len(self.errors) == 1:
            return self.errors[0]
        if self.errors:
            return PARTITIONS_FAILED("; ".join(str(error) for error in self.errors))
        homeless = [ended.change for ended in self.ended if ended.code is Code.WAIT_NO_COMMITTER]
        return (
            NO_COMMITTER(f"nothing names who commits what the queue makes of {', '.join(homeless)}")
            if homeless
            else None
        )
