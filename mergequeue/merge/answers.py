"""What a provider's answer to a merge means (seed 1, Applying; DESIGN, Rulings 9; CASES, C and D).

The base's tip carrying the predicted tree is the one proof of a merge. An answer says only who made
it, and in whose words it was refused; its number and its "merged" prove nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mergequeue.apply.checks import decide_checks, failed_checks
from mergequeue.apply.current import Expected, answer_carried, decide_current
from mergequeue.apply.outcomes import Wait
from mergequeue.documents.provider import Approval, Check, MergeAnswer
from mergequeue.plan.reviewers import Lacks, Since, decide_reviewed
from mergequeue.ports import Landed, Landing
from mergequeue.report import applying
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import CommitId, TreeId
from mergequeue.vocabulary.text import one_line


@dataclass(frozen=True)
class Failed:
    """The call itself failed, so whether it merged is unknown."""

    words: str


@dataclass(frozen=True)
class BaseSeen:
    """The base, read after the call."""

    tip: CommitId
    tree: TreeId


@dataclass(frozen=True)
class Carried:
    """The base moved, and either carries the predicted tree or is said to: its tree and shape are
    checked next.
    """

    by_provider: bool


@dataclass(frozen=True)
class AskAgain:
    """The call failed and the base did not move: once more, pinned to the same commit."""


@dataclass(frozen=True)
class NotMerged:
    """It did not merge; reading everything again says why."""

    words: str


@dataclass(frozen=True)
class Unexplained:
    """The base is something that no merge of this change makes, or a merge that is nowhere: all
    stops (MQ3011).
    """

    problem: str


Meaning = Carried | AskAgain | NotMerged | Unexplained


def decide_answer(
    landing: Landing, answer: MergeAnswer | Failed, seen: BaseSeen, *, first: bool
) -> Meaning:
    """Return what became of a merge, by what the base carries now."""
    moved = seen.tip != landing.tip
    if moved and seen.tree == landing.tree:
        return Carried(
            by_provider=isinstance(answer, MergeAnswer)
            and (answer.by_provider or not answer.merged)
        )
    where = applying.not_as_expected(landing.change.base, seen.tip, seen.tree, landing.tree)
    if isinstance(answer, Failed):
        if moved:
            return Unexplained(
                f"merging {landing.change.id} failed ({one_line(answer.words)}), and {where}"
            )
        return AskAgain() if first else NotMerged(answer.words)
    if not answer.merged:
        return NotMerged(answer.reason)
    if moved:
        return Carried(by_provider=answer.by_provider)
    return Unexplained(f"the provider says that it merged {landing.change.id}, and {where}")


@dataclass(frozen=True)
class ReadAgain:
    """The change and the base as they are, read right before a merge or after one that did not
    happen.
    """

    answer: Approval | str
    checks: Sequence[Check]
    tip: CommitId
    carries_tip: bool
    """Whether the commit to merge carries the tip that the merge was predicted onto."""


def decide_obstacle(landing: Landing, again: ReadAgain) -> Wait | None:
    """Return what keeps the change from merging now; None where nothing that can be read does."""
    answer = answer_carried(again.answer, landing.carried)
    expected = Expected(
        head=landing.commit,
        base=landing.change.base,
        methods=(landing.change.method,),
        lacks=_lacks(landing, answer),
    )
    current = decide_current(landing.change, expected, answer)
    if isinstance(current, Wait):
        return current
    if current is not None:
        return Wait(Code.WAIT_REVALIDATE, "it is not as it was when it was rebuilt")
    if again.tip != landing.tip:
        return Wait(
            Code.WAIT_REVALIDATE, f"{landing.change.base} moved since its merge was predicted"
        )
    checks = decide_checks(again.checks, carries_tip=again.carries_tip)
    if isinstance(checks, Wait):
        return checks
    if checks is not None:
        return Wait(Code.WAIT_CHECKS, applying.checks_failed_since(failed_checks(again.checks)))
    return None


def _lacks(landing: Landing, answer: Approval | str) -> Lacks | None:
    """Return what the required reviewers say by now; nobody lets a wait pass this late."""
    if isinstance(answer, str):
        return None
    covered = {landing.change.head, landing.covered}
    return decide_reviewed(landing.reviewers, answer, covered, Since())


def decide_not_merged(landing: Landing, again: ReadAgain, words: str) -> Wait:
    """Return why a merge that did not happen waits: what reading again explains, or the provider's
    words.
    """
    return decide_obstacle(landing, again) or Wait(
        Code.WAIT_PROVIDER_REFUSED, f"the provider refused the merge: {one_line(words)}"
    )


def is_merged_by_provider(landing: Landing, again: ReadAgain, tree: TreeId) -> bool:
    """Whether the provider merged a change on its own before it was asked: it is queued no more,
    and the base carries its tree.
    """
    gone = isinstance(again.answer, str) or not again.answer.queued
    return gone and again.tip != landing.tip and tree == landing.tree


def waits(wait: Wait) -> Landed:
    """Return what a landing came to that did not happen."""
    return Landed(code=wait.code, reason=wait.reason, head=wait.head)
