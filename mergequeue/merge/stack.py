"""What became of changes stacked on each other that were to merge in one call (facts 3.12; pure).

All members are read again, and none turns green unless all may merge. Of the answer only its words
count: what merged is read from the base, each member by its tree and by the shape that the method
leaves. A squash leaves one commit for each, a merge one commit for all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mergequeue.apply.outcomes import Wait
from mergequeue.documents.provider import MergeAnswer
from mergequeue.merge.answers import Failed, NotMerged, ReadAgain, decide_obstacle
from mergequeue.merge.shape import tree_problem
from mergequeue.ports import CommitFacts, Landing
from mergequeue.report import applying
from mergequeue.vocabulary.ids import ChangeId, CommitId, short
from mergequeue.vocabulary.text import one_line
from mergequeue.vocabulary.words import Method


@dataclass(frozen=True)
class BaseLine:
    """The base, read after the call, with all that it carries since, oldest first."""

    tip: CommitId
    line: Sequence[CommitFacts]


@dataclass(frozen=True)
class StackSeen:
    """What the base holds of a run, lowest first, and what is wrong with it."""

    tips: tuple[CommitId, ...]
    """The commit of the base with which each member landed."""
    wrong_tree: str = ""
    """How the base's tree is not the predicted one, as where only part of the run merged."""
    wrong_shape: str = ""
    by_provider: bool = False


def decide_obstacles(
    landings: Sequence[Landing], again: Sequence[ReadAgain]
) -> Mapping[ChangeId, Wait]:
    """Return what keeps a run from merging: every member's wait where the base moved, else that of
    the lowest that has one.
    """
    found = [decide_obstacle(one, read) for one, read in zip(landings, again, strict=True)]
    waits = {
        one.change.id: wait for one, wait in zip(landings, found, strict=True) if wait is not None
    }
    if again[0].tip == landings[0].tip:
        return dict(list(waits.items())[:1])
    return waits


def decide_stack_answer(
    landings: Sequence[Landing], answer: MergeAnswer | Failed, seen: BaseLine
) -> StackSeen | NotMerged:
    """Return what became of a run, by what the base carries now."""
    found = _seen(landings, seen)
    refused = isinstance(answer, MergeAnswer) and not answer.merged
    if not found.tips and (refused or (isinstance(answer, Failed) and seen.tip == landings[0].tip)):
        words = answer.words if isinstance(answer, Failed) else answer.reason
        return NotMerged(one_line(words))
    by_provider = isinstance(answer, MergeAnswer) and (answer.by_provider or not answer.merged)
    return StackSeen(found.tips, found.wrong_tree, found.wrong_shape, by_provider)


def _seen(landings: Sequence[Landing], seen: BaseLine) -> StackSeen:
    if landings[-1].change.method is Method.MERGE:
        return _merged(landings, seen)
    return _squashed(landings, seen)


def _squashed(landings: Sequence[Landing], seen: BaseLine) -> StackSeen:
    at = landings[0].tip
    tips: list[CommitId] = []
    for landing, commit in zip(landings, seen.line, strict=False):
        if commit.parents != (at,):
            wrong = f"{short(commit.id)} is not one commit on {short(at)}"
            return StackSeen(tuple(tips), wrong_shape=_of(landings, wrong))
        wrong = tree_problem(landing, commit.id, commit.tree)
        if wrong:
            return StackSeen(tuple(tips), wrong_tree=wrong)
        at = commit.id
        tips.append(at)
    if len(seen.line) > len(landings) or seen.tip != at:
        wrong = f"{short(at)} to {short(seen.tip)} is more than its members"
        return StackSeen(tuple(tips), wrong_shape=_of(landings, wrong))
    return StackSeen(tuple(tips), wrong_tree=_part(landings, len(tips)))


def _merged(landings: Sequence[Landing], seen: BaseLine) -> StackSeen:
    if seen.tip == landings[0].tip:
        return StackSeen((), wrong_tree=_part(landings, 0))
    top = seen.line[-1] if seen.line else None
    for place, landing in enumerate(landings, start=1):
        if top is None or top.parents != (landing.tip, landing.commit):
            continue
        wrong = tree_problem(landing, top.id, top.tree)
        if wrong:
            return StackSeen((), wrong_tree=wrong)
        return StackSeen((top.id,) * place, wrong_tree=_part(landings, place))
    into = f"{short(landings[-1].commit)} into {short(landings[0].tip)}"
    wrong = f"{short(seen.tip)} is not a merge of {into}"
    return StackSeen((), wrong_shape=_of(landings, wrong))


def _part(landings: Sequence[Landing], merged: int) -> str:
    if merged == len(landings):
        return ""
    return applying.merged_in_part([one.change.id for one in landings], merged)


def _of(landings: Sequence[Landing], wrong: str) -> str:
    top = landings[-1].change
    return f"merging the stack up to {top.id} by {top.method}: {wrong}"
