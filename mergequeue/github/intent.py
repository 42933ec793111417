"""Who asks for the queue: auto-merge, or a label on a pull request or on the top of its stack.

Pure. A draft asks for nothing, whatever it carries; auto-merge wins over a label on the same pull
request; GitHub's `mergeable` is never looked at (seed 1, Providers; facts 1.5).
"""

from dataclasses import dataclass

from mergequeue.github.labels import INTENT, intent_label
from mergequeue.github.pulls import OPEN, Pull, Pulls
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Method


@dataclass(frozen=True)
class Labelled:
    """An intent label, which counts only where somebody with write access put it there."""

    number: int
    """The pull request that carries it: the change's own, or the top of its stack."""
    label: str
    base: str = ""
    """The branch that it asks for; empty where it asks for none."""


@dataclass(frozen=True)
class Wish:
    """A pull request's merge intent."""

    method: Method
    base: str
    """The branch that it merges into in the end: for a member of a stack, the stack's base."""
    parent: ChangeId | None = None
    """The pull request beneath it in its stack."""
    labelled: Labelled | None = None
    """What has to be proven first; None where GitHub itself saw to that, as for auto-merge."""


def target_of(pull: Pull) -> str:
    """Return the branch that a pull request merges into in the end."""
    return pull.stack.base.ref if pull.stack is not None else pull.base.ref


def wish_of(pull: Pull, pulls: Pulls) -> Wish | None:
    """Return what an open pull request asks of the queue; None where it asks for nothing.

    `pulls` holds the other open members of its stack.
    """
    if pull.draft or pull.state != OPEN:
        return None
    return _of_stack(pull, pulls) or _of_auto_merge(pull) or _of_label(pull)


def _of_stack(pull: Pull, pulls: Pulls) -> Wish | None:
    top = pulls.top_of(pull)
    label = intent_label(top.label_names) if top is not None else None
    if top is None or label is None or pull.stack is None:
        return None
    return Wish(
        INTENT[label],
        pull.stack.base.ref,
        _beneath(pull, pulls),
        Labelled(top.number, label, pull.stack.base.ref),
    )


def _of_auto_merge(pull: Pull) -> Wish | None:
    auto = pull.auto_merge
    return Wish(auto.merge_method, pull.base.ref) if auto is not None else None


def _of_label(pull: Pull) -> Wish | None:
    label = intent_label(pull.label_names) if pull.stack is None else None
    if label is None:
        return None
    return Wish(INTENT[label], pull.base.ref, labelled=Labelled(pull.number, label, pull.base.ref))


def _beneath(pull: Pull, pulls: Pulls) -> ChangeId | None:
    place = pull.stack
    if place is None or place.id is None or place.position is None:
        return None
    below = [
        member.id
        for member in pulls.members(place.id)
        if member.stack and member.stack.position == place.position - 1
    ]
    return below[0] if below else None
