"""Whom the queue remembers as suspects: what jobs say of the plan's own changes, while it holds."""

import pytest

from mergequeue.apply.ready import Ending
from mergequeue.apply.run import Ended
from mergequeue.apply.suspecting import Suspecting, is_of_plan
from mergequeue.documents.gate import GateRecord
from mergequeue.documents.memory import GateOutcome, Hints, Suspected
from mergequeue.documents.plan import Plan
from mergequeue.documents.provider import Pin
from mergequeue.documents.suspects import Suspicion
from mergequeue.ports import Memory, Remembered
from mergequeue.vocabulary.ids import ChangeId, CommitId
from tests.support.graphs import commit_id
from tests.support.planned import make_plan, planned


def plan_of(names: str, *, batch: int = 4, suspects: str = "") -> Plan:
    ids = names.split()
    line = tuple(planned(id_, *ids[:rank]) for rank, id_ in enumerate(ids))
    plan = make_plan(line, (planned("z"),), batch=batch)
    return plan.model_copy(update={"suspects": (tuple(suspects.split()),) if suspects else ()})


def says(plan: Plan, job: str, changes: str = "", *, under: str = "") -> Suspicion:
    heads = {change.id: change.head for change in plan.admitted}
    pins = [Pin(id=ChangeId(id_), commit=heads[ChangeId(id_)]) for id_ in changes.split()]
    return Suspicion(
        base_commit=plan.base_commit,
        job=ChangeId(job),
        changes=tuple(pins),
        under=tuple(map(ChangeId, under.split())),
    )


def ended(names: str, ending: Ending = Ending.MERGED) -> list[Ended]:
    is_merged = ending is Ending.MERGED
    return [
        Ended(ChangeId(name), ending, commit=commit_id(f"landed-{name}") if is_merged else None)
        for name in names.split()
    ]


def remembered(
    plan: Plan, said: list[Suspicion], over: list[Ended], known: Hints | None = None
) -> tuple[str, CommitId | None]:
    """Return whom the memory then names, and on which tip."""
    suspecting = Suspecting(plan)
    suspecting.take(said)
    made = suspecting.remember(Remembered(Memory(hints=known or Hints())), over)
    suspects = made.memory.hints.suspects
    names = " ".join(pin.id for one in suspects for pin in one.changes)
    assert bool(made.lines) == (suspects != (known or Hints()).suspects)
    return names, suspects[0].base_commit if suspects else None


PLAN = plan_of("a b c d e")


def test_a_job_s_suspects_on_the_base_alone_are_remembered_at_once() -> None:
    assert remembered(PLAN, [says(PLAN, "d", "a b c d")], []) == ("a b c d", PLAN.base_commit)


def test_what_a_job_says_last_stands_in_the_place_of_what_it_said_before() -> None:
    said = [says(PLAN, "d", "a b c d"), says(PLAN, "d", "a b")]
    assert remembered(PLAN, said, [])[0] == "a b"
    assert remembered(PLAN, [*said, says(PLAN, "d")], []) == ("", None)


def test_suspects_on_others_hold_once_those_have_landed_and_on_the_tip_that_they_left() -> None:
    said = [says(PLAN, "d", "c d", under="a b")]
    assert remembered(PLAN, said, []) == ("", None)
    assert remembered(PLAN, said, ended("a")) == ("", None)
    assert remembered(PLAN, said, ended("a b")) == ("c d", commit_id("landed-b"))
    assert remembered(PLAN, said, ended("a b z")) == ("c d", commit_id("landed-z"))


@pytest.mark.parametrize("ending", [Ending.MERGED, Ending.KICKED])
def test_one_that_landed_or_was_turned_away_ends_the_suspicion(ending: Ending) -> None:
    assert remembered(PLAN, [says(PLAN, "d", "a b")], ended("a", ending)) == ("", None)


def test_one_that_waits_stays_a_suspect() -> None:
    said = [says(PLAN, "d", "a b")]
    assert remembered(PLAN, said, ended("a", Ending.WAITS)) == ("a b", PLAN.base_commit)


def test_whom_the_plan_began_with_stay_suspects_until_the_job_that_gates_them_says_more() -> None:
    plan = plan_of("a b c d e", suspects="a b c")
    assert remembered(plan, [], []) == ("a b c", plan.base_commit)
    assert remembered(plan, [], ended("z")) == ("a b c", commit_id("landed-z"))
    assert remembered(plan, [], ended("a")) == ("", None)
    assert remembered(plan, [says(plan, "d", "a b")], [])[0] == "a b"
    assert remembered(plan, [says(plan, "d")], []) == ("", None)
    assert remembered(plan, [says(plan, "e")], []) == ("", None)
    assert remembered(plan, [says(plan, "z")], [])[0] == "a b c"


def test_suspects_that_the_run_did_not_look_at_stay_on_its_own_tip_and_no_other() -> None:
    pins = (Pin(id=ChangeId("y"), commit=commit_id("y")),)
    here = Hints(suspects=(Suspected(base_commit=PLAN.base_commit, changes=pins),))
    assert remembered(PLAN, [], [], here) == ("y", PLAN.base_commit)
    assert remembered(PLAN, [], ended("a"), here) == ("y", commit_id("landed-a"))
    other = Hints(suspects=(Suspected(base_commit=commit_id("other"), changes=pins),))
    assert remembered(PLAN, [], [], other) == ("", None)


def test_what_jobs_leave_of_their_gates_is_taken_along() -> None:
    record = GateRecord(
        changes=(ChangeId("a"),),
        commit=commit_id("x"),
        outcome=GateOutcome.CANCELLED,
        duration_ms=1,
    )
    suspecting = Suspecting(PLAN)
    suspecting.take([says(PLAN, "d").model_copy(update={"gates": (record,)})])
    assert suspecting.gates == (record,)


@pytest.mark.parametrize(
    "strange",
    [
        says(PLAN, "d", "a b").model_copy(update={"base_commit": commit_id("other")}),
        says(PLAN, "d", "a b").model_copy(update={"job": ChangeId("nobody")}),
        says(PLAN, "d", "b a"),
        says(PLAN, "d", "a", under="b"),
        says(PLAN, "d", "a z"),
        says(PLAN, "d", "a b c d e"),
        says(PLAN, "d", "b", under="a nobody"),
        says(PLAN, "d").model_copy(
            update={"changes": (Pin(id=ChangeId("a"), commit=commit_id("else")),)}
        ),
    ],
)
def test_what_is_not_of_the_plan_is_not_heard(strange: Suspicion) -> None:
    assert not is_of_plan(PLAN, strange)
    suspecting = Suspecting(PLAN)
    suspecting.take([strange])
    assert suspecting.count == 0
