"""Plans and verdicts written by hand, their commits named by words."""

from datetime import UTC, datetime

from mergequeue.documents.changes import Change
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import Landing
from mergequeue.vocabulary.ids import TreeId
from tests.support.graphs import commit_id as id_of

BASE_COMMIT = "base commit"


def tree(name: str) -> TreeId:
    """Return the tree of that name."""
    return TreeId(id_of(f"tree {name}"))


def planned(id_: str, *beneath: str, **more: object) -> PlannedChange:
    """Return an admitted change, built on the others named."""
    return PlannedChange.model_validate(
        {
            "id": id_,
            "head": id_of(f"head {id_}"),
            "base": "main",
            "method": "squash",
            "ref": f"refs/heads/topic-{id_}",
            "branch": f"topic-{id_}",
            "beneath": beneath,
            **more,
        },
        strict=False,
    )


def make_plan(*partitions: tuple[PlannedChange, ...], **more: object) -> Plan:
    """Return a plan of these partitions."""
    return Plan.model_validate(
        {
            "schema": "mergequeue.plan/v1",
            "base": "main",
            "remote_url": "/srv/origin.git",
            "base_commit": id_of(BASE_COMMIT),
            "commit_date": datetime(2030, 1, 1, tzinfo=UTC),
            "depth": 8,
            "batch": 3,
            "partitions": partitions,
            **more,
        },
        strict=False,
    )


def green(id_: str, after: str | None = None, **more: object) -> Verdict:
    """Return a green verdict on a change, validated on another or on the base commit."""
    candidate = id_of(f"candidate {id_}")
    return Verdict.model_validate(
        {
            "schema": "mergequeue.verdict/v1",
            "base_commit": id_of(BASE_COMMIT),
            "change": Change.model_validate(
                {"id": id_, "head": id_of(f"head {id_}"), "base": "main", "method": "squash"},
                strict=False,
            ),
            "decision": "merge",
            "after": after,
            "onto": id_of(f"candidate {after}" if after else BASE_COMMIT),
            "candidate_commit": candidate,
            "method": "squash",
            "batch": (id_,),
            "gated_commit": candidate,
            "depth": 1,
            **more,
        },
        strict=False,
    )


def landing(id_: str = "1", **more: object) -> Landing:
    """Return a landing of a change onto the base's tip."""
    given: dict[str, object] = {
        "change": planned(id_),
        "commit": id_of(f"head {id_}"),
        "covered": id_of(f"head {id_}"),
        "tip": id_of("tip"),
        "tree": tree("expected"),
        "message": "* A change\n",
        **more,
    }
    return Landing(**given)  # type: ignore[arg-type]  # what a test gives is of the field's type
