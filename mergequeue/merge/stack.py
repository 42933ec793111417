"""What changes stacked on each other leave on the base when they merge in one call (facts 3.12;
pure): a squash one commit for each, a merge one commit for all.
"""

from collections.abc import Sequence

from mergequeue.documents.provider import MergeAnswer
from mergequeue.merge.answers import Failed, NotMerged
from mergequeue.merge.shape import tree_problem
from mergequeue.merge.together import BaseLine, Seen, decide_together
from mergequeue.ports import Landing
from mergequeue.report import applying
from mergequeue.vocabulary.ids import CommitId, short
from mergequeue.vocabulary.words import Method


def decide_stack_answer(
    landings: Sequence[Landing], answer: MergeAnswer | Failed, base: BaseLine
) -> Seen | NotMerged:
    """Return what became of a run of a stack, by what the base carries now."""
    return decide_together(landings, answer, base, _seen(landings, base))


def _seen(landings: Sequence[Landing], base: BaseLine) -> Seen:
    if landings[-1].change.method is Method.MERGE:
        return _merged(landings, base)
    return _squashed(landings, base)


def _squashed(landings: Sequence[Landing], base: BaseLine) -> Seen:
    at = landings[0].tip
    tips: list[CommitId] = []
    for landing, commit in zip(landings, base.line, strict=False):
        if commit.parents != (at,):
            wrong = f"{short(commit.id)} is not one commit on {short(at)}"
            return Seen(tuple(tips), wrong_shape=_of(landings, wrong))
        wrong = tree_problem(landing, commit.id, commit.tree)
        if wrong:
            return Seen(tuple(tips), wrong_tree=wrong)
        at = commit.id
        tips.append(at)
    if len(base.line) > len(landings) or base.tip != at:
        wrong = f"{short(at)} to {short(base.tip)} is more than its members"
        return Seen(tuple(tips), wrong_shape=_of(landings, wrong))
    return Seen(tuple(tips), wrong_tree=_part(landings, len(tips)))


def _merged(landings: Sequence[Landing], base: BaseLine) -> Seen:
    if base.tip == landings[0].tip:
        return Seen((), wrong_tree=_part(landings, 0))
    top = base.line[-1] if base.line else None
    for place, landing in enumerate(landings, start=1):
        if top is None or top.parents != (landing.tip, landing.commit):
            continue
        wrong = tree_problem(landing, top.id, top.tree)
        if wrong:
            return Seen((), wrong_tree=wrong)
        return Seen((top.id,) * place, wrong_tree=_part(landings, place))
    into = f"{short(landings[-1].commit)} into {short(landings[0].tip)}"
    wrong = f"{short(base.tip)} is not a merge of {into}"
    return Seen((), wrong_shape=_of(landings, wrong))


def _part(landings: Sequence[Landing], merged: int) -> str:
    if merged == len(landings):
        return ""
    return applying.merged_in_part("stack", [one.change.id for one in landings], merged)


def _of(landings: Sequence[Landing], wrong: str) -> str:
    top = landings[-1].change
    return f"merging the stack up to {top.id} by {top.method}: {wrong}"
