"""Whom a plan goes on with as suspects: while what failed would fail the same way, no longer."""

from collections.abc import Sequence

import pytest

from mergequeue.documents.memory import Hints, Suspected
from mergequeue.documents.plan import PlannedChange, batches_of
from mergequeue.documents.provider import Pin
from mergequeue.plan.matrix import matrix_of
from mergequeue.plan.suspecting import standing_suspects
from mergequeue.vocabulary.ids import ChangeId, CommitId
from tests.support.graphs import commit_id
from tests.support.planned import make_plan, planned

TIP = commit_id("tip")


def line(names: str, *, lane: str = "") -> tuple[PlannedChange, ...]:
    ids = names.split()
    return tuple(
        planned(id_, *ids[:rank], priority=id_ in lane.split()) for rank, id_ in enumerate(ids)
    )


def hints(names: str, *, tip: CommitId = TIP, moved: str = "") -> Hints:
    pins = tuple(
        Pin(id=ChangeId(id_), commit=commit_id(f"{'old' if id_ == moved else 'head'} {id_}"))
        for id_ in names.split()
    )
    return Hints(suspects=(Suspected(base_commit=tip, changes=pins),))


def standing(known: Hints, *partitions: Sequence[PlannedChange], batch: int = 4) -> str:
    found = standing_suspects(known, TIP, partitions, batch)
    return " | ".join(" ".join(one) for one in found)


def test_suspects_stand_in_front_of_their_partition() -> None:
    assert standing(hints("a b"), line("z"), line("a b c")) == "a b"
    assert standing(hints("a b c"), line("a b c")) == "a b c"


@pytest.mark.parametrize(
    ("known", "names"),
    [
        pytest.param(hints("a b", tip=commit_id("other")), "a b c", id="the base moved"),
        pytest.param(hints("a b"), "a c", id="one left"),
        pytest.param(hints("a b", moved="b"), "a b c", id="one has another head"),
        pytest.param(hints("a b"), "new a b", id="another one is ahead of them"),
        pytest.param(hints("a c"), "a b c", id="another one is between them"),
        pytest.param(hints("a b c d e"), "a b c d e", id="they are more than a batch"),
        pytest.param(Hints(), "a b", id="there are none"),
    ],
)
def test_they_are_suspects_no_more_where(known: Hints, names: str) -> None:
    assert standing(known, line(names)) == ""


def test_two_lanes_are_in_no_batch_together() -> None:
    both = line("a b c d e", lane="a b")
    assert [[one.id for one in batch] for batch in batches_of(both, 2)] == [
        ["a", "b"],
        ["c", "d"],
        ["e"],
    ]
    assert [len(batch) for batch in batches_of(both, 4)] == [2, 3]
    assert standing(hints("a b c"), both) == ""


def test_changes_gated_one_by_one_are_never_suspects() -> None:
    assert standing(hints("a"), line("a b"), batch=1) == ""
    assert standing(hints("a"), line("a b"), batch=2) == "a"


def test_behind_suspects_no_batch_of_their_partition_has_a_job() -> None:
    plan = make_plan(line("a b c d e"), line("x y z"), batch=2, suspects=(("a", "b"),))
    assert [job.members for job in matrix_of(plan).jobs] == [("a", "b"), ("x", "y"), ("z",)]
    assert matrix_of(plan).left == 3
