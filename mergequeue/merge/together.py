"""What became of changes that were to merge in one call, a stack or a batch (facts 3.12; pure).

All members are read again, and none turns green unless all may merge. Of the answer only its words
count: what merged is read from the base, each member by its tree and by the shape that it leaves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mergequeue.apply.outcomes import Wait
from mergequeue.documents.provider import MergeAnswer
from mergequeue.merge.answers import Failed, NotMerged, ReadAgain, decide_obstacle
from mergequeue.ports import CommitFacts, Landing
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.text import one_line


@dataclass(frozen=True)
class BaseLine:
    """The base, read after the call, with all that it carries since, oldest first."""

    tip: CommitId
    line: Sequence[CommitFacts]


@dataclass(frozen=True)
class Seen:
    """What the base holds of them, lowest first, and what is wrong with it."""

    tips: tuple[CommitId, ...]
    """The commit of the base with which each member landed."""
    wrong_tree: str = ""
    """How the base's tree is not the predicted one, as where only part of them merged."""
    wrong_shape: str = ""
    by_provider: bool = False


def decide_obstacles(
    landings: Sequence[Landing], again: Sequence[ReadAgain]
) -> Mapping[ChangeId, Wait]:
    """Return what keeps them from merging: every member's wait where the base moved, else that of
    the lowest that has one.
    """
    found = [decide_obstacle(one, read) for one, read in zip(landings, again, strict=True)]
    waits = {
        one.change.id: wait for one, wait in zip(landings, found, strict=True) if wait is not None
    }
    if again[0].tip == landings[0].tip:
        return dict(list(waits.items())[:1])
    return waits


def decide_together(
    landings: Sequence[Landing], answer: MergeAnswer | Failed, base: BaseLine, found: Seen
) -> Seen | NotMerged:
    """Return what became of them, by what was `found` of them on the base as it is now."""
    refused = isinstance(answer, MergeAnswer) and not answer.merged
    if not found.tips and (refused or (isinstance(answer, Failed) and base.tip == landings[0].tip)):
        words = answer.words if isinstance(answer, Failed) else answer.reason
        return NotMerged(one_line(words))
    by_provider = isinstance(answer, MergeAnswer) and (answer.by_provider or not answer.merged)
    return Seen(found.tips, found.wrong_tree, found.wrong_shape, by_provider)
