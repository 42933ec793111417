"""Changes as a provider lists them, by the names of their heads in `tests.support.graphs`."""

from mergequeue.changes.decided import Tip
from mergequeue.documents.changes import Change, MergedChange, UnqueuedChange
from mergequeue.vocabulary.ids import BranchName, ChangeId, RefName
from mergequeue.vocabulary.words import Method
from tests.support.graphs import commit_id

BASE = BranchName("main")
TIP = Tip(BASE, commit_id("tip"))


def queued(
    id_: str,
    head: str,
    *,
    method: Method = Method.SQUASH,
    parent: str | None = None,
    base: str = BASE,
    **more: object,
) -> Change:
    """Return a queued change at the head of that name."""
    return Change.model_validate(
        {
            "id": id_,
            "head": commit_id(head),
            "base": base,
            "method": method,
            "parent": parent,
            "ref": RefName(f"refs/heads/mq/{method}/{id_}"),
            **more,
        }
    )


def merged(id_: str, head: str, *, method: Method = Method.SQUASH) -> MergedChange:
    """Return a merged change whose commit is the tip."""
    return MergedChange(
        id=ChangeId(id_), head=commit_id(head), commit=commit_id("tip"), method=method
    )


def unqueued(id_: str, head: str) -> UnqueuedChange:
    """Return an open change that nobody queued."""
    return UnqueuedChange(id=ChangeId(id_), head=commit_id(head))
