"""What a validation came to."""

from dataclasses import dataclass

from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.ids import ChangeId


@dataclass(frozen=True)
class ValidationResult:
    """What a validation came to."""

    verdicts: tuple[Verdict, ...]
    """In the order they were decided."""
    undecided: tuple[ChangeId, ...] = ()
    """The changes that stay queued because it, or their partition, stopped early."""
    error: MergequeueError | None = None
    """PARTITIONS_FAILED, where a partition stopped on an error."""
