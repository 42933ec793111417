"""A plan and verdicts forged in every way that pays, as a job that ran a change's code could."""

import pytest

from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.ids import CommitId
from tests.support.applying import Queue, record_of
from tests.support.forge import Forge
from tests.support.landings import edit


def forge_verdict(queue: Queue, place: int = 0, **forged: object) -> None:
    """Give a verdict of the source other values."""
    verdicts = queue.source.verdicts
    verdicts[place] = verdicts[place].model_copy(update=forged)


def forge_change(queue: Queue, id_: str, **forged: object) -> None:
    """Give a change of the source's plan other values."""
    plan = queue.source.document
    assert plan is not None
    partitions = tuple(
        tuple(c.model_copy(update=forged) if c.id == id_ else c for c in partition)
        for partition in plan.partitions
    )
    queue.source.document = plan.model_copy(update={"partitions": partitions})


def kick_of(plan: Plan, change: PlannedChange, **forged: object) -> Verdict:
    """Return a kick that a plan's own verdicts may hold, of a change with some of it forged."""
    return Verdict.model_validate(
        {
            "schema": "mergequeue.verdict/v1",
            "base_commit": plan.base_commit,
            "change": record_of(change).model_copy(update=forged),
            "decision": "kick",
            "code": "KICK_REFUSED",
            "report": "A report.",
        },
        strict=False,
    )


def refusal(queue: Queue) -> str:
    """Return the code with which apply stops."""
    with pytest.raises(MergequeueError) as stopped:
        queue.apply()
    return stopped.value.code


def evil(forge: Forge) -> CommitId:
    """Return a commit of the attacker's own that the remote has, on the base."""
    commit = edit(forge, "a/evil.txt", "evil\n")
    forge.playground.branch("evil", commit)
    return commit
